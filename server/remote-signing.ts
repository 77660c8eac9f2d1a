import { X509Certificate, verify } from 'node:crypto'
import { cmsSigner, signedAttributes, signedData } from '../pki/cms.ts'
import { embedSignature, type PreparedPdf } from '../pki/pades-sign.ts'
import { sha256 } from '../pki/signature-algorithm.ts'
import type { Ports, SigningCredential } from './ports/ports.ts'

/**
 * Signing a PDF with a key at a signing service, for every feature that does (documents in place, agreements of renewals).
 * First `pdfWork.prepare` appends the open signature to the bytes and tells what it covers; then, after the customer's
 * code, `signPrepared` lets the service sign and the timestamp authority stamp it, which is PAdES level B-T. Preparing the
 * same bytes with the same field gives the same digest, so nothing but that has to be kept between the two.
 */
export type PreparedSignature = PreparedPdf & {
  /** SHA-256 of the document in clear, in hexadecimal; its first eight digits stand in the SMS (R33). */
  sha256: string
  /** SHA-256 of all that the signature covers. */
  digest: Uint8Array<ArrayBuffer>
}

/** Whether the portal can sign anything remotely. */
export const signsRemotely = ({ remoteSigning, timestamps }: Ports): boolean => !!remoteSigning && !!timestamps

type Order = { credential: SigningCredential; description: string; otp?: string }

/** The signed file, or why there is none; after `unreachable` the service may have signed, and nobody has the signature. */
export async function signPrepared(
  { remoteSigning, timestamps }: Ports,
  prepared: PreparedSignature,
  { credential, ...order }: Order,
): Promise<Uint8Array<ArrayBuffer> | 'otp-wrong' | 'refused' | 'unreachable'> {
  if (!remoteSigning || !timestamps) return 'unreachable'
  const { certificate, chain } = credential
  const attributes = signedAttributes({ digest: prepared.digest, certificate })
  const answer = await remoteSigning.sign({ ...order, credential, hash: sha256(attributes) })
  if (typeof answer === 'string') return answer
  const { signature } = answer
  // What the service answers is a signature of this certificate over this document, or nothing at all.
  if (!isSignature(certificate, attributes, signature)) return 'refused'
  const timestamp = await timestamps.stamp(sha256(signature))
  if (timestamp === 'unreachable') return 'unreachable'
  const signer = cmsSigner({ certificate, chain: chain.filter((one) => !isRoot(one)) })
  return embedSignature(prepared, signedData(signer, { attributes, signature, timestamp }))
}

function isSignature(certificate: Uint8Array, bytes: Uint8Array, signature: Uint8Array) {
  try {
    return verify('sha256', bytes, new X509Certificate(certificate).publicKey, signature)
  } catch {
    return false
  }
}

/** Everybody who believes a root has it already, and the room for a signature is small. */
function isRoot(certificate: Uint8Array) {
  const { subject, issuer } = new X509Certificate(certificate)
  return subject === issuer
}
