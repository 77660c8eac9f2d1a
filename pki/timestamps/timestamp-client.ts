import { OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { CmsError } from './cms-read.ts'
import { DerError, readDer, writeDer } from './der.ts'
import { sameBytes } from './pdf-bytes.ts'
import { idSha256 } from './signature-algorithm.ts'
import { MessageImprint, TimeStampReq, TimeStampResp, TstInfo } from './timestamp-structures.ts'
import { verifyTimestamp } from './timestamp-token.ts'

/** A request (RFC 3161 §2.4.1) for a token over a SHA-256 digest that carries its certificates. */
export function writeTimestampRequest(digest: Uint8Array<ArrayBuffer>, nonce: Uint8Array<ArrayBuffer>) {
  const messageImprint = Object.assign(new MessageImprint(), {
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: idSha256, parameters: null }),
    hashedMessage: new OctetString(digest),
  })
  return writeDer(Object.assign(new TimeStampReq(), { messageImprint, nonce: nonce.buffer, certReq: true }))
}

/**
 * The token of an answer to that request, in DER. Throws DerError for an answer without one, and CmsError for a token over
 * something else or for another request. Whether its authority is to be believed is not judged here.
 */
export function readTimestampAnswer(der: Uint8Array, digest: Uint8Array, nonce: Uint8Array) {
  const { status, timeStampToken } = readDer(der, TimeStampResp)
  // RFC 3161 §2.4.2: granted, or granted with modifications.
  if (status.status > 1 || !timeStampToken) throw new DerError('The authority gave no timestamp')
  const token = writeDer(timeStampToken)
  const { content } = verifyTimestamp(token, (name) => (name === 'sha256' ? digest : new Uint8Array()))
  const echoed = readDer(content, TstInfo).nonce
  if (!echoed || !sameBytes(new Uint8Array(echoed), nonce))
    throw new CmsError('cms-digest', 'The timestamp answers another request')
  return token
}
