import type { Locale, Period } from '../../contract/enums.ts'

/** Instants are stored in UTC and shown in Polish time, wherever the customer is (defaults.md, Times). */
const timeZone = 'Europe/Warsaw'
const tags = { pl: 'pl-PL', en: 'en-GB' } as const
const day = 86_400_000

type Moment = string | number | Date

/** Formatters by language and options: making one takes a hundred times as long as using it. */
function memoized<Options, Formatter>(make: (tag: string, options: Options) => Formatter) {
  const made = new Map<string, Formatter>()
  return (tag: string, options: Options): Formatter => {
    const key = tag + JSON.stringify(options)
    const formatter = made.get(key) ?? make(tag, options)
    made.set(key, formatter)
    return formatter
  }
}
const dateFormat = memoized(
  (tag, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { timeZone, ...options }),
)
/** Reading the time zone takes a phone's browser tens of milliseconds, once. In a task of its own it holds up no rendering. */
export const loadTimeZone = () => void dateFormat('en-CA', {})
const numberFormat = memoized((tag, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options))
const relativeFormat = memoized(
  (tag, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(tag, options),
)
const pluralRules = memoized((tag, options: Intl.PluralRulesOptions) => new Intl.PluralRules(tag, options))

/** `3 grudnia 2026`; short, for tables: `3.12.2026`, `3 Dec 2026`. */
export function formatDate(locale: Locale, moment: Moment, style: 'long' | 'short' = 'long') {
  const month = style === 'long' ? 'long' : locale === 'pl' ? 'numeric' : 'short'
  return dateFormat(tags[locale], { day: 'numeric', month, year: 'numeric' })
    .format(new Date(moment))
    .replace(' ', '\u00a0')
}

/** `3 grudnia`, for a day that is near. */
export const formatDayMonth = (locale: Locale, moment: Moment) =>
  dateFormat(tags[locale], { day: 'numeric', month: 'long' }).format(new Date(moment)).replace(' ', '\u00a0')

/** `14:20`. */
export const formatTime = (locale: Locale, moment: Moment) =>
  dateFormat(tags[locale], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(moment))

/** `poniedziałek, 3 grudnia 2026`. */
export const formatFullDate = (locale: Locale, moment: Moment) =>
  dateFormat(tags[locale], { dateStyle: 'full' }).format(new Date(moment))

/** `3 grudnia 2026, 14:20`. */
export const formatDateTime = (locale: Locale, moment: Moment, style: 'long' | 'short' = 'long') =>
  `${formatDate(locale, moment, style)}, ${formatTime(locale, moment)}`

/** Days of the Polish calendar from now until then: 0 is today, 1 tomorrow, negative is past. */
export function daysLeft(until: Moment, now: Moment) {
  const dayOf = (moment: Moment) => Date.parse(dateFormat('en-CA', {}).format(new Date(moment)).slice(0, 10))
  return Math.round((dayOf(until) - dayOf(now)) / day)
}

/** `dzisiaj`, `jutro`, `pojutrze`, `za 12 dni`; `in 12 days`. */
export const formatDaysLeft = (locale: Locale, days: number) =>
  relativeFormat(tags[locale], { numeric: 'auto' })
    .format(days, 'day')
    .replace(/^(za|in) /, '$1\u00a0')

/** `0:42`, as a countdown shows it. */
export function formatCountdown(seconds: number) {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** `5 000` / `5,000`: pl-PL alone would leave four digits ungrouped. */
export const formatNumber = (locale: Locale, value: number, options: Intl.NumberFormatOptions = {}) =>
  numberFormat(tags[locale], { useGrouping: 'always', ...options }).format(value)

/**
 * UIX-7. `1,8 MB`, in the units of the limit (10 MB are 10,485,760 bytes, DOC-5) and of most computers: steps of 1024. Rounded up to one
 * digit after the point, so that a file above a limit never looks as if it were within it.
 */
export function formatBytes(locale: Locale, bytes: number) {
  const inUnit = (step: number) => Math.ceil((bytes / 1024 ** step) * 10) / 10
  const step = [0, 1, 2].find((each) => inUnit(each) < 1024) ?? 3
  return `${formatNumber(locale, inUnit(step))}\u00a0${['B', 'kB', 'MB', 'GB'][step]}`
}

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { one: string; other: string }

/** The form that a number takes: Polish needs one, few, many and other (21 → many, 22 → few, 1.5 → other). */
export const plural = (locale: Locale, count: number, forms: Forms) =>
  forms[pluralRules(tags[locale], {}).select(count)] ?? forms.other

/** `2 lata`. */
export const yearsText = (locale: Locale, years: number) =>
  `${years} ${
    locale === 'pl'
      ? plural('pl', years, { one: 'rok', few: 'lata', many: 'lat', other: 'roku' })
      : plural('en', years, { one: 'year', other: 'years' })
  }`

/** `12 dni`. */
export const daysText = (locale: Locale, days: number) =>
  `${days} ${
    locale === 'pl'
      ? plural('pl', days, { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' })
      : plural('en', days, { one: 'day', other: 'days' })
  }`

/** `1 rok`, `30 dni`. */
export function periodText(locale: Locale, period: Period) {
  const [count, unit] = period.split('_')
  return (unit?.startsWith('day') ? daysText : yearsText)(locale, Number(count))
}
