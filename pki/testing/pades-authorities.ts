import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import * as ocsp from '@peculiar/asn1-ocsp'
import { OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { extension, publicKeyBits, publicKeyInfo, writeCertificate, signBytes } from '../asn1/certificate-write.ts'
import { writeName, type AttributeName } from '../asn1/certificate.ts'
import { cmsSigner, signedAttributes, signedData } from '../asn1/cms.ts'
import { readDer, writeDer } from '../asn1/der.ts'
import { idQcStatements, qcStatementIds, QcStatement, QcStatements, QcType, qcTypeIds } from '../asn1/qc-statements.ts'
import { idSha256, sha256, signatureAlgorithm, type SigningAlgorithm } from '../asn1/signature-algorithm.ts'
import { bytesOf } from '../bytes.ts'
import type { ValidationPolicy } from '../pades/pades-report.ts'
import {
  coveredDigest,
  embedSignature,
  prepareDocumentTimestamp,
  prepareSignature,
  type PreparedPdf,
  type SignatureField,
} from '../pades/pades-sign.ts'
import type { ValidationData } from '../pades/pades-validation-data.ts'
import type { Pdf } from '../pdf/pdf-read.ts'
import { grantTimestamp, timestampSigner, readTimestampRequest } from '../timestamps/timestamp-authority.ts'
import { MessageImprint, TimeStampReq, TimeStampResp } from '../timestamps/timestamp-structures.ts'

/** Authorities and signers for tests: a root, an issuing authority and certificates issued by it. */
export const signedAt = new Date('2026-11-21T10:05:09Z')
const policy = '0.4.0.2023.1.1'

export type Holder = {
  name: x509.Name
  certificate: Uint8Array
  privateKey: KeyObject
  publicKey: KeyObject
  serialNumber: Uint8Array<ArrayBuffer>
}

let serial = 0

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject }

export type HolderOrder = {
  name: { name: AttributeName; value: string }[]
  extensions: x509.Extension[]
  notBefore?: Date
  notAfter?: Date
  keys?: KeyPair
}

/** Creates a certificate with its key, issued by an issuer or self-signed. */
export function holder(order: HolderOrder, issuer?: Holder): Holder {
  const { publicKey, privateKey } = order.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = writeName(order.name)
  const serialNumber = Uint8Array.of(0x40, ++serial)
  const { notBefore = new Date('2026-01-01'), notAfter = new Date('2040-01-01'), extensions } = order
  const parts = {
    serialNumber,
    issuer: issuer?.name ?? name,
    subject: name,
    notBefore,
    notAfter,
    publicKey,
    extensions,
  }
  return {
    name,
    certificate: writeCertificate(parts, issuer?.privateKey ?? privateKey),
    privateKey,
    publicKey,
    serialNumber,
  }
}

export const cn = (value: string): HolderOrder['name'] => [{ name: 'CN', value }]
export const usage = (flags: number) => extension(x509.id_ce_keyUsage, new x509.KeyUsage(flags), true)
export const authorityRights = (pathLenConstraint?: number) => [
  extension(
    x509.id_ce_basicConstraints,
    new x509.BasicConstraints({ cA: true, ...(pathLenConstraint !== undefined && { pathLenConstraint }) }),
    true,
  ),
  usage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign),
]

/** Writes the extension with the statements of a qualified certificate. `type`: null for a certificate that states no type. */
export function qualified(type: string | null = qcTypeIds.esign) {
  const statement = (statementId: string, info?: object) =>
    Object.assign(new QcStatement(), { statementId, ...(info && { statementInfo: writeDer(info).buffer }) })
  return extension(
    idQcStatements,
    new QcStatements([
      statement(qcStatementIds.compliance),
      ...(type === null ? [] : [statement(qcStatementIds.type, new QcType([type]))]),
    ]),
  )
}

