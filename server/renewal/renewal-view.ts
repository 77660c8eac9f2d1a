import { openStates, type Renewal, type RenewalState } from '../../contract/renewal.ts'
import { peselOf } from '../../contract/renewal-rules.ts'
import { maskPhone } from '../masks.ts'
import type { RenewalRow } from '../renewals.ts'
import { companyOf, defaultParameters, identifierOfTerms, personMatches, stopsNow } from './renewal-terms.ts'

/** What the customer sees of a renewal. */
export function renewalOf(row: RenewalRow): Renewal {
  const { signature, person, issued, now, terms, agreement, signed } = row
  const { identification } = person
  const company = companyOf(row)
  const pdf = signed ?? agreement
  return {
    uid: row.id,
    state: row.state,
    version: row.version,
    now: now.toISOString(),
    openedAt: row.openedAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    certificate: {
      signature: signature.id,
      name: signature.name,
      company: company?.name ?? null,
      unit: company?.unit ?? null,
      position: company?.position ?? null,
      identifier: signature.identifier,
      years: signature.years,
      validFrom: signature.validFrom.toISOString(),
      validTo: signature.validTo.toISOString(),
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
      pesel: peselOf(identification) ?? null,
      document: identification?.document ?? null,
      matches: personMatches(row),
    },
    identityCheck: row.identity,
    parameters: row.parameters ?? defaultParameters(row),
    frozen: row.parametersSha256 !== null,
    shortenedTo: row.shortenedTo?.toISOString() ?? null,
    stops: isOpen(row.state) ? stopsNow(row) : [],
    terms: terms && { from: terms.from, to: terms.to, identifier: identifierOfTerms(terms) },
    agreement: pdf && { sha256: pdf.sha256, bytes: pdf.bytes, signed: signed !== null },
    signingFailed: row.signingFailed,
    signedAt: row.signedAt?.toISOString() ?? null,
    signature: issued && {
      id: issued.id,
      validFrom: issued.validFrom.toISOString(),
      validTo: issued.validTo.toISOString(),
      pairable: issued.status === 'good' && issued.validFrom <= now && now < issued.validTo,
      pairedAt: issued.pairedAt?.toISOString() ?? null,
    },
    note: row.note,
  }
}

const isOpen = (state: RenewalState) => (openStates as readonly RenewalState[]).includes(state)
