import { OctetString } from '@peculiar/asn1-schema'
import { id_kp_timeStamping, AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { CmsError, readEncapsulated, type EncapsulatedSignature } from '../asn1/cms-read.ts'
import { DerError, readDer, writeDer } from '../asn1/der.ts'
import { idSha256 } from '../asn1/signature-algorithm.ts'
import { sameBytes } from '../bytes.ts'
import { digestNames } from '../runtime/public-key.ts'
import { idTstInfo, TstInfo, MessageImprint, TimeStampReq, TimeStampResp } from './timestamp-structures.ts'

/** A verified token; the trust in its authority is not checked here. */
export type VerifiedTimestamp = EncapsulatedSignature & { at: Date; policy: string }

/**
 * Verifies a timestamp token (RFC 3161 §2.4.2) in DER over a content; `digestOf` returns the content's digest by a digest
 * name of node:crypto. Throws CmsError: `cms-digest` for a token over another content, `cms-attributes` for a signer
 * whose certificate has another purpose or is not referenced.
 */
export function verifyTimestamp(der: Uint8Array, digestOf: (digest: string) => Uint8Array): VerifiedTimestamp {
  const token = readEncapsulated(der, idTstInfo)
  const info = readInfo(token.content)
  const digest = digestNames.get(info.messageImprint.hashAlgorithm.algorithm)
  if (digest === undefined) throw new CmsError('cms-algorithm', 'The timestamp uses a weak digest')
  if (!sameBytes(new Uint8Array(info.messageImprint.hashedMessage.buffer), digestOf(digest)))
    throw new CmsError('cms-digest', 'The timestamp is over another content')
  // §2.3 and §2.4.1: the authority's key has no other purpose, and the token references its certificate.
  const purpose = token.certificate.extendedKeyUsage
  if (!purpose?.isCritical || purpose.purposes.length !== 1 || purpose.purposes[0] !== id_kp_timeStamping)
    throw new CmsError('cms-attributes', 'The timestamp is signed by a key with another purpose')
  if (token.signingCertificate === undefined)
    throw new CmsError('cms-attributes', 'The timestamp does not reference the certificate of its authority')
  return { ...token, at: info.genTime, policy: info.policy }
}

function readInfo(content: Uint8Array) {
  try {
    const info = readDer(content, TstInfo)
    if (info.version !== 1) throw new DerError('The timestamp has another version')
    return info
  } catch (cause) {
    throw new CmsError('cms-unreadable', 'The timestamp cannot be read', { cause })
  }
}

/** Writes a request (RFC 3161 §2.4.1) for a token with certificates over a SHA-256 digest. */
export function writeTimestampRequest(digest: Uint8Array<ArrayBuffer>, nonce: Uint8Array<ArrayBuffer>) {
  const messageImprint = Object.assign(new MessageImprint(), {
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: idSha256, parameters: null }),
    hashedMessage: new OctetString(digest),
  })
  return writeDer(Object.assign(new TimeStampReq(), { messageImprint, nonce: nonce.buffer, certReq: true }))
}

/**
 * Reads the token, in DER, from the response to that request. Throws DerError for a response without one, and CmsError for a token over
 * another digest or for another request. Does not check whether its authority is trusted.
 */
export function readTimestampAnswer(der: Uint8Array, digest: Uint8Array, nonce: Uint8Array) {
  const { status, timeStampToken } = readDer(der, TimeStampResp)
  // RFC 3161 §2.4.2: granted, or granted with modifications.
  if (status.status > 1 || !timeStampToken) throw new DerError('The authority returned no timestamp')
  const token = writeDer(timeStampToken)
  const { content } = verifyTimestamp(token, (name) => (name === 'sha256' ? digest : new Uint8Array()))
  const echoed = readDer(content, TstInfo).nonce
  if (!echoed || !sameBytes(new Uint8Array(echoed), nonce))
    throw new CmsError('cms-digest', 'The timestamp answers another request')
  return token
}
