import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { openStates, type listOpenRenewals } from '../../contract/renewal.ts'
import { daysLeft, formatDateTime } from '../text/format.ts'
import type { Matter } from './matter.ts'

type Open = Reply<typeof listOpenRenewals>['items'][number]

/** Renewals that wait for the customer: to be gone on with, or to be activated. What waits for others is not a matter of theirs. */
export const renewalMatters = ({ items }: Reply<typeof listOpenRenewals>, locale: Locale, now: string): Matter[] =>
  items.flatMap((one) => {
    if ((openStates as readonly string[]).includes(one.state)) return [unfinished(one, locale, now)]
    return one.state === 'issued' && one.validFrom && one.validFrom <= now ? [toActivate(one, locale)] : []
  })

function unfinished({ uid, name, endsAt, certificateValidTo }: Open, locale: Locale, now: string): Matter {
  const until = <time dateTime={endsAt}>{formatDateTime(locale, endsAt)}</time>
  const keep = { pl: 'Dokończ do ', en: 'Finish by ' }[locale]
  return {
    id: uid,
    // As urgent as the certificate that it renews.
    rank: daysLeft(certificateValidTo, now) <= limits.badge.strongDays ? 1 : 3,
    end: endsAt,
    badge: { kind: 'warn', icon: 'hour', words: { pl: 'Niedokończone', en: 'Not finished' }[locale] },
    title: { pl: 'Odnowienie podpisu', en: 'Renewal of a signature' }[locale],
    family: 'signature',
    detail: (
      <>
        {name}. {keep}
        <strong>{until}</strong>
        {
          {
            pl: '\u00a0– potem trzeba zacząć od nowa.',
            en: ' – after that you have to start again.',
          }[locale]
        }
      </>
    ),
    line: (
      <>
        {name}. {keep}
        {until}
      </>
    ),
    step: { label: { pl: 'Dokończ odnowienie', en: 'Finish the renewal' }, to: `/renewal/${uid}` },
  }
}

function toActivate({ uid, name, validFrom }: Open, locale: Locale): Matter {
  const words = (
    <>
      {name}, {{ pl: 'ważny od ', en: 'valid since ' }[locale]}
      <time dateTime={validFrom!}>{formatDateTime(locale, validFrom!)}</time>
    </>
  )
  return {
    id: uid,
    rank: 6,
    end: validFrom!,
    badge: { kind: 'info', icon: 'mobile', words: { pl: 'Czeka na aktywację', en: 'Awaiting activation' }[locale] },
    title: { pl: 'Nowy certyfikat', en: 'New certificate' }[locale],
    family: 'signature',
    detail: (
      <>
        {words}.{' '}
        {
          { pl: 'Połącz go z\u00a0aplikacją, aby nim podpisywać.', en: 'Connect it with the app to sign with it.' }[
            locale
          ]
        }
      </>
    ),
    line: words,
    step: { label: { pl: 'Aktywuj certyfikat', en: 'Activate the certificate' }, to: `/renewal/${uid}` },
  }
}