export const personRights = () => [usage(x509.KeyUsageFlags.nonRepudiation), qualified()]
export const person = (commonName: string, identifier: string): HolderOrder['name'] => [
  { name: 'C', value: 'PL' },
  { name: 'serialNumber', value: identifier },
  { name: 'CN', value: commonName },
]

export const root = holder({ name: cn('Root'), extensions: authorityRights() })
export const issuing = holder({ name: cn('Issuing'), extensions: authorityRights(0) }, root)
export const anna = holder({ name: person('Anna Nowak', 'PNOPL-90010112345'), extensions: personRights() }, issuing)
export const seal = holder({ name: cn('Seal'), extensions: [usage(x509.KeyUsageFlags.nonRepudiation)] }, issuing)
export const timestampAuthority = (name: string, issuer = issuing, keys?: KeyPair) =>
  holder(
    {
      name: cn(name),
      ...(keys && { keys }),
      extensions: [
        usage(x509.KeyUsageFlags.digitalSignature),
        extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_timeStamping]), true),
      ],
    },
    issuer,
  )
export const stamper = timestampAuthority('Stamper')
export const appointedResponder = (...more: x509.Extension[]) =>
  holder(
    {
      name: cn('Responder'),
      extensions: [
        usage(x509.KeyUsageFlags.digitalSignature),
        extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_OCSPSigning])),
        ...more,
      ],
    },
    issuing,
  )
export const responder = appointedResponder()

/** Creates a token over a SHA-256 digest with a given time. */
export function tokenOver(digest: Uint8Array, at = signedAt, by = stamper) {
  const request = Object.assign(new TimeStampReq(), { certReq: true })
  request.messageImprint = Object.assign(new MessageImprint(), {
    hashAlgorithm: new x509.AlgorithmIdentifier({ algorithm: idSha256, parameters: null }),
    hashedMessage: new OctetString(digest),
  })
  const signer = timestampSigner({
    policy,
    certificate: by.certificate,
    chain: [issuing.certificate],
    privateKey: by.privateKey,
  })
  const answer = grantTimestamp(signer, readTimestampRequest(writeDer(request), policy), { serialNumber: 7n, at })
  return writeDer(readDer(answer, TimeStampResp).timeStampToken!)
}

export type SigningOptions = Partial<SignatureField> & {
  by?: Holder
  /** A text of the prepared file and its replacement before signing, which must not be longer. */
  replaced?: [text: string, by: string]
  timestamp?: boolean
  /** The usual one of the key by default. */
  algorithm?: SigningAlgorithm
  /** Returns other signed attributes in place of the usual ones. */
  attributes?: (digest: Uint8Array, certificate: Uint8Array) => Uint8Array<ArrayBuffer>
  message?: (cms: Uint8Array) => Uint8Array
}

/** Signs like a remote device, whose key only sees the attributes. */
export function signPdf(file: Uint8Array | Pdf, options: SigningOptions = {}) {
  const {
    by = anna,
    timestamp = false,
    algorithm,
    replaced,
    attributes: made,
    message = (cms) => cms,
    ...field
  } = options
  const prepared = prepareSignature(file, {
    field: 'Podpis',
    signer: 'Anna Nowak',
    reason: 'Zgadzam się',
    at: signedAt,
    ...field,
  })
  if (replaced) {
    const at = Buffer.from(prepared.bytes).lastIndexOf(Buffer.from(replaced[0]))
    prepared.bytes.set(bytesOf(replaced[1].padEnd(replaced[0].length)), at)
  }
  return embedSignature(prepared, message(signatureOver(prepared, { by, timestamp, algorithm, attributes: made })))
}

/** Returns options that write the signature's own entry for what its author permits, in place of the reason. */
export const withTransform = (method: string, parameters: string): SigningOptions => ({
  reason: '~'.repeat(120),
  replaced: [
    `/Reason <${'7e'.repeat(120)}>`,
    `/Reference[<</Type/SigRef/TransformMethod/${method}/TransformParams<</Type/TransformParams/V/1.2${parameters}>>>>]`,
  ],
})

