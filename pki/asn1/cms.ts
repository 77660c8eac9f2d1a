import { createPublicKey } from 'node:crypto'
import { id_contentType, id_data, id_messageDigest, id_signedData, IssuerAndSerialNumber } from '@peculiar/asn1-cms'
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509'
import { derIdentifier, derSet, derValue, readDer, writeDer } from './der.ts'
import { idSha256, sha256, signatureAlgorithm } from './signature-algorithm.ts'

/** RFC 5035 §3. */
export const idSigningCertificateV2 = '1.2.840.113549.1.9.16.2.47'

/** RFC 3161 appendix A. */
export const idTimestampToken = '1.2.840.113549.1.9.16.2.14'

// Messages are put together of parts that are DER already: a timestamp authority makes hundreds of them a second.
const data = derIdentifier(id_data)
const signed = derIdentifier(id_signedData)
const contentTypeId = derIdentifier(id_contentType)
const messageDigestId = derIdentifier(id_messageDigest)
const signingCertificateId = derIdentifier(idSigningCertificateV2)
const timestampTokenId = derIdentifier(idTimestampToken)
const sha256Algorithm = writeDer(new AlgorithmIdentifier({ algorithm: idSha256 }))
const version = (number: 1 | 3) => Uint8Array.of(0x02, 0x01, number)

/** A content that a message carries itself; the type is the DER of its object identifier. */
export type CarriedContent = { type: Uint8Array; bytes: Uint8Array }

/**
 * The attributes to be signed for a content with this SHA-256 digest, as the DER set whose bytes the signature is made
 * over (RFC 5652 §5.4): content type, message digest and signing certificate. There is no signing time, which PAdES
 * keeps in the PDF (ETSI EN 319 142-1 §6.3) and a timestamp in its content.
 */
export function signedAttributes({
  type = data,
  digest,
  certificate,
}: {
  type?: Uint8Array
  digest: Uint8Array
  certificate: Uint8Array
}) {
  // The digest of the certificate alone, SHA-256 being the default of RFC 5035 §4 and left out.
  const certificateId = derValue(0x30, derValue(0x04, sha256(certificate)))
  return derSet(
    attribute(contentTypeId, type),
    attribute(messageDigestId, derValue(0x04, digest)),
    attribute(signingCertificateId, derValue(0x30, derValue(0x30, certificateId))),
  )
}

function attribute(type: Uint8Array, value: Uint8Array) {
  return derValue(0x30, type, derSet(value))
}

/** What all messages of one signer share. */
export type CmsSigner = ReturnType<typeof cmsSigner>

/** Certificates are DER, the chain without the signer's own. Throws TypeError for one that is not in canonical DER. */
export function cmsSigner({ certificate, chain }: { certificate: Uint8Array; chain: Uint8Array[] }) {
  const { issuer, serialNumber, subjectPublicKeyInfo, subject } = canonicalCertificate(certificate).tbsCertificate
  chain.forEach(canonicalCertificate)
  const key = createPublicKey({ key: Buffer.from(writeDer(subjectPublicKeyInfo)), format: 'der', type: 'spki' })
  return {
    certificate,
    subject: writeDer(subject),
    id: writeDer(new IssuerAndSerialNumber({ issuer, serialNumber })),
    algorithm: writeDer(signatureAlgorithm(key)),
    certificates: implicit(0, derSet(certificate, ...chain)),
  }
}

/** A certificate goes into a message as it is, so one in BER would make the message BER. */
function canonicalCertificate(der: Uint8Array) {
  const certificate = readDer(der, Certificate)
  if (Buffer.compare(writeDer(certificate), der) !== 0) throw new TypeError('The certificate is not in canonical DER')
  return certificate
}

/** The same value under a tag of its context. */
function implicit(number: number, der: Uint8Array<ArrayBuffer>) {
  const tagged = der.slice()
  tagged[0] = 0xa0 | number
  return tagged
}

export type SignedParts = {
  /** As `signedAttributes` gave them, and the signature over them. */
  attributes: Uint8Array<ArrayBuffer>
  signature: Uint8Array
  /** Without it the signature is detached from its content, which is plain data. */
  content?: CarriedContent
  /** A timestamp token over the signature value (RFC 3161 appendix A), which makes level B-T of level B-B. */
  timestamp?: Uint8Array
  /** Whether the signer's certificate and chain go along. */
  withCertificates?: boolean
}

/** A CMS SignedData (RFC 5652) of one signer. */
export function signedData(
  signer: CmsSigner,
  { attributes, signature, content, timestamp, withCertificates = true }: SignedParts,
) {
  const signerInfo = derValue(
    0x30,
    version(1),
    signer.id,
    sha256Algorithm,
    implicit(0, attributes),
    signer.algorithm,
    derValue(0x04, signature),
    ...(timestamp ? [implicit(1, derSet(attribute(timestampTokenId, timestamp)))] : []),
  )
  const message = derValue(
    0x30,
    // RFC 5652 §5.1: version 3 as soon as the content is not plain data.
    version(content ? 3 : 1),
    derSet(sha256Algorithm),
    content ? derValue(0x30, content.type, derValue(0xa0, derValue(0x04, content.bytes))) : derValue(0x30, data),
    ...(withCertificates ? [signer.certificates] : []),
    derSet(signerInfo),
  )
  return derValue(0x30, signed, derValue(0xa0, message))
}
