import type { Locale } from '../../contract/enums.ts'
import { formatNumber, plural } from './format.ts'

/** Returns `znaczników` in the form for a number, without the number. */
export const timestampWord = (locale: Locale, count: number) =>
  locale === 'pl'
    ? plural('pl', count, { one: 'znacznik', few: 'znaczniki', many: 'znaczników', other: 'znacznika' })
    : plural('en', count, { one: 'timestamp', other: 'timestamps' })

/** Formats a number of timestamps as `12 480 znaczników`. */
export const timestampsText = (locale: Locale, count: number) =>
  `${formatNumber(locale, count)}\u00a0${timestampWord(locale, count)}`
