import { sql } from 'kysely'
import type { AuditEntry } from '../audit/audit-entry.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { settle, type LimitKey } from '../rate-limits/rate-limits.ts'
import { canonicalLogin } from './canonical.ts'
import type { Tx } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'

/** The day's count of all unknown devices together. A sign-in, a new password and an unblock reset it. */
export const dailyWrongPasswords = (accountId: string): LimitKey => ['sign-in-block', accountId]

/** Marks counts of known devices and signed-in customers, apart from those of strangers who have the password (R118). */
export const knownDevice = 'known'

/** The streak of strangers, or with `knownDevice` that of known devices, which strangers cannot lock out. */
export const wrongCodesKey = (accountId: string, ...device: string[]): LimitKey => [
  'code-entries-unbroken',
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
  await settle(tx, keys, { clear: wrongCodesKeys(accountId) })
  if (!unblocked) return false
  await settle(tx, keys, { clear: dailyWrongPasswords(accountId) })
  await addAuditEntry(tx, { action: 'account-unblocked', accountId, ...actor })
  return true
}
