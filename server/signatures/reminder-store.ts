import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { isDue, reachedStep } from '../platform/messages/end-reminders.ts'
import { isOpen, isSigned } from '../renewal/renewal-row-store.ts'
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
  renewal: string | null
}

/** A signature that is renewed or continued already needs no reminder. */
const due = sql`
  from signatures s
    join accounts a on a.id = s.account_id
    cross join ${reachedStep}
    left join renewals r on r.signature_id = s.id and (${isSigned} or (${isOpen} and r.ends_at > portal_now()))
  where ${isDue}
    and (r.id is null or ${isOpen})
    and ${continuedFrom(sql`portal_now()`)} is null
    and not exists (select from signature_reminders m where m.signature_id = s.id and m.step = reached.step and m.valid_to = s.valid_to)`

/** When a signature `s` that is looked at now reaches its next step; null after the last. */
const nextStep = sql`(
  select min(at) from (select s.valid_to - make_interval(days => d) as at from unnest(${sql.val([...limits.reminders.days])}::int[]) d) steps
  where at > portal_now())`

/**
 * The signatures with a due reminder, in batches. Each is looked at when it reaches a step, and after each change by the provider. One
 * with a due reminder is looked at again after ten minutes, until the reminder is claimed.
 */
export async function* listDueReminders(db: Db): AsyncGenerator<string> {
  for (;;) {
    const { rows } = await sql<{ id: string; hasReminder: boolean }>`
      with looked as materialized (
        select id from signatures where reminder_at <= portal_now() order by reminder_at limit 1000 for update skip locked
      ), due as materialized (
        select s.id ${due} and s.id = any(array(select id from looked))
      )
      update signatures s
      set reminder_at = case when exists (select from due where due.id = s.id) then portal_now() + interval '10 minutes' else ${nextStep} end
      where s.id = any(array(select id from looked))
      returning s.id, exists (select from due where due.id = s.id) as has_reminder`.execute(db)
    for (const { id, hasReminder } of rows) if (hasReminder) yield id
    if (!rows.length) return
  }
}

/** One statement decides which node sends the reminder, so that it is sent once. */
export async function claimReminder(tx: Tx, id: string): Promise<DueReminder | undefined> {
  const { rows } = await sql<DueReminder>`
    with due as (
      select s.id, reached.step, s.valid_to, portal_now() as now, a.id as owner, a.email, a.locale, s.product, r.id as renewal ${due} and s.id = ${id}
    ), looked as (
      update signatures s set reminder_at = ${nextStep} where s.id = ${id}
    ), claimed as (
      insert into signature_reminders (signature_id, step, valid_to) select id, step, valid_to from due on conflict do nothing returning step
    )
    select due.id, due.step, due.valid_to, due.now, owner, email, locale, product, renewal from due join claimed using (step)`.execute(
    tx,
  )
  return rows[0]
}

export async function wantsEarlyReminders(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ early: boolean }>`
    select early_reminders as early from accounts where id = ${accountId}`.execute(db)
  return rows[0]?.early ?? false
}

/** Returns whether that changed anything. */
export async function switchEarlyReminders(tx: Tx, accountId: string, early: boolean): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts set early_reminders = ${early} where id = ${accountId} and early_reminders <> ${early}`.execute(tx)
  return numAffectedRows === 1n
}
