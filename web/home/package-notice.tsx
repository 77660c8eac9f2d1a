import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import type { summariseTimestamps } from '../../contract/timestamps.ts'
import { config } from '../app/config.ts'
import { timestampLooks } from '../certificates/certificate-looks.ts'
import { formatNumber } from '../text/format.ts'
import { timestampWord } from '../text/timestamp-text.ts'
import { Verbatim } from '../ui/verbatim.tsx'
import { ranks, type HomeNotice } from './home-notice.ts'

/** Returns the notice of a timestamp account that has few timestamps left, or none (HOM-3). */
export function packageNotice(
  { account, low }: Reply<typeof summariseTimestamps>['attention'][number],
  locale: Locale,
  now: string,
): HomeNotice {
  const count = low?.remaining ?? 0
  const size = low?.size ?? 0
  const look = timestampLooks[low ? 'low' : 'empty']
  const left = low
    ? {
        pl: `Zostało ${formatNumber(locale, count)} z\u00a0${formatNumber(locale, size)}.`,
        en: `${formatNumber(locale, count)} of ${formatNumber(locale, size)} left.`,
      }[locale]
    : { pl: 'Serwer odrzuca żądania Twoich programów.', en: 'Your software’s requests are being rejected.' }[locale]
  return {
    id: account.id,
    rank: low ? ranks.fewLeft : ranks.stopped,
    // Without timestamps it comes before what is suspended.
    end: low ? account.login : now,
    badge: { ...look, text: look.text[locale] },
    title: (
      <>
        {{ pl: 'Znaczniki czasu: ', en: 'Timestamps: ' }[locale]}
        <Verbatim>{account.login}</Verbatim>
      </>
    ),
    family: 'timestamp',
    ring: {
      left: low ? count / size : 0,
      value: formatNumber(locale, count),
      word: timestampWord(locale, count),
      label: left,
    },
    detail: (
      <>
        {left} {consequenceOf(account.remaining, low?.remaining ?? null)[locale]}
      </>
    ),
    step: { label: { pl: 'Kup pakiet', en: 'Buy a package' }, href: config.brand.links.timestamp },
    more: { label: { pl: 'Zobacz pakiety', en: 'View packages' }, to: pages.timestamps.path },
  }
}

/**
 * Returns the text on the consequence. `remaining`: timestamps in all packages together, null without a limit; `low`: timestamps in the
 * package that is nearly used up, null when nothing is left.
 */
function consequenceOf(remaining: number | null, low: number | null) {
  if (low === null)
    return { pl: 'Nowy pakiet zadziała od razu po zakupie.', en: 'A new package takes effect immediately.' }
  if (remaining !== low) return { pl: 'Potem użyjemy kolejnego pakietu.', en: 'After that, the next package is used.' }
  return {
    pl: 'Gdy się skończą, serwer odrzuci żądania Twoich programów. Kup pakiet wcześniej.',
    en: 'Once they run out, your software’s requests will be rejected. Buy a package before then.',
  }
}
