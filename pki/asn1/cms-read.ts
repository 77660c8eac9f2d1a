import { hash } from 'node:crypto'
import {
  CertificateChoices,
  id_contentType,
  id_messageDigest,
  id_signedData,
  SignedData,
  type SignerIdentifier,
  type SignerInfo,
} from '@peculiar/asn1-cms'
import { AsnProp, AsnPropTypes, AsnType, AsnTypeTypes, OctetString } from '@peculiar/asn1-schema'
import { idSigningCertificateV2, idTimestampToken } from './cms.ts'
import { berChildren, berLength, derIdentifier, derSet, largeDer, readBer, readDer, writeDer } from './der.ts'
import { sameBytes } from './pdf-bytes.ts'
import { pathCertificate, type PathCertificate } from './path-certificate.ts'
import { checkSignature, digestNames, isStrongKey } from './signature-check.ts'
import { idSigningCertificateV1, namesCertificate } from './signing-certificate.ts'

export type CmsProblem =
  /** The bytes are no SignedData in DER. */
  | 'cms-unreadable'
  /** There is none, or more than one signer. */
  | 'cms-signers'
  /** It carries its content and should not, or does not and should. */
  | 'cms-content'
  /** The certificate of the signer is not carried, or cannot be read. */
  | 'cms-no-certificate'
  /** An attribute that has to be signed is not, or stands more than once, or says something else. */
  | 'cms-attributes'
  /** The digest of the content is another one: the content was changed. */
  | 'cms-digest'
  /** Digest, signature algorithm or key are too weak, not known, or contradict one another. */
  | 'cms-algorithm'
  /** The signature value is not one of this key over these attributes. */
  | 'cms-signature'
  /** The signed attribute names another certificate than the one that the signer is named by. */
  | 'cms-signing-certificate'

/** RFC 5652 §10.2.2: forms of certificates that the library does not know. They prove nothing here, but may be carried. */
class ObsoleteCertificate {
  content?: ArrayBuffer
  algorithm?: ArrayBuffer
  signature?: ArrayBuffer
}
AsnType({ type: AsnTypeTypes.Sequence })(ObsoleteCertificate)
for (const part of ['content', 'algorithm', 'signature'])
  AsnProp({ type: AsnPropTypes.Any })(ObsoleteCertificate.prototype, part)
for (const [context, name] of ['extendedCertificate', 'v1AttrCert'].entries())
  AsnProp({ type: ObsoleteCertificate, context, implicit: true })(CertificateChoices.prototype, name)

