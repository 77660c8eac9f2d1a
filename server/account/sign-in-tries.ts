import { limits } from '../../contract/limits.ts'
import { dayOfWrong, rowsOfWrongCodes, wrongPasswords } from '../account-block.ts'
import { clear, refund, settle, spend, spendEach, type Budget, type Claim, type Spent } from '../budgets.ts'
import { canonicalLogin } from '../canonical.ts'
import type { Db, Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { networkOf, subnetOf } from '../network.ts'
import type { Account } from './account-queries.ts'

/** Five wrong passwords in a row pause a login for an address, whether or not anybody has it (AUT-4, R14). */
const byLogin: Budget = { name: 'sign-in-login', ...limits.signIn.pause, locks: true }
/**
 * The same five for the account behind its login and its e-mail (R16). What goes beyond them is refused like a wrong
 * password: a pause would tell that two names belong to one account, and so that there is one (R14).
 */
const byAccount: Budget = { name: 'sign-in-account', ...limits.signIn.pause, locks: true }

/**
 * Wrong passwords for whatever logins: one guess at each of many accounts is a row of guesses all the same (R28). An address may be that of
 * an office: beyond its limit unknown devices there need the bot check. Beyond that of its neighbourhood they are refused (R120).
 */
const byAddress: Budget = { name: 'sign-in-address', ...limits.signIn.wrongPerAddress }
const bySubnet: Budget = { name: 'sign-in-subnet', ...limits.signIn.wrongPerSubnet }

/**
 * Wrong passwords for a name from unknown devices anywhere: beyond a few, every such device shows first that no robot is at
 * work. By the name as typed, so that an account looks like none (R14, R118). It refuses nothing itself.
 */
const byName: Budget = { name: 'sign-in-attack', ...limits.signIn.attack }

/** One try to sign in: who is meant, as typed and as known, and from where; `device` if it is known to the account. */
export type SignInTry = { login: string; account: Account | undefined; address: string; device: string | undefined }

// An unknown login has the same budgets as a known one, so that limits and work tell nothing (R14, R15).
const accountKey = ({ login, account }: SignInTry) => account?.id ?? canonicalLogin(login)

/** A known device has tries of its own: nobody else can use them up, not even from the same network (R17). */
const placeOf = ({ address, device }: SignInTry) => device ?? networkOf(address)

const rowClaims = (one: SignInTry): Claim[] => [
  [byLogin, canonicalLogin(one.login), placeOf(one)],
  [byAccount, accountKey(one), placeOf(one)],
]

const strangerClaims = ({ login, address, device }: SignInTry): Claim[] =>
  device ? [] : [[byName, canonicalLogin(login)], ...networkClaims(address)]

const networkClaims = (address: string): Claim[] => [
  [byAddress, networkOf(address)],
  [bySubnet, subnetOf(address)],
]

/**
 * Passkeys that are refused to visitors are wrong tries of their network (R28, R121). They cost nothing to send, so they are counted apart:
 * they refuse no password (R120).
 */
export async function countRefusedPasskey(db: Db, keys: Keys, address: string) {
  const apart = networkClaims(address).map(([budget, ...key]): Claim => [
    { ...budget, name: `passkey ${budget.name}` },
    ...key,
  ])
  const spent = await spendEach(db, keys, apart)
  const waits = spent.flatMap((each) => (each.ok ? [] : each.retryAfter))
  if (waits.length) return { ok: false as const, retryAfter: Math.max(1, ...waits) }
  return { ok: true as const, isSpraying: spent.some((each) => each.ok && each.left === 0) }
}

/** Pays a try before it is judged. `mayFit` is false when not even the right password counts any more. */
export async function payTry(db: Db, keys: Keys, one: SignInTry) {
  const claims = [...rowClaims(one), ...strangerClaims(one)]
  const spent = await spendEach(db, keys, claims)
  const [forLogin, forAccount, forName, forAddress, forSubnet] = spent as [Spent, Spent, Spent?, Spent?, Spent?]
  const giveBack = () => refund(db, keys, ...claims.filter((_, i) => spent[i]!.ok))
  const waits = [forLogin, forSubnet].flatMap((each) => (!each || each.ok ? [] : each.retryAfter))
  if (!forLogin.ok || waits.length) {
    await giveBack()
    return { ok: false as const, retryAfter: Math.max(1, ...waits) }
  }
  return {
    ok: true as const,
    /** From the third try at this place on, and at once for a name under attack and at an address that was wrong too often. */
    needsProof: forLogin.used >= limits.signIn.botCheckFrom || forName?.ok === false || forAddress?.ok === false,
    mayFit: forAccount.ok,
    isLast: forAccount.ok && forAccount.left === 0,
    /** No network may be wrong so often by accident. */
    isSpraying: [forAddress, forSubnet].some((network) => network?.ok && network.left === 0),
    /** The try was not judged after all. */
    giveBack,
  }
}

/** The right password ends the row of wrong ones, and is none of its network's or its name's. */
export const endRow = (db: Db, keys: Keys, one: SignInTry): Promise<void> =>
  settle(db, keys, { clear: rowClaims(one), refund: strangerClaims(one) })

/** Counts a wrong password towards the block; true when it is time for it. A known device has a count of its own (R118). */
export async function countWrong(db: Db, keys: Keys, one: SignInTry): Promise<boolean> {
  const counted = await spend(db, keys, wrongPasswords, accountKey(one), ...(one.device ? [one.device] : []))
  return !counted.ok || counted.left === 0
}

/** A new password starts every count anew: its owner gets in with it at once (AUT-4, R12). */
export const forgetTries = (tx: Tx, keys: Keys, account: Account, address: string): Promise<void> =>
  clear(
    tx,
    keys,
    [byLogin, canonicalLogin(account.login), networkOf(address)],
    [byLogin, canonicalLogin(account.email), networkOf(address)],
    [byAccount, account.id, networkOf(address)],
    dayOfWrong(account.id),
    ...rowsOfWrongCodes(account.id),
  )
