import { limits } from '../../contract/limits.ts'
import { dailyWrongPasswords, wrongCodesKeys } from '../platform/authentication/account-block.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { networkOf, subnetOf } from '../platform/observability/network.ts'
import { charge, settle, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import type { Account } from './account-store.ts'

/** An attempt to sign in. */
export type SignInAttempt = {
  /** The login or e-mail address as typed. */
  login: string
  account: Account | undefined
  address: string
  /** The device, if it is known to the account. */
  device: string | undefined
}

// An unknown login has the same rate limits as a known one, so that limits and work reveal nothing (R14, R15).
const accountKey = ({ login, account }: SignInAttempt) => account?.id ?? canonicalLogin(login)

/**
 * Returns the source of an attempt. A known device has its own attempts: others cannot use them up, not even from the same network (R17).
 */
const sourceKey = ({ address, device }: SignInAttempt) => device ?? networkOf(address)

const streakKeys = (attempt: SignInAttempt): [LimitKey, LimitKey] => [
  ['sign-in-login', canonicalLogin(attempt.login), sourceKey(attempt)],
  ['sign-in-account', accountKey(attempt), sourceKey(attempt)],
]

/** Returns the limit keys for the pauses of an account at these networks and known devices, for any of its names (DSK-10). */
export const passwordPauses = (
  { id, names }: { id: string; names: readonly string[] },
  { addresses, devices }: { addresses: readonly string[]; devices: readonly string[] },
): LimitKey[] =>
  [...new Set([...addresses.map(networkOf), ...devices])].flatMap((source): LimitKey[] => [
    ['sign-in-account', id, source],
    ...names.map((name): LimitKey => ['sign-in-login', canonicalLogin(name), source]),
  ])

const strangerKeys = ({ login, address, device }: SignInAttempt): LimitKey[] =>
  device
    ? []
    : [
        ['sign-in-attack', canonicalLogin(login)],
        ['sign-in-address', networkOf(address)],
        ['sign-in-subnet', subnetOf(address)],
      ]

/** Counts a refused passkey of a visitor as a failure of the network (R28, R121). */
export async function countRefusedPasskey(db: Db, keys: Keys, address: string) {
  const limitKeys: LimitKey[] = [
    ['passkey sign-in-address', networkOf(address)],
    ['passkey sign-in-subnet', subnetOf(address)],
  ]
  const charged = await charge(db, keys, limitKeys, { areIndependent: true })
  if (!charged.ok) return { ok: false as const, retryAfter: Math.max(1, ...charged.waits) }
  return { ok: true as const, isSpraying: charged.left.includes(0) }
}

/** Charges an attempt before it is judged. `mayFit` is false if not even the right password is accepted any more. */
export async function chargeAttemptToSignIn(db: Db, keys: Keys, attempt: SignInAttempt) {
  const limitKeys = [...streakKeys(attempt), ...strangerKeys(attempt)]
  const charged = await charge(db, keys, limitKeys, { areIndependent: true })
  const [forLogin, forAccount, ...forStrangers] = charged.left
  const [isNameSpent, isAddressSpent, isSubnetSpent] = forStrangers.map((left) => left === undefined)
  const refund = () => settle(db, keys, { refund: limitKeys.filter((_, i) => charged.left[i] !== undefined) })
  if (forLogin === undefined || isSubnetSpent) {
    await refund()
    const [login = 0, , , , subnet = 0] = charged.ok ? [] : charged.waits
    return { ok: false as const, retryAfter: Math.max(1, login, subnet) }
  }
  const used = limits.signIn.pause.limit - forLogin
  return {
    ok: true as const,
    /**
     * Whether a proof of the bot check is needed: from the third attempt from this source on, and at once for a name under attack and at an
     * address with too many failures.
     */
    needsProof: used >= limits.signIn.botCheckFrom || isNameSpent || isAddressSpent,
    mayFit: forAccount !== undefined,
    isLast: forAccount === 0,
    /** Whether a network has more failures than can be accidental. */
    isSpraying: forStrangers.slice(1).includes(0),
    /** Refunds an attempt that was not judged after all. */
    refund,
  }
}

/** Ends the streak of wrong passwords after the right one, which does not count for its network or its name. */
export const resetStreakOfSignIn = (db: Db, keys: Keys, attempt: SignInAttempt): Promise<void> =>
  settle(db, keys, { clear: streakKeys(attempt), refund: strangerKeys(attempt) })

/** Counts a wrong password towards the block; true when the account is to be blocked. A known device has its own count (R118). */
export async function countFailure(db: Db, keys: Keys, attempt: SignInAttempt): Promise<boolean> {
  const { device } = attempt
  const counted = await charge(db, keys, ['sign-in-block', accountKey(attempt), ...(device ? [device] : [])])
  return !counted.ok || counted.left[0] === 0
}

/** Resets every count after a new password: its owner can sign in with it at once (AUT-4, R12). */
export const clearAttempts = (tx: Tx, keys: Keys, account: Account, address: string): Promise<void> =>
  settle(tx, keys, {
    clear: [
      ['sign-in-login', canonicalLogin(account.login), networkOf(address)],
      ['sign-in-login', canonicalLogin(account.email), networkOf(address)],
      ['sign-in-account', account.id, networkOf(address)],
      dailyWrongPasswords(account.id),
      ...wrongCodesKeys(account.id),
    ],
  })
