import * as cms from '@peculiar/asn1-cms'
import { AsnProp, AsnPropTypes, AsnType, AsnTypeTypes, OctetString } from '@peculiar/asn1-schema'
import * as asn1 from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, GeneralNames } from '@peculiar/asn1-x509'
import { digest as digestOfBytes } from '#runtime'
import { sameBytes } from '../bytes.ts'
import { digestNames } from '../runtime/public-key.ts'
import { idSigningCertificateV2, idTimestampToken } from './cms.ts'
import {
  berChildren,
  berLength,
  derIdentifier,
  derSet,
  largeDer,
  readOctets,
  readBer,
  readDer,
  writeDer,
  CodedError,
} from './der.ts'
import { pathCertificate, type PathCertificate } from './path-certificate.ts'
import { checkSignature, isStrongKey } from './signature-check.ts'

export type CmsProblem =
  /** The bytes are not a SignedData in DER. */
  | 'cms-unreadable'
  /** There is no signer, or more than one. */
  | 'cms-signers'
  /** The message contains its content although it should not, or the reverse. */
  | 'cms-content'
  /** The signer's certificate is missing or cannot be read. */
  | 'cms-no-certificate'
  /** A required signed attribute is missing, occurs more than once or has a wrong value. */
  | 'cms-attributes'
  /** The digest of the content differs: the content was changed. */
  | 'cms-digest'
  /** Digest, signature algorithm or key are too weak, unknown or inconsistent. */
  | 'cms-algorithm'
  /** The signature value is wrong for this key and these attributes. */
  | 'cms-signature'
  /** The signing certificate reference does not match the signer's certificate. */
  | 'cms-signing-certificate'

/** RFC 5652 §10.2.2: certificate formats that the library does not support. They are accepted and ignored. */
class ObsoleteCertificate {
  content?: ArrayBuffer
  algorithm?: ArrayBuffer
  signature?: ArrayBuffer
}
AsnType({ type: AsnTypeTypes.Sequence })(ObsoleteCertificate)
for (const part of ['content', 'algorithm', 'signature'])
  AsnProp({ type: AsnPropTypes.Any })(ObsoleteCertificate.prototype, part)
for (const [context, name] of ['extendedCertificate', 'v1AttrCert'].entries())
  AsnProp({ type: ObsoleteCertificate, context, implicit: true })(cms.CertificateChoices.prototype, name)

/** The bytes are not a message with exactly one valid signature over its content. */
export class CmsError extends CodedError<CmsProblem> {
  override name = 'CmsError'
}

/** A content and the signer's certificate in DER, whose trust is not checked here. */
export type SignedContent = { content: Uint8Array; certificate: Uint8Array }

/** Reads a SignedData (RFC 5652 §5) of one signer that contains its content and the signer's certificate; throws CmsError. */
export function readSignedContent(der: Uint8Array): SignedContent {
  const { content, certificate } = readEncapsulated(der)
  return { content, certificate: certificate.der }
}

/** A verified signature without its content. */
export type VerifiedSignature = {
  certificate: PathCertificate
  /** The readable certificates of the message, the signer's included. */
  certificates: PathCertificate[]
  /** The version of the signing certificate reference; undefined if there is none (RFC 5035). */
  signingCertificate: 1 | 2 | undefined
  /** The name of the digest that is signed, such as `sha256`. */
  digest: string
  /** Whether it is over the content itself, without the attributes that PAdES and CAdES require. */
  isBare: boolean
  /** The signature value, and the timestamp tokens over it in DER (RFC 3161 appendix A). */
  signature: Uint8Array
  timestamps: Uint8Array[]
}

export type EncapsulatedSignature = VerifiedSignature & { content: Uint8Array; contentType: string }

/**
 * Verifies a message that contains its content, and returns the content with all details of the signature; `type` is the expected content
 * type.
 */
