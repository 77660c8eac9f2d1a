import type { IdentifierType } from './enums.ts'
import type { Identification } from './personal-data.ts'
import { limits } from './limits.ts'
import { addDays, addYears, atWarsawClock, warsawDay } from './warsaw-time.ts'

/**
 * What a renewal may be (REN-4 … REN-6; defaults.md, renewal rows). The browser shows with these functions what the server
 * decides with them (R61).
 */

/** Why a renewal cannot begin or go on; `VALIDITY_TOO_SHORT` is “under 30 days left”, which has no name in defaults.md. */
export const renewalReasons = [
  'CERT_EXPIRED',
  'CERT_REVOKED',
  'TOO_EARLY',
  'CODE_REQUIRED',
  'DATA_MISMATCH',
  'DOC_EXPIRED',
  'ACTIVATION_AFTER_DOC_EXPIRY',
  'VALIDITY_TOO_SHORT',
  'SHORTENED_VALIDITY_NEEDS_CONSENT',
] as const
export type RenewalReason = (typeof renewalReasons)[number]

/** The certificate that is renewed. */
export type RenewedCertificate = {
  validTo: Date
  /** A suspended one is not renewed either: it has to be reinstated first. */
  status: 'good' | 'suspended' | 'revoked'
  identifier: { type: IdentifierType; country: string | null }
}

/** The last day on which the identity document is valid, `2028-05-02`; null when it has no expiry. */
export type DocumentEnd = string | null

export type Choice = {
  /** From the expiry of the renewed certificate, or independently of it. */
  start: 'continuity' | 'immediately'
  /** A later day to begin on, where continuity is not asked for; null is as soon as it is issued. */
  activationDate: string | null
  years: 1 | 2 | 3
  /** The identifier of the renewed certificate, or the customer's PESEL. */
  identifier: 'same' | 'pesel'
}

const dayMs = 86_400_000

/** Certificates hold whole seconds. */
const wholeSecond = (ms: number) => new Date(Math.floor(ms / 1000) * 1000)

/** Until the last second of its last day in Warsaw. */
export const documentEnd = (day: string): Date => atWarsawClock(`${day}T23:59:59`)

export const isDocumentValid = (end: DocumentEnd, now: Date): boolean =>
  end === null || wholeSecond(now.getTime()) <= documentEnd(end)

/** Where renewing begins to be possible; it ends with the certificate. */
export const renewableFrom = (validTo: Date): Date => new Date(validTo.getTime() - limits.renewal.window * dayMs)

/** What stands against a renewal whatever is chosen, the gravest first. `document` is undefined where none is known. */
export function stopsOf(
  { validTo, status }: RenewedCertificate,
  document: DocumentEnd | undefined,
  { now, matches }: { now: Date; matches: boolean },
): RenewalReason[] {
  const stops: [RenewalReason, boolean][] = [
    ['CERT_EXPIRED', now > validTo],
    ['CERT_REVOKED', status !== 'good'],
    ['TOO_EARLY', now < renewableFrom(validTo)],
    ['DATA_MISMATCH', !matches || document === undefined],
    ['DOC_EXPIRED', document !== undefined && !isDocumentValid(document, now)],
  ]
  return stops.flatMap(([reason, stands]) => (stands ? [reason] : []))
}

/** These the customer can put right by new details of the identity document (REN-6); the others end here. */
export const isCurable = (reason: RenewalReason): boolean => reason === 'DATA_MISMATCH' || reason === 'DOC_EXPIRED'

/** Passports, ID cards and personal numbers other than PESEL hold the certificate to the document (defaults.md). */
export function isTied({ type, country }: RenewedCertificate['identifier'], choice: Choice['identifier']): boolean {
  if (choice === 'pesel') return false
  return type === 'PAS' || type === 'IDC' || (type === 'PNO' && country !== 'PL')
}

/** The days that can be chosen to begin on: from tomorrow; today is as soon as it is issued. */
export function activationDays(now: Date): { first: string; last: string } {
  const today = warsawDay(now)
  return { first: addDays(today, 1), last: addDays(today, limits.renewal.ahead) }
}

