import { OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { CmsError } from '../asn1/cms-read.ts'
import { DerError, readDer, writeDer } from '../asn1/der.ts'
import { sameBytes } from '../bytes.ts'
import { idSha256 } from '../asn1/signature-algorithm.ts'
import { MessageImprint, TimeStampReq, TimeStampResp, TstInfo } from './timestamp-structures.ts'
import { verifyTimestamp } from './timestamp-token.ts'

/** A request (RFC 3161 §2.4.1) for a token with certificates over a SHA-256 digest. */
export function writeTimestampRequest(digest: Uint8Array<ArrayBuffer>, nonce: Uint8Array<ArrayBuffer>) {
  const messageImprint = Object.assign(new MessageImprint(), {
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: idSha256, parameters: null }),
    hashedMessage: new OctetString(digest),
  })
  return writeDer(Object.assign(new TimeStampReq(), { messageImprint, nonce: nonce.buffer, certReq: true }))
}

/**
 * The token, in DER, of a response to that request. Throws DerError for a response without one, and CmsError for a token
 * over another digest or for another request. The trust in its authority is not checked here.
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
