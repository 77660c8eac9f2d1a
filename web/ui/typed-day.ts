import type { Locale } from '../../contract/enums.ts'

/** How a day is typed and shown, day first in both languages. */
export const dayFormat = { pl: 'DD.MM.RRRR', en: 'DD/MM/YYYY' }

/** Typed, but not as a day: no schema of a day accepts it. */
export const noDay = '?'

/** The day that was typed, as `2031-05-02`: with any separators or none, day first, or year first as in ISO 8601. */
export function typedDay(text: string): string {
  const typed = text.trim().replaceAll(/[\s\u00a0.,:/–-]+/g, '-')
  if (!typed) return ''
  const [, day, month, year] =
    /^(\d{1,2})-(\d{1,2})-(\d{4})-?$/.exec(typed) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(typed) ?? []
  if (day && month && year) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return /^\d{4}-\d\d-\d\d$/.test(typed) ? typed : noDay
}

/** `2031-05-02` as a field shows it: `02.05.2031`, or `02/05/2031`; nothing for what is no day. */
export const shownDay = (locale: Locale, day: string) =>
  /^\d{4}-\d\d-\d\d$/.test(day)
    ? day
        .split('-')
        .toReversed()
        .join(locale === 'pl' ? '.' : '/')
    : ''
