import type { summariseDocuments } from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { pages } from '../../contract/pages.ts'
import type { listOpenRenewals } from '../../contract/renewal.ts'
import type { Seal, SealInvitation, summariseSeals } from '../../contract/seals.ts'
import type { Signature, summariseSignatures } from '../../contract/signatures.ts'
import type { summariseTimestamps } from '../../contract/timestamps.ts'
import { config } from '../config.ts'
import { daysLeft, formatDateTime, formatDaysLeft } from '../text/format.ts'
import { dayWord, productText } from './home-text.ts'
import { documentMatters } from './document-matters.tsx'
import type { Matter } from './matter.ts'
import { packageMatter } from './package-matter.tsx'
import { renewalMatter } from './renewal-matter.tsx'

/** What is known; undefined what cannot be read just now. */
export type Summaries = {
  signatures: Reply<typeof summariseSignatures> | undefined
  seals: Reply<typeof summariseSeals> | undefined
  timestamps: Reply<typeof summariseTimestamps> | undefined
  documents: Reply<typeof summariseDocuments> | undefined
  renewals: Reply<typeof listOpenRenewals> | undefined
}

/** Everything that waits, the most urgent first: documents to sign, ends within 14 days, access to activate, other ends, packages, new certificates to activate (ux 8.2). */
export function mattersOf(
  { signatures, seals, timestamps, documents, renewals }: Summaries,
  locale: Locale,
  now: string,
): Matter[] {
  return [
    ...(renewals?.items ?? []).map((renewal) => renewalMatter(renewal, locale, now)),
    ...(documents ? documentMatters(documents, locale) : []),
    ...(signatures?.attention ?? [])
      // Its renewal is under way, which says what is next.
      .filter(({ id }) => !renewals?.items.some(({ signature }) => signature === id))
      .map((signature) => signatureMatter(signature, locale, now)),
    ...(seals?.invitations ?? []).map((invitation) => invitationMatter(invitation, locale)),
    ...(seals?.attention ?? []).map((seal) => sealMatter(seal, locale, now)),
    ...(timestamps?.attention ?? []).map((one) => packageMatter(one, locale)),
  ].toSorted((one, other) => one.rank - other.rank || (one.end < other.end ? -1 : 1))
}

const seeDetails = { pl: 'Zobacz szczegóły', en: 'See details' }

function endOf({ validFrom, validTo }: { validFrom: string; validTo: string }, locale: Locale, now: string) {
  const days = daysLeft(validTo, now)
  const strong = days <= limits.badge.strongDays
  const left = formatDaysLeft(locale, days)
  const total = daysLeft(validTo, validFrom)
  const word = dayWord(locale, days)
  return {
    rank: strong ? 1 : 3,
    end: validTo,
    badge: {
      kind: strong ? ('warn-strong' as const) : ('warn' as const),
      icon: 'hour' as const,
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
    date: <time dateTime={validTo}>{formatDateTime(locale, validTo)}</time>,
  }
}

function signatureMatter(signature: Signature, locale: Locale, now: string): Matter {
  const { date, ...end } = endOf(signature, locale, now)
  return {
    id: signature.id,
    ...end,
    title: productText[signature.product][locale],
    family: 'signature',
    detail: (
      <>
        {{ pl: 'Ważny do ', en: 'Valid until ' }[locale]}
        <strong>{date}</strong>
        {
          {
            pl: '. Odnów go wcześniej\u00a0– po tym terminie trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
            en: '. Renew it before – after that you have to buy a new signature and confirm your identity again.',
          }[locale]
        }
      </>
    ),
    line: (
      <>
        {signature.organisation ?? signature.name}, {{ pl: 'ważny do ', en: 'valid until ' }[locale]}
        {date}
      </>
    ),
    step:
      signature.product === 'app'
        ? { renew: signature.id, description: `${productText.app[locale]}, ${signature.name}` }
        : { label: { pl: 'Kup odnowienie', en: 'Buy a renewal' }, href: config.brand.links.renewal },
    more: { label: seeDetails, to: pages.signatures.path },
  }
}

function sealMatter(seal: Seal, locale: Locale, now: string): Matter {
  const { date, ...end } = endOf(seal, locale, now)
  const { name } = seal.organisation
  return {
    id: seal.id,
    ...end,
    title: { pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' }[locale],
    family: 'seal',
    detail: (
      <>
        {name}
        {{ pl: ', ważna do ', en: ', valid until ' }[locale]}
        <strong>{date}</strong>.{' '}
        {
          {
            pl: 'Zamów nową wcześniej, żeby nie było przerwy.',
            en: 'Order a new one before, so that there is no gap.',
          }[locale]
        }
      </>
    ),
    line: (
      <>
        {name}
        {{ pl: ', ważna do ', en: ', valid until ' }[locale]}
        {date}
      </>
    ),
    step: { label: { pl: 'Kup pieczęć', en: 'Buy a seal' }, href: config.brand.links.seal },
    more: { label: seeDetails, to: pages.seals.path },
  }
}

function invitationMatter({ id, organisation, expiresAt }: SealInvitation, locale: Locale): Matter {
  const until = (
    <>
      {{ pl: 'Zaproszenie działa do ', en: 'The invitation works until ' }[locale]}
      <time dateTime={expiresAt}>{formatDateTime(locale, expiresAt)}</time>
    </>
  )
  return {
    id,
    rank: 2,
    end: expiresAt,
    badge: { kind: 'warn', icon: 'hour', words: { pl: 'Oczekuje na aktywację', en: 'Awaiting activation' }[locale] },
    title: { pl: 'Dostęp do pieczęci', en: 'Access to a seal' }[locale],
    family: 'seal',
    detail: (
      <>
        {organisation}. {until}.
      </>
    ),
    line: (
      <>
        {organisation}. {until}
      </>
    ),
    step: { label: { pl: 'Przejdź do aktywacji', en: 'Go to the activation' }, to: pages.seals.path },
  }
}
