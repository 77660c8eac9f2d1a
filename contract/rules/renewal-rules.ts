import type { Identification, IdentifierType } from '../identification.ts'
import { limits } from '../limits.ts'
import { dayMs, addDays, addYears, atWarsawClock, warsawDay } from './warsaw-time.ts'

// The rules of renewals (REN-4 … REN-6; defaults.md, renewal rows). Browser and server use the same functions: one shows the
// result, the other decides (R61).

/** Reasons why no agreement can be signed now (REN-12): the signing service does not answer, or has no key of the certificate. */
export const signingObstacles = ['SIGNING_UNAVAILABLE', 'SIGNING_KEY_MISSING'] as const
export type SigningObstacle = (typeof signingObstacles)[number]

/** Reasons why a renewal cannot start or continue; `VALIDITY_TOO_SHORT` is “under 30 days left”, which has no name in defaults.md. */
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
  ...signingObstacles,
] as const
export type RenewalReason = (typeof renewalReasons)[number]

export type RenewedCertificate = {
  validTo: Date
  /** The status of the certificate; a suspended one cannot be renewed either: it has to be reinstated first. */
  status: 'good' | 'suspended' | 'revoked'
  identifier: { type: IdentifierType; country: string | null }
}

/** The last day on which the identity document is valid, `2028-05-02`; null if it does not expire. */
export type LastDocumentDay = string | null

export type Choice = {
  /** Start of the validity: at the expiry of the renewed certificate, or independent of it. */
  start: 'continuity' | 'immediately'
  /** A later first day, if continuity is not wanted; null means as soon as the certificate is issued. */
  activationDate: string | null
  years: 1 | 2 | 3
  /** The identifier of the renewed certificate, or the customer's PESEL. */
  identifier: 'same' | 'pesel'
}

/** Rounds a time down to the whole seconds that certificates hold. */
const wholeSecond = (ms: number) => new Date(Math.floor(ms / 1000) * 1000)

/** Returns the last second of the document's last day in Warsaw. */
export const endOfDocumentDay = (day: string): Date => atWarsawClock(`${day}T23:59:59`)

export const isDocumentValid = (end: LastDocumentDay, now: Date): boolean =>
  end === null || wholeSecond(now.getTime()) <= endOfDocumentDay(end)

/** Returns the time from which on renewing is possible; this ends with the certificate. */
export const renewableFrom = (validTo: Date): Date => new Date(validTo.getTime() - limits.renewal.windowDays * dayMs)

/**
 * Returns the reasons against a renewal for any choice, the most serious first. `document` is undefined if none is known. `isBeingStopped`:
 * STP-8.
 */
export function refusalReasons(
  { validTo, status, isBeingStopped }: RenewedCertificate & { isBeingStopped: boolean },
  document: LastDocumentDay | undefined,
  { now, matches }: { now: Date; matches: boolean },
): RenewalReason[] {
  const stops: [RenewalReason, boolean][] = [
    ['CERT_EXPIRED', now > validTo],
    ['CERT_REVOKED', status !== 'good' || isBeingStopped],
    ['TOO_EARLY', now < renewableFrom(validTo)],
    ['DATA_MISMATCH', !matches || document === undefined],
    ['DOC_EXPIRED', document !== undefined && !isDocumentValid(document, now)],
  ]
  return stops.flatMap(([reason, applies]) => (applies ? [reason] : []))
}

/** Checks whether the customer can remove a reason with new details of the identity document (REN-6). */
export const canBeFixedByDocument = (reason: RenewalReason): boolean =>
  reason === 'DATA_MISMATCH' || reason === 'DOC_EXPIRED'

/**
 * Checks whether the certificate must not outlive the document: with a passport, an ID card or a personal number other than PESEL
 * (defaults.md).
 */
export function isTied({ type, country }: RenewedCertificate['identifier'], choice: Choice['identifier']): boolean {
  if (choice === 'pesel') return false
  return type === 'PAS' || type === 'IDC' || (type === 'PNO' && country !== 'PL')
}

