import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { pages } from '../../contract/pages.ts'
import type { listOpenRenewals } from '../../contract/renewal.ts'
import { renewalPath } from '../renewal-opening.ts'
import { daysLeft, formatDateTime } from '../text/format.ts'
import type { Matter } from './matter.ts'

type OpenRenewal = Reply<typeof listOpenRenewals>['items'][number]

/** A renewal that was begun and waits for something (HOM-3). */
export function renewalMatter(renewal: OpenRenewal, locale: Locale, now: string): Matter {
  const { uid, state, name, certificateValidTo, endsAt, validFrom } = renewal
  const issued = state === 'issued' || state === 'finished'
  const mine = issued || state === 'parameters' || state === 'personal-data' || state === 'signing'
  const end = issued ? certificateValidTo : endsAt
  const says = detailOf()[locale]
  return {
    id: uid,
    rank: daysLeft(certificateValidTo, now) <= limits.badge.strongDays ? 1 : 3,
    end: certificateValidTo,
    badge: mine
      ? { kind: 'warn', icon: 'pen', words: { pl: 'Do dokończenia', en: 'To be finished' }[locale] }
      : { kind: 'info', icon: 'hour', words: { pl: 'W\u00a0toku', en: 'In progress' }[locale] },
    title: { pl: 'Odnowienie podpisu', en: 'Signature renewal' }[locale],
    family: 'signature',
    detail: (
      <>
        {name}. {says}
      </>
    ),
    line: says,
    step:
      state === 'finished'
        ? { label: { pl: 'Połącz z\u00a0aplikacją', en: 'Connect the app' }, to: pages.signatures.path }
        : {
            label: mine
              ? { pl: 'Dokończ odnowienie', en: 'Finish the renewal' }
              : { pl: 'Zobacz odnowienie', en: 'See the renewal' },
            to: renewalPath(uid),
          },
  }

  function detailOf() {
    if (!mine)
      return {
        pl: 'Umowa jest podpisana, a\u00a0nowy certyfikat zostanie wydany za chwilę.',
        en: 'The agreement is signed, and the new certificate will be issued in a moment.',
      }
    if (issued)
      return validFrom && validFrom > now
        ? {
            pl: `Nowy certyfikat zacznie działać ${formatDateTime('pl', validFrom)}.`,
            en: `The new certificate begins on ${formatDateTime('en', validFrom)}.`,
          }
        : {
            pl: 'Nowy certyfikat jest wydany. Połącz go z\u00a0aplikacją.',
            en: 'The new certificate is issued. Connect it with the app.',
          }
    return {
      pl: `To, co jest już wpisane, czeka do ${formatDateTime('pl', end)}.`,
      en: `What has been entered waits until ${formatDateTime('en', end)}.`,
    }
  }
}
