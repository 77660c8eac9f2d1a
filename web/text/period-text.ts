import type { Locale } from '../../contract/enums.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'
import { plural } from './format.ts'

/** Formats a number of years as `2 lata`. */
export const yearsText = (locale: Locale, years: number) =>
  `${years}\u00a0${
    locale === 'pl'
      ? plural('pl', years, { one: 'rok', few: 'lata', many: 'lat', other: 'roku' })
      : plural('en', years, { one: 'year', other: 'years' })
  }`

const waitForms = {
  second: {
    pl: { one: 'sekundę', few: 'sekundy', many: 'sekund', other: 'sekundy' },
    en: { one: 'second', other: 'seconds' },
  },
  minute: {
    pl: { one: 'minutę', few: 'minuty', many: 'minut', other: 'minuty' },
    en: { one: 'minute', other: 'minutes' },
  },
  hour: {
    pl: { one: 'godzinę', few: 'godziny', many: 'godzin', other: 'godziny' },
    en: { one: 'hour', other: 'hours' },
  },
}

/**
 * Formats a waiting time as `10 minut`, as after „za”, and in the last minute as `42 sekundy`: for a time that nobody needs to watch by the
 * second (UIX-36).
 */
export function waitText(locale: Locale, seconds: number) {
  const [count, unit] =
    seconds < 60
      ? ([Math.max(0, Math.round(seconds)), 'second'] as const)
      : seconds < 5400
        ? ([Math.ceil(seconds / 60), 'minute'] as const)
        : ([Math.ceil(seconds / 3600), 'hour'] as const)
  return `${count}\u00a0${plural(locale, count, waitForms[unit][locale])}`
}

/** Formats a number of days as `12 dni`. */
export const daysText = (locale: Locale, days: number) =>
  `${days}\u00a0${
    locale === 'pl'
      ? plural('pl', days, { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' })
      : plural('en', days, { one: 'day', other: 'days' })
  }`

/** Formats a period as `1 rok` or `30 dni`. */
export function periodText(locale: Locale, period: Period) {
  const [count, unit] = period.split('_')
  return (unit?.startsWith('day') ? daysText : yearsText)(locale, Number(count))
}