/** Returns the possible activation dates: from tomorrow on, since today means as soon as the certificate is issued. */
export function activationDays(now: Date): { first: string; last: string } {
  const today = warsawDay(now)
  return { first: addDays(today, 1), last: addDays(today, limits.renewal.aheadDays) }
}

export function isActivationDay(day: string | null, now: Date): boolean {
  const { first, last } = activationDays(now)
  return day === null || (first <= day && day <= last)
}

export type Validity = {
  /** The start of the validity. */
  from: Date
  /** Whether it begins when the certificate is issued, which is about now. */
  startsOnIssue: boolean
  to: Date
  /** The end if the document did not shorten it. */
  fullTo: Date
  isShortened: boolean
}

export type Judged =
  | { ok: true; validity: Validity }
  | {
      ok: false
      reason: 'ACTIVATION_AFTER_DOC_EXPIRY' | 'VALIDITY_TOO_SHORT' | 'SHORTENED_VALIDITY_NEEDS_CONSENT'
      validity: Validity
    }

/** Returns the result of a choice. `acceptedTo`: the shortened end that the customer has accepted. */
export function judgeChoice(
  choice: Choice,
  certificate: RenewedCertificate,
  document: LastDocumentDay,
  { now, acceptedTo }: { now: Date; acceptedTo: Date | null },
): Judged {
  const { from, startsOnIssue } = beginning(choice, certificate, now)
  const fullTo = new Date(addYears(from, choice.years).getTime() - 1000)
  const lastOfDocument = document === null ? undefined : endOfDocumentDay(document)
  const isShortened =
    lastOfDocument !== undefined && lastOfDocument < fullTo && isTied(certificate.identifier, choice.identifier)
  const to = isShortened ? lastOfDocument : fullTo
  const validity = { from, startsOnIssue, to, fullTo, isShortened }
  // For every identifier: the holder needs a valid document when the certificate begins (REN-5).
  if (lastOfDocument && from > lastOfDocument) return { ok: false, reason: 'ACTIVATION_AFTER_DOC_EXPIRY', validity }
  if (to.getTime() - from.getTime() < limits.renewal.shortestDays * dayMs)
    return { ok: false, reason: 'VALIDITY_TOO_SHORT', validity }
  if (isShortened && acceptedTo?.getTime() !== to.getTime())
    return { ok: false, reason: 'SHORTENED_VALIDITY_NEEDS_CONSENT', validity }
  return { ok: true, validity }
}

/**
 * Returns the beginning of the new certificate: now, a second after the end of the renewed one, or midnight of the
 * chosen day if that has not passed.
 */
function beginning({ start, activationDate }: Choice, { validTo }: RenewedCertificate, now: Date) {
  if (start === 'continuity') return { from: wholeSecond(validTo.getTime() + 1000), startsOnIssue: false }
  const chosen = activationDate === null ? undefined : atWarsawClock(`${activationDate}T00:00:00`)
  return chosen && chosen > now
    ? { from: chosen, startsOnIssue: false }
    : { from: wholeSecond(now.getTime()), startsOnIssue: true }
}

/** A number of a person as certificates have it; the country is null for ECN, the provider's own number. */
export type Identifier = { type: IdentifierType; country: string | null; value: string }

/** The names of a person as certificates have them. */
export type CertifiedName = { givenName: string; surname: string }

type PersonNames = { firstName: string; secondName: string | null; surname: string }

/** Returns the common name of a person's certificate: the page, the agreement and the certificate all take it from here (REN-13). */
export const commonName = ({ givenName, surname }: CertifiedName): string => `${givenName} ${surname}`

const allNames = ({ firstName, secondName, surname }: PersonNames): CertifiedName => ({
  givenName: [firstName, secondName].filter(Boolean).join(' '),
  surname,
})

const plain = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim()

