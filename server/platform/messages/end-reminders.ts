import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { daysBetween } from '../../../contract/rules/warsaw-time.ts'
import type { Settings } from '../settings.ts'
import { calendarFile } from './calendar-file.ts'
import { renderMail, type MailContent } from './mail-template.ts'

/** What the reminders of signatures and of seals share (SIG-5, SEA-11). */

const { days: steps, always } = limits.reminders
/** Every customer gets these. */
const lastSteps = steps.slice(-always)

/** The step that a certificate `s` reached last. */
export const reachedStep: RawBuilder<unknown> = sql`lateral (
  select min(d) as step from unnest(${sql.val([...steps])}::int[]) d where portal_now() >= s.valid_to - make_interval(days => d)) reached`

/**
 * Certificates `s` close to their end, for the account `a`, at the step that was reached last. A certificate that was issued with less
 * time left than the step needs no reminder. A step in the first half of the validity does not count: a certificate of 30 days has
 * those from 14 days on, and one of a day has none (SIG-7).
 */
export const isDue: RawBuilder<boolean> = sql<boolean>`(
  s.valid_to > portal_now() and s.valid_to <= portal_now() + make_interval(days => ${Math.max(...steps)}::int)
  and s.status = 'good' and s.valid_from <= portal_now()
  and make_interval(days => 2 * reached.step) <= s.valid_to - s.valid_from
  and s.created_at < s.valid_to - make_interval(days => reached.step)
  and (a.early_reminders or reached.step = any(${sql.val(lastSteps)}::int[])))`

const tags = { pl: 'pl-PL', en: 'en-GB' } as const

type EndReminder = {
  locale: Locale
  validTo: Date
  now: Date
  /** Of the calendar entry, unique in the portal. */
  uid: string
  /** What ends, before “wygasa” and “expires”. */
  what: Record<'subject' | 'summary', string>
  paragraphs: string[]
  action: NonNullable<MailContent['action']>
  description: string
  fileName: string
}

/** A mail about the end of a certificate, with the end as a calendar file. */
export function endReminderMail({ brand, publicUrl }: Settings, reminder: EndReminder) {
  const { locale, validTo, now, uid, what, paragraphs, action, description, fileName } = reminder
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const expires = say('wygasa', 'expires')
  const when = new Intl.RelativeTimeFormat(tags[locale], { numeric: 'auto' })
    .format(daysBetween(now, validTo), 'day')
    .replace(/^(za|in) /, '$1\u00a0')
  const mail = renderMail(locale, brand, {
    subject: `${brand.product}: ${what.subject} ${expires} ${when}`,
    paragraphs,
    action,
    note: say(
      `Przypomnienia możesz ograniczyć w\u00a0Moich danych. W\u00a0załączniku jest termin do kalendarza. Pytania? Zadzwoń: ${brand.phone}.`,
      `You can cut down on reminders in My data. The date is attached for your calendar. Questions? Call ${brand.phone}.`,
    ),
  })
  const calendar = calendarFile({
    uid: `${uid}@${new URL(publicUrl).hostname}`,
    at: validTo,
    writtenAt: now,
    summary: `${brand.product}: ${what.summary} ${expires}`,
    description,
    url: action.url,
    // An alarm at the end itself would come too late to renew, and one in the past would ring at once.
    alarms: [168, 24, 2].filter((hours) => validTo.getTime() - hours * 3_600_000 > now.getTime()),
  })
  return {
    ...mail,
    attachment: { name: fileName, type: 'text/calendar; charset=utf-8', content: calendar.toString() },
  }
}
