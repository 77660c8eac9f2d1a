import type { Locale, Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { type OpenStatusRequest, type StatusChange, isBeingStopped } from '../../contract/signatures-and-seals.ts'
import type { Signature } from '../../contract/signatures.ts'
import { config, isOff } from '../app/config.ts'
import { CertificateName } from '../certificates/certificate-badge.tsx'
import { certificateLooks } from '../certificates/certificate-looks.ts'
import { offeredChanges } from '../status-requests/status-button.tsx'
import { validityOf } from '../text/validity.ts'
import { expiringSoon, recentlyExpired, seeDetails, unpairedBadge, withMoment } from './expiry-text.tsx'
import { ranks, type HomeNotice } from './home-notice.ts'
import { furtherText, productSentence } from './home-text.ts'

/** Returns the notice of a signature that is suspended, has recently expired, is not in an app yet, or ends soon. */
export function signatureNotice(signature: Signature, locale: Locale, now: string): HomeNotice {
  const { id, product, reason, canPair, pairedAt } = signature
  const more = { label: seeDetails, to: pages.signatures.path }
  const same = {
    id,
    family: 'signature' as const,
    title: productSentence[product][locale],
    ...(signature.organisation && { whose: signature.organisation }),
  }
  if (signature.request && isBeingStopped(signature))
    return { ...same, ...statusChangeDue(signature.request, locale, more.to) }
  if (reason === 'suspended') return { ...same, more, ...suspended(signature, locale) }
  if (reason === 'expired') return { ...same, more, ...expired(signature, locale, now) }
  const { urgency } = validityOf(signature, Date.parse(now))
  return urgency === 'none' && canPair && !pairedAt
    ? { ...same, ...unpaired(signature, locale) }
    : { ...same, more, ...ending(signature, locale, now) }
}

/** Returns one notice for the further signatures that end soon, after the last listed one at `end`. */
export const furtherSignatures = (count: number, end: string, locale: Locale): HomeNotice => ({
  id: 'further-signatures',
  rank: ranks.endsSoon,
  end,
  badge: { kind: 'warning', icon: 'hourglass', text: { pl: 'Do sprawdzenia', en: 'Check dates' }[locale] },
  title: furtherText(locale, count),
  detail: {
    pl: 'Na liście sprawdzisz, kiedy wygasają i\u00a0co możesz zrobić.',
    en: 'See the list of signatures for the dates and what you can do.',
  }[locale],
  family: 'signature',
  step: { label: { pl: 'Zobacz swoje podpisy', en: 'View your signatures' }, to: pages.signatures.path },
})

const suspended = ({ validTo, changes }: Signature, locale: Locale) => ({
  rank: ranks.stopped,
  end: validTo,
  badge: { ...certificateLooks.suspended, text: { pl: 'Zawieszony', en: 'Suspended' }[locale] },
  detail: withMoment(locale, { pl: 'Ważny do ', en: 'Valid until ' }, validTo, {
    pl: `, ale teraz nie podpisuj nim dokumentów: takie podpisy są nieważne. ${endsSuspension(changes).pl}`,
    en: `, but don’t sign with it now: signatures made with it aren’t valid. ${endsSuspension(changes).en}`,
  }),
  step: afterSuspension(changes, pages.signatures.path),
})

/**
 * Returns the parts of a notice about a product that ends soon or is suspended, and will be suspended or revoked: nothing is left to do,
 * and it cannot be renewed (STP-8).
 */
export const statusChangeDue = ({ change, deadline }: OpenStatusRequest, locale: Locale, to: string) => ({
  rank: ranks.underWay,
  end: deadline,
  badge: {
    kind: 'info' as const,
    icon: 'hourglass' as const,
    text: (change === 'suspend'
      ? { pl: 'Zlecono zawieszenie', en: 'Suspension requested' }
      : { pl: 'Zlecono unieważnienie', en: 'Revocation requested' })[locale],
  },
  detail: withMoment(locale, { pl: 'Nastąpi najpóźniej ', en: 'It takes effect by ' }, deadline, {
    pl: '. Nic więcej nie musisz robić.',
    en: '. There’s nothing more for you to do.',
  }),
  isUnderWay: true,
  step: { label: seeDetails, to },
})

/** Returns the text on how to end a suspension: only one that was requested here can be ended here (STP-2). */
export const endsSuspension = (changes: readonly StatusChange[]): Text =>
  offeredChanges(changes).includes('resume')
    ? { pl: 'Zawieszenie możesz cofnąć w\u00a0portalu.', en: 'You can end the suspension here.' }
    : { pl: 'Aby cofnąć zawieszenie, zadzwoń do nas.', en: 'Call us to end the suspension.' }

/** Returns the step for a suspended certificate: only the support can lift a suspension that was not requested here. */
export const afterSuspension = (changes: readonly StatusChange[], to: string) =>
  offeredChanges(changes).includes('resume')
    ? { label: { pl: 'Cofnij zawieszenie', en: 'End suspension' }, to }
    : ({ call: true } as const)

const expired = (signature: Signature, locale: Locale, now: string) => ({
  ...recentlyExpired(signature, locale, now, { pl: 'Wygasł', en: 'Expired' }[locale]),
  detail: withMoment(locale, { pl: 'Wygasł ', en: 'Expired on ' }, signature.validTo, {
    pl: '. Nie można go już odnowić. Trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
    en: '. It can no longer be renewed. You’ll need to buy a new signature and confirm your identity again.',
  }),
  step: { label: { pl: 'Kup nowy podpis', en: 'Buy a new signature' }, href: config.brand.links.newSignature },
})

const unpaired = ({ validFrom }: Signature, locale: Locale) => ({
  rank: ranks.toPair,
  end: validFrom,
  badge: unpairedBadge(locale),
  detail: withMoment(locale, { pl: 'Działa od ', en: 'Valid since ' }, validFrom, {
    pl: '. Połącz go z\u00a0aplikacją, aby podpisywać na telefonie.',
    en: '. Connect it to the app to sign on your phone.',
  }),
  step: { label: { pl: 'Połącz z\u00a0aplikacją', en: 'Connect to the app' }, to: pages.signatures.path },
})

const ending = (signature: Signature, locale: Locale, now: string) => ({
  ...expiringSoon(signature, locale, now),
  detail: withMoment(locale, { pl: 'Ważny do ', en: 'Valid until ' }, signature.validTo, {
    pl: '. Odnów go wcześniej. Po tym terminie trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
    en: '. Renew it before then. Afterwards you’d have to buy a new signature and confirm your identity again.',
  }),
  step:
    signature.product === 'app' && !isOff('renewal')
      ? {
          renew: signature.id,
          description: <CertificateName product={productSentence.app[locale]} name={signature.name} />,
        }
      : signature.renewal && isOff('renewal')
        ? ({ call: true } as const)
        : { label: { pl: 'Kup odnowienie', en: 'Buy a renewal' }, href: config.brand.links.renewal },
})
