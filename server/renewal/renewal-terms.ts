import { createHash, randomBytes } from 'node:crypto'
import type { IdentifierType } from '../../contract/enums.ts'
import type { FieldProblem, ProblemData } from '../../contract/errors.ts'
import type { ProviderTerms } from '../../contract/provider-renewals.ts'
import type { RenewalParameters } from '../../contract/renewal.ts'
import {
  dataMatches,
  isActivationDay,
  judgeChoice,
  peselOf,
  stopsOf,
  type Judged,
  type RenewalReason,
} from '../../contract/renewal-rules.ts'
import type { RenewalRow } from '../renewals.ts'

/** What a renewal comes to: the rules of the contract on what the portal knows, never on what a browser says (R61). */

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Company data that a new certificate can hold on to: the organisation's identifier comes from the renewed one. */
export function companyOf({ signature: { subject } }: RenewalRow) {
  const { O: name, organizationIdentifier: identifier, OU: unit, title: position } = subject
  return name && identifier ? { name, identifier, unit: unit ?? null, position: position ?? null } : undefined
}

/** What to begin with: as the renewed certificate is, without a break, for two years (REN-2). */
export function defaultParameters(row: RenewalRow): RenewalParameters {
  const company = companyOf(row)
  return {
    start: 'continuity',
    activationDate: null,
    years: 2,
    certificateType: company ? 'company' : 'personal',
    company: company?.name ?? null,
    unit: company?.unit ?? null,
    position: company?.position ?? null,
    language: row.person.locale,
    identifier: 'same',
  }
}

/** Whether the customer is who the certificate says; details that the provider has confirmed for this renewal settle it (REN-6). */
export const personMatches = ({ signature, person, identity }: RenewalRow): boolean =>
  identity?.state === 'confirmed' || dataMatches(signature, person, person.identification)

/** What stands against the renewal now, whatever is chosen. Details that wait for the provider keep it waiting. */
export function stopsNow(row: RenewalRow): RenewalReason[] {
  const { signature, person, identity, now } = row
  const matches = personMatches(row) && identity?.state !== 'asked'
  return stopsOf(signature, person.identification?.document.validTo, { now, matches })
}

/** What is wrong with fields of step 1 that only the portal can tell. */
export function problemsOf(row: RenewalRow, chosen: RenewalParameters): NonNullable<ProblemData['fields']> {
  const { identification } = row.person
  const wrong: [keyof RenewalParameters, FieldProblem, boolean][] = [
    ['activationDate', 'date-range', !isActivationDay(chosen.activationDate, row.now)],
    ['certificateType', 'format', chosen.certificateType === 'company' && !companyOf(row)],
    ['identifier', 'format', chosen.identifier === 'pesel' && !peselOf(identification)],
  ]
  return wrong.flatMap(([name, problem, is]) => (is ? [{ name: `parameters.${name}`, problem }] : []))
}

/** The first rule that stands against what was chosen, or what it comes to. */
export function judge(
  row: RenewalRow,
  chosen: RenewalParameters,
): { reason: RenewalReason } | Extract<Judged, { ok: true }> {
  const [stop] = stopsNow(row)
  if (stop) return { reason: stop }
  const judged = judgeChoice(chosen, row.signature, row.person.identification!.document.validTo, {
    now: row.now,
    acceptedTo: row.shortenedTo,
  })
  return judged.ok ? judged : { reason: judged.reason }
}

type Identifier = { type: IdentifierType; country: string | null; value: string }

/** Of the new certificate. A number that has changed with the document follows the document (REN-6). */
function newIdentifier({ signature, person: { identification } }: RenewalRow, chosen: RenewalParameters): Identifier {
  const { identifier } = signature
  if (chosen.identifier === 'pesel') return { type: 'PNO', country: 'PL', value: peselOf(identification)! }
  const { identifierType, issuingCountry, identificationNumber, nationality, document } = identification!
  if (identifier.type === identifierType)
    return { type: identifierType, country: issuingCountry, value: identificationNumber }
  const isDocuments =
    (identifier.type === 'IDC' && document.type === 'DO') || (identifier.type === 'PAS' && document.type === 'PA')
  return isDocuments ? { type: identifier.type, country: nationality, value: document.number } : identifier
}

const serialNumberOf = ({ type, country, value }: Identifier) => (country ? `${type}${country}-${value}` : value)

/** Everything of the agreement and the order but when it is made, so that two of them can be compared. */
function contentOf(row: RenewalRow, chosen: RenewalParameters) {
  const { signature, person } = row
  const { subject } = signature
  const identifier = newIdentifier(row, chosen)
  const isNamed = dataMatches(signature, person, person.identification)
  return {
    renewal: row.id,
    customer: person.customer,
    renews: signature.providerId,
    language: chosen.language,
    identifierType: identifier.type,
    years: chosen.years,
    subject: {
      givenName:
        (isNamed && subject.GN) || [person.firstName, person.secondName].filter((name) => name !== null).join(' '),
      surname: (isNamed && subject.SN) || person.surname,
      serialNumber: serialNumberOf(identifier),
      country: subject.C ?? 'PL',
      organisation:
        chosen.certificateType === 'company'
          ? {
              name: chosen.company!,
              identifier: companyOf(row)!.identifier,
              unit: chosen.unit,
              position: chosen.position,
            }
          : null,
    },
    email: person.email,
    phone: person.phone,
    document: person.identification!.document,
  }
}

/** The terms of the agreement, from the frozen parameters and what is known now; their text is what is hashed and kept (R57). */
export function drawTerms(
  row: RenewalRow,
  { validity }: Extract<Judged, { ok: true }>,
): { text: string; sha256: string } {
  if (sha256Of(JSON.stringify(row.parameters)) !== row.parametersSha256)
    throw new Error('The parameters are not those that were fixed (R57).')
  const terms: ProviderTerms = {
    ...contentOf(row, row.parameters!),
    nonce: randomBytes(16).toString('hex'),
    from: validity.onIssue ? null : validity.from.toISOString(),
    to: validity.to.toISOString(),
  }
  const text = JSON.stringify(terms)
  return { text, sha256: sha256Of(text) }
}

/** Whether the terms still are what the customer's data and parameters come to: a change in between needs a new agreement (R33). */
export function termsHold(row: RenewalRow): boolean {
  if (!row.terms) return false
  const { nonce: _, from: __, to: ___, ...content } = row.terms
  const now = contentOf(row, row.parameters!)
  return Object.entries(now).every(([name, value]) => same(value, content[name as keyof typeof content]))
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The identifier in certificates, taken apart: `PNOPL-44051401458`. */
export const identifierOfTerms = ({ identifierType: type, subject: { serialNumber } }: ProviderTerms): Identifier => {
  const [, country, value] = /^[A-Z]{3}([A-Z]{2})-(.+)$/.exec(serialNumber) ?? []
  return country && value ? { type, country, value } : { type, country: null, value: serialNumber }
}