/** Signs a prepared file; the key, certificate or attributes may be wrong on purpose. */
export function signatureOver(
  prepared: PreparedPdf,
  {
    by = anna,
    key = by.privateKey,
    certificate = by.certificate,
    timestamp = false,
    algorithm,
    attributes: made,
  }: {
    by?: Holder
    key?: KeyObject
    certificate?: Uint8Array
    timestamp?: boolean
    algorithm?: SigningAlgorithm | undefined
    attributes?: SigningOptions['attributes'] | undefined
  } = {},
) {
  const digest = coveredDigest(prepared, algorithm?.digest)
  const attributes = made?.(digest, by.certificate) ?? signedAttributes({ digest, certificate: by.certificate })
  const signature = signBytes(key, attributes, algorithm)
  const token = timestamp && { timestamp: tokenOver(sha256(signature)) }
  const signer = cmsSigner({ certificate, chain: [issuing.certificate], ...(algorithm && { algorithm }) })
  return signedData(signer, { attributes, signature, ...token })
}

/** Writes the extensions with the addresses of a certificate's OCSP responder and revocation list. */
export function revocationAddresses({ ocsp: responders = [] as string[], crl = [] as string[] }) {
  const named = (url: string) => new x509.GeneralName({ uniformResourceIdentifier: url })
  const access = responders.map(
    (url) => new x509.AccessDescription({ accessMethod: x509.id_ad_ocsp, accessLocation: named(url) }),
  )
  const points = crl.map(
    (url) =>
      new x509.DistributionPoint({ distributionPoint: new x509.DistributionPointName({ fullName: [named(url)] }) }),
  )
  return [
    ...(access.length ? [extension(x509.id_pe_authorityInfoAccess, new x509.AuthorityInfoAccessSyntax(access))] : []),
    ...(points.length ? [extension(x509.id_ce_cRLDistributionPoints, new x509.CRLDistributionPoints(points))] : []),
  ]
}

export function stampDocument(file: Uint8Array, at = signedAt, field = 'Znacznik', by = stamper) {
  const prepared = prepareDocumentTimestamp(file, field)
  return embedSignature(prepared, tokenOver(coveredDigest(prepared), at, by))
}

type Status = 'good' | 'unknown' | { revokedAt: Date; reason?: x509.CRLReasons }
const good = 'good' as Status

export function ocspAnswer(
  about: Holder,
  {
    issuer = issuing,
    by = responder,
    status = good,
    at = signedAt,
    nextUpdate = new Date(at.getTime() + 3_600_000),
    extensions = [] as x509.Extension[],
  } = {},
) {
  const digestOf = (bytes: Uint8Array) => new OctetString(hash('sha1', bytes, 'buffer'))
  const certID = new ocsp.CertID({
    hashAlgorithm: new x509.AlgorithmIdentifier({ algorithm: '1.3.14.3.2.26', parameters: null }),
    issuerNameHash: digestOf(writeDer(issuer.name)),
    issuerKeyHash: digestOf(publicKeyBits(publicKeyInfo(issuer.publicKey))),
    serialNumber: about.serialNumber.buffer,
  })
  const certStatus =
    typeof status === 'string'
      ? new ocsp.CertStatus({ [status]: null })
      : new ocsp.CertStatus({
          revoked: new ocsp.RevokedInfo({
            revocationTime: status.revokedAt,
            ...(status.reason !== undefined && { revocationReason: new x509.CRLReason(status.reason) }),
          }),
        })
  const tbsResponseData = new ocsp.ResponseData({
    responderID: new ocsp.ResponderID({ byName: by.name }),
    producedAt: at,
    responses: [
      new ocsp.SingleResponse({
        certID,
        certStatus,
        thisUpdate: at,
        nextUpdate,
        ...(extensions.length > 0 && { singleExtensions: extensions }),
      }),
    ],
  })
  const basic = new ocsp.BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: signatureAlgorithm(by.privateKey),
    signature: signBytes(by.privateKey, writeDer(tbsResponseData)).buffer,
    certs: [readDer(by.certificate, x509.Certificate)],
  })
  return writeDer(
    new ocsp.OCSPResponse({
      responseStatus: ocsp.OCSPResponseStatus.successful,
      responseBytes: new ocsp.ResponseBytes({
        responseType: ocsp.id_pkix_ocsp_basic,
        response: new OctetString(writeDer(basic)),
      }),
    }),
  )
}

