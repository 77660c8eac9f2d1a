import { sql } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { record } from './audit.ts'
import type { Db, Tx } from './db.ts'
import { jobs } from './observed.ts'
import { enqueue } from './outbox.ts'
import type { Portal } from './portal.ts'
import { reminderMail } from './reminder-mails.ts'
import { isOpen, isSigned } from './renewals.ts'

/** SIG-5: mails before the end of a certificate, once for each step; the newest step alone, whatever was missed before. */

const { days: steps, always } = limits.reminders
/** These are sent to everyone. */
const lastSteps = steps.slice(-always)

type Due = {
  id: string
  step: number
  validTo: Date
  now: Date
  owner: string
  email: string
  locale: Locale
  product: 'app' | 'card' | 'file'
  /** A renewal of it that was begun and waits for its owner. */
  renewal: string | null
}

/**
 * Certificates that are within so many days of their end, at the step that was reached last. Who got one when less than
 * that was left of it knows as much, and what is renewed already needs no reminder.
 */
const due = sql`
  from signatures s
    join accounts a on a.id = s.account_id
    cross join lateral (
      select min(d) as step from unnest(${sql.val([...steps])}::int[]) d where portal_now() >= s.valid_to - make_interval(days => d)
    ) reached
    left join renewals r on r.signature_id = s.id and (${isSigned} or (${isOpen} and r.ends_at > portal_now()))
  where s.valid_to > portal_now() and s.valid_to <= portal_now() + make_interval(days => ${Math.max(...steps)}::int)
    and s.status = 'good' and s.valid_from <= portal_now()
    and s.created_at < s.valid_to - make_interval(days => reached.step)
    and (a.early_reminders or reached.step = any(${sql.val(lastSteps)}::int[]))
    and (r.id is null or ${isOpen})
    and not exists (select from signature_reminders m where m.signature_id = s.id and m.step = reached.step and m.valid_to = s.valid_to)`

/** Sends what is due, a certificate at a time; what fails is reported and comes up again. */
export async function remind(portal: Portal, report: (error: unknown) => void): Promise<void> {
  // The mail would lead to a page that is off (ERR-5).
  if (portal.settings.featuresOff.includes('signatures')) return
  const { rows } = await sql<{ id: string }>`select s.id ${due} order by s.valid_to limit 1000`.execute(portal.db)
  for (const { id } of rows)
    await portal.db
      .transaction()
      .execute(async (tx) => {
        const claimed = await claim(tx, id)
        if (claimed) await send(tx, portal, claimed)
      })
      .catch(report)
}

/** One statement decides who sends it; nobody does twice. */
async function claim(tx: Tx, id: string): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    with due as (
      select s.id, reached.step, s.valid_to, portal_now() as now, a.id as owner, a.email, a.locale, s.product, r.id as renewal ${due} and s.id = ${id}
    ), claimed as (
      insert into signature_reminders (signature_id, step, valid_to) select id, step, valid_to from due on conflict do nothing returning step
    )
    select due.id, due.step, due.valid_to as "validTo", due.now, owner, email, locale, product, renewal from due join claimed using (step)`.execute(
    tx,
  )
  return rows[0]
}

async function send(tx: Tx, { keys, settings }: Portal, { id, step, owner, email, ...about }: Due): Promise<void> {
  const mail = reminderMail(settings, { id, ...about })
  // After the end it would be wrong.
  await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, about.validTo)
  await record(tx, {
    act: 'signature-reminder-sent',
    accountId: owner,
    actor: 'system',
    details: { signature: id, step },
  })
}

export async function wantsEarlyReminders(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('early_reminders')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.early_reminders
}

/** Whether that changed anything. */
export async function switchEarlyReminders(tx: Tx, accountId: string, early: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ early_reminders: early })
    .where('id', '=', accountId)
    .where('early_reminders', '<>', early)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Looks every ten minutes; every node does, and each reminder has one sender. */
export function startReminding(portal: Portal, report: (error: unknown) => void): { stop: () => void } {
  const look = () => void jobs.do({ job: 'remind-of-certificate-ends' }, () => remind(portal, report)).catch(report)
  look()
  const timer = setInterval(look, 600_000)
  return { stop: () => clearInterval(timer) }
}
