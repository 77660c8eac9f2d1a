import type { KeyObject } from 'node:crypto'
import type { Extension } from '@peculiar/asn1-x509'
import { commonName } from '../../contract/rules/renewal-rules.ts'
import { extension } from '../../pki/asn1/certificate-write.ts'
import { type Psd2Content, writeName, type AttributeName } from '../../pki/asn1/certificate.ts'
import { writeDer } from '../../pki/asn1/der.ts'
import {
  idQcStatements,
  paymentRoleIds,
  PdsLocation,
  PdsLocations,
  Psd2QcType,
  qcStatementIds,
  QcStatement,
  QcStatements,
  QcType,
  qcTypeIds,
  RoleOfPsp,
  SemanticsInformation,
  semanticsIds,
} from '../../pki/asn1/qc-statements.ts'

/** A natural person, ETSI EN 319 412-2 §4.2.4. */
export type PersonSubject = {
  kind: 'person'
  givenName: string
  surname: string
  /** `PNOPL-…`, `TINPL-…`, `PASPL-…`, `IDCPL-…`, or a number assigned by the provider. */
  serialNumber: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** The person's employer; organisation and identifier come together. */
  organisation?: { name: string; identifier: string; unit?: string; position?: string }
}

/** A legal person, ETSI EN 319 412-3 §4.2.1. */
export type OrganisationSubject = {
  kind: 'organisation'
  name: string
  /** The name of the seal. */
  commonName: string
  /** `VATPL-…`, `NTRPL-…` or `PSDPL-PFSA-…`. */
  identifier: string
  country: string
  /** Content for a payment service provider, ETSI TS 119 495 §5.1. */
  psd2?: Psd2Content
}

export type CertificateOrder = {
  subject: PersonSubject | OrganisationSubject
  publicKey: KeyObject
  notBefore: Date
  notAfter: Date
  /** Whether the private key is in a qualified signature or seal creation device (app or card, not a file). */
  device: boolean
}

export function subjectName(subject: CertificateOrder['subject']) {
  const attributes = subject.kind === 'person' ? personAttributes(subject) : organisationAttributes(subject)
  for (const { name, value } of attributes)
    if (value.trim() === '') throw new RangeError(`The attribute ${name} is empty`)
  // X.520: these two allow only printable characters, and readers refuse others.
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
    { name: 'CN', value: commonName({ givenName, surname }) },
  ]
}

function organisationAttributes({ name, identifier, country, ...seal }: OrganisationSubject): Attributes {
  return [
    { name: 'C', value: country },
    { name: 'O', value: name },
    { name: 'organizationIdentifier', value: identifier },
    { name: 'CN', value: seal.commonName },
  ]
}

const attribute = (name: AttributeName, value: string | undefined): Attributes =>
  value === undefined ? [] : [{ name, value }]

/** Returns the certificate policy: QCP-n, QCP-l or the variant with a device (ETSI EN 319 411-2 §5.3). */
export function policyOf({ subject, device }: Pick<CertificateOrder, 'subject' | 'device'>) {
  if (subject.kind === 'person') return device ? '0.4.0.194112.1.2' : '0.4.0.194112.1.0'
  return device ? '0.4.0.194112.1.3' : '0.4.0.194112.1.1'
}

/** Returns the statements of a qualified certificate (ETSI EN 319 412-5). */
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
    ...(subject.kind === 'organisation' && subject.psd2 ? [psd2Statement(subject.psd2)] : []),
  ]
  return extension(idQcStatements, new QcStatements(statements))
}

/**
 * Returns the semantics statement, only for identifiers in the format of EN 319 412-1 §5.1.3, which the provider's own numbers do not have.
 */
function semantics(subject: CertificateOrder['subject']) {
  const person = subject.kind === 'person'
  const form = person ? /^(?:PAS|IDC|PNO|TIN)[A-Z]{2}-/ : /^(?:VAT|NTR|PSD)[A-Z]{2}-/
  if (!form.test(person ? subject.serialNumber : subject.identifier)) return []
  const semanticsIdentifier = person ? semanticsIds.natural : semanticsIds.legal
  return [statement(qcStatementIds.semantics, Object.assign(new SemanticsInformation(), { semanticsIdentifier }))]
}

function psd2Statement({ roles, authority }: Psd2Content) {
  const rolesOfPsp = roles.map((role) =>
    Object.assign(new RoleOfPsp(), { roleOfPspOid: paymentRoleIds[role], roleOfPspName: role }),
  )
  const value = { rolesOfPsp, ncaName: authority.name, ncaId: authority.id }
  return statement(qcStatementIds.psd2, Object.assign(new Psd2QcType(), value))
}

function statement(statementId: string, info?: object) {
  const value = Object.assign(new QcStatement(), { statementId })
  return info ? Object.assign(value, { statementInfo: writeDer(info).buffer }) : value
}
