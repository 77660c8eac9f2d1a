import type { Locale } from '../../contract/enums.ts'

/** Instants are stored in UTC and shown in Polish time, wherever the customer is (defaults.md, Times). */
const timeZone = 'Europe/Warsaw'
const tags = { pl: 'pl-PL', en: 'en-GB' } as const
const day = 86_400_000

type Moment = string | number | Date

/** Makes one formatter per language, at its first use, because making one takes a hundred times as long as using it. */
function perLocale<Formatter>(make: (locale: Locale) => Formatter) {
  const made: Partial<Record<Locale, Formatter>> = {}
  return (locale: Locale) => (made[locale] ??= make(locale))
}
const dates = (options: Intl.DateTimeFormatOptions, english?: Intl.DateTimeFormatOptions) =>
  perLocale(
    (locale) => new Intl.DateTimeFormat(tags[locale], { timeZone, ...options, ...(locale === 'en' && english) }),
  )

const longDates = dates({ day: 'numeric', month: 'long', year: 'numeric' })
const shortDates = dates({ day: 'numeric', month: 'numeric', year: 'numeric' }, { month: 'short' })
const times = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const weekdays = dates({ weekday: 'long' })
const relativeDays = perLocale((locale) => new Intl.RelativeTimeFormat(tags[locale], { numeric: 'auto' }))
// pl-PL alone would leave four digits ungrouped.
const numbers = perLocale((locale) => new Intl.NumberFormat(tags[locale], { useGrouping: 'always' }))
/** `2026-12-03`, which is what Canada writes. */
const isoDates = perLocale(() => new Intl.DateTimeFormat('en-CA', { timeZone }))
const pluralRules = perLocale((locale) => new Intl.PluralRules(tags[locale]))

/**
 * Loads the time zone in advance. Reading it takes a phone's browser tens of milliseconds, once; in a task of its own it holds up no
 * rendering.
 */
export const loadTimeZone = () => void isoDates('pl')

/** Formats a date as `3 grudnia 2026`; short, for tables, as `3.12.2026` or `3 Dec 2026`. */
export const formatDate = (locale: Locale, moment: Moment, style: 'long' | 'short' = 'long') =>
  (style === 'long' ? longDates : shortDates)(locale).format(new Date(moment)).replaceAll(' ', '\u00a0')

/** Formats a time as `14:20`. */
export const formatTime = (locale: Locale, moment: Moment) => times(locale).format(new Date(moment))

/** Formats a date as `poniedziałek, 3 grudnia 2026`, which may break only after the weekday. */
export const formatFullDate = (locale: Locale, moment: Moment) =>
  `${weekdays(locale).format(new Date(moment))}, ${formatDate(locale, moment)}`

/** Formats a date and time as `3 grudnia 2026, 14:20`. */
export const formatDateTime = (locale: Locale, moment: Moment, style: 'long' | 'short' = 'long') =>
  `${formatDate(locale, moment, style)}, ${formatTime(locale, moment)}`

/** Counts the days of the Polish calendar from now until then: 0 is today, 1 tomorrow, negative is past. */
export const daysLeft = (until: Moment, now: Moment) =>
  Math.round((polishDay(new Date(until)) - polishDay(new Date(now))) / day)

/**
 * The days of full hours, of those in which certificates begin or end. A page asks for the same few again and again, and a formatter
 * is slow.
 */
const daysOfHours: Record<number, number> = {}

/** Returns the calendar day of a moment in Poland, whose offset is full hours, as the time of its midnight in UTC. */
const polishDay = (moment: Date) =>
  (daysOfHours[Math.floor(moment.getTime() / 3_600_000)] ??= Date.parse(isoDates('pl').format(moment)))

/** Returns the weekday of a moment in the Polish calendar; 0 is Sunday. */
export const weekdayOf = (moment: Moment) => new Date(polishDay(new Date(moment))).getUTCDay()

/** Formats a number of days as `dzisiaj`, `jutro`, `pojutrze` or `za 12 dni`; in English as `in 12 days`. */
export const formatDaysLeft = (locale: Locale, days: number) =>
  relativeDays(locale).format(days, 'day').replaceAll(' ', '\u00a0')

/** Formats seconds as `0:42`, for a countdown. */
export function formatCountdown(seconds: number) {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Formats a number as `5 000` or `5,000`. */
export const formatNumber = (locale: Locale, value: number) => numbers(locale).format(value)

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { one: string; other: string }

/** Chooses the plural form for a number: Polish needs one, few, many and other (21 → many, 22 → few, 1.5 → other). */
export const plural = (locale: Locale, count: number, forms: Forms) =>
  forms[pluralRules(locale).select(count)] ?? forms.other

/** Capitalises the first letter of a text, for the beginning of a sentence or a cell. */
export const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the name of an organisation for display: no line ends within „sp. z o.o.” (UIX-29). */
export const unbroken = (name: string): string => name.replaceAll('sp. z o.o.', 'sp.\u00a0z\u00a0o.o.')
