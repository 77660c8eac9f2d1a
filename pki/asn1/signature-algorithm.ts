import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { runningDigest } from '#runtime'
import { idMgf1, idRsaPss, PssParameters } from '../runtime/public-key.ts'
import { writeDer } from './der.ts'

export const idSha256 = '2.16.840.1.101.3.4.2.1'

/** The digests with which signatures are made (ETSI TS 119 312 §5.2), by their names in node:crypto. */
export type SigningDigest = 'sha256' | 'sha384' | 'sha512'

/** Scheme and digest of a new signature: RSA PKCS #1 v1.5 or PSS (RFC 8017 §8), or ECDSA. */
export type SigningAlgorithm = { scheme: 'rsa-pkcs1' | 'rsa-pss' | 'ecdsa'; digest: SigningDigest }

export const digestIds: Record<SigningDigest, string> = {
  sha256: idSha256,
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
}

export const digestBytes: Record<SigningDigest, number> = { sha256: 32, sha384: 48, sha512: 64 }

const digests: readonly SigningDigest[] = ['sha256', 'sha384', 'sha512']
const schemes = ['rsa-pkcs1', 'rsa-pss', 'ecdsa'] as const

/** The algorithms by their names, such as `rsa-pss-sha256`. */
export const signingAlgorithms: ReadonlyMap<string, SigningAlgorithm> = new Map(
  schemes.flatMap((scheme) => digests.map((digest) => [`${scheme}-${digest}`, { scheme, digest }])),
)

/** RFC 4055 §5 and RFC 5758 §3.2: identifiers that name the scheme and the digest. PSS names its digest in parameters. */
export const signatureIds: Record<'rsa-pkcs1' | 'ecdsa', Record<SigningDigest, string>> = {
  'rsa-pkcs1': { sha256: '1.2.840.113549.1.1.11', sha384: '1.2.840.113549.1.1.12', sha512: '1.2.840.113549.1.1.13' },
  ecdsa: { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha512: '1.2.840.10045.4.3.4' },
}

/** Encodes the parameters of PSS in DER: one digest for hash and mask, and a salt as long as the digest (ETSI TS 119 312 §6.2.2). */
export function pssParameters(digest: SigningDigest): Uint8Array<ArrayBuffer> {
  const hashAlgorithm = new AlgorithmIdentifier({ algorithm: digestIds[digest], parameters: null })
  const mask = new AlgorithmIdentifier({ algorithm: idMgf1, parameters: writeDer(hashAlgorithm).buffer })
  const parameters = { hashAlgorithm, maskGenAlgorithm: mask, saltLength: digestBytes[digest] }
  return writeDer(Object.assign(new PssParameters(), parameters))
}

export function sha256(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return digestOf('sha256', ...parts)
}

export function digestOf(digest: SigningDigest, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const running = runningDigest(digest)
  for (const part of parts) running.update(part)
  return running.digest()
}

/** The part of a key that decides how it signs, private or public. */
export type KeyKind = { asymmetricKeyType?: string | undefined }

/** Returns the algorithm by which a key signs unless another is chosen: with SHA-256. */
export function usualAlgorithm({ asymmetricKeyType }: KeyKind): SigningAlgorithm {
  if (asymmetricKeyType === 'rsa') return { scheme: 'rsa-pkcs1', digest: 'sha256' }
  if (asymmetricKeyType === 'ec') return { scheme: 'ecdsa', digest: 'sha256' }
  throw new TypeError(`No signature algorithm for keys of kind ${asymmetricKeyType}`)
}

/** Returns the algorithm identifier of a signature by this key (RFC 4055 §3 and §5, RFC 5758 §3.2). */
export function signatureAlgorithm(key: KeyKind, { scheme, digest }: SigningAlgorithm = usualAlgorithm(key)) {
  if (scheme === 'rsa-pss')
    return new AlgorithmIdentifier({ algorithm: idRsaPss, parameters: pssParameters(digest).buffer })
  const algorithm = signatureIds[scheme][digest]
  return new AlgorithmIdentifier(scheme === 'ecdsa' ? { algorithm } : { algorithm, parameters: null })
}
