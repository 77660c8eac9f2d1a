import type { Reply } from '../../contract/endpoint.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { listOpenRenewals } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { certificateLooks, validFromText } from '../certificates/certificate-looks.ts'
import { renewalPath } from '../renewal/renewal-opening.ts'
import { daysLeft, formatDateTime } from '../text/format.ts'
import { readAndSignText } from '../text/product-text.ts'
import { unpairedBadge } from './expiry-text.tsx'
import { rankOfEnd, ranks, type HomeNotice } from './home-notice.ts'

type OpenRenewal = Reply<typeof listOpenRenewals>['items'][number]

/** Returns the notice of a renewal that was begun and waits for something (HOM-3). */
export function renewalNotice(renewal: OpenRenewal, locale: Locale, now: string): HomeNotice {
  const { uid, state, name, certificateValidTo, endsAt, validFrom } = renewal
  const isOpen = state === 'parameters' || state === 'personal-data' || state === 'signing'
  const isMine = isOpen || state === 'issued'
  const startsAt = state === 'issued' && validFrom && validFrom > now ? validFrom : undefined
  const isUnderWay = !isMine || startsAt !== undefined
  const days = daysLeft(certificateValidTo, now)
  const badge = (): HomeNotice['badge'] => {
    if (startsAt) return { ...certificateLooks['not-yet-valid'], text: validFromText(startsAt)[locale] }
    if (!isMine) return { kind: 'info', icon: 'hourglass', text: { pl: 'W\u00a0toku', en: 'In progress' }[locale] }
    if (!isOpen) return unpairedBadge(locale)
    const kind = days <= limits.badge.strongDays ? 'warning-strong' : 'warning'
    return { kind, icon: 'edit', text: { pl: 'Do dokończenia', en: 'Not finished' }[locale] }
  }
  return {
    id: uid,
    // A signed renewal has no deadline.
    rank: isUnderWay ? ranks.underWay : isOpen ? rankOfEnd(days) : ranks.toPair,
    end: isOpen ? endsAt : (validFrom ?? certificateValidTo),
    badge: badge(),
    title: { pl: 'Odnowienie podpisu', en: 'Signature renewal' }[locale],
    // One customer can renew several certificates: its number tells them apart, as on the page of the renewal.
    whose: name,
    number: renewalNumber(uid),
    isUnderWay,
    family: 'signature',
    detail: detailOf(renewal, now)[locale],
    step: { label: (isUnderWay ? undefined : stepText[state]) ?? viewText, to: renewalPath(uid) },
  }
}

const finishText = { pl: 'Dokończ odnowienie', en: 'Finish renewal' }
const viewText = { pl: 'Zobacz odnowienie', en: 'View renewal' }
const stepText: Partial<Record<OpenRenewal['state'], Text>> = {
  parameters: finishText,
  'personal-data': finishText,
  signing: readAndSignText,
  issued: { pl: 'Połącz z\u00a0aplikacją', en: 'Connect to the app' },
}

function detailOf({ state, certificateValidTo, endsAt, validFrom }: OpenRenewal, now: string): Text {
  if (state === 'issued')
    return validFrom && validFrom > now
      ? {
          pl: `Nowy certyfikat zacznie działać ${formatDateTime('pl', validFrom)}. Wtedy połączysz go z\u00a0aplikacją.`,
          en: `The new certificate starts on ${formatDateTime('en', validFrom)}. You can connect it to the app then.`,
        }
      : {
          pl: 'Nowy certyfikat jest wydany. Połącz go z\u00a0aplikacją, aby podpisywać na telefonie.',
          en: 'Your new certificate is ready. Connect it to the app to sign on your phone.',
        }
  if (state === 'authorised' || state === 'signed')
    return {
      pl: 'Umowa jest podpisana. Za chwilę wydamy nowy certyfikat.',
      en: 'The agreement is signed. We’ll issue the new certificate in a moment.',
    }
  return endsAt < certificateValidTo
    ? {
        pl: `Wpisane dane zachowamy do ${formatDateTime('pl', endsAt)}. Potem trzeba będzie zacząć od\u00a0nowa.`,
        en: `We’ll keep your answers until ${formatDateTime('en', endsAt)}. After that you’ll have to start again.`,
      }
    : {
        pl: `Dokończ je do ${formatDateTime('pl', endsAt)}. Po tym terminie trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.`,
        en: `Finish it by ${formatDateTime('en', endsAt)}. After that you’ll have to buy a new signature and confirm your identity again.`,
      }
}
