import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import { record } from './audit.ts'
import { clear, type Budget, type Claim } from './budgets.ts'
import { canonicalLogin } from './canonical.ts'
import type { Db } from './db.ts'
import type { Keys } from './keys.ts'

/** Ten wrong passwords in a day block an account. This budget refuses nothing itself, or a blocked account would look unlike an absent one (R14). */
export const wrongPasswords: Budget = { name: 'sign-in-block', ...limits.signIn.block }

/** What a whole sign-in, a new password and an operator's word start anew: the day's count. */
export const dayOfWrong = (accountId: string): Claim => [wrongPasswords, accountId]

/**
 * Opens a blocked account at an operator's word, for its present password. The count that blocked it starts anew, or
 * the next typing mistake would block it again. False when nobody blocked has this login or e-mail.
 */
export const unblockAccount = (db: Db, keys: Keys, loginOrEmail: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const key = canonicalLogin(loginOrEmail)
    const { rows } = await sql<{ id: string }>`
      update accounts set blocked_at = null where (login_key = ${key} or email_key = ${key}) and blocked_at is not null
      returning id`.execute(tx)
    const accountId = rows[0]?.id
    if (!accountId) return false
    await clear(tx, keys, dayOfWrong(accountId))
    await record(tx, { act: 'account-unblocked', accountId, actor: 'operator' })
    return true
  })
