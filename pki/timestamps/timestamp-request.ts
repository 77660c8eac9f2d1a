import { sameBytes } from '../bytes.ts'
import { CodedError } from '../asn1/coded-error.ts'
import { DerError, readDer, writeDer } from '../asn1/der.ts'
import { idSha256 } from '../asn1/signature-algorithm.ts'
import { TimeStampReq } from './timestamp-structures.ts'

/** The bits of PKIFailureInfo, RFC 3161 §2.4.2. */
export const failureBits = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  systemFailure: 25,
} as const

export type TimestampFailure = keyof typeof failureBits

/** A refused request; the message is sent to the client. */
export class TimestampRequestError extends CodedError<TimestampFailure> {
  override name = 'TimestampRequestError'
}

export type TimestampRequest = {
  /** The DER as received, which the token repeats. */
  imprint: Uint8Array
  /** The octets of its integer. */
  nonce: Uint8Array | undefined
  /** Whether the token should contain its signer's certificate. */
  certReq: boolean
}

/** Collision-resistant digests (ETSI TS 119 312 §5.2), with their lengths in octets. */
const digestLengths: ReadonlyMap<string, number> = new Map([
  [idSha256, 32],
  ['2.16.840.1.101.3.4.2.2', 48],
  ['2.16.840.1.101.3.4.2.3', 64],
  ['2.16.840.1.101.3.4.2.8', 32],
  ['2.16.840.1.101.3.4.2.9', 48],
  ['2.16.840.1.101.3.4.2.10', 64],
])

/** Reads a TimeStampReq for an authority with one policy; throws TimestampRequestError for a refused one. */
export function readTimestampRequest(der: Uint8Array, policy: string): TimestampRequest {
  const { version, messageImprint, reqPolicy, nonce, certReq, extensions } = readStrictly(der)
  if (version !== 1) throw new TimestampRequestError('badRequest', 'Only version 1 is supported')
  // RFC 3161 §2.4.1: an unknown extension is refused, whether critical or not.
  if (extensions) throw new TimestampRequestError('unacceptedExtension', 'No extension is supported')
  const { hashAlgorithm, hashedMessage } = messageImprint
  const length = digestLengths.get(hashAlgorithm.algorithm)
  // RFC 5754 §2: parameters are absent, or NULL in older programs.
  if (length === undefined || (hashAlgorithm.parameters ?? null) !== null)
    throw new TimestampRequestError('badAlg', 'The hash algorithm is not accepted')
  if (hashedMessage.byteLength !== length)
    throw new TimestampRequestError('badDataFormat', 'The hash has the wrong length for its algorithm')
  if (reqPolicy !== undefined && reqPolicy !== policy)
    throw new TimestampRequestError('unacceptedPolicy', 'The policy is not supported')
  return { imprint: writeDer(messageImprint), nonce: nonce && new Uint8Array(nonce), certReq }
}

/** The library reads BER; a request that it would encode differently is not in DER, which RFC 3161 §3 requires. */
function readStrictly(der: Uint8Array) {
  try {
    const request = readDer(der, TimeStampReq)
    const { nonce, extensions } = request
    const canonical = sameBytes(writeDer(request), der) && (!nonce || isShortest(new Uint8Array(nonce)))
    if (!canonical || extensions?.length === 0) throw new DerError('The request is not in DER')
    return request
  } catch (cause) {
    throw new TimestampRequestError('badDataFormat', 'The request is not a TimeStampReq in DER', { cause })
  }
}

/** X.690 §8.3.2: the first nine bits of an integer are not all equal. The library does not check this. */
function isShortest(integer: Uint8Array) {
  const [first, second] = integer
  if (first === undefined || second === undefined) return first !== undefined
  return !(first === 0 && second < 0x80) && !(first === 0xff && second >= 0x80)
}
