import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Settings } from '../settings.ts'
import type { CalendarEvent } from './calendar-file.ts'

/** Something of a customer’s that ends: an entry of the mail that reminds of it (SIG-5, SEA-11), and of their calendar (CAL-2). */
export type CalendarEnd = {
  /** Unique in the portal; the same in mails and in the calendar, so that a program that has both shows one (CAL-3). */
  uid: string
  validTo: Date
  /** What ends, before “wygasa” and “expires”. */
  what: string
  description: string
  url: string
}

const alarms = [168, 24, 2]

type Written = {
  locale: Locale
  /** When the entry got its content. */
  writtenAt: Date
  /** An alarm before that would ring at once, or too early. */
  noAlarmBefore: Date
}

/** Without an alarm at the end itself, which would come too late to renew. */
export function endEvent(
  { brand, publicUrl }: Settings,
  { uid, validTo, what, description, url }: CalendarEnd,
  { locale, writtenAt, noAlarmBefore }: Written,
): CalendarEvent {
  return {
    uid: `${uid}@${new URL(publicUrl).hostname}`,
    at: validTo,
    writtenAt,
    summary: `${brand.product}: ${what} ${{ pl: 'wygasa', en: 'expires' }[locale]}`,
    description,
    url,
    alarms: alarms.filter((hours) => validTo.getTime() - hours * 3_600_000 > noAlarmBefore.getTime()),
  }
}

/** An end that the calendar of a customer has, with when its validity began. */
export type OwnEnd = CalendarEnd & { validFrom: Date }

/** Whose calendar it is. */
export type CalendarOwner = { accountId: string; locale: Locale }

/** Of ends in the calendar: not too long ago, and not of a validity so short that nothing reminds of its end (SIG-7). */
export const isInCalendar = (from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  ${to} > portal_now() - make_interval(days => ${limits.calendar.past}::int)
  and ${to} - ${from} >= make_interval(days => ${2 * Math.min(...limits.reminders.days)}::int))`
