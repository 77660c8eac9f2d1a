import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { daysLeft, formatDateTime, formatDaysLeft } from '../text/format.ts'
import { dayWord } from './home-text.ts'
import { ranks, type Matter } from './matter.ts'

type Validity = { validFrom: string; validTo: string }

export const seeDetails = { pl: 'Zobacz szczegóły', en: 'See details' }

export const moment = (locale: Locale, instant: string) => (
  <strong>
    <time dateTime={instant}>{formatDateTime(locale, instant)}</time>
  </strong>
)

/** What ends soon: when, and how much of its time is left. */
export function endingOf({ validFrom, validTo }: Validity, locale: Locale, now: string) {
  const days = daysLeft(validTo, now)
  const strong = days <= limits.badge.strongDays
  const left = formatDaysLeft(locale, days)
  const total = daysLeft(validTo, validFrom)
  const word = dayWord(locale, days)
  return {
    rank: strong ? ranks.endsNow : ranks.endsSoon,
    end: validTo,
    badge: {
      kind: strong ? 'warn-strong' : 'warn',
      icon: 'hour',
      words: { pl: `Wygasa ${left}`, en: `Expires ${left}` }[locale],
    },
    ring: {
      left: total ? days / total : 0,
      value: String(days),
      word,
      label: {
        pl: `Zostało ${days} ${word} z\u00a0${total} dni ważności`,
        en: `${days} ${word} left of ${total} days of validity`,
      }[locale],
    },
  } as const satisfies Partial<Matter>
}

/** What ended of late: on its last day it comes before all else, later among what ends now. `word`: „Wygasł”. */
export function overOf({ validTo }: Validity, locale: Locale, now: string, word: string) {
  const days = daysLeft(validTo, now)
  return {
    rank: days === 0 ? ranks.over : ranks.endsNow,
    end: validTo,
    badge: { kind: 'err', icon: 'alert', words: `${word} ${formatDaysLeft(locale, days)}` },
  } as const satisfies Partial<Matter>
}
