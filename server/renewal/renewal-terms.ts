import { hash, randomBytes } from 'node:crypto'
import type { FieldProblem, ProblemData } from '../../contract/errors.ts'
import type { RenewalParameters } from '../../contract/renewal.ts'
import {
  certifiedName,
  dataMatches,
  isActivationDay,
  judgeChoice,
  presentIdentifier,
  newIdentifier,
  peselOf,
  refusalReasons,
  type Identifier,
  type Judged,
  type RenewalReason,
} from '../../contract/rules/renewal-rules.ts'
import type { Refusal } from '../platform/api-error.ts'
import type { AgreedTerms, RenewalRow } from './renewal-store.ts'

// The rules of the contract, applied to the portal's own data and never to what a browser sends (R61).

/** Returns a part that a renewal has in every state in which it is needed; throws if it is missing. */
export function required<T>(part: T | null | undefined, name: string): T {
  if (part === null || part === undefined) throw new Error(`The renewal has no ${name}.`)
  return part
}

const parametersOf = (row: RenewalRow) => required(row.parameters, 'parameters')
const identificationOf = ({ person }: RenewalRow) => required(person.identification, 'identification')

/** Returns the company data for the new certificate: the organisation's identifier comes from the renewed one. */
export function companyOf({ signature: { certificate } }: RenewalRow) {
  const { O: name, organizationIdentifier: identifier, OU: unit, title: position } = certificate.subject
  return name && identifier ? { name, identifier, unit: unit ?? null, position: position ?? null } : undefined
}

/** Returns the defaults of the page: as the renewed certificate, without a gap, for two years (REN-2). */
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

/** Checks whether the customer's data match the certificate; details that the provider has confirmed for this renewal suffice (REN-6). */
export const personMatches = ({ signature, person, identity }: RenewalRow): boolean =>
  identity?.state === 'confirmed' || dataMatches(signature, person, person.identification)

/** Returns the rules that forbid the renewal now, for any choice. Details that the provider has not judged yet do not match. */
export function currentRefusals(row: RenewalRow): RenewalReason[] {
  const { signature, person, identity, now } = row
  const matches = personMatches(row) && identity?.state !== 'asked'
  return refusalReasons(signature, person.identification?.document.validTo, { now, matches })
}

/** Returns the problems of the fields of step 1 that only the portal can find. */
export function parameterProblems(row: RenewalRow, chosen: RenewalParameters): NonNullable<ProblemData['fields']> {
  const { identification } = row.person
  const problems: [keyof RenewalParameters, FieldProblem, boolean][] = [
    ['activationDate', 'date-range', !isActivationDay(chosen.activationDate, row.now)],
    ['certificateType', 'format', chosen.certificateType === 'company' && !companyOf(row)],
    ['identifier', 'format', chosen.identifier === 'pesel' && !peselOf(identification)],
  ]
  return problems.flatMap(([name, problem, isWrong]) => (isWrong ? [{ name: `parameters.${name}`, problem }] : []))
}

/** Refuses a step of a renewal for a rule that forbids it. */
export const refusedFor = (reason: RenewalReason) => ({ refused: 'renewal-refused' as const, data: { reason } })

/** Returns the first rule that forbids the chosen parameters, or the validity that results from them. */
export function judgeParameters(row: RenewalRow): Refusal<'renewal-refused'> | Extract<Judged, { ok: true }> {
  const [stop] = currentRefusals(row)
  if (stop) return refusedFor(stop)
  const judged = judgeChoice(parametersOf(row), row.signature, identificationOf(row).document.validTo, {
    now: row.now,
    acceptedTo: row.shortenedTo,
  })
  return judged.ok ? judged : refusedFor(judged.reason)
}

/** Returns the name and numbers of the customer that a new certificate may have. */
export function certifiable({ signature, person }: RenewalRow) {
  const { GN: givenName = '', SN: surname = '' } = signature.certificate.subject
  const { identification } = person
  return {
    name: certifiedName({ name: signature.name, givenName, surname }, person),
    pesel: peselOf(identification) ?? null,
    identifier: (identification && presentIdentifier(signature.identifier, identification)) ?? null,
  }
}

const serialNumberOf = ({ type, country, value }: Identifier) => (country ? `${type}${country}-${value}` : value)

/** Returns the content of the agreement and the order without its time, so that two of them can be compared. */
function contentOf(row: RenewalRow) {
  const { signature, person } = row
  const chosen = parametersOf(row)
  const { subject } = signature.certificate
  const { name, ...known } = certifiable(row)
  const identifier = required(newIdentifier(chosen.identifier, signature.identifier, known), 'PESEL')
  return {
    renewal: row.id,
    customer: person.customer,
    renews: signature.providerId,
    language: chosen.language,
    identifierType: identifier.type,
    years: chosen.years,
    subject: {
      ...name,
      serialNumber: serialNumberOf(identifier),
      country: subject.C ?? 'PL',
      organisation:
        chosen.certificateType === 'company'
          ? {
              name: required(chosen.company, 'company'),
              identifier: required(companyOf(row), 'company').identifier,
              unit: chosen.unit,
              position: chosen.position,
            }
          : null,
    },
    email: person.email,
    phone: person.phone,
    document: identificationOf(row).document,
  }
}

/** Returns the terms of the agreement, from the frozen parameters and what is known now; their text is hashed and kept (R57). */
export function agreementTerms(
  row: RenewalRow,
  { validity }: Extract<Judged, { ok: true }>,
): { text: string; sha256: string } {
  if (hash('sha256', JSON.stringify(row.parameters)) !== row.parametersSha256)
    throw new Error('The parameters are not those that were fixed (R57).')
  const terms: AgreedTerms = {
    ...contentOf(row),
    nonce: randomBytes(16).toString('hex'),
    from: validity.startsOnIssue ? null : validity.from.toISOString(),
    to: validity.to.toISOString(),
  }
  const text = JSON.stringify(terms)
  return { text, sha256: hash('sha256', text) }
}

/** Checks whether the customer's data and parameters still result in these terms: a change needs a new agreement (R33). */
export function termsHold(row: RenewalRow): boolean {
  if (!row.terms) return false
  const { nonce: _, from: __, to: ___, ...content } = row.terms
  const agreed = new Map<string, unknown>(Object.entries(content))
  return Object.entries(contentOf(row)).every(([name, value]) => isSame(value, agreed.get(name)))
}

const isSame = (value: unknown, agreed: unknown) => JSON.stringify(value) === JSON.stringify(agreed)

/** Splits the identifier of a certificate, such as `PNOPL-44051401458`. */
export const identifierOfTerms = ({ identifierType: type, subject: { serialNumber } }: AgreedTerms): Identifier => {
  const [, country, value] = /^[A-Z]{3}([A-Z]{2})-(.+)$/.exec(serialNumber) ?? []
  return country && value ? { type, country, value } : { type, country: null, value: serialNumber }
}