export function readEncapsulated(der: Uint8Array, type?: string): EncapsulatedSignature {
  return withMessage(der, ({ encapContentInfo, certificates = [], signerInfos }) => {
    const { single, any } = encapContentInfo.eContent ?? {}
    const [signer, second] = signerInfos
    check(
      (single ?? any) && signer && !second,
      (single ?? any) ? 'cms-signers' : 'cms-content',
      'The message does not contain its content, or not exactly one signature',
    )
    const contentType = encapContentInfo.eContentType
    check(type === undefined || contentType === type, 'cms-content', 'The message has another content type')
    const content = single ? new Uint8Array(single.buffer) : readOctets(new Uint8Array(any!))
    const carried = carriedBy(certificates)
    const signed = { type: contentType, digestOf: (digest: string) => digestOfBytes(digest, content) }
    const verified = verifySigner(der, signer, signed, carried)
    return { ...verified, content, contentType }
  })
}

/**
 * Verifies a SignedData of one signer over detached data; `digestOf` returns the digest of these data by the name of a
 * digest, and `data` themselves are needed where nothing else is signed (RFC 5652 §5.4): without them such a signature is refused.
 * Throws CmsError.
 */
export function verifyDetached(
  der: Uint8Array,
  digestOf: (digest: string) => Uint8Array,
  data?: () => Uint8Array,
): VerifiedSignature {
  return withMessage(der, ({ encapContentInfo, certificates = [], signerInfos }) => {
    const [signer, second] = signerInfos
    check(signer && !second, 'cms-signers', 'The message does not have one signer')
    check(!encapContentInfo.eContent, 'cms-content', 'The message contains a content')
    const carried = carriedBy(certificates)
    const { eContentType } = encapContentInfo
    const signed = { type: eContentType, digestOf, ...(data && eContentType === cms.id_data && { data }) }
    return verifySigner(der, signer, signed, carried)
  })
}

/** Returns the certificate that a SignedData names as its only signer's, without verifying anything; undefined where it has none. */
export function claimedCertificate(der: Uint8Array): PathCertificate | undefined {
  try {
    return withMessage(der, ({ certificates = [], signerInfos: [signer, second] }) =>
      signer && !second ? carriedBy(certificates).find((candidate) => isNamed(signer.sid, candidate)) : undefined,
    )
  } catch (error) {
    if (error instanceof CmsError) return undefined
    throw error
  }
}

function withMessage<T>(der: Uint8Array, read: (message: cms.SignedData) => T): T {
  try {
    return read(readBer(signedDataOf(der), cms.SignedData, largeDer))
  } catch (cause) {
    throw cause instanceof CmsError ? cause : new CmsError('cms-unreadable', 'The message cannot be read', { cause })
  }
}

/** Returns the content of a ContentInfo (RFC 5652 §3), which the library would parse twice. */
function signedDataOf(der: Uint8Array): Uint8Array {
  const [type, content, further] = der[0] === 0x30 && berLength(der) === der.length ? berChildren(der) : []
  const [signedData, second] = content?.[0] === 0xa0 && !further ? berChildren(content) : []
  check(type && signedData && !second, 'cms-unreadable', 'The message cannot be read')
  check(sameBytes(type, signedType), 'cms-unreadable', 'The message is not signed')
  return signedData
}

const signedType = derIdentifier(cms.id_signedData)

function check(condition: unknown, code: CmsProblem, message: string): asserts condition {
  if (!condition) throw new CmsError(code, message)
}

const maxCertificates = 50

/** Returns the readable certificates of a message. */
function carriedBy(choices: Iterable<cms.CertificateChoices>) {
  const certificates = [...choices].flatMap(({ certificate }) => certificate ?? [])
  return certificates.slice(0, maxCertificates).flatMap((certificate) => {
    try {
      return [pathCertificate(certificate)]
    } catch {
      return []
    }
  })
}

function isNamed({ issuerAndSerialNumber, subjectKeyIdentifier }: cms.SignerIdentifier, certificate: PathCertificate) {
  if (issuerAndSerialNumber) {
    const { issuer, serialNumber } = issuerAndSerialNumber
    return (
      sameBytes(new Uint8Array(serialNumber), certificate.serialNumber) &&
      sameBytes(writeDer(issuer), certificate.issuer)
    )
  }
  const { keyIdentifier } = certificate
  return (
    !!subjectKeyIdentifier && !!keyIdentifier && sameBytes(keyIdentifier, new Uint8Array(subjectKeyIdentifier.buffer))
  )
}

