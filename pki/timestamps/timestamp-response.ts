import type { KeyObject } from 'node:crypto'
import { BitString } from '@peculiar/asn1-schema'
import { generalizedTime } from './certificate-write.ts'
import { cmsSigner, signedAttributes, signedData } from './cms.ts'
import { derIdentifier, derValue, writeDer } from './der.ts'
import { sha256, signBytes } from './signature-algorithm.ts'
import { failureBits, type TimestampRefused, type TimestampRequest } from './timestamp-request.ts'
import { FreeText, idTstInfo, PkiStatusInfo, TimeStampResp } from './timestamp-structures.ts'

/** Who signs tokens, made ready once for all of them. */
export type TimestampSigner = ReturnType<typeof timestampSigner>

/** Certificates are DER, the chain without the signer's own; `policy` is the object identifier that tokens are given under. */
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
    // A GeneralName is a choice, so both its tag and its own one are written: tsa [0], directoryName [4].
    tsa: derValue(0xa0, derValue(0xa4, cms.subject)),
  }
}

/** PKIStatus granted, RFC 3161 §2.4.2. */
const granted = writeDer(new PkiStatusInfo())
const rejection = 2

const tokenType = derIdentifier(idTstInfo)
const versionOne = Uint8Array.of(0x02, 0x01, 1)
/** The time is cut to whole seconds, so it may be a second late, and no more (ETSI EN 319 421 §7.7.1). */
const withinOneSecond = derValue(0x30, Uint8Array.of(0x02, 0x01, 1))

/** The answer that brings a token (RFC 3161 §2.4.2). Its serial number is never to be used again. */
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
  // RFC 3161 §2.4.1: without certReq a token carries no certificate.
  return derValue(0x30, granted, signedData(signer.cms, { attributes, signature, content, withCertificates: certReq }))
}

/** The answer that brings none, and says why. */
export function rejectTimestamp({ failure, message }: Pick<TimestampRefused, 'failure' | 'message'>) {
  const status = Object.assign(new PkiStatusInfo(), {
    status: rejection,
    statusString: new FreeText([message]),
    failInfo: oneBit(failureBits[failure]),
  })
  return writeDer(Object.assign(new TimeStampResp(), { status }))
}

/** X.690 §11.2.2: a list of named bits ends with the last one that is set. */
function oneBit(position: number) {
  const bytes = new Uint8Array((position >> 3) + 1)
  bytes[position >> 3] = 0x80 >> (position & 7)
  return new BitString(bytes, 7 - (position & 7))
}

/** A positive integer in the fewest octets whose first bit says that it is positive (X.690 §8.3.2). */
function derInteger(value: bigint) {
  const hex = value.toString(16)
  const whole = hex.padStart(hex.length + (hex.length % 2), '0')
  return derValue(0x02, Buffer.from(Number.parseInt(whole[0]!, 16) > 7 ? `00${whole}` : whole, 'hex'))
}
