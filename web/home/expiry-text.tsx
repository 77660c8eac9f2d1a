import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { certificateLooks, endLooks } from '../certificates/certificate-looks.ts'
import { DateTimeText } from '../text/date-text.tsx'
import { daysLeft, formatDaysLeft } from '../text/format.ts'
import { daysText } from '../text/period-text.ts'
import { rankOfEnd, type HomeNotice } from './home-notice.ts'
import { dayWord } from './home-text.ts'

type Validity = { validFrom: string; validTo: string }

export const seeDetails = { pl: 'Zobacz szczegóły', en: 'View details' }

/** Returns the parts of a notice about something that ends soon: when, and how much of its time is left. */
export function expiringSoon({ validFrom, validTo }: Validity, locale: Locale, now: string) {
  const days = daysLeft(validTo, now)
  const isStrong = days <= limits.badge.strongDays
  const left = formatDaysLeft(locale, days)
  return {
    rank: rankOfEnd(days),
    end: validTo,
    badge: {
      ...endLooks[isStrong ? 'strong' : 'amber'],
      text: { pl: `Wygasa ${left}`, en: `Expires ${left}` }[locale],
    },
    ring: days > 0 ? daysRing({ validFrom, validTo }, locale, days) : hoursRing({ validFrom, validTo }, locale, now),
  } as const satisfies Partial<HomeNotice>
}

function daysRing({ validFrom, validTo }: Validity, locale: Locale, days: number) {
  const total = daysLeft(validTo, validFrom)
  const word = dayWord(locale, days)
  return {
    left: days / total,
    value: String(days),
    word,
    label: {
      pl: `Zostało ${days} ${word} z\u00a0${daysOf(total)} ważności`,
      en: `${days} ${word} left of ${daysText('en', total)} of validity`,
    }[locale],
  }
}

/** Returns the ring for the last day, which is the only one of some certificates (SIG-7). */
function hoursRing({ validFrom, validTo }: Validity, locale: Locale, now: string) {
  const left = Date.parse(validTo) - Date.parse(now)
  const hours = Math.max(1, Math.ceil(left / 3_600_000))
  return {
    left: left / (Date.parse(validTo) - Date.parse(validFrom)),
    value: String(hours),
    word: { pl: 'godz.', en: hours === 1 ? 'hour' : 'hours' }[locale],
    label: {
      pl: `Do końca ważności: ${hours}\u00a0godz.`,
      en: `${hours} ${hours === 1 ? 'hour' : 'hours'} of validity left`,
    }[locale],
  }
}

const daysOf = (total: number) => `${total} ${total === 1 ? 'dnia' : 'dni'}`

/** Returns the parts of a notice about something that has recently ended. `word`: „Wygasł”. */
export function recentlyExpired({ validTo }: Validity, locale: Locale, now: string, word: string) {
  const days = daysLeft(validTo, now)
  return {
    rank: rankOfEnd(days),
    end: validTo,
    badge: { ...certificateLooks.unreplaced, text: `${word} ${formatDaysLeft(locale, days)}` },
  } as const satisfies Partial<HomeNotice>
}

/** Returns a sentence with a date and time in it: „Ważny do 3 grudnia 2026, 14:20. Odnów go wcześniej.” */
export const withMoment = (locale: Locale, before: Text, instant: string, after: Text) => (
  <>
    {before[locale]}
    <strong>
      <DateTimeText at={instant} />
    </strong>
    {after[locale]}
  </>
)

/** Returns the badge for a new certificate that is not in an app yet. */
export const unpairedBadge = (locale: Locale) => ({
  kind: 'info' as const,
  icon: 'mobile' as const,
  text: { pl: 'Niepołączony', en: 'Not connected' }[locale],
})
