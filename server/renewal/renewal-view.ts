import type { Given } from '../../contract/endpoint.ts'
import { openStates, type Renewal, type RenewalState } from '../../contract/renewal.ts'
import { commonName, type SigningObstacle } from '../../contract/rules/renewal-rules.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { signsRemotely } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import type { SigningCredential } from '../platform/ports.ts'
import type { RenewalRow } from './renewal-store.ts'
import {
  certifiable,
  companyOf,
  defaultParameters,
  identifierOfTerms,
  personMatches,
  currentRefusals,
} from './renewal-terms.ts'

export function renewalOf(row: RenewalRow): Given<typeof Renewal> {
  const { signature, person, issued, now, terms, agreement, signed } = row
  const { identification } = person
  const company = companyOf(row)
  const { name, pesel, identifier } = certifiable(row)
  const pdf = signed ?? agreement
  return {
    uid: row.id,
    state: row.state,
    version: row.version,
    now,
    openedAt: row.openedAt,
    endsAt: row.endsAt,
    certificate: {
      signature: signature.id,
      name: signature.name,
      company: company?.name ?? null,
      unit: company?.unit ?? null,
      position: company?.position ?? null,
      identifier: signature.identifier,
      validFrom: signature.validFrom,
      validTo: signature.validTo,
      status: signature.status,
    },
    person: {
      firstName: person.firstName,
      secondName: person.secondName,
      surname: person.surname,
      email: person.email,
      phone: person.phone,
      maskedPhone: maskPhone(person.phone),
      birthDate: identification?.birthDate ?? null,
      birthPlace: identification?.birthPlace ?? null,
      nationality: identification?.nationality ?? null,
      commonName: commonName(name),
      pesel,
      identifier,
      document: identification?.document ?? null,
      isMatching: personMatches(row),
    },
    identityCheck: row.identity,
    parameters: row.parameters ?? defaultParameters(row),
    isSaved: row.parameters !== null,
    isFinal: row.parametersSha256 !== null,
    shortenedTo: row.shortenedTo,
    stops: isOpenState(row.state) ? currentRefusals(row) : [],
    terms: terms && { from: terms.from, to: terms.to, identifier: identifierOfTerms(terms) },
    agreement: pdf && { sha256: pdf.sha256, bytes: pdf.bytes, isSigned: signed !== null },
    hasSigningFailed: row.signingFailed,
    signedAt: row.signedAt,
    signature: issued && {
      id: issued.id,
      validFrom: issued.validFrom,
      validTo: issued.validTo,
      canPair: issued.status === 'good' && !issued.isBeingStopped && issued.validFrom <= now && now < issued.validTo,
      pairedAt: issued.pairedAt,
    },
    note: row.note,
  }
}

export const isOpenState = (state: RenewalState) => openStates.some((open) => open === state)

/**
 * Finds the key that signs the agreement: that of the certificate to be renewed. If there is none now, returns the reason, which is checked
 * before the renewal code is used up and before an SMS code is sent (REN-12). It calls the service, so it must not run within a
 * transaction.
 */
export async function findSigningKey(
  { ports }: Portal,
  { person, signature }: RenewalRow,
): Promise<{ credential: SigningCredential } | { obstacle: SigningObstacle }> {
  const found = signsRemotely(ports) && (await ports.remoteSigning?.listCredentials(person.customer))
  if (!found || found === 'unreachable') return { obstacle: 'SIGNING_UNAVAILABLE' }
  const credential = found.find(({ certificate }) => signature.certificate.der.equals(certificate))
  return credential ? { credential } : { obstacle: 'SIGNING_KEY_MISSING' }
}
