import { id_contentType, id_data, id_messageDigest, id_signedData, IssuerAndSerialNumber } from '@peculiar/asn1-cms'
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509'
import { readPublicKey } from '#public-keys'
import { sameBytes } from '../bytes.ts'
import { derIdentifier, derSet, derValue, readDer, writeDer } from './der.ts'
import { digestIds, sha256, signatureAlgorithm, type SigningAlgorithm } from './signature-algorithm.ts'

/** RFC 5035 §3. */
export const idSigningCertificateV2 = '1.2.840.113549.1.9.16.2.47'

/** RFC 3161 appendix A. */
export const idTimestampToken = '1.2.840.113549.1.9.16.2.14'

// Messages are assembled from DER parts, because a timestamp authority makes hundreds of them per second.
const data = derIdentifier(id_data)
const signed = derIdentifier(id_signedData)
const contentTypeId = derIdentifier(id_contentType)
const messageDigestId = derIdentifier(id_messageDigest)
const signingCertificateId = derIdentifier(idSigningCertificateV2)
const timestampTokenId = derIdentifier(idTimestampToken)
const version = (number: 1 | 3) => Uint8Array.of(0x02, 0x01, number)

/** The content inside a message; the type is the DER of its object identifier. */
export type EncapsulatedContent = { type: Uint8Array; bytes: Uint8Array }

type AttributeParts = { type?: Uint8Array; digest: Uint8Array; certificate: Uint8Array }

/**
 * Encodes the attributes to be signed for a content with this digest, as the DER set that is signed (RFC 5652 §5.4): content type, message
 * digest and signing certificate. There is no attribute for the signing time: PAdES has it in the PDF (ETSI EN 319 142-1 §6.3) and a
 * timestamp has it in its content.
 */
export function signedAttributes({ type = data, digest, certificate }: AttributeParts) {
  // Only the digest of the certificate; SHA-256 is the default of RFC 5035 §4 and omitted.
  const certificateId = derValue(0x30, derValue(0x04, sha256(certificate)))
  return derSet(
    attribute(contentTypeId, type),
    attribute(messageDigestId, derValue(0x04, digest)),
    attribute(signingCertificateId, derValue(0x30, derValue(0x30, certificateId))),
  )
}

const attribute = (type: Uint8Array, value: Uint8Array) => derValue(0x30, type, derSet(value))

/** The parts that all messages of a signer share. */
export type CmsSigner = ReturnType<typeof cmsSigner>

type SignerParts = { certificate: Uint8Array; chain: Uint8Array[]; algorithm?: SigningAlgorithm }

/**
 * Encodes the parts that all messages of a signer share. Certificates are DER, the chain without the signer's own. The usual algorithm of
 * the key uses SHA-256; the content's digest must then use it too. Throws TypeError for a certificate that is not in canonical DER.
 */
export function cmsSigner({ certificate, chain, algorithm }: SignerParts) {
  const { issuer, serialNumber, subjectPublicKeyInfo, subject } = canonicalCertificate(certificate).tbsCertificate
  chain.forEach(canonicalCertificate)
  const key = { asymmetricKeyType: readPublicKey(writeDer(subjectPublicKeyInfo)).kind }
  return {
    certificate,
    subject: writeDer(subject),
    id: writeDer(new IssuerAndSerialNumber({ issuer, serialNumber })),
    digestAlgorithm: writeDer(new AlgorithmIdentifier({ algorithm: digestIds[algorithm?.digest ?? 'sha256'] })),
    algorithm: writeDer(signatureAlgorithm(key, algorithm)),
    certificates: implicit(0, derSet(certificate, ...chain)),
  }
}

/** Reads a certificate and requires canonical DER: it is copied into a message, so one in BER would make the message BER. */
function canonicalCertificate(der: Uint8Array) {
  const certificate = readDer(der, Certificate)
  if (!sameBytes(writeDer(certificate), der)) throw new TypeError('The certificate is not in canonical DER')
  return certificate
}

/** Replaces the tag of a value with an implicit context-specific tag. */
function implicit(number: number, der: Uint8Array<ArrayBuffer>) {
  const tagged = der.slice()
  tagged[0] = 0xa0 | number
  return tagged
}

export type SignedParts = {
  /** The result of `signedAttributes`, and the signature over it. */
  attributes: Uint8Array<ArrayBuffer>
  signature: Uint8Array
  /** Content inside the message. Without it the signature is detached and its content is plain data. */
  content?: EncapsulatedContent
  /** A timestamp token over the signature value (RFC 3161 appendix A), which raises level B-B to B-T. */
  timestamp?: Uint8Array
  /** Whether to include the signer's certificate and chain. */
  withCertificates?: boolean
}

/** Encodes a CMS SignedData (RFC 5652) of one signer. */
export function signedData(
  signer: CmsSigner,
  { attributes, signature, content, timestamp, withCertificates = true }: SignedParts,
) {
  const signerInfo = derValue(
    0x30,
    version(1),
    signer.id,
    signer.digestAlgorithm,
    implicit(0, attributes),
    signer.algorithm,
    derValue(0x04, signature),
    ...(timestamp ? [implicit(1, derSet(attribute(timestampTokenId, timestamp)))] : []),
  )
  const message = derValue(
    0x30,
    // RFC 5652 §5.1: version 3 if the content is not plain data.
    version(content ? 3 : 1),
    derSet(signer.digestAlgorithm),
    content ? derValue(0x30, content.type, derValue(0xa0, derValue(0x04, content.bytes))) : derValue(0x30, data),
    ...(withCertificates ? [signer.certificates] : []),
    derSet(signerInfo),
  )
  return derValue(0x30, signed, derValue(0xa0, message))
}