/** Checks whether a certificate has the name of a person, with or without the second name. */
export const isNamed = (name: string, person: PersonNames): boolean =>
  [person, { ...person, secondName: null }].some((names) => plain(commonName(allNames(names))) === plain(name))

/** Returns the name in the new certificate: as in the renewed one if that is the customer's name, otherwise with all their names. */
export function certifiedName(renewed: Partial<CertifiedName> & { name: string }, person: PersonNames): CertifiedName {
  const { givenName, surname } = allNames(person)
  if (!isNamed(renewed.name, person)) return { givenName, surname }
  return { givenName: renewed.givenName || givenName, surname: renewed.surname || surname }
}

/**
 * Returns the customer's numbers of a kind as they are known now: the identification number, and that of the identity document, which may
 * be a later passport than the one of the identification.
 */
function knownIdentifiers(type: IdentifierType, known: Identification): Identifier[] {
  const { identifierType, issuingCountry, identificationNumber, nationality, document } = known
  const isDocuments = (type === 'IDC' && document.type === 'DO') || (type === 'PAS' && document.type === 'PA')
  return [
    ...(type === identifierType ? [{ type, country: issuingCountry, value: identificationNumber }] : []),
    ...(isDocuments ? [{ type, country: nationality, value: document.number }] : []),
  ]
}

const isSame = (a: Identifier, b: Identifier) => a.type === b.type && a.country === b.country && a.value === b.value

/** Returns the number for a renewal of a certificate: its own while that is the customer's, otherwise another one of its kind. */
export function presentIdentifier(renewed: Identifier, identification: Identification): Identifier | undefined {
  const known = knownIdentifiers(renewed.type, identification)
  return known.find((each) => isSame(each, renewed)) ?? known[0]
}

/**
 * Checks whether the data known about the customer match the certificate (REN-6). A number is compared where it is known; the provider's
 * own numbers are its own to judge.
 */
export function dataMatches(
  certificate: { name: string; identifier: Identifier },
  person: PersonNames,
  identification: Identification | undefined,
): boolean {
  return (
    identification !== undefined &&
    isNamed(certificate.name, person) &&
    identifierMatches(certificate.identifier, identification)
  )
}

/** Checks whether a number in a certificate, such as `PNOPL-44051401458`, is the customer's; true if none of its kind is known of them. */
export function identifierMatches(identifier: Identifier, identification: Identification): boolean {
  const present = presentIdentifier(identifier, identification)
  return !present || isSame(present, identifier)
}

/**
 * Returns the fault if a certificate that the provider files is not the customer's (PRV-2). It is the customer's by its number. If none of
 * its kind is known, or for the number of a document, which changes each time, it is the customer's by one of the names that the
 * certificate states.
 */
export function holderMismatch(
  { identifier, names }: { identifier: Identifier; names: readonly string[] },
  person: PersonNames,
  identification: Identification,
): 'number' | 'name' | undefined {
  const { type } = identifier
  const known = knownIdentifiers(type, identification)
  if (known.some((each) => isSame(each, identifier))) return undefined
  if (known.length && type !== 'IDC' && type !== 'PAS') return 'number'
  return names.some((name) => isNamed(name, person)) ? undefined : 'name'
}

/**
 * Returns the identifier in the new certificate: the PESEL if it was chosen (undefined if it is not known), otherwise the number of the
 * same kind, which changes with the document (REN-6).
 */
export function newIdentifier(
  choice: Choice['identifier'],
  renewed: Identifier,
  { pesel, identifier }: { pesel: string | null; identifier: Identifier | null },
): Identifier | undefined {
  if (choice === 'same') return identifier ?? renewed
  return pesel === null ? undefined : { type: 'PNO', country: 'PL', value: pesel }
}

export const peselOf = (identification: Identification | undefined): string | undefined =>
  identification?.identifierType === 'PNO' && identification.issuingCountry === 'PL'
    ? identification.identificationNumber
    : undefined
