import * as x509 from '@peculiar/asn1-x509'
import { fingerprintOf, readPublicKey } from '#public-keys'
import { base64Of, fromBase64, hexOf } from '../bytes.ts'
import type { PublicKey } from '../runtime/public-key.ts'
import { readDer, writeDer } from './der.ts'
import {
  idQcStatements,
  paymentRoleIds,
  PdsLocations,
  Psd2QcType,
  qcStatementIds,
  QcStatements,
  QcType,
  qcTypeIds,
  type PaymentRole,
} from './qc-statements.ts'

/** One attribute of a distinguished name, e.g. `{ name: 'CN', value: 'Anna Nowak' }`. */
type NameAttribute = { name: string; value: string }

/** Attribute types by their usual names: RFC 4514 §3, RFC 4519, X.520 and ETSI EN 319 412-1. */
const attributeTypes = {
  C: '2.5.4.6',
  ST: '2.5.4.8',
  L: '2.5.4.7',
  street: '2.5.4.9',
  postalCode: '2.5.4.17',
  O: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
  OU: '2.5.4.11',
  title: '2.5.4.12',
  SN: '2.5.4.4',
  GN: '2.5.4.42',
  initials: '2.5.4.43',
  pseudonym: '2.5.4.65',
  serialNumber: '2.5.4.5',
  CN: '2.5.4.3',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  E: '1.2.840.113549.1.9.1',
} as const

export type AttributeName = keyof typeof attributeTypes

const namesByType = new Map<string, string>(Object.entries(attributeTypes).map(([name, type]) => [type, name]))

/** Reads the attributes of a name in the order of the certificate; an unknown type keeps its dotted number. */
export function readName(name: x509.Name): NameAttribute[] {
  return [...name]
    .flatMap((relative) => [...relative])
    .map(({ type, value }) => ({ name: namesByType.get(type) ?? type, value: value.toString() }))
}

/** PrintableString according to X.520; every other attribute is UTF8String, as RFC 5280 §4.1.2.4 requires. */
const printable: ReadonlySet<string> = new Set(['C', 'serialNumber'])

/** Creates a name with one attribute per relative distinguished name, in the given order. */
export function writeName(attributes: { name: AttributeName; value: string }[]) {
  const relativeNames = attributes.map(({ name, value }) => {
    const text = printable.has(name) ? { printableString: value } : { utf8String: value }
    return new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({ type: attributeTypes[name], value: new x509.AttributeValue(text) }),
    ])
  })
  return new x509.Name(relativeNames)
}

/** The certificate content that people are shown (RFC 5280, ETSI EN 319 412-5). */
export type CertificateContent = {
  subject: NameAttribute[]
  issuer: NameAttribute[]
  /** Hexadecimal, upper case, without leading zero octets. */
  serialNumber: string
  notBefore: Date
  notAfter: Date
  /** The names of RFC 5280 §4.2.1.3, such as `nonRepudiation`. */
  keyUsage: string[]
  /** Kind and size of the key, for example `{ kind: 'RSA', bits: 3072 }`; `bits` is undefined if the kind implies it. */
  publicKey: { kind: string; bits: number | undefined }
  /** SHA-256 of the whole certificate, hexadecimal, upper case. */
  fingerprint: string
  /** Object identifiers. */
  policies: string[]
  qualified: QualifiedContent
  ocspUrls: string[]
  issuerUrls: string[]
  crlUrls: string[]
}

export type QualifiedContent = {
  /** Whether the issuer states that this is a qualified certificate (QcCompliance). */
  compliance: boolean
  /** Whether the private key is in a qualified signature creation device (QcSSCD). */
  device: boolean
  types: (keyof typeof qcTypeIds)[]
  disclosures: { language: string; url: string }[]
  psd2: Psd2Content | undefined
}

/** Roles of a payment service provider and the authority that has authorised it (ETSI TS 119 495); roles outside PSD2 are left out. */
export type Psd2Content = { roles: PaymentRole[]; authority: { name: string; id: string } }

export class CertificateError extends Error {
  override name = 'CertificateError'
}

/** Real certificates have 1 to 4 kB; the limit keeps hostile input cheap. */
const maxCertificate = 65_536

/** Throws CertificateError for anything but one whole X.509 certificate. */
export function readCertificate(der: Uint8Array): CertificateContent {
  if (der.length > maxCertificate) throw new CertificateError('The certificate is too large')
  try {
    return readContent(der, readDer(der, x509.Certificate))
  } catch (cause) {
    throw new CertificateError('The certificate cannot be read', { cause })
  }
}

