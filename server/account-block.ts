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

/** What is counted for a known device and for who is signed in, apart from what strangers do who have the password (R118). */
export const known = 'known'

/** Wrong codes of all purposes without a right one between them (R20). */
const wrongCodes: Budget = {
  name: 'code-entries-unbroken',
  limit: limits.code.wrongWithoutSuccess,
  window: 10 * 365 * 86_400,
  locks: true,
}
/** The row of strangers, or that of the `known`, whom strangers do not lock out. */
export const rowOfWrongCodes = (accountId: string, ...whose: string[]): Claim => [wrongCodes, accountId, ...whose]
/** A new password and the provider's word end both, or there would be no way out of them. The day's own limit stays (R12). */
export const rowsOfWrongCodes = (accountId: string): Claim[] => [
  rowOfWrongCodes(accountId),
  rowOfWrongCodes(accountId, known),
]

/**
 * Opens a blocked account at the word of the operator or the provider, for its present password. The count that blocked it
 * starts anew, or the next typing mistake would block it again; so do wrong codes, blocked or not. False when nobody blocked is meant.
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
  const { rows } = await sql<{ id: string; opened: boolean }>`
    with opened as (
      update accounts set blocked_at = null, blocked_for_strangers = false where ${isMeant} and blocked_at is not null returning id
    )
    select id, id in (select id from opened) as opened from accounts where ${isMeant}`.execute(tx)
  if (!rows[0]) return false
  const { id: accountId, opened } = rows[0]
  await clear(tx, keys, ...rowsOfWrongCodes(accountId))
  if (!opened) return false
  await clear(tx, keys, dayOfWrong(accountId))
  await record(tx, { act: 'account-unblocked', accountId, ...by })
  return true
}
