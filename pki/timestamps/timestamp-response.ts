import type { KeyObject } from 'node:crypto'
import { BitString } from '@peculiar/asn1-schema'
import { generalizedTime } from '../asn1/der-time.ts'
import { cmsSigner, signedAttributes, signedData } from '../asn1/cms.ts'
import { derIdentifier, derValue, writeDer } from '../asn1/der.ts'
import { sha256 } from '../asn1/signature-algorithm.ts'
import { signBytes } from '../asn1/sign-bytes.ts'
import { failureBits, type TimestampRequestError, type TimestampRequest } from './timestamp-request.ts'
import { FreeText, idTstInfo, PkiStatusInfo, TimeStampResp } from './timestamp-structures.ts'

/** The signer of tokens, prepared once for all of them. */
export type TimestampSigner = ReturnType<typeof timestampSigner>

/** Certificates are DER, the chain without the signer's own; `policy` is the object identifier of the tokens' policy. */
export function timestampSigner({
  policy,
  certificate,
  chain,
  privateKey,
}: {
  policy: string
  certificate: Uint8Array
  chain: Uint8Array[]
  privateKey: KeyObject
}) {
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

/** A response with a token (RFC 3161 §2.4.2). The serial number must never be reused. */
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

/** A response without a token, with the reason. */
export function rejectTimestamp({ code, message }: Pick<TimestampRequestError, 'code' | 'message'>) {
  const status = Object.assign(new PkiStatusInfo(), {
    status: rejection,
    statusString: new FreeText([message]),
    failInfo: oneBit(failureBits[code]),
  })
  return writeDer(Object.assign(new TimeStampResp(), { status }))
}

/** X.690 §11.2.2: a list of named bits ends with the last bit that is set. */
function oneBit(position: number) {
  const bytes = new Uint8Array((position >> 3) + 1)
  bytes[position >> 3] = 0x80 >> (position & 7)
  return new BitString(bytes, 7 - (position & 7))
}

/** A positive integer in the fewest octets with a leading zero bit (X.690 §8.3.2). */
function derInteger(value: bigint) {
  const hex = value.toString(16)
  const octets = hex.padStart(hex.length + (hex.length % 2), '0')
  return derValue(0x02, Buffer.from(octets >= '8' ? `00${octets}` : octets, 'hex'))
}
