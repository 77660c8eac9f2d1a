import { sql } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { inLocale } from '../contract/pages.ts'
import type { Db, Tx } from './db.ts'
import type { Settings } from './portal.ts'
import { hashToken, newToken } from './session.ts'

/** Links of mails that set a password: 256 bits, hash kept, one use; the one that is used ends the others (R10, R11). */
export type LinkPurpose = 'set-up' | 'reset'

const life: Record<LinkPurpose, number> = { 'set-up': limits.link.invitation, reset: limits.link.reset }

/** Where a link leads, in the language of its mail. */
export const linkAddress = ({ publicUrl }: Settings, locale: Locale, token: string) =>
  `${publicUrl}${inLocale(locale, '/setup-password/')}${token}`

/** Makes a link's token; older links of the account are void from now on, unless it `keepsOlder`. */
export async function makeLink(
  tx: Tx,
  accountId: string,
  purpose: LinkPurpose,
  { seconds = life[purpose], keepsOlder = false } = {},
): Promise<{ token: string; expiresAt: Date }> {
  // One link of an account, or of an e-mail that nobody has confirmed, is made at a time, or two at once would not see, and so
  // not void, each other (R117).
  await sql`select pg_advisory_xact_lock(hashtext('set-up ' || unconfirmed_key)) from accounts where id = ${accountId}`.execute(
    tx,
  )
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  if (!keepsOlder) await voidLinks(tx, accountId)
  await sql`
    update links set voided_at = portal_now() from accounts own join accounts other using (unconfirmed_key)
    where own.id = ${accountId} and links.account_id = other.id and used_at is null and voided_at is null`.execute(tx)
  const token = newToken()
  const { expires_at } = await tx
    .insertInto('links')
    .values({
      token_hash: hashToken(token),
      account_id: accountId,
      purpose,
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${seconds})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt: expires_at }
}

/** A sign-in, a new password or a new e-mail makes earlier links void (R11). */
export async function voidLinks(tx: Tx, ...accountIds: string[]): Promise<void> {
  await sql`update links set voided_at = portal_now() where account_id = any(${accountIds}::uuid[]) and used_at is null and voided_at is null`.execute(
    tx,
  )
}

type Link = { accountId: string; purpose: LinkPurpose; expiresAt: Date; state: 'good' | 'used' | 'expired' }

/** Looks at a link without using it up; undefined when there is none. A void link reads as expired. */
export async function findLink(db: Db, token: string): Promise<Link | undefined> {
  const { rows } = await sql<Link>`
    select account_id as "accountId", purpose, expires_at as "expiresAt",
      case when used_at is not null then 'used' when voided_at is not null or expires_at <= portal_now() then 'expired' else 'good' end as state
    from links where token_hash = ${hashToken(token)}`.execute(db)
  return rows[0]
}

/** Uses a link up inside the act; undefined when it is not good or another request was first. */
export async function spendLink(
  tx: Tx,
  token: string,
): Promise<{ accountId: string; purpose: LinkPurpose } | undefined> {
  const { rows } = await sql<{ accountId: string; purpose: LinkPurpose }>`
    update links set used_at = portal_now()
    where token_hash = ${hashToken(token)} and used_at is null and voided_at is null and expires_at > portal_now()
    returning account_id as "accountId", purpose`.execute(tx)
  return rows[0]
}
