import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { inLocale } from '../../../contract/pages.ts'
import { single, type Db, type Tx } from '../database/database.ts'
import type { Settings } from '../settings.ts'
import { hashToken, newToken } from './session.ts'

/** Links in mails that set a password: 256 bits, stored as a hash, for one use; using one voids the others (R10, R11). */
export type LinkPurpose = 'set-up' | 'reset'

const lifetime: Record<LinkPurpose, number> = { 'set-up': limits.link.invitation, reset: limits.link.reset }

/** The address of a link, in the language of its mail. */
export const linkAddress = ({ publicUrl }: Settings, locale: Locale, token: string) =>
  `${publicUrl}${inLocale(locale, '/setup-password/')}${token}`

/** Creates a link's token. Older links of the account become void, unless `keepsOlder`. */
export async function makeLink(
  tx: Tx,
  accountId: string,
  purpose: LinkPurpose,
  { seconds = lifetime[purpose], keepsOlder = false } = {},
): Promise<{ token: string; expiresAt: Date }> {
  // One link at a time is created for an account, or for an unconfirmed e-mail: two at once would not void each other (R117).
  await sql`select pg_advisory_xact_lock(hashtext('set-up ' || unconfirmed_key)) from accounts where id = ${accountId}`.execute(
    tx,
  )
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  if (!keepsOlder) await voidLinks(tx, accountId)
  await sql`
    update links set voided_at = portal_now() from accounts own join accounts related using (unconfirmed_key)
    where own.id = ${accountId} and links.account_id = related.id and used_at is null and voided_at is null`.execute(tx)
  const token = newToken()
  const { rows } = await sql<{ expiresAt: Date }>`
    insert into links (token_hash, account_id, purpose, expires_at)
    values (${hashToken(token)}, ${accountId}, ${purpose}, portal_now() + make_interval(secs => ${seconds}))
    returning expires_at`.execute(tx)
  return { token, ...single(rows) }
}

/** A sign-in, a new password or a new e-mail voids earlier links (R11). */
export async function voidLinks(tx: Tx, ...accountIds: string[]): Promise<void> {
  await voiding(accountIds).execute(tx)
}

/** The statement of `voidLinks`. */
export const voiding = (accountIds: readonly string[]): RawBuilder<unknown> =>
  sql`update links set voided_at = portal_now() where account_id = any(${accountIds}::uuid[]) and used_at is null and voided_at is null`

type Link = { accountId: string; purpose: LinkPurpose; expiresAt: Date; state: 'good' | 'used' | 'expired' }

/** Reads a link without using it up; undefined if it is unknown. A void link counts as expired. */
export async function findLink(db: Db, token: string): Promise<Link | undefined> {
  const { rows } = await sql<Link>`
    select account_id, purpose, expires_at,
      case when used_at is not null then 'used' when voided_at is not null or expires_at <= portal_now() then 'expired' else 'good' end as state
    from links where token_hash = ${hashToken(token)}`.execute(db)
  return rows[0]
}

/** Uses up a link; undefined if it is not valid or another request was first. */
export async function spendLink(
  tx: Tx,
  token: string,
): Promise<{ accountId: string; purpose: LinkPurpose } | undefined> {
  const { rows } = await sql<{ accountId: string; purpose: LinkPurpose }>`
    update links set used_at = portal_now()
    where token_hash = ${hashToken(token)} and used_at is null and voided_at is null and expires_at > portal_now()
    returning account_id, purpose`.execute(tx)
  return rows[0]
}
