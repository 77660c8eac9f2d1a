import { X509Certificate } from 'node:crypto'
import { cmsSigner, signedAttributes, signedData } from '../../../pki/asn1/cms.ts'
import { coveredDigest, embedSignature, type PreparedPdf } from '../../../pki/pades/pades-sign.ts'
import { readPathCertificate } from '../../../pki/asn1/path-certificate.ts'
import { checkSignature } from '../../../pki/asn1/signature-check.ts'
import { digestOf, sha256, signatureAlgorithm } from '../../../pki/asn1/signature-algorithm.ts'
import type { Ports, SigningCredential, SigningProof } from '../ports.ts'

/**
 * Signs a PDF with a key at a signing service, for documents and for agreements of renewals. First `pdfWork.prepare` appends the
 * open signature and returns what it covers. After the customer's code, `signPrepared` gets the signature from the service and a
 * timestamp from the authority, which is PAdES level B-T. Preparing the same bytes with the same field gives the same digest, so
 * only the digest is stored between the two steps.
 */
export type PreparedSignature = PreparedPdf & {
  /** SHA-256 of the decrypted document, in hexadecimal; the SMS shows its first eight digits (R33). */
  sha256: string
  /** SHA-256 of everything that the signature covers. */
  digest: Uint8Array<ArrayBuffer>
}

/** Whether the portal can sign remotely. */
export const signsRemotely = ({ remoteSigning, timestamps }: Ports): boolean => !!remoteSigning && !!timestamps

type Order = { credential: SigningCredential; description: string; proof?: SigningProof }

/** The signed file, or why it was not signed. After `unreachable` the service may have signed, but the signature is lost. */
export async function signPrepared(
  { remoteSigning, timestamps }: Ports,
  prepared: PreparedSignature,
  { credential, proof = {}, ...order }: Order,
): Promise<Uint8Array<ArrayBuffer> | 'otp-wrong' | 'pin-wrong' | 'refused' | 'unreachable'> {
  if (!remoteSigning || !timestamps) return 'unreachable'
  const { certificate, chain, algorithm } = credential
  const attributes = attributesOf(prepared, credential)
  const hash = digestOf(algorithm.digest, attributes)
  const answer = await remoteSigning.sign({ ...order, credential, proof, hash })
  if (typeof answer === 'string') return answer
  const { signature } = answer
  // Only a signature of this certificate over this document is accepted.
  const { key } = readPathCertificate(certificate)
  const scheme = signatureAlgorithm({ asymmetricKeyType: key.kind }, algorithm)
  if (checkSignature(scheme, key, attributes, signature) !== 'valid') return 'refused'
  const timestamp = await timestamps.stamp(sha256(signature))
  if (timestamp === 'unreachable') return 'unreachable'
  const signer = cmsSigner({ certificate, chain: chain.filter((der) => !isRoot(der)), algorithm })
  return embedSignature(prepared, signedData(signer, { attributes, signature, timestamp }))
}

/** What the service signs, and what the customer authorises at its page; the same for the same prepared file. */
export const hashToSign = (prepared: PreparedSignature, credential: SigningCredential): Uint8Array =>
  digestOf(credential.algorithm.digest, attributesOf(prepared, credential))

function attributesOf(prepared: PreparedSignature, { certificate, algorithm }: SigningCredential) {
  // The process that prepares files has already made the usual digest.
  const digest = algorithm.digest === 'sha256' ? prepared.digest : coveredDigest(prepared, algorithm.digest)
  return signedAttributes({ digest, certificate })
}

/** Roots are left out: a verifier that trusts a root already has it, and the space for a signature is small. */
function isRoot(certificate: Uint8Array) {
  const { subject, issuer } = new X509Certificate(certificate)
  return subject === issuer
}
