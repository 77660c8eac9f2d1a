import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import { record, type Record } from './audit.ts'
import { clear, type Budget, type Claim } from './budgets.ts'
import { canonicalLogin } from './canonical.ts'
import type { Tx } from './db.ts'
import type { Keys } from './keys.ts'

/** Ten wrong passwords in a day block an account. This budget refuses nothing itself, or a blocked account would look unlike an absent one (R14). */
export const wrongPasswords: Budget = { name: 'sign-in-block', ...limits.signIn.block }

/** What a whole sign-in, a new password and an operator's word start anew: the day's count of all unknown devices together. */
export const dayOfWrong = (accountId: string): Claim => [wrongPasswords, accountId]

/**
 * Opens a blocked account at the word of the operator or the provider, for its present password. The count that blocked it
 * starts anew, or the next typing mistake would block it again. False when nobody blocked is meant.
 */
export async function unblockAccount(
  tx: Tx,
  keys: Keys,
  whose: { name: string } | { providerId: string },
  by: Pick<Record, 'actor' | 'address' | 'details'>,
): Promise<boolean> {
  const key = 'name' in whose && canonicalLogin(whose.name)
  const isMeant =
    'name' in whose ? sql`(login_key = ${key} or email_key = ${key})` : sql`provider_id = ${whose.providerId}`
  const { rows } = await sql<{ id: string }>`
    update accounts set blocked_at = null, blocked_for_strangers = false where ${isMeant} and blocked_at is not null returning id`.execute(
    tx,
  )
  const accountId = rows[0]?.id
  if (!accountId) return false
  await clear(tx, keys, dayOfWrong(accountId))
  await record(tx, { act: 'account-unblocked', accountId, ...by })
  return true
}
