import { limits } from '../../contract/limits.ts'
import { dailyWrongPasswords, wrongCodesKeys, wrongPasswords } from '../platform/authentication/account-block.ts'
import {
  resetStreak,
  refund,
  settle,
  chargeAttempt,
  chargeEach,
  type RateLimit,
  type LimitKey,
} from '../platform/rate-limits/rate-limits.ts'
import { canonicalLogin } from '../platform/authentication/canonical.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { networkOf, subnetOf } from '../platform/observability/network.ts'
import type { Account } from './account-store.ts'

/** Five wrong passwords in a row pause a login for an address, whether or not it belongs to an account (AUT-4, R14). */
const byLogin: RateLimit = { name: 'sign-in-login', ...limits.signIn.pause, locks: true }
/**
 * The same five for the account behind its login and its e-mail (R16). Further attempts are refused like a wrong password: a
 * pause would reveal that two names belong to one account, and so that the account exists (R14).
 */
const byAccount: RateLimit = { name: 'sign-in-account', ...limits.signIn.pause, locks: true }

/**
 * Wrong passwords for any logins: guessing one password for many accounts is guessing, too (R28). An address may be that of an office: beyond
 * its limit unknown devices there need the bot check. Beyond the limit of its neighbourhood they are refused (R120).
 */
const byAddress: RateLimit = { name: 'sign-in-address', ...limits.signIn.wrongPerAddress }
const bySubnet: RateLimit = { name: 'sign-in-subnet', ...limits.signIn.wrongPerSubnet }

/**
 * Wrong passwords for a name from unknown devices anywhere: beyond a few, every such device needs the bot check. It counts the name
 * as typed, so that a missing account looks like an existing one (R14, R118). It refuses nothing itself.
 */
const byName: RateLimit = { name: 'sign-in-attack', ...limits.signIn.attack }

/** One attempt to sign in: the name as typed, its account, and the address; `device` if it is known to the account. */
export type SignInAttempt = { login: string; account: Account | undefined; address: string; device: string | undefined }

// An unknown login has the same rate limits as a known one, so that limits and work reveal nothing (R14, R15).
const accountKey = ({ login, account }: SignInAttempt) => account?.id ?? canonicalLogin(login)

/** A known device has attempts of its own: others cannot use them up, not even from the same network (R17). */
const sourceKey = ({ address, device }: SignInAttempt) => device ?? networkOf(address)

const streakKeys = (attempt: SignInAttempt): [LimitKey, LimitKey] => [
  [byLogin, canonicalLogin(attempt.login), sourceKey(attempt)],
  [byAccount, accountKey(attempt), sourceKey(attempt)],
]

/** The pauses of an account at these networks and known devices, for any of its names (DSK-10). */
export const passwordPauses = (
  { id, names }: { id: string; names: readonly string[] },
  { addresses, devices }: { addresses: readonly string[]; devices: readonly string[] },
): LimitKey[] =>
  [...new Set([...addresses.map(networkOf), ...devices])].flatMap((source): LimitKey[] => [
    [byAccount, id, source],
    ...names.map((name): LimitKey => [byLogin, canonicalLogin(name), source]),
  ])

const strangerKeys = ({ login, address, device }: SignInAttempt): LimitKey[] =>
  device ? [] : [[byName, canonicalLogin(login)], ...networkKeys(address)]

const networkKeys = (address: string): LimitKey[] => [
  [byAddress, networkOf(address)],
  [bySubnet, subnetOf(address)],
]

const longest = (waits: readonly number[]) => Math.max(1, ...waits)

/**
 * Counts a refused passkey of a visitor as a failure of the network (R28, R121). Sending one costs nothing, so they are counted
 * separately: they refuse no password (R120).
 */
export async function countRefusedPasskey(db: Db, keys: Keys, address: string) {
  const separate = networkKeys(address).map(([limit, ...key]): LimitKey => [
    { ...limit, name: `passkey ${limit.name}` },
    ...key,
  ])
  const charged = await chargeEach(db, keys, separate)
  const waits = charged.flatMap((each) => (each.ok ? [] : each.retryAfter))
  if (waits.length) return { ok: false as const, retryAfter: longest(waits) }
  return { ok: true as const, isSpraying: charged.some((each) => each.ok && each.left === 0) }
}

/** Charges an attempt before it is judged. `mayFit` is false if not even the right password is accepted any more. */
export async function chargeAttemptToSignIn(db: Db, keys: Keys, attempt: SignInAttempt) {
  const limitKeys = [...streakKeys(attempt), ...strangerKeys(attempt)]
  const charged = await chargeEach(db, keys, limitKeys)
  const [forLogin, forAccount, forName, forAddress, forSubnet] = charged
  const refundAll = () => refund(db, keys, ...limitKeys.filter((_, i) => charged[i]?.ok))
  const waits = [forLogin, forSubnet].flatMap((each) => (!each || each.ok ? [] : each.retryAfter))
  if (!forLogin?.ok || waits.length) {
    await refundAll()
    return { ok: false as const, retryAfter: longest(waits) }
  }
  return {
    ok: true as const,
    /** From the third attempt from this source on, and at once for a name under attack and at an address with too many failures. */
    needsProof: forLogin.used >= limits.signIn.botCheckFrom || forName?.ok === false || forAddress?.ok === false,
    mayFit: forAccount?.ok === true,
    isLast: forAccount?.ok === true && forAccount.left === 0,
    /** No network fails so often by accident. */
    isSpraying: [forAddress, forSubnet].some((network) => network?.ok && network.left === 0),
    /** For an attempt that was not judged after all. */
    refund: refundAll,
  }
}

/** The right password ends the streak of wrong ones, and does not count for its network or its name. */
export const resetStreakOfSignIn = (db: Db, keys: Keys, attempt: SignInAttempt): Promise<void> =>
  settle(db, keys, { clear: streakKeys(attempt), refund: strangerKeys(attempt) })

/** Counts a wrong password towards the block; true when the account is to be blocked. A known device has its own count (R118). */
export async function countFailure(db: Db, keys: Keys, attempt: SignInAttempt): Promise<boolean> {
  const { device } = attempt
  const counted = await chargeAttempt(db, keys, wrongPasswords, accountKey(attempt), ...(device ? [device] : []))
  return !counted.ok || counted.left === 0
}

/** A new password resets every count: its owner can sign in with it at once (AUT-4, R12). */
export const refundAttempts = (tx: Tx, keys: Keys, account: Account, address: string): Promise<void> =>
  resetStreak(
    tx,
    keys,
    [byLogin, canonicalLogin(account.login), networkOf(address)],
    [byLogin, canonicalLogin(account.email), networkOf(address)],
    [byAccount, account.id, networkOf(address)],
    dailyWrongPasswords(account.id),
    ...wrongCodesKeys(account.id),
  )
