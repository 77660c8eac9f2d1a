import type { KeyObject } from 'node:crypto'
import type { Extension } from '@peculiar/asn1-x509'
import { extension } from '../pki/certificate-write.ts'
import { writeDer } from '../pki/der.ts'
import { writeName, type AttributeName } from '../pki/distinguished-name.ts'
import {
  idQcStatements,
  PdsLocation,
  PdsLocations,
  qcStatementIds,
  QcStatement,
  QcStatements,
  QcType,
  qcTypeIds,
  SemanticsInformation,
  semanticsIds,
} from '../pki/qc-statements.ts'

/** A natural person, ETSI EN 319 412-2 §4.2.4. */
export type PersonSubject = {
  kind: 'person'
  givenName: string
  surname: string
  /** `PNOPL-…`, `TINPL-…`, `PASPL-…`, `IDCPL-…`, or a number that the provider gave. */
  serialNumber: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For whom the person works; organisation and identifier come together. */
  organisation?: { name: string; identifier: string; unit?: string; position?: string }
}

/** A legal person, ETSI EN 319 412-3 §4.2.1. */
export type OrganisationSubject = {
  kind: 'organisation'
  name: string
  /** What the seal is called. */
  commonName: string
  /** `VATPL-…`, `NTRPL-…` or `PSDPL-PFSA-…`. */
  identifier: string
  country: string
}

export type CertificateOrder = {
  subject: PersonSubject | OrganisationSubject
  publicKey: KeyObject
  notBefore: Date
  notAfter: Date
  /** Whether the private key lies in a qualified signature or seal creation device (app or card, not a file). */
  device: boolean
}

export function subjectName(subject: CertificateOrder['subject']) {
  const attributes = subject.kind === 'person' ? personAttributes(subject) : organisationAttributes(subject)
  for (const { name, value } of attributes)
    if (value.trim() === '') throw new RangeError(`The attribute ${name} is empty`)
  // X.520: these two are of printable characters only, and readers refuse others.
  for (const { name, value } of attributes)
    if (
      (name === 'C' && !/^[A-Z]{2}$/.test(value)) ||
      (name === 'serialNumber' && !/^[A-Za-z0-9 '()+,./:=?-]{1,64}$/.test(value))
    )
      throw new RangeError(`The attribute ${name} cannot be ${value}`)
  return writeName(attributes)
}

type Attributes = { name: AttributeName; value: string }[]

function personAttributes({ givenName, surname, serialNumber, country, organisation }: PersonSubject): Attributes {
  const { name, identifier, unit, position } = organisation ?? {}
  return [
    { name: 'C', value: country },
    ...attribute('O', name),
    ...attribute('organizationIdentifier', identifier),
    ...attribute('OU', unit),
    ...attribute('title', position),
    { name: 'SN', value: surname },
    { name: 'GN', value: givenName },
    { name: 'serialNumber', value: serialNumber },
    { name: 'CN', value: `${givenName} ${surname}` },
  ]
}

function organisationAttributes({ name, commonName, identifier, country }: OrganisationSubject): Attributes {
  return [
    { name: 'C', value: country },
    { name: 'O', value: name },
    { name: 'organizationIdentifier', value: identifier },
    { name: 'CN', value: commonName },
  ]
}

function attribute(name: AttributeName, value: string | undefined): Attributes {
  return value === undefined ? [] : [{ name, value }]
}

/** QCP-n, QCP-l and their forms with a device, ETSI EN 319 411-2 §5.3. */
export function policyOf({ subject, device }: Pick<CertificateOrder, 'subject' | 'device'>) {
  if (subject.kind === 'person') return device ? '0.4.0.194112.1.2' : '0.4.0.194112.1.0'
  return device ? '0.4.0.194112.1.3' : '0.4.0.194112.1.1'
}

/** ETSI EN 319 412-5: what makes the certificate a qualified one. */
export function qcStatements({ subject, device }: CertificateOrder, baseUrl: string): Extension {
  const person = subject.kind === 'person'
  const disclosures = ['pl', 'en'].map((language) =>
    Object.assign(new PdsLocation(), { url: `${baseUrl}/pds/${language}.pdf`, language }),
  )
  const statements = [
    statement(qcStatementIds.compliance),
    ...(device ? [statement(qcStatementIds.device)] : []),
    statement(qcStatementIds.type, new QcType([person ? qcTypeIds.esign : qcTypeIds.eseal])),
    statement(qcStatementIds.disclosures, new PdsLocations(disclosures)),
    ...semantics(subject),
  ]
  return extension(idQcStatements, new QcStatements(statements))
}

/** EN 319 412-1 §5.1.3: claimed only for numbers that have its form; the provider's own numbers do not. */
function semantics(subject: CertificateOrder['subject']) {
  const person = subject.kind === 'person'
  const form = person ? /^(?:PAS|IDC|PNO|TIN)[A-Z]{2}-/ : /^(?:VAT|NTR|PSD)[A-Z]{2}-/
  if (!form.test(person ? subject.serialNumber : subject.identifier)) return []
  const semanticsIdentifier = person ? semanticsIds.natural : semanticsIds.legal
  return [statement(qcStatementIds.semantics, Object.assign(new SemanticsInformation(), { semanticsIdentifier }))]
}

function statement(statementId: string, info?: object) {
  const value = Object.assign(new QcStatement(), { statementId })
  return info ? Object.assign(value, { statementInfo: writeDer(info).buffer }) : value
}
