import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { dialled } from '../../contract/page-markers.ts'
import { pages } from '../../contract/pages.ts'
import type { Signature } from '../../contract/signatures.ts'
import { config } from '../config.ts'
import { daysLeft } from '../text/format.ts'
import { endingOf, moment, overOf, seeDetails } from './end-words.tsx'
import { furtherText, productText } from './home-text.ts'
import { ranks, type Matter } from './matter.ts'

/** A signature that is suspended, has expired of late, is in no app yet, or ends soon. */
export function signatureMatter(signature: Signature, locale: Locale, now: string): Matter {
  const { id, product, reason, validTo, pairable, pairedAt } = signature
  const more = { label: seeDetails, to: pages.signatures.path }
  const same = {
    id,
    family: 'signature' as const,
    title: productText[product][locale],
    ...(signature.organisation && { whose: signature.organisation }),
  }
  if (reason === 'suspended') return { ...same, more, ...suspended(signature, locale) }
  if (reason === 'expired') return { ...same, more, ...expired(signature, locale, now) }
  const isFarOff = daysLeft(validTo, now) > limits.badge.amberDays
  return isFarOff && pairable && !pairedAt
    ? { ...same, ...unpaired(signature, locale) }
    : { ...same, more, ...ending(signature, locale, now) }
}

/** What is due beyond those that are named, the last of which ends at `end`. */
export const furtherSignatures = (count: number, end: string, locale: Locale): Matter => ({
  id: 'further-signatures',
  rank: ranks.endsSoon,
  end,
  badge: { kind: 'warn', icon: 'hour', words: { pl: 'Do sprawdzenia', en: 'To be looked at' }[locale] },
  title: furtherText(locale, count),
  detail: {
    pl: 'Na liście podpisów sprawdzisz, do kiedy i\u00a0co można zrobić.',
    en: 'The list of signatures tells you until when, and what can be done.',
  }[locale],
  family: 'signature',
  step: { label: { pl: 'Zobacz swoje podpisy', en: 'See your signatures' }, to: pages.signatures.path },
})

const suspended = ({ validTo }: Signature, locale: Locale) => ({
  rank: ranks.over,
  end: validTo,
  badge: { kind: 'err' as const, icon: 'alert' as const, words: { pl: 'Zawieszony', en: 'Suspended' }[locale] },
  detail: (
    <>
      {{ pl: 'Ważny do ', en: 'Valid until ' }[locale]}
      {moment(locale, validTo)}
      {
        {
          pl: ', ale teraz nie podpisuj nim dokumentów: takie podpisy są nieważne. Zadzwoń do nas, żeby cofnąć zawieszenie.',
          en: ', but do not sign with it now: such signatures are not valid. Call us to lift the suspension.',
        }[locale]
      }
    </>
  ),
  step: callUs(),
})

/** The way out of a suspension leads through the support (ux 5.10). */
export const callUs = () => ({
  label: { pl: 'Zadzwoń do nas', en: 'Call us' },
  href: `tel:${dialled(config.brand.phone)}`,
})

const expired = (signature: Signature, locale: Locale, now: string) => ({
  ...overOf(signature, locale, now, { pl: 'Wygasł', en: 'Expired' }[locale]),
  detail: (
    <>
      {{ pl: 'Był ważny do ', en: 'It was valid until ' }[locale]}
      {moment(locale, signature.validTo)}
      {
        {
          pl: '. Nie można go już odnowić: trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
          en: '. It can no longer be renewed: you have to buy a new signature and confirm your identity again.',
        }[locale]
      }
    </>
  ),
  step: { label: { pl: 'Kup nowy podpis', en: 'Buy a new signature' }, href: config.brand.links.newSignature },
})

const unpaired = ({ validFrom }: Signature, locale: Locale) => ({
  rank: ranks.toPair,
  end: validFrom,
  badge: {
    kind: 'info' as const,
    icon: 'mobile' as const,
    words: { pl: 'Do połączenia', en: 'To be connected' }[locale],
  },
  detail: (
    <>
      {{ pl: 'Działa od ', en: 'Valid since ' }[locale]}
      {moment(locale, validFrom)}
      {
        {
          pl: '. Połącz go z\u00a0aplikacją w\u00a0telefonie, bo bez tego nie podpiszesz nim dokumentu.',
          en: '. Connect it with the app on your phone: without that you cannot sign a document with it.',
        }[locale]
      }
    </>
  ),
  step: { label: { pl: 'Połącz z\u00a0aplikacją', en: 'Connect with the app' }, to: pages.signatures.path },
})

const ending = (signature: Signature, locale: Locale, now: string) => ({
  ...endingOf(signature, locale, now),
  detail: (
    <>
      {{ pl: 'Ważny do ', en: 'Valid until ' }[locale]}
      {moment(locale, signature.validTo)}
      {
        {
          pl: '. Odnów go wcześniej\u00a0– po tym terminie trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
          en: '. Renew it before – after that you have to buy a new signature and confirm your identity again.',
        }[locale]
      }
    </>
  ),
  step:
    signature.product === 'app'
      ? { renew: signature.id, description: `${productText.app[locale]}, ${signature.name}` }
      : { label: { pl: 'Kup odnowienie', en: 'Buy a renewal' }, href: config.brand.links.renewal },
})
