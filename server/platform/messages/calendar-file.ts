import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Settings } from '../settings.ts'

/** One event of a calendar file (RFC 5545). It names no person, since calendars are shared (R86). */
export type CalendarEvent = {
  uid: string
  at: Date
  writtenAt: Date
  summary: string
  description: string
  url: string
  /** The reminders, in hours before the event; 0 is at its start. */
  alarms?: readonly number[]
}

/**
 * The name and refresh interval for programs that read the file repeatedly (RFC 7986). The properties that begin with X- are for older
 * programs.
 */
type Subscription = { name: string; everyHours: number }

const instant = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** Escapes a text (RFC 5545 §3.3.11). */
const escaped = (text: string) => text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll('\n', String.raw`\n`)

const isControl = (character: string) => character < ' ' || character === '\x7f'

/**
 * Folds a line: a line has at most 75 octets, and its continuation begins with a space (RFC 5545 §3.1). No text can begin a line of its
 * own.
 */
function folded(line: string): string {
  let [text, length] = ['', 0]
  for (const character of line) {
    if (isControl(character)) continue
    const bytes = Buffer.byteLength(character)
    if (length + bytes > 75) [text, length] = [`${text}\r\n `, 1]
    text += character
    length += bytes
  }
  return text
}

const linesOf = ({ uid, at, writtenAt, summary, description, url, alarms = [0] }: CalendarEvent) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `DTSTAMP:${instant(writtenAt)}`,
  `DTSTART:${instant(at)}`,
  'DURATION:PT15M',
  `SUMMARY:${escaped(summary)}`,
  `DESCRIPTION:${escaped(description)}`,
  `URL:${url}`,
  ...alarms.flatMap((hours) => [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:${hours ? `-PT${hours}H` : 'PT0S'}`,
    `DESCRIPTION:${escaped(summary)}`,
    'END:VALARM',
  ]),
  'END:VEVENT',
]

/** The lines of a calendar without an event, which must have a component all the same (RFC 5545 §3.6). */
const noEvents = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

export function calendarFile(events: readonly CalendarEvent[], subscription?: Subscription): Buffer {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sygnet//PL',
    ...(subscription
      ? [
          `NAME:${escaped(subscription.name)}`,
          `X-WR-CALNAME:${escaped(subscription.name)}`,
          `REFRESH-INTERVAL;VALUE=DURATION:PT${subscription.everyHours}H`,
          `X-PUBLISHED-TTL:PT${subscription.everyHours}H`,
        ]
      : []),
    ...(events.length ? events.flatMap(linesOf) : noEvents),
    'END:VCALENDAR',
  ]
  return Buffer.from(lines.map((line) => `${folded(line)}\r\n`).join(''))
}

/** The end of something that a customer has: an entry of the reminder mail (SIG-5, SEA-11) and of the customer's calendar (CAL-2). */
export type CalendarEnd = {
  /** The id of the end in the portal, the same in mails and in the calendar, so that a program that has both shows one (CAL-3). */
  uid: string
  validTo: Date
  /** The name of the object that ends, before “wygasa” and “expires”. */
  what: string
  description: string
  url: string
}

const alarms = [168, 24, 2]

type Written = {
  locale: Locale
  /** The time at which the entry got its content. */
  writtenAt: Date
  /** The time before which an alarm would ring at once, or too early. */
  noAlarmBefore: Date
}

/** Returns the calendar event of an end, without an alarm at the end itself, which would come too late to renew. */
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

/** An end that the calendar of a customer has. */
export type OwnEnd = CalendarEnd & {
  /** The beginning of what ends. */
  validFrom: Date
}

export type CalendarOwner = { accountId: string; locale: Locale }

/**
 * Returns the SQL condition for ends in the calendar: not too long ago, and not of a validity so short that nothing reminds of its end
 * (SIG-7).
 */
export const inCalendarCondition = (
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(
  ${to} > portal_now() - make_interval(days => ${limits.calendar.pastDays}::int)
  and ${to} - ${from} >= make_interval(days => ${2 * Math.min(...limits.reminders.days)}::int))`
