import type { Locale, Period } from '../../contract/enums.ts'
import { plural } from './format.ts'

/** `2 lata`. */
export const yearsText = (locale: Locale, years: number) =>
  `${years}\u00a0${
    locale === 'pl'
      ? plural('pl', years, { one: 'rok', few: 'lata', many: 'lat', other: 'roku' })
      : plural('en', years, { one: 'year', other: 'years' })
  }`

/** `12 dni`. */
export const daysText = (locale: Locale, days: number) =>
  `${days}\u00a0${
    locale === 'pl'
      ? plural('pl', days, { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' })
      : plural('en', days, { one: 'day', other: 'days' })
  }`

/** `1 rok`, `30 dni`. */
export function periodText(locale: Locale, period: Period) {
  const [count, unit] = period.split('_')
  return (unit?.startsWith('day') ? daysText : yearsText)(locale, Number(count))
}
