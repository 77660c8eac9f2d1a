import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import type { Feature } from '../../../contract/features.ts'
import { limits } from '../../../contract/limits.ts'
import { daysBetween } from '../../../contract/rules/warsaw-time.ts'
import type { AuditEntry } from '../audit/audit-entry.ts'
import { addAuditEntry } from '../audit/audit.ts'
import type { Db, Tx } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import type { Settings } from '../settings.ts'
import { calendarFile, endEvent, type CalendarEnd } from './calendar-file.ts'
import { renderMail } from './mail-template.ts'
import { enqueue } from './outbox.ts'

// Parts that the reminders of signatures and of seals share (SIG-5, SEA-11).

const { days: steps, alwaysSent } = limits.reminders
/** Every customer gets these. */
const lastSteps = steps.slice(-alwaysSent)

/** The step that a certificate `s` reached last. */
export const reachedStep: RawBuilder<unknown> = sql`lateral (
  select min(d) as step from unnest(${sql.val([...steps])}::int[]) d where portal_now() >= s.valid_to - make_interval(days => d)) reached`

/**
 * Certificates `s` close to their end, for the account `a`, at the step that was reached last. A certificate that was issued with less
 * time left than the step needs no reminder. A step in the first half of the validity does not count: a certificate of 30 days has
 * those from 14 days on, and one of a day has none (SIG-7).
 */
export const reminderDueCondition: RawBuilder<boolean> = sql<boolean>`(
  s.valid_to > portal_now() and s.valid_to <= portal_now() + make_interval(days => ${Math.max(...steps)}::int)
  and s.status = 'good' and s.valid_from <= portal_now()
  and make_interval(days => 2 * reached.step) <= s.valid_to - s.valid_from
  and s.created_at < s.valid_to - make_interval(days => reached.step)
  and (a.early_reminders or reached.step = any(${sql.val(lastSteps)}::int[])))`

type EndReminders<Due> = {
  feature: Feature
  listDue: (db: Db) => AsyncIterable<string>
  /** Claims one for this node; undefined if it is not due any more or another node has it. */
  claim: (tx: Tx, id: string) => Promise<Due | undefined>
  mailOf: (settings: Settings, due: Due) => ReturnType<typeof endReminderMail>
  entryOf: (due: Due) => Pick<AuditEntry, 'action' | 'details'>
}

/**
 * Makes the job that sends mails before the end of a certificate, once for each step; only for the newest step, even if earlier ones
 * were missed. A failure is reported, and that reminder is retried by the next run.
 */
export const remindOfEnds =
  <Due extends { owner: string | null; email: string; validTo: Date }>(reminders: EndReminders<Due>) =>
  async ({ db, keys, settings }: { db: Db; keys: Keys; settings: Settings }, report: (error: unknown) => void) => {
    const { feature, listDue, claim, mailOf, entryOf } = reminders
    // The mail would link to a page that is off (ERR-5).
    if (settings.featuresOff.includes(feature)) return
    const send = async (tx: Tx, due: Due) => {
      const { owner, email, validTo } = due
      // After the end the mail would be wrong.
      await enqueue(tx, keys, { channel: 'mail', to: email, ...mailOf(settings, due) }, validTo)
      await addAuditEntry(tx, { ...entryOf(due), accountId: owner, actor: 'system' })
    }
    for await (const id of listDue(db))
      await db
        .transaction()
        .execute(async (tx) => {
          const due = await claim(tx, id)
          if (due) await send(tx, due)
        })
        .catch(report)
  }

const tags = { pl: 'pl-PL', en: 'en-GB' } as const

type EndReminder = {
  locale: Locale
  now: Date
  /** Name of the object that ends, before “wygasa” and “expires”. */
  subject: string
  paragraphs: string[]
  /** The label of the button that leads to where `end` does. */
  label: string
  end: CalendarEnd
  fileName: string
  /** Note for a recipient who has no settings of their own, in place of the usual one. */
  note?: string
}

/** Writes the mail about the end of a certificate, with the end attached as a calendar file. */
export function endReminderMail(settings: Settings, reminder: EndReminder) {
  const { brand } = settings
  const { locale, now, subject, paragraphs, label, end, fileName, note } = reminder
  const translate = (pl: string, en: string) => ({ pl, en })[locale]
  const when = new Intl.RelativeTimeFormat(tags[locale], { numeric: 'auto' })
    .format(daysBetween(now, end.validTo), 'day')
    .replace(/^(za|in) /, '$1\u00a0')
  const mail = renderMail(locale, brand, {
    subject: `${subject} ${translate('wygasa', 'expires')} ${when}`,
    paragraphs,
    action: { label, url: end.url },
    note:
      note ??
      translate(
        `W\u00a0załączniku jest termin do kalendarza. Wczesne przypomnienia wyłączysz w\u00a0Moich danych. Pytania? Zadzwoń: ${brand.phone}.`,
        `The date is attached for your calendar. You can turn off early reminders in My data. Questions? Call ${brand.phone}.`,
      ),
  })
  const calendar = calendarFile([endEvent(settings, end, { locale, writtenAt: now, noAlarmBefore: now })])
  return { ...mail, attachment: { name: fileName, type: 'text/calendar; charset=utf-8', content: calendar.toString() } }
}