/** Bytes that are no message with one valid signature over its content. */
export class CmsError extends Error {
  override name = 'CmsError'
  readonly code: CmsProblem
  constructor(code: CmsProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A content and the certificate, in DER, whose key has signed it. Whether that certificate is to be believed is not judged here. */
export type SignedContent = { content: Uint8Array; certificate: Uint8Array }

/** Reads a SignedData (RFC 5652 §5) of one signer that carries its content and the signer's certificate; throws CmsError. */
export function readSignedContent(der: Uint8Array): SignedContent {
  const { content, certificate } = readCarried(der)
  return { content, certificate: certificate.der }
}

/** What a verified signature says beyond its content. */
export type VerifiedSignature = {
  certificate: PathCertificate
  /** All that the message carries, the signer's own among them; what cannot be read is left out. */
  certificates: PathCertificate[]
  /** Which version of the attribute ties the signature to its certificate; undefined if none does (RFC 5035). */
  signingCertificate: 1 | 2 | undefined
  /** The signature value, which timestamps are made over, and the tokens, in DER (RFC 3161 appendix A). */
  signature: Uint8Array
  timestamps: Uint8Array[]
}

export type CarriedSignature = VerifiedSignature & { content: Uint8Array; contentType: string }

/** The same with all that is known of the signature; `type` is the object identifier that the content should have. */
export function readCarried(der: Uint8Array, type?: string): CarriedSignature {
  return readingOf(der, ({ encapContentInfo, certificates = [], signerInfos }) => {
    const single = encapContentInfo.eContent?.single
    const [signer, second] = signerInfos
    demand(
      single && signer && !second,
      single ? 'cms-signers' : 'cms-content',
      'The message does not carry its content, or not one signature',
    )
    const contentType = encapContentInfo.eContentType
    demand(type === undefined || contentType === type, 'cms-content', 'The message carries another type of content')
    const content = new Uint8Array(single.buffer)
    const carried = readable(certificates.flatMap(({ certificate }) => certificate ?? []))
    const verified = verifySigner(der, signer, contentType, (digest) => hash(digest, content, 'buffer'), carried)
    return { ...verified, content, contentType }
  })
}

/**
 * Verifies a SignedData of one signer over plain data that it does not carry; `digestOf` gives the digest of that data
 * by a name of node:crypto. Throws CmsError.
 */
export function verifyDetached(der: Uint8Array, digestOf: (digest: string) => Uint8Array): VerifiedSignature {
  return readingOf(der, ({ encapContentInfo, certificates = [], signerInfos }) => {
    const [signer, second] = signerInfos
    demand(signer && !second, 'cms-signers', 'The message does not have one signer')
    demand(!encapContentInfo.eContent, 'cms-content', 'The message carries a content of its own')
    const carried = readable(certificates.flatMap(({ certificate }) => certificate ?? []))
    return verifySigner(der, signer, encapContentInfo.eContentType, digestOf, carried)
  })
}

function readingOf<T>(der: Uint8Array, read: (message: SignedData) => T): T {
  try {
    return read(readBer(signedDataOf(der), SignedData, largeDer))
  } catch (cause) {
    throw cause instanceof CmsError ? cause : new CmsError('cms-unreadable', 'The message cannot be read', { cause })
  }
}

/** Of a ContentInfo (RFC 5652 §3): read as a whole by the library, its content would be built of objects twice. */
function signedDataOf(der: Uint8Array): Uint8Array {
  const [type, content, further] = der[0] === 0x30 && berLength(der) === der.length ? berChildren(der) : []
  const [signedData, second] = content?.[0] === 0xa0 && !further ? berChildren(content) : []
  demand(type && signedData && !second, 'cms-unreadable', 'The message cannot be read')
  demand(sameBytes(type, signedType), 'cms-unreadable', 'The message is not signed')
  return signedData
}

const signedType = derIdentifier(id_signedData)

function demand(condition: unknown, code: CmsProblem, message: string): asserts condition {
  if (!condition) throw new CmsError(code, message)
}

const mostCertificates = 50

function readable(certificates: Parameters<typeof pathCertificate>[0][]) {
  return certificates.slice(0, mostCertificates).flatMap((one) => {
    try {
      return [pathCertificate(one)]
    } catch {
      return []
    }
  })
}

function isNamed({ issuerAndSerialNumber, subjectKeyIdentifier }: SignerIdentifier, certificate: PathCertificate) {
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

/** The attributes of the only signer, with the tag that they are signed with (RFC 5652 §5.4). */
function signedAttributesAsSent(der: Uint8Array) {
  const [signer] = berChildren(berChildren(signedDataOf(der)).at(-1)!)
  const attributes = berChildren(signer!)[3]!.slice()
  attributes[0] = 0x31
  return attributes
}

/** RFC 5652 §5.4 and §5.6: the signature is over the attributes, which name the content's type and digest. */
function verifySigner(
  der: Uint8Array,
  signer: SignerInfo,
  type: string,
  digestOf: (digest: string) => Uint8Array,
  certificates: PathCertificate[],
): VerifiedSignature {
  const certificate = certificates.find((one) => isNamed(signer.sid, one))
  demand(certificate, 'cms-no-certificate', 'The message does not carry the certificate of its signer')
  const digest = digestNames.get(signer.digestAlgorithm.algorithm)
  demand(digest, 'cms-algorithm', 'There are no signed attributes, or of a weak digest')
  demand(signer.signedAttrs, 'cms-attributes', 'There are no signed attributes, or of a weak digest')
  const valueOf = (id: string) => {
    const all = signer.signedAttrs!.filter((one) => one.attrType === id)
    if (all.length === 0) return undefined
    const [value, another] = all[0]!.attrValues
    demand(value && !another && all.length === 1, 'cms-attributes', 'A signed attribute does not stand exactly once')
    return new Uint8Array(value)
  }
  const [contentType, messageDigest] = [valueOf(id_contentType), valueOf(id_messageDigest)]
  demand(contentType && messageDigest, 'cms-attributes', 'A signed attribute does not stand exactly once')
  demand(sameBytes(contentType, derIdentifier(type)), 'cms-attributes', 'The signature is over another type of content')
  const signedDigest = new Uint8Array(readDer(messageDigest, OctetString).buffer)
  demand(sameBytes(signedDigest, digestOf(digest)), 'cms-digest', 'The signature is over another content')
  const { key } = certificate
  demand(isStrongKey(key), 'cms-algorithm', 'The key is of an unknown kind, or too short')
  const signature = new Uint8Array(signer.signature.buffer)
  const verdictOver = (attributes: Uint8Array) =>
    checkSignature(signer.signatureAlgorithm, key, attributes, signature, digest)
  // They are signed as a DER set; some signers do not sort theirs, and sign what they have sent.
  const inOrder = verdictOver(derSet(...signer.signedAttrs.map((one) => writeDer(one))))
  const verdict = inOrder === 'wrong' ? verdictOver(signedAttributesAsSent(der)) : inOrder
  demand(verdict === 'valid' || verdict === 'wrong', 'cms-algorithm', 'The algorithm is not known')
  demand(verdict === 'valid', 'cms-signature', 'The signature is not valid')
  const [v2, v1] = [valueOf(idSigningCertificateV2), valueOf(idSigningCertificateV1)]
  for (const [value, version] of [
    [v2, 2],
    [v1, 1],
  ] as const)
    demand(
      !value || namesCertificate(value, version, certificate),
      'cms-signing-certificate',
      'The signature names another certificate',
    )
  const timestamps = (signer.unsignedAttrs ?? [])
    .filter(({ attrType }) => attrType === idTimestampToken)
    .flatMap(({ attrValues }) => attrValues.map((value) => new Uint8Array(value)))
  return { certificate, certificates, signingCertificate: v2 ? 2 : v1 ? 1 : undefined, signature, timestamps }
}
