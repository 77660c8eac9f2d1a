import type { Locale } from '../../../contract/enums.ts'

/** As the pages write dates (ux.md §7.2), in Polish time. */
const tags = { pl: 'pl-PL', en: 'en-GB' } as const
const timeZone = 'Europe/Warsaw'

/** `3 grudnia 2026`. */
export const dayIn = (locale: Locale, at: Date) =>
  new Intl.DateTimeFormat(tags[locale], { timeZone, dateStyle: 'long' }).format(at)

/** `3 grudnia 2026, 14:20`. */
export const momentIn = (locale: Locale, at: Date) =>
  `${dayIn(locale, at)}, ${new Intl.DateTimeFormat(tags[locale], { timeZone, timeStyle: 'short' }).format(at)}`