/** Creates a complete revocation list of an issuer. */
export function revocationList({
  issuer = root,
  revoked = [] as { about: Holder; at: Date; reason?: x509.CRLReasons }[],
  at = signedAt,
  extensions = [] as x509.Extension[],
} = {}) {
  const signature = signatureAlgorithm(issuer.privateKey)
  const entries = revoked.map(
    ({ about, at: since, reason }) =>
      new x509.RevokedCertificate({
        userCertificate: about.serialNumber.buffer,
        revocationDate: new x509.Time(since),
        ...(reason !== undefined && {
          crlEntryExtensions: [extension(x509.id_ce_cRLReasons, new x509.CRLReason(reason))],
        }),
      }),
  )
  const tbsCertList = new x509.TBSCertList({
    version: x509.Version.v2,
    signature,
    issuer: issuer.name,
    thisUpdate: new x509.Time(at),
    nextUpdate: new x509.Time(new Date(at.getTime() + 86_400_000)),
    ...(entries.length > 0 && { revokedCertificates: entries }),
    ...(extensions.length > 0 && { crlExtensions: extensions }),
  })
  const signatureValue = signBytes(issuer.privateKey, writeDer(tbsCertList)).buffer
  return writeDer(new x509.CertificateList({ tbsCertList, signatureAlgorithm: signature, signature: signatureValue }))
}

/** Returns validation data that prove that Anna's certificate is good. */
export const proof = (changes: Partial<ValidationData> = {}): ValidationData => ({
  certificates: [root.certificate],
  ocsps: [ocspAnswer(anna), ocspAnswer(stamper)],
  crls: [revocationList()],
  ...changes,
})

export const policyOf = (changes: Partial<ValidationPolicy> = {}): ValidationPolicy => ({
  anchors: [{ certificate: root.certificate }],
  receivedAt: signedAt,
  revocation: 'not-required',
  signingCertificate: 'v2',
  qualified: true,
  ...changes,
})

/** Writes a file with the given objects from number 1 on: a value, or a dictionary and the data of its stream. */
export function fileOf(objects: (string | [dictionary: string, data: string])[], trailer = '') {
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    const [value, data] = typeof object === 'string' ? [object, undefined] : object
    const stream = data === undefined ? '' : `\nstream\n${data}\nendstream`
    file += `${index + 1} 0 obj\n${value}${stream}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return bytesOf(`${file}${table}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${file.length}\n%%EOF\n`)
}

type OnePage = { catalog?: string; objects?: Parameters<typeof fileOf>[0]; trailer?: string }

/** Writes a file of one page with these entries, and further objects from number 4 on. */
export const onePage = (page: string, { catalog = '', objects = [], trailer = '' }: OnePage = {}) =>
  fileOf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>',
      `<</Type/Page/Parent 2 0 R${page}>>`,
      ...objects,
    ],
    trailer,
  )

const text = 'BT /F1 24 Tf 72 720 Td (Umowa na 100 zl) Tj ET'
export const contract: (string | [string, string])[] = [
  '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>',
  '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
  [`<</Length ${text.length}>>`, text],
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Fields[]>>',
  '<</Title(Umowa)/CreationDate(D:20261121100000Z)>>',
]

export const contractPdf = () => fileOf(contract, '/Info 7 0 R')
