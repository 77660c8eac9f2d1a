import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { reminderDueCondition, reachedStep } from '../platform/messages/end-reminders.ts'
import { openCondition, signedCondition } from '../renewal/renewal-store.ts'
import { continuedFrom } from './signature-store.ts'

export type DueReminder = {
  id: string
  step: number
  validTo: Date
  now: Date
  owner: string
  email: string
  locale: Locale
  product: SignatureProduct
  /** An open renewal of the signature. */
  renewalId: string | null
}

/** A signature that is renewed or continued already needs no reminder. */
const due = sql`
  from signatures s
    join accounts a on a.id = s.account_id
    cross join ${reachedStep}
    left join renewals r on r.signature_id = s.id and (${signedCondition} or (${openCondition} and r.ends_at > portal_now()))
  where ${reminderDueCondition}
    and (r.id is null or ${openCondition})
    and ${continuedFrom(sql`portal_now()`)} is null
    and not exists (select from signature_reminders m where m.signature_id = s.id and m.step = reached.step and m.valid_to = s.valid_to)`

/** Time at which a signature `s` that is checked now reaches its next step. */
const nextStep = sql`coalesce(
  (select min(at) from (select s.valid_to - make_interval(days => d) as at from unnest(${sql.val([...limits.reminders.days])}::int[]) d) steps
    where at > portal_now()), 'infinity')`

/**
 * Time of the next check of a signature: the expression of the index `signatures_by_reminder`, so the days of the first step are part of
 * the text.
 */
const nextCheckAt = sql`coalesce(reminder_at, (valid_to at time zone 'UTC' - interval '60 days') at time zone 'UTC')`

/** Signatures that one statement checks: so few that it ends soon, also for an organisation with many certificates. */
const batchSize = 200

/**
 * Yields the signatures with a due reminder, each checked once: when it reaches a step, and when something has changed on which its
 * reminders depend. One with a due reminder is checked again after ten minutes, until the reminder is claimed. Sixty days after the first
 * step every certificate has ended.
 */
export async function* listDueReminders(db: Db): AsyncGenerator<string> {
  let last = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const looked = await db.transaction().execute((tx) => look(tx, last))
    for (const { id, hasReminder } of looked) if (hasReminder) yield id
    if (looked.length < batchSize) return
    last = looked.at(-1)!
  }
}

async function look(tx: Tx, after: { at: string; id: string }) {
  const rows = await query(tx).all(sql<{ id: string; at: string }>`
    select id, ${nextCheckAt}::text as at from signatures
    where ${nextCheckAt} > portal_now() - interval '60 days' and ${nextCheckAt} <= portal_now()
      and (${nextCheckAt}, id) > (${after.at}::timestamptz, ${after.id}::uuid)
    order by ${nextCheckAt}, id limit ${batchSize} for no key update skip locked`)
  if (!rows.length) return []
  // A statement of its own, which sees what was committed before the rows were locked.
  const ids = rows.map(({ id }) => id)
  const looked = await query(tx).all(sql<{ id: string; hasReminder: boolean }>`
    with due as materialized (select s.id ${due} and s.id = any(${ids}::uuid[]))
    update signatures s
    set reminder_at = case when exists (select from due where due.id = s.id) then portal_now() + interval '10 minutes' else ${nextStep} end
    where s.id = any(${ids}::uuid[])
    returning s.id, exists (select from due where due.id = s.id) as has_reminder`)
  const found = new Set(looked.filter(({ hasReminder }) => hasReminder).map(({ id }) => id))
  return rows.map((row) => ({ ...row, hasReminder: found.has(row.id) }))
}

/**
 * Lets the reminders of an account's signatures be looked at again: one depends on the others (SIG-10). One whose row
 * another transaction has locked is left out, because that changes it or looks at it.
 */
export const lookAgain = (tx: Tx, accountId: string): Promise<unknown> =>
  query(tx).run(sql`
    update signatures set reminder_at = null where id in (
      select id from signatures
      where account_id = ${accountId} and valid_to > portal_now() and valid_to <= portal_now() + interval '60 days'
        and reminder_at is not null for no key update skip locked)`)

/** Claims a reminder. One statement decides which node sends it, so that it is sent once. */
export async function claimReminder(tx: Tx, id: string): Promise<DueReminder | undefined> {
  await query(tx).run(sql`select from signatures where id = ${id} for no key update`)
  return query(tx).first(sql<DueReminder>`
    with due as (
      select s.id, reached.step, s.valid_to, portal_now() as now, a.id as owner, a.email, a.locale, s.product, r.id as renewal_id ${due} and s.id = ${id}
    ), moved as (
      update signatures s set reminder_at = ${nextStep} where s.id = ${id}
    ), claimed as (
      insert into signature_reminders (signature_id, step, valid_to) select id, step, valid_to from due on conflict do nothing returning step
    )
    select due.id, due.step, due.valid_to, due.now, owner, email, locale, product, renewal_id from due join claimed using (step)`)
}

export async function wantsEarlyReminders(db: Db, accountId: string): Promise<boolean> {
  const row = await query(db).first(sql<{ isEarly: boolean }>`
    select early_reminders as is_early from accounts where id = ${accountId}`)
  return row?.isEarly ?? false
}

/** Returns whether that changed anything. */
export async function switchEarlyReminders(tx: Tx, accountId: string, isEarly: boolean): Promise<boolean> {
  const isSwitched = await query(tx).changesOne(sql`
    update accounts set early_reminders = ${isEarly} where id = ${accountId} and early_reminders <> ${isEarly}`)
  if (isEarly && isSwitched) await lookAgain(tx, accountId)
  return isSwitched
}
