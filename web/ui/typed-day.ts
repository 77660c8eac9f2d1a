import type { Locale } from '../../contract/enums.ts'
import { lettersAndDigits, usualCharacters } from '../../contract/rules/typed-characters.ts'

/** How a day is typed and shown, day first in both languages. */
export const dayFormat = { pl: 'DD.MM.RRRR', en: 'DD/MM/YYYY' }

/** Typed, but not as a day: no schema of a day accepts it. */
export const noDay = '?'

/**
 * Day first, with any separators or none, and year first as in ISO 8601; either may end with „r.” (rok, the year). Eight digits are what they can
 * be in the years 1900 to 2199: no month is 19 to 21, so they can never be both.
 */
const forms = [
  /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})(?:-?r(?:oku?)?)?$/i,
  /^(?<day>0[1-9]|[12]\d|3[01])(?<month>0[1-9]|1[0-2])(?<year>(?:19|20|21)\d\d)$/,
  /^(?<year>(?:19|20|21)\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])$/,
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:-?r(?:oku?)?)?$/i,
]

/** The day that was typed, as `2031-05-02`. */
export function typedDay(text: string): string {
  if (!usualCharacters(text).trim()) return ''
  const typed = lettersAndDigits(text, '-').replace(/^-|-$/g, '')
  const { day, month, year } = forms.map((form) => form.exec(typed)?.groups).find(Boolean) ?? {}
  return day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : noDay
}

/** `2031-05-02` as a field shows it: `02.05.2031`, or `02/05/2031`; nothing for what is no day. */
export const shownDay = (locale: Locale, day: string) =>
  /^\d{4}-\d\d-\d\d$/.test(day)
    ? day
        .split('-')
        .toReversed()
        .join(locale === 'pl' ? '.' : '/')
    : ''
