import { X509Certificate } from 'node:crypto'
import { cmsSigner, signedAttributes, signedData } from '../../../pki/asn1/cms.ts'
import { readPathCertificate } from '../../../pki/asn1/path-certificate.ts'
import { digestOf, sha256, signatureAlgorithm } from '../../../pki/asn1/signature-algorithm.ts'
import { checkSignature } from '../../../pki/asn1/signature-check.ts'
import { coveredDigest, embedSignature, type PreparedPdf, signatureRoom } from '../../../pki/pades/pades-sign.ts'
import { zip } from '../../../pki/zip.ts'
import type { Ports, SigningCredential, SigningProof } from '../ports.ts'

// Signs a PDF with a key at a signing service, for documents and for agreements of renewals. First `pdfWork.prepare` appends the
// open signature and returns what it covers. After the customer's code, `signPrepared` gets the signature from the service and a
// timestamp from the authority, which is PAdES level B-T. Files that stay in the browser need only `requestSignatures` and
// `timestampAll`. Preparing the same bytes with the same field gives the same digest, so only the digest is stored between the two steps.

/** A PDF with an open signature. */
export type PreparedSignature = PreparedPdf & {
  /** SHA-256 of the decrypted document, in hexadecimal; the SMS shows its first eight digits (R33). */
  sha256: string
  /** SHA-256 of everything that the signature covers. */
  digest: Uint8Array<ArrayBuffer>
}

export const signsRemotely = ({ remoteSigning, timestamps }: Ports): boolean => !!remoteSigning && !!timestamps

type Order = { credential: SigningCredential; description: string; proof?: SigningProof }
type SigningRefusal = 'otp-wrong' | 'pin-wrong' | 'refused' | 'unreachable'

/** A signature by the service, and the timestamp token over it that proves when it was made. */
export type TimestampedSignature = { signature: Uint8Array; timestamp: Uint8Array }

/**
 * Signs a prepared file, or returns why it was not signed. After `unreachable` the service may have signed, but the signature is lost, so
 * only files that may be signed again are signed like this.
 */
export async function signPrepared(
  ports: Ports,
  prepared: PreparedSignature,
  order: Order,
): Promise<Uint8Array<ArrayBuffer> | SigningRefusal> {
  const { credential } = order
  const signatures = await requestSignatures(ports, [attributesOf(prepared, credential)], order)
  if (typeof signatures === 'string') return signatures
  const signed = await timestampAll(ports, signatures)
  return signed === 'unreachable' ? signed : embedSigned(prepared, credential, signed)
}

/** Lets the service sign one or more sets of signed attributes by one authorisation, in their order. */
export async function requestSignatures(
  { remoteSigning, timestamps }: Ports,
  attributes: readonly Uint8Array<ArrayBuffer>[],
  { credential, proof = {}, ...order }: Order,
): Promise<Uint8Array[] | SigningRefusal> {
  if (!remoteSigning || !timestamps) return 'unreachable'
  const { certificate, algorithm } = credential
  const hashes = hashesToSign({ attributes, credential })
  const answer = await remoteSigning.sign({ ...order, credential, proof, hashes })
  if (typeof answer === 'string') return answer
  const pairs = zip(attributes, answer.signatures)
  // Only signatures of this certificate over exactly this are accepted.
  const { key } = readPathCertificate(certificate)
  const scheme = signatureAlgorithm({ asymmetricKeyType: key.kind }, algorithm)
  const areValid = pairs.every(([signed, signature]) => checkSignature(scheme, key, signed, signature) === 'valid')
  return areValid && pairs.length === attributes.length ? answer.signatures : 'refused'
}

type Stamping = {
  /** The tokens that are there already, by the index of their signatures. */
  known?: readonly (Uint8Array | null)[]
  keep?: (index: number, token: Uint8Array) => Promise<void>
}

/** Requests to the timestamp authority that run at the same time. */
const stampsAtOnce = 4

/**
 * Requests a timestamp over each of the signatures, in their order. `keep` gets each new token as it comes. After the first failure no more
 * are requested.
 */
export async function timestampAll(
  { timestamps }: Pick<Ports, 'timestamps'>,
  signatures: readonly Uint8Array[],
  { known = [], keep }: Stamping = {},
): Promise<TimestampedSignature[] | 'unreachable'> {
  if (!timestamps) return 'unreachable'
  const tokens = signatures.map((_, index) => known[index] ?? undefined)
  const missing = [...signatures.entries()].filter(([index]) => !tokens[index])
  let hasFailed = false
  async function stampNext(): Promise<void> {
    const next = hasFailed ? undefined : missing.shift()
    if (!next) return
    const [index, signature] = next
    const token = await timestamps!.stamp(sha256(signature))
    if (token === 'unreachable') hasFailed = true
    else {
      tokens[index] = token
      await keep?.(index, token)
    }
    return stampNext()
  }
  const runs = Array.from({ length: stampsAtOnce }, () =>
    stampNext().catch((error: unknown) => {
      hasFailed = true
      throw error
    }),
  )
  // None is running any more when the caller lets another request sign.
  for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason
  const stamped = signatures.flatMap((signature, index) => {
    const timestamp = tokens[index]
    return timestamp ? [{ signature, timestamp }] : []
  })
  return stamped.length === signatures.length ? stamped : 'unreachable'
}

/** Embeds the first and only signature in the prepared file. */
export function embedSigned(
  prepared: PreparedSignature,
  credential: SigningCredential,
  [signed]: readonly TimestampedSignature[],
): Uint8Array<ArrayBuffer> {
  if (!signed) throw new RangeError('There is no signature')
  const { certificate, algorithm } = credential
  const signer = cmsSigner({ certificate, chain: chainWithoutRoot(credential), algorithm })
  return embedSignature(prepared, signedData(signer, { attributes: attributesOf(prepared, credential), ...signed }))
}

type ToSign = { attributes: readonly Uint8Array[]; credential: SigningCredential }

/** Returns the hashes that the service signs, and that the customer authorises at its page; the same for the same attributes. */
export const hashesToSign = ({ attributes, credential }: ToSign): Uint8Array[] =>
  attributes.map((each) => digestOf(credential.algorithm.digest, each))

export function attributesOf(prepared: PreparedSignature, { certificate, algorithm }: SigningCredential) {
  // The process that prepares files has already made the usual digest.
  const digest = algorithm.digest === 'sha256' ? prepared.digest : coveredDigest(prepared, algorithm.digest)
  return signedAttributes({ digest, certificate })
}

/** Returns the room for a signature by this credential in a file. */
export const signatureRoomOf = ({ certificate, chain, algorithm }: SigningCredential) =>
  signatureRoom({ certificate, chain: chainWithoutRoot({ chain }), algorithm })

/** Returns the chain without roots: a verifier that trusts a root already has it. */
export const chainWithoutRoot = ({ chain }: Pick<SigningCredential, 'chain'>) => chain.filter((der) => !isRoot(der))

function isRoot(certificate: Uint8Array) {
  const { subject, issuer } = new X509Certificate(certificate)
  return subject === issuer
}