function readContent(der: Uint8Array, { tbsCertificate: tbs }: x509.Certificate): CertificateContent {
  const extensions = new Map(tbs.extensions?.map(({ extnID, extnValue }) => [extnID, new Uint8Array(extnValue.buffer)]))
  // RFC 5280 §4.2: a certificate must not hold one extension twice.
  if (extensions.size !== (tbs.extensions?.length ?? 0)) throw new CertificateError('An extension occurs twice')
  const extension = <T>(id: string, type: new () => T) => {
    const value = extensions.get(id)
    return value && readDer(value, type)
  }
  const access = [...(extension(x509.id_pe_authorityInfoAccess, x509.AuthorityInfoAccessSyntax) ?? [])]
  const urlsOf = (method: string) =>
    access.filter(({ accessMethod }) => accessMethod === method).flatMap(({ accessLocation }) => urlOf(accessLocation))
  return {
    subject: readName(tbs.subject),
    issuer: readName(tbs.issuer),
    serialNumber: hex(tbs.serialNumber).replace(/^(?:00)+(?=..)/, ''),
    notBefore: tbs.validity.notBefore.getTime(),
    notAfter: tbs.validity.notAfter.getTime(),
    keyUsage: keyUsageOf(extension(x509.id_ce_keyUsage, x509.KeyUsage)),
    publicKey: publicKeyOf(readPublicKey(writeDer(tbs.subjectPublicKeyInfo))),
    fingerprint: fingerprintOf(der),
    policies: Array.from(
      extension(x509.id_ce_certificatePolicies, x509.CertificatePolicies) ?? [],
      ({ policyIdentifier }) => policyIdentifier,
    ),
    qualified: qualifiedContent(extension(idQcStatements, QcStatements) ?? []),
    ocspUrls: urlsOf(x509.id_ad_ocsp),
    issuerUrls: urlsOf(x509.id_ad_caIssuers),
    crlUrls: [...(extension(x509.id_ce_cRLDistributionPoints, x509.CRLDistributionPoints) ?? [])]
      .flatMap((point) => point.distributionPoint?.fullName ?? [])
      .flatMap(urlOf),
  }
}

/** Names of the key usages in the order of their bits. */
const keyUsageNames = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const

function keyUsageOf(usage: x509.KeyUsage | undefined) {
  const flags = usage?.toNumber() ?? 0
  return keyUsageNames.filter((name) => flags & x509.KeyUsageFlags[name])
}

function qualifiedContent(
  statements: readonly { statementId: string; statementInfo?: ArrayBuffer }[],
): QualifiedContent {
  const info = <T>(id: string, type: new () => T) => {
    const statement = statements.find(({ statementId }) => statementId === id)
    return statement?.statementInfo && readDer(new Uint8Array(statement.statementInfo), type)
  }
  const has = (id: string) => statements.some(({ statementId }) => statementId === id)
  const types = info(qcStatementIds.type, QcType) ?? []
  return {
    compliance: has(qcStatementIds.compliance),
    device: has(qcStatementIds.device),
    types: (['esign', 'eseal', 'web'] as const).filter((type) => types.includes(qcTypeIds[type])),
    disclosures: Array.from(info(qcStatementIds.disclosures, PdsLocations) ?? [], ({ language, url }) => ({
      language,
      url,
    })),
    psd2: psd2Content(info(qcStatementIds.psd2, Psd2QcType)),
  }
}

function psd2Content(statement: Psd2QcType | undefined): Psd2Content | undefined {
  if (!statement) return undefined
  const { rolesOfPsp, ncaName, ncaId } = statement
  // UTF8String (SIZE (1..256)).
  if (![ncaName, ncaId].every(({ length }) => length >= 1 && length <= 256))
    throw new CertificateError('The name of the competent authority is empty or too long')
  const stated = new Set(rolesOfPsp.map(({ roleOfPspOid }) => roleOfPspOid))
  return {
    roles: (['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'] as const).filter((role) => stated.has(paymentRoleIds[role])),
    authority: { name: ncaName, id: ncaId },
  }
}

function publicKeyOf({ kind, modulusBits, curve }: PublicKey) {
  // The names of curves contain their size: prime256v1, secp384r1, brainpoolP256r1.
  const bits = modulusBits ?? (curve === undefined ? undefined : Number(/\d{3}/.exec(curve)?.[0]))
  return { kind: kind.toUpperCase(), bits }
}

const urlOf = ({ uniformResourceIdentifier: url }: x509.GeneralName) => (url === undefined ? [] : [url])

const hex = (bytes: ArrayBuffer) => hexOf(new Uint8Array(bytes)).toUpperCase()

/** Encodes one certificate as PEM (RFC 7468 §5). */
export function derToPem(der: Uint8Array) {
  const lines = base64Of(der).match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Reads the certificates of a PEM text in order; throws CertificateError if there is none or one is malformed. */
export function pemToDer(pem: string): Uint8Array[] {
  const bodies = pem.split('-----BEGIN CERTIFICATE-----').slice(1)
  if (bodies.length === 0) throw new CertificateError('The text contains no certificate')
  return bodies.map((body) => {
    const [base64 = '', rest] = body.split('-----END CERTIFICATE-----', 2)
    const compact = base64.replace(/\s+/g, '')
    const der = fromBase64(compact)
    if (rest === undefined || !der?.length) throw new CertificateError('The text contains a malformed certificate')
    return der
  })
}
