import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { hashToken } from '../platform/authentication/session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { isDue, reachedStep } from '../platform/messages/end-reminders.ts'
import { isAdministrator } from './seal-membership-store.ts'

export type RecipientRow = { email: string; confirmedAt: Date | null; expiresAt: Date }

export const findRecipient = (db: Db, sealId: string): Promise<RecipientRow | undefined> =>
  query(db).first(sql<RecipientRow>`
    select email, confirmed_at, expires_at from seal_recipients where seal_id = ${sealId}`)

type NewRecipient = { sealId: string; email: string; locale: Locale; token: string; by: string }
export type NamedRecipient = RecipientRow & { organisation: string; product: SealProduct }

/** In place of the one before, whose link and reminders end. Undefined if `by` is not an Administrator (R217). */
export const putRecipient = (
  tx: Tx,
  { sealId, email, locale, token, by }: NewRecipient,
): Promise<NamedRecipient | undefined> =>
  query(tx).first(sql<NamedRecipient>`
    with named as (
      insert into seal_recipients (seal_id, email, email_key, locale, token_hash, expires_at)
      select ${sealId}::uuid, ${email}, ${canonicalLogin(email)}, ${locale}, ${hashToken(token)}::bytea,
        portal_now() + make_interval(secs => ${limits.link.recipient})
      where ${isAdministrator(sealId, by)}
      on conflict (seal_id) do update set email = excluded.email, email_key = excluded.email_key, locale = excluded.locale,
        token_hash = excluded.token_hash, added_at = portal_now(), expires_at = excluded.expires_at, confirmed_at = null,
        reminded_of = null, reminded_step = null
      returning *
    )
    select named.email, named.confirmed_at, named.expires_at, s.organisation, s.product
    from named join seals s on s.id = named.seal_id`)

/** Returns whether there was one to remove. */
export const removeRecipient = (tx: Tx, sealId: string, by: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    delete from seal_recipients where seal_id = ${sealId} and ${isAdministrator(sealId, by)}`)

/** The seal whose recipient was confirmed; confirming again changes nothing. */
export async function confirmRecipient(tx: Tx, token: string): Promise<string | undefined> {
  const row = await query(tx).first(sql<{ sealId: string }>`
    update seal_recipients set confirmed_at = portal_now()
    where token_hash = ${hashToken(token)} and confirmed_at is null and expires_at > portal_now()
    returning seal_id`)
  return row?.sealId
}

/** The seal whose recipient has refused. */
export async function refuseRecipient(tx: Tx, token: string): Promise<string | undefined> {
  const row = await query(tx).first(sql<{ sealId: string }>`
    delete from seal_recipients where token_hash = ${hashToken(token)} returning seal_id`)
  return row?.sealId
}

/** Whether a link was used already; undefined if it is not known. */
export async function isConfirmed(db: Db, token: string): Promise<boolean | undefined> {
  const rows = await query(db).all(sql<{ confirmed: boolean }>`
    select confirmed_at is not null as confirmed from seal_recipients where token_hash = ${hashToken(token)}`)
  return rows[0]?.confirmed
}

export type DueRecipientReminder = {
  seal: string
  step: number
  validTo: Date
  now: Date
  owner: null
  email: string
  locale: Locale
  product: SealProduct
  organisation: string
}

/** A recipient has no switch of their own, so every step counts. */
const due = sql`
  from seals s
    join seal_recipients c on c.seal_id = s.id and c.confirmed_at is not null
    cross join (select true as early_reminders) a
    cross join ${reachedStep}
  where ${isDue} and (c.reminded_of is distinct from s.valid_to or c.reminded_step > reached.step)`

/** The seals whose recipients have a due reminder, nearest end first. */
export async function* listDueRecipients(db: Db): AsyncGenerator<string> {
  const rows = await query(db).all(sql<{ id: string }>`select s.id ${due} order by s.valid_to limit 1000`)
  for (const { id } of rows) yield id
}

/** One statement decides which node sends the reminder, so that it is sent once. */
export async function claimRecipientReminder(tx: Tx, id: string): Promise<DueRecipientReminder | undefined> {
  // A later statement sees what another node has claimed meanwhile.
  await sql`select from seal_recipients where seal_id = ${id} for update`.execute(tx)
  return query(tx).first(sql<DueRecipientReminder>`
    with due as (
      select s.id as seal, reached.step, s.valid_to, portal_now() as now, c.email, c.locale, s.product, s.organisation ${due} and s.id = ${id}
    )
    update seal_recipients r set reminded_of = due.valid_to, reminded_step = due.step
    from due where r.seal_id = due.seal
    returning due.seal, due.step, due.valid_to, due.now, null as owner, due.email, due.locale, due.product, due.organisation`)
}