/** Returns the only signer's attributes as they were sent, with the tag that is signed (RFC 5652 §5.4). */
function signedAttributesAsSent(der: Uint8Array) {
  const signerInfos = berChildren(signedDataOf(der)).at(-1)
  const [signer] = signerInfos ? berChildren(signerInfos) : []
  const attributes = signer && berChildren(signer)[3]?.slice()
  check(attributes, 'cms-attributes', 'There are no signed attributes')
  attributes[0] = 0x31
  return attributes
}

/**
 * Returns the digest of Ed448: SHAKE256 with 512 bits, for which there are two identifiers (RFC 8419 §3.1, RFC 8702 §2). No other signature
 * has it here.
 */
const digestOfEd448 = ({ digestAlgorithm, signatureAlgorithm }: cms.SignerInfo) =>
  signatureAlgorithm.algorithm === '1.3.101.113' && idsShake256.has(digestAlgorithm.algorithm) ? 'shake256' : undefined

const idsShake256 = new Set(['2.16.840.1.101.3.4.2.12', '2.16.840.1.101.3.4.2.18'])

/** The signing certificate reference: RFC 5035 §3 (version 2) and RFC 2634 §5.4 (version 1, SHA-1). */
const idSigningCertificateV1 = '1.2.840.113549.1.9.16.2.12'

class IssuerSerial {
  issuer = new GeneralNames()
  serialNumber = new ArrayBuffer(0)
}
asn1.AsnProp({ type: GeneralNames })(IssuerSerial.prototype, 'issuer')
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer, converter: asn1.AsnIntegerArrayBufferConverter })(
  IssuerSerial.prototype,
  'serialNumber',
)

class CertificateIdV1 {
  certHash = new asn1.OctetString()
  issuerSerial?: IssuerSerial
}
asn1.AsnProp({ type: asn1.OctetString })(CertificateIdV1.prototype, 'certHash')
asn1.AsnProp({ type: IssuerSerial, optional: true })(CertificateIdV1.prototype, 'issuerSerial')

class CertificateIdV2 {
  hashAlgorithm?: AlgorithmIdentifier
  certHash = new asn1.OctetString()
  issuerSerial?: IssuerSerial
}
asn1.AsnProp({ type: AlgorithmIdentifier, optional: true })(CertificateIdV2.prototype, 'hashAlgorithm')
asn1.AsnProp({ type: asn1.OctetString })(CertificateIdV2.prototype, 'certHash')
asn1.AsnProp({ type: IssuerSerial, optional: true })(CertificateIdV2.prototype, 'issuerSerial')

class CertificateIdsV1 extends asn1.AsnArray<CertificateIdV1> {}
asn1.AsnType({ type: asn1.AsnTypeTypes.Sequence, itemType: CertificateIdV1 })(CertificateIdsV1)
class CertificateIdsV2 extends asn1.AsnArray<CertificateIdV2> {}
asn1.AsnType({ type: asn1.AsnTypeTypes.Sequence, itemType: CertificateIdV2 })(CertificateIdsV2)

class SigningCertificateV1 {
  certs = new CertificateIdsV1()
  policies?: ArrayBuffer
}
asn1.AsnProp({ type: CertificateIdsV1 })(SigningCertificateV1.prototype, 'certs')
asn1.AsnProp({ type: asn1.AsnPropTypes.Any, optional: true })(SigningCertificateV1.prototype, 'policies')
class SigningCertificateV2 {
  certs = new CertificateIdsV2()
  policies?: ArrayBuffer
}
asn1.AsnProp({ type: CertificateIdsV2 })(SigningCertificateV2.prototype, 'certs')
asn1.AsnProp({ type: asn1.AsnPropTypes.Any, optional: true })(SigningCertificateV2.prototype, 'policies')

