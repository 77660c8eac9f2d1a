import { limits } from '../../contract/limits.ts'
import { dayOfWrong, wrongPasswords } from '../account-block.ts'
import { clear, refund, spend, spendEach, type Budget, type Claim, type Spent } from '../budgets.ts'
import { canonicalLogin } from '../canonical.ts'
import type { Db, Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import type { Account } from './account-queries.ts'

/** Five wrong passwords in a row pause a login for an address, whether or not anybody has it (AUT-4, R14). */
const byLogin: Budget = { name: 'sign-in-login', ...limits.signIn.pause, locks: true }
/**
 * The same five for the account behind its login and its e-mail (R16). What goes beyond them is refused like a wrong
 * password: a pause would tell that two names belong to one account, and so that there is one (R14).
 */
const byAccount: Budget = { name: 'sign-in-account', ...limits.signIn.pause, locks: true }

/** One try to sign in: who is meant, as typed and as known, and from where. */
export type SignInTry = { login: string; account: Account | undefined; address: string }

// An unknown login has the same budgets as a known one, so that limits and work tell nothing (R14, R15).
const accountKey = ({ login, account }: SignInTry) => account?.id ?? canonicalLogin(login)

const claimsOf = (one: SignInTry): [Claim, Claim] => [
  [byLogin, canonicalLogin(one.login), one.address],
  [byAccount, accountKey(one), one.address],
]

/** Pays a try before it is judged. `mayFit` is false when not even the right password counts any more. */
export async function payTry(db: Db, keys: Keys, one: SignInTry) {
  const claims = claimsOf(one)
  const [forLogin, forAccount] = (await spendEach(db, keys, claims)) as [Spent, Spent]
  const paid = claims.filter((_, i) => [forLogin, forAccount][i]!.ok)
  const giveBack = () => refund(db, keys, ...paid)
  if (!forLogin.ok) {
    await giveBack()
    return forLogin
  }
  return {
    ok: true as const,
    used: forLogin.used,
    mayFit: forAccount.ok,
    isLast: forAccount.ok && forAccount.left === 0,
    /** The try was not judged after all. */
    giveBack,
  }
}

/** The right password ends the row of wrong ones. */
export const endRow = (db: Db, keys: Keys, one: SignInTry): Promise<void> => clear(db, keys, ...claimsOf(one))

/** Counts a wrong password towards the block; true when it is time for it. */
export async function countWrong(db: Db, keys: Keys, one: SignInTry): Promise<boolean> {
  const counted = await spend(db, keys, wrongPasswords, accountKey(one))
  return !counted.ok || counted.left === 0
}

/** A new password starts every count anew: its owner gets in with it at once (AUT-4, R12). */
export const forgetTries = (tx: Tx, keys: Keys, account: Account, address: string): Promise<void> =>
  clear(
    tx,
    keys,
    [byLogin, canonicalLogin(account.login), address],
    [byLogin, canonicalLogin(account.email), address],
    [byAccount, account.id, address],
    dayOfWrong(account.id),
  )
