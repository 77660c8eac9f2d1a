import type { KeyObject } from 'node:crypto'
import { BitString } from '@peculiar/asn1-schema'
import { derInteger, signBytes } from '../asn1/certificate-write.ts'
import { cmsSigner, signedAttributes, signedData } from '../asn1/cms.ts'
import { derIdentifier, derValue, writeDer, generalizedTime, DerError, readDer, CodedError } from '../asn1/der.ts'
import { sha256, idSha256 } from '../asn1/signature-algorithm.ts'
import { sameBytes } from '../bytes.ts'
import { FreeText, idTstInfo, PkiStatusInfo, TimeStampResp, TimeStampReq } from './timestamp-structures.ts'

/** The signer of tokens, prepared once for all of them. */
export type TimestampSigner = ReturnType<typeof timestampSigner>

type SignerOptions = { policy: string; certificate: Uint8Array; chain: Uint8Array[]; privateKey: KeyObject }

/**
 * Prepares a signer of tokens. Certificates are DER, the chain without the signer's own; `policy` is the object identifier of the tokens'
 * policy.
 */
export function timestampSigner({ policy, certificate, chain, privateKey }: SignerOptions) {
  const cms = cmsSigner({ certificate, chain })
  return {
    policy,
    privateKey,
    cms,
    policyId: derIdentifier(policy),
    // A GeneralName is a choice, so it is tagged explicitly: tsa [0], directoryName [4].
    tsa: derValue(0xa0, derValue(0xa4, cms.subject)),
  }
}

/** PKIStatus granted, RFC 3161 §2.4.2. */
const granted = writeDer(new PkiStatusInfo())
const rejection = 2

const tokenType = derIdentifier(idTstInfo)
const versionOne = Uint8Array.of(0x02, 0x01, 1)
/** The time is truncated to whole seconds, which is accurate to one second (ETSI EN 319 421 §7.7.1). */
const withinOneSecond = derValue(0x30, Uint8Array.of(0x02, 0x01, 1))

/** The bits of PKIFailureInfo, RFC 3161 §2.4.2. */
const failureBits = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  systemFailure: 25,
} as const

type TimestampFailure = keyof typeof failureBits

/** A refused request; the message is sent to the client. */
export class TimestampRequestError extends CodedError<TimestampFailure> {
  override name = 'TimestampRequestError'
}

type TimestampRequest = {
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

/** Reads a request in DER, which RFC 3161 §3 requires. The library reads BER, so a request that it would encode differently is refused. */
function readStrictly(der: Uint8Array) {
  try {
    const request = readDer(der, TimeStampReq)
    const { nonce, extensions } = request
    const isCanonical = sameBytes(writeDer(request), der) && (!nonce || isShortest(new Uint8Array(nonce)))
    if (!isCanonical || extensions?.length === 0) throw new DerError('The request is not in DER')
    return request
  } catch (cause) {
    throw new TimestampRequestError('badDataFormat', 'The request is not a TimeStampReq in DER', { cause })
  }
}

/**
 * Checks whether an integer has the shortest encoding: its first nine bits are not all equal (X.690 §8.3.2). The library does not check
 * this.
 */
function isShortest(integer: Uint8Array) {
  const [first, second] = integer
  if (first === undefined || second === undefined) return first !== undefined
  return !(first === 0 && second < 0x80) && !(first === 0xff && second >= 0x80)
}

/** Writes a response with a token (RFC 3161 §2.4.2). The serial number must never be reused. */
export function grantTimestamp(
  signer: TimestampSigner,
  { imprint, nonce, certReq }: TimestampRequest,
  { serialNumber, at }: { serialNumber: bigint; at: Date },
) {
  const bytes = derValue(
    0x30,
    versionOne,
    signer.policyId,
    imprint,
    derInteger(serialNumber),
    generalizedTime(at),
    withinOneSecond,
    ...(nonce ? [derValue(0x02, nonce)] : []),
    signer.tsa,
  )
  const { certificate } = signer.cms
  const attributes = signedAttributes({ type: tokenType, digest: sha256(bytes), certificate })
  const signature = signBytes(signer.privateKey, attributes)
  const content = { type: tokenType, bytes }
  // RFC 3161 §2.4.1: without certReq a token contains no certificate.
  return derValue(0x30, granted, signedData(signer.cms, { attributes, signature, content, withCertificates: certReq }))
}

/** Writes a response without a token, with the reason. */
export function rejectTimestamp({ code, message }: Pick<TimestampRequestError, 'code' | 'message'>) {
  const status = Object.assign(new PkiStatusInfo(), {
    status: rejection,
    statusString: new FreeText([message]),
    failInfo: oneBit(failureBits[code]),
  })
  return writeDer(Object.assign(new TimeStampResp(), { status }))
}

/** Encodes a list of named bits, which ends with the last bit that is set (X.690 §11.2.2). */
function oneBit(position: number) {
  const bytes = new Uint8Array((position >> 3) + 1)
  bytes[position >> 3] = 0x80 >> (position & 7)
  return new BitString(bytes, 7 - (position & 7))
}
