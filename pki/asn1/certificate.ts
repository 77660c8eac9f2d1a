import { X509Certificate, type KeyObject } from 'node:crypto'
import {
  AuthorityInfoAccessSyntax,
  Certificate,
  CertificatePolicies,
  CRLDistributionPoints,
  id_ad_caIssuers,
  id_ad_ocsp,
  id_ce_certificatePolicies,
  id_ce_cRLDistributionPoints,
  id_ce_keyUsage,
  id_pe_authorityInfoAccess,
  KeyUsage,
  KeyUsageFlags,
  type GeneralName,
} from '@peculiar/asn1-x509'
import { readDer } from './der.ts'
import { readName, type NameAttribute } from './distinguished-name.ts'
import { idQcStatements, PdsLocations, qcStatementIds, QcStatements, QcType, qcTypeIds } from './qc-statements.ts'

/** What a person is shown of a certificate (RFC 5280, ETSI EN 319 412-5). */
export type CertificateContent = {
  subject: NameAttribute[]
  issuer: NameAttribute[]
  /** Hexadecimal, upper case, without leading zero octets. */
  serialNumber: string
  notBefore: Date
  notAfter: Date
  /** The names of RFC 5280 §4.2.1.3, such as `nonRepudiation`. */
  keyUsage: string[]
  /** For example `{ kind: 'RSA', bits: 3072 }`; bits are undefined where the kind already says them. */
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
  /** QcCompliance: the issuer says that this is a qualified certificate. */
  compliance: boolean
  /** QcSSCD: the private key lies in a qualified signature creation device. */
  device: boolean
  types: (keyof typeof qcTypeIds)[]
  disclosures: { language: string; url: string }[]
}

export class CertificateError extends Error {
  override name = 'CertificateError'
}

/** A real certificate has 1 to 4 kB; the bound keeps hostile input cheap. */
const largestCertificate = 65_536

/** Throws CertificateError for anything but one whole X.509 certificate. */
export function readCertificate(der: Uint8Array): CertificateContent {
  if (der.length > largestCertificate) throw new CertificateError('The certificate is too large')
  try {
    return contentOf(readDer(der, Certificate), new X509Certificate(der))
  } catch (cause) {
    throw new CertificateError('The certificate cannot be read', { cause })
  }
}

/** `parsed` by OpenSSL is the second opinion on the structure, which the ASN.1 library takes less strictly. */
function contentOf({ tbsCertificate: tbs }: Certificate, parsed: X509Certificate): CertificateContent {
  const extensions = new Map(tbs.extensions?.map(({ extnID, extnValue }) => [extnID, new Uint8Array(extnValue.buffer)]))
  // RFC 5280 §4.2: a certificate must not hold one extension twice.
  if (extensions.size !== (tbs.extensions?.length ?? 0)) throw new CertificateError('An extension stands twice')
  const extension = <T>(id: string, type: new () => T) => {
    const value = extensions.get(id)
    return value && readDer(value, type)
  }
  const access = [...(extension(id_pe_authorityInfoAccess, AuthorityInfoAccessSyntax) ?? [])]
  const urlsOf = (method: string) =>
    access.filter(({ accessMethod }) => accessMethod === method).flatMap(({ accessLocation }) => urlOf(accessLocation))
  return {
    subject: readName(tbs.subject),
    issuer: readName(tbs.issuer),
    serialNumber: hex(tbs.serialNumber).replace(/^(?:00)+(?=..)/, ''),
    notBefore: tbs.validity.notBefore.getTime(),
    notAfter: tbs.validity.notAfter.getTime(),
    keyUsage: keyUsageOf(extension(id_ce_keyUsage, KeyUsage)),
    publicKey: publicKeyOf(parsed.publicKey),
    fingerprint: parsed.fingerprint256.replaceAll(':', ''),
    policies: Array.from(
      extension(id_ce_certificatePolicies, CertificatePolicies) ?? [],
      (one) => one.policyIdentifier,
    ),
    qualified: qualifiedContent(extension(idQcStatements, QcStatements) ?? []),
    ocspUrls: urlsOf(id_ad_ocsp),
    issuerUrls: urlsOf(id_ad_caIssuers),
    crlUrls: [...(extension(id_ce_cRLDistributionPoints, CRLDistributionPoints) ?? [])]
      .flatMap((point) => point.distributionPoint?.fullName ?? [])
      .flatMap(urlOf),
  }
}

/** In the order of the bits. */
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

function keyUsageOf(usage: KeyUsage | undefined) {
  const flags = usage?.toNumber() ?? 0
  return keyUsageNames.filter((name) => flags & KeyUsageFlags[name])
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
  }
}

function publicKeyOf({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject) {
  const curve = details?.namedCurve
  // The names of curves carry their size: prime256v1, secp384r1, brainpoolP256r1.
  const bits = details?.modulusLength ?? (curve === undefined ? undefined : Number(/\d{3}/.exec(curve)?.[0]))
  return { kind: (asymmetricKeyType ?? 'unknown').toUpperCase(), bits }
}

function urlOf({ uniformResourceIdentifier: url }: GeneralName) {
  return url === undefined ? [] : [url]
}

function hex(bytes: ArrayBuffer) {
  return Buffer.from(bytes).toString('hex').toUpperCase()
}

/** One certificate as PEM, RFC 7468 §5. */
export function derToPem(der: Uint8Array) {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Every certificate of a PEM text, in its order; throws CertificateError if there is none or one is broken. */
export function pemToDer(pem: string): Uint8Array[] {
  const bodies = pem.split('-----BEGIN CERTIFICATE-----').slice(1)
  if (bodies.length === 0) throw new CertificateError('The text holds no certificate')
  return bodies.map((body) => {
    const [base64 = '', rest] = body.split('-----END CERTIFICATE-----', 2)
    const compact = base64.replace(/\s+/g, '')
    const der = Buffer.from(compact, 'base64')
    if (rest === undefined || der.length === 0 || der.toString('base64') !== compact)
      throw new CertificateError('The text holds a broken certificate')
    return new Uint8Array(der)
  })
}