/** Checks whether the first reference, which is the signer's, matches a certificate. Throws DerError for an unreadable attribute. */
function referencesCertificate(value: Uint8Array, version: 1 | 2, certificate: PathCertificate) {
  const [first] = readDer(value, version === 2 ? SigningCertificateV2 : SigningCertificateV1).certs
  if (!first) return false
  const named = first instanceof CertificateIdV2 ? first.hashAlgorithm?.algorithm : undefined
  const digest = version === 1 ? 'sha1' : named === undefined ? 'sha256' : digestNames.get(named)
  if (digest === undefined) return false
  if (!sameBytes(new Uint8Array(first.certHash.buffer), digestOfBytes(digest, certificate.der))) return false
  if (!first.issuerSerial) return true
  const { issuer, serialNumber } = first.issuerSerial
  const names = [...issuer].flatMap(({ directoryName }) => (directoryName ? [writeDer(directoryName)] : []))
  return (
    sameBytes(new Uint8Array(serialNumber), certificate.serialNumber) &&
    names.some((name) => sameBytes(name, certificate.issuer))
  )
}

/** Verifies a signer's signature, which is over the attributes; these name the content's type and digest (RFC 5652 §5.4 and §5.6). */
function verifySigner(
  der: Uint8Array,
  signer: cms.SignerInfo,
  { type, digestOf, data }: { type: string; digestOf: (digest: string) => Uint8Array; data?: () => Uint8Array },
  certificates: PathCertificate[],
): VerifiedSignature {
  const certificate = certificates.find((candidate) => isNamed(signer.sid, candidate))
  check(certificate, 'cms-no-certificate', 'The message does not contain the certificate of its signer')
  const digest = digestNames.get(signer.digestAlgorithm.algorithm) ?? digestOfEd448(signer)
  check(digest, 'cms-algorithm', 'The digest is weak or unknown')
  const { signedAttrs } = signer
  check(signedAttrs ?? data, 'cms-attributes', 'There are no signed attributes')
  const valueOf = (id: string) => {
    const [attribute, duplicate] = (signedAttrs ?? []).filter(({ attrType }) => attrType === id)
    if (!attribute) return undefined
    const [value, second] = attribute.attrValues
    check(value && !second && !duplicate, 'cms-attributes', 'A signed attribute does not occur exactly once')
    return new Uint8Array(value)
  }
  if (signedAttrs) {
    const [contentType, messageDigest] = [valueOf(cms.id_contentType), valueOf(cms.id_messageDigest)]
    check(contentType && messageDigest, 'cms-attributes', 'A signed attribute does not occur exactly once')
    check(sameBytes(contentType, derIdentifier(type)), 'cms-attributes', 'The signature is over another content type')
    const signedDigest = new Uint8Array(readDer(messageDigest, OctetString).buffer)
    check(sameBytes(signedDigest, digestOf(digest)), 'cms-digest', 'The signature is over another content')
  }
  const { key } = certificate
  check(isStrongKey(key), 'cms-algorithm', 'The key is of an unknown type or too short')
  const signature = new Uint8Array(signer.signature.buffer)
  const verdictOver = (signed: Uint8Array) => checkSignature(signer.signatureAlgorithm, key, signed, signature, digest)
  const inOrder = verdictOver(signedAttrs ? derSet(...signedAttrs.map((attribute) => writeDer(attribute))) : data!())
  // The attributes are signed as a DER set, but some signers sign them unsorted, as sent.
  const verdict = inOrder === 'wrong' && signedAttrs ? verdictOver(signedAttributesAsSent(der)) : inOrder
  check(verdict === 'valid' || verdict === 'wrong', 'cms-algorithm', 'The algorithm is unknown')
  check(verdict === 'valid', 'cms-signature', 'The signature is not valid')
  const [v2, v1] = [valueOf(idSigningCertificateV2), valueOf(idSigningCertificateV1)]
  for (const [value, version] of [
    [v2, 2],
    [v1, 1],
  ] as const)
    check(
      !value || referencesCertificate(value, version, certificate),
      'cms-signing-certificate',
      'The signature references another certificate',
    )
  const timestamps = (signer.unsignedAttrs ?? [])
    .filter(({ attrType }) => attrType === idTimestampToken)
    .flatMap(({ attrValues }) => attrValues.map((value) => new Uint8Array(value)))
  return {
    certificate,
    certificates,
    signingCertificate: v2 ? 2 : v1 ? 1 : undefined,
    digest,
    isBare: !signedAttrs,
    signature,
    timestamps,
  }
}
