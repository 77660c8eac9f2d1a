import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { inLocale } from '../../../contract/pages.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import type { MailedLinkRequest } from '../messages/message.ts'
import { networkOf } from '../observability/network.ts'
import { charge } from '../rate-limits/rate-limits.ts'
import type { Settings } from '../settings.ts'
import { lockAccount } from './account-names.ts'
import { findDeviceOwner } from './devices.ts'
import { hashToken, newToken } from './session.ts'

/** What a link in a mail is for. */
export type LinkPurpose = 'set-up' | 'reset' | 'lost-phone'

/** The purposes of the links that set a password. No other link does (R220). */
export const passwordPurposes = ['set-up', 'reset'] as const satisfies LinkPurpose[]
export type PasswordPurpose = (typeof passwordPurposes)[number]
const allPurposes: readonly LinkPurpose[] = [...passwordPurposes, 'lost-phone']

const lifetime: Record<LinkPurpose, number> = {
  'set-up': limits.link.invitation,
  reset: limits.link.reset,
  'lost-phone': limits.link.lostPhone,
}

/** Returns the condition for the link of this token with one of these purposes. */
const linkCondition = (token: string, purposes: readonly LinkPurpose[]) => sql`
  token_hash = ${hashToken(token)} and purpose = any(${purposes}::text[])`

/** Returns the address of a link that sets a password, in the language of its mail. */
export const linkAddress = ({ publicUrl }: Settings, locale: Locale, token: string) =>
  `${publicUrl}${inLocale(locale, '/setup-password/')}${token}`

/**
 * Creates a link's token: 256 bits, stored as a hash, for one use (R10, R11). Older links of the account that set a password become void,
 * unless `keepsOlder`.
 */
export async function makeLink(
  tx: Tx,
  accountId: string,
  purpose: LinkPurpose,
  { seconds = lifetime[purpose], keepsOlder = false } = {},
): Promise<{ token: string; expiresAt: Date }> {
  // One link at a time is created for an account, or for an unconfirmed e-mail: two at once would not void each other (R117).
  await query(tx).run(sql`
    select pg_advisory_xact_lock(hashtext('set-up ' || unconfirmed_key)) from accounts where id = ${accountId}`)
  await lockAccount(tx, accountId)
  if (!keepsOlder) await voidLinks(tx, [accountId])
  await query(tx).run(sql`
    update links set voided_at = portal_now() from accounts own join accounts related using (unconfirmed_key)
    where own.id = ${accountId} and links.account_id = related.id and used_at is null and voided_at is null`)
  const token = newToken()
  const created = await query(tx).one(sql<{ expiresAt: Date }>`
    insert into links (token_hash, account_id, purpose, expires_at)
    values (${hashToken(token)}, ${accountId}, ${purpose}, portal_now() + make_interval(secs => ${seconds}))
    returning expires_at`)
  return { token, ...created }
}

/**
 * Voids earlier links that set a password, after a sign-in or a new password (R11). Those of other purposes stay valid: a thief with the
 * phone could sign in, and so keep the owner from suspending (R224).
 */
export async function voidLinks(
  tx: Tx,
  accountIds: readonly string[],
  purposes: readonly LinkPurpose[] = passwordPurposes,
): Promise<void> {
  await query(tx).run(voidLinksStatement(accountIds, purposes))
}

/** Voids every link that the former mailbox has, after a new e-mail address (R11). */
export const voidAllLinks = (tx: Tx, accountIds: readonly string[]): Promise<void> =>
  voidLinks(tx, accountIds, allPurposes)

export const voidLinksStatement = (
  accountIds: readonly string[],
  purposes: readonly LinkPurpose[] = passwordPurposes,
): RawBuilder<unknown> => sql`
  update links set voided_at = portal_now()
  where account_id = any(${accountIds}::uuid[]) and purpose = any(${purposes}::text[]) and used_at is null and voided_at is null`

type Link<P extends LinkPurpose> = {
  accountId: string
  purpose: P
  expiresAt: Date
  state: 'good' | 'used' | 'expired'
}

/** Reads a link of these purposes without using it up; undefined if it is unknown. A void link counts as expired. */
export async function findLink<P extends LinkPurpose>(db: Db, token: string, purposes: readonly P[]) {
  return query(db).first(sql<Link<P>>`
    select account_id, purpose, expires_at,
      case when used_at is not null then 'used' when voided_at is not null or expires_at <= portal_now() then 'expired' else 'good' end as state
    from links where ${linkCondition(token, purposes)}`)
}

/** Uses up a link of these purposes; undefined if it is not valid or another request was first. */
export async function spendLink<P extends LinkPurpose>(tx: Tx, token: string, purposes: readonly P[]) {
  return query(tx).first(sql<{ accountId: string; purpose: P }>`
    update links set used_at = portal_now()
    where ${linkCondition(token, purposes)} and used_at is null and voided_at is null and expires_at > portal_now()
    returning account_id, purpose`)
}

/** Finds the source by which requests are counted: a device that is known to an account, or else its network (R119). */
export async function findSource(db: Db, device: string | undefined, address: string) {
  const known = await findDeviceOwner(db, device)
  return { key: known?.device ?? networkOf(address), knownTo: known?.accountId }
}

/**
 * Limits the mails to a mailbox by source (`wanted`) and by all strangers together. Beyond the limits a mail is still sent from time to
 * time, so that the mailbox has a link that works for another ten minutes: otherwise requests from the owner's network would lock the owner
 * out (R119).
 */
export const chargeLinkMail = async (
  tx: Tx,
  keys: Keys,
  kind: 'reset' | 'lost-phone',
  accountId: string,
  { wanted, knownTo }: MailedLinkRequest,
): Promise<boolean> =>
  (wanted && (accountId === knownTo || (await charge(tx, keys, [`${kind}-strangers`, accountId])).ok)) ||
  (await charge(tx, keys, [`${kind}-spaced`, accountId])).ok