export function isActivationDay(day: string | null, now: Date): boolean {
  const { first, last } = activationDays(now)
  return day === null || (first <= day && day <= last)
}

export type Validity = {
  /** When it begins; `onIssue`: not before it is issued, which is about now. */
  from: Date
  onIssue: boolean
  to: Date
  /** Where it would end if the document did not cut it. */
  fullTo: Date
  shortened: boolean
}

export type Judged =
  | { ok: true; validity: Validity }
  | {
      ok: false
      reason: 'ACTIVATION_AFTER_DOC_EXPIRY' | 'VALIDITY_TOO_SHORT' | 'SHORTENED_VALIDITY_NEEDS_CONSENT'
      validity: Validity
    }

/** What the choice comes to. `acceptedTo`: the shortened end that the customer has accepted. */
export function judgeChoice(
  choice: Choice,
  certificate: RenewedCertificate,
  document: DocumentEnd,
  { now, acceptedTo }: { now: Date; acceptedTo: Date | null },
): Judged {
  const { from, onIssue } = beginning(choice, certificate, now)
  const fullTo = new Date(addYears(from, choice.years).getTime() - 1000)
  const lastOfDocument = document === null ? undefined : documentEnd(document)
  const shortened =
    lastOfDocument !== undefined && lastOfDocument < fullTo && isTied(certificate.identifier, choice.identifier)
  const to = shortened ? lastOfDocument : fullTo
  const validity = { from, onIssue, to, fullTo, shortened }
  // Whatever the identifier: when a certificate begins, its holder has a valid document (REN-5).
  if (lastOfDocument && from > lastOfDocument) return { ok: false, reason: 'ACTIVATION_AFTER_DOC_EXPIRY', validity }
  if (to.getTime() - from.getTime() < limits.renewal.shortest * dayMs)
    return { ok: false, reason: 'VALIDITY_TOO_SHORT', validity }
  if (shortened && acceptedTo?.getTime() !== to.getTime())
    return { ok: false, reason: 'SHORTENED_VALIDITY_NEEDS_CONSENT', validity }
  return { ok: true, validity }
}

/** Now, a second after the renewed one, or the chosen day's midnight if that has not passed. */
function beginning({ start, activationDate }: Choice, { validTo }: RenewedCertificate, now: Date) {
  if (start === 'continuity') return { from: wholeSecond(validTo.getTime() + 1000), onIssue: false }
  const chosen = activationDate === null ? undefined : atWarsawClock(`${activationDate}T00:00:00`)
  return chosen && chosen > now ? { from: chosen, onIssue: false } : { from: wholeSecond(now.getTime()), onIssue: true }
}

type Named = { firstName: string; secondName: string | null; surname: string }

const plain = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim()

/**
 * Whether what is known of the customer is what the certificate says (REN-6). A number is compared where it is known: the
 * identifier itself, or that of the document; the provider's own numbers are its own to judge.
 */
export function dataMatches(
  certificate: { name: string; identifier: { type: IdentifierType; country: string | null; value: string } },
  { firstName, secondName, surname }: Named,
  identification: Identification | undefined,
): boolean {
  const names = [`${firstName} ${surname}`, `${firstName} ${secondName ?? ''} ${surname}`].map(plain)
  if (!identification || !names.includes(plain(certificate.name))) return false
  const { type, country, value } = certificate.identifier
  const { identifierType, issuingCountry, identificationNumber, nationality, document } = identification
  if (type === identifierType) return value === identificationNumber && country === issuingCountry
  if (type === 'IDC' && document.type === 'DO') return value === document.number && country === nationality
  if (type === 'PAS' && document.type === 'PA') return value === document.number && country === nationality
  return true
}

/** The customer's PESEL, if it is known. */
export const peselOf = (identification: Identification | undefined): string | undefined =>
  identification?.identifierType === 'PNO' && identification.issuingCountry === 'PL'
    ? identification.identificationNumber
    : undefined
