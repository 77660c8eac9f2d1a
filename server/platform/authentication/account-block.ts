import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { AuditEntry } from '../audit/audit-entry.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { resetStreak, type RateLimit, type LimitKey } from '../rate-limits/rate-limits.ts'
import { canonicalLogin } from './canonical.ts'
import type { Tx } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'

/** Ten wrong passwords in a day block an account. The limit itself refuses nothing, so a blocked account looks like an unknown one (R14). */
export const wrongPasswords: RateLimit = { name: 'sign-in-block', ...limits.signIn.block }

/** The day's count of all unknown devices together. A sign-in, a new password and an unblock reset it. */
export const dailyWrongPasswords = (accountId: string): LimitKey => [wrongPasswords, accountId]

/** Marks counts of known devices and signed-in customers, apart from those of strangers who have the password (R118). */
export const knownDevice = 'known'

/** Wrong codes of all purposes without a correct one between them (R20). */
const wrongCodeStreak: RateLimit = {
  name: 'code-entries-unbroken',
  limit: limits.code.wrongWithoutSuccess,
  window: 10 * 365 * 86_400,
  locks: true,
}
/** The streak of strangers, or with `knownDevice` that of known devices, which strangers cannot lock out. */
export const wrongCodesKey = (accountId: string, ...device: string[]): LimitKey => [
  wrongCodeStreak,
  accountId,
  ...device,
]
/** A new password and an unblock reset both streaks, since nothing else does. The limit of the day stays (R12). */
export const wrongCodesKeys = (accountId: string): LimitKey[] => [
  wrongCodesKey(accountId),
  wrongCodesKey(accountId, knownDevice),
]

/**
 * Unblocks an account for the operator, the provider or its staff; its password stays. Resets the count that blocked it, or the next typing
 * mistake would block it again. Resets wrong codes even if the account is not blocked. False if no blocked account matches.
 */
export async function unblockAccount(
  tx: Tx,
  keys: Keys,
  account: { name: string } | { providerId: string } | { accountId: string },
  actor: Pick<AuditEntry, 'actor' | 'address' | 'details'>,
): Promise<boolean> {
  const key = 'name' in account && canonicalLogin(account.name)
  const isMatch =
    'name' in account
      ? sql`(login_key = ${key} or email_key = ${key})`
      : 'accountId' in account
        ? sql`id = ${account.accountId}`
        : sql`provider_id = ${account.providerId}`
  const { rows } = await sql<{ id: string; unblocked: boolean }>`
    with unblocked as (
      update accounts set blocked_at = null, blocked_for_strangers = false where ${isMatch} and blocked_at is not null returning id
    )
    select id, id in (select id from unblocked) as unblocked from accounts where ${isMatch}`.execute(tx)
  if (!rows[0]) return false
  const { id: accountId, unblocked } = rows[0]
  await resetStreak(tx, keys, ...wrongCodesKeys(accountId))
  if (!unblocked) return false
  await resetStreak(tx, keys, dailyWrongPasswords(accountId))
  await addAuditEntry(tx, { action: 'account-unblocked', accountId, ...actor })
  return true
}
