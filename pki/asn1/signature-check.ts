import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { type PublicKey, digestNames, idMgf1, PssParameters, idRsaPss } from '../runtime/public-key.ts'
import { DerError, readDer } from './der.ts'

/** A signature scheme; without a digest, another part of the message names it. */
type Scheme = { kinds: string[]; digest?: string; encoding?: 'ieee-p1363'; pss?: true; own?: 'any' | 'shake256' }

const rsa = ['rsa']
const ec = ['ec']
const schemes: Record<string, Scheme> = {
  '1.2.840.113549.1.1.1': { kinds: rsa },
  [idRsaPss]: { kinds: ['rsa', 'rsa-pss'], pss: true },
  '1.2.840.113549.1.1.11': { kinds: rsa, digest: 'sha256' },
  '1.2.840.113549.1.1.12': { kinds: rsa, digest: 'sha384' },
  '1.2.840.113549.1.1.13': { kinds: rsa, digest: 'sha512' },
  '2.16.840.1.101.3.4.3.14': { kinds: rsa, digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.15': { kinds: rsa, digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.16': { kinds: rsa, digest: 'sha3-512' },
  '1.2.840.10045.4.3.2': { kinds: ec, digest: 'sha256' },
  '1.2.840.10045.4.3.3': { kinds: ec, digest: 'sha384' },
  '1.2.840.10045.4.3.4': { kinds: ec, digest: 'sha512' },
  '2.16.840.1.101.3.4.3.10': { kinds: ec, digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.11': { kinds: ec, digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.12': { kinds: ec, digest: 'sha3-512' },
  // BSI TR-03111 §5.2.1: the two numbers of ECDSA, concatenated.
  '0.4.0.127.0.7.1.1.4.1.3': { kinds: ec, digest: 'sha256', encoding: 'ieee-p1363' },
  '0.4.0.127.0.7.1.1.4.1.4': { kinds: ec, digest: 'sha384', encoding: 'ieee-p1363' },
  '0.4.0.127.0.7.1.1.4.1.5': { kinds: ec, digest: 'sha512', encoding: 'ieee-p1363' },
  // The message's digest is not part of the signature. RFC 8419 §3.1: with Ed448 it is SHAKE256.
  '1.3.101.112': { kinds: ['ed25519'], own: 'any' },
  '1.3.101.113': { kinds: ['ed448'], own: 'shake256' },
}

function pssDigest({ hashAlgorithm, maskGenAlgorithm, trailerField }: PssParameters) {
  const mask = maskGenAlgorithm?.parameters && readDer(new Uint8Array(maskGenAlgorithm.parameters), AlgorithmIdentifier)
  const digest = digestNames.get(hashAlgorithm?.algorithm ?? '')
  // OpenSSL uses one digest for hash and mask, as all current signers do.
  const isSameDigest = maskGenAlgorithm?.algorithm === idMgf1 && mask?.algorithm === hashAlgorithm?.algorithm
  return isSameDigest && trailerField === 1 ? digest : undefined
}

export type SignatureVerdict = 'valid' | 'wrong' | 'unknown-algorithm' | 'other-digest'

/**
 * Verifies a signature over `data` with its algorithm. `digest` is the one that the message names: a scheme with another
 * digest does not match, so that the parts of a message cannot contradict each other.
 */
export function checkSignature(
  { algorithm, parameters }: AlgorithmIdentifier,
  key: PublicKey,
  data: Uint8Array,
  signature: Uint8Array,
  digest?: string,
): SignatureVerdict {
  const scheme = schemes[algorithm]
  if (!scheme?.kinds.includes(key.kind)) return 'unknown-algorithm'
  try {
    const pss = scheme.pss && readDer(new Uint8Array(parameters ?? new ArrayBuffer(0)), PssParameters)
    const named = pss ? pssDigest(pss) : (scheme.digest ?? (scheme.own === 'shake256' ? scheme.own : undefined))
    if (digest !== undefined && named !== undefined && named !== digest) return 'other-digest'
    const used = named ?? digest
    if (!scheme.own && (used === undefined || (pss && named === undefined))) return 'unknown-algorithm'
    const options = {
      ...(!scheme.own && used !== undefined && { digest: used }),
      ...(scheme.encoding && { encoding: scheme.encoding }),
      ...(pss && { pss: { saltLength: pss.saltLength } }),
    }
    return key.verify(data, signature, options) ? 'valid' : 'wrong'
  } catch (error) {
    if (error instanceof DerError) return 'unknown-algorithm'
    // Malformed signatures may throw.
    return 'wrong'
  }
}

/** Checks whether a key is strong enough (ETSI TS 119 312 §6.2); curves need 256 bits or more. */
export function isStrongKey({ kind, modulusBits = 0, curve = '' }: PublicKey) {
  if (kind === 'rsa' || kind === 'rsa-pss') return modulusBits >= 2048
  return kind === 'ed25519' || kind === 'ed448' || strongCurves.has(curve)
}

const strongCurves = new Set([
  'prime256v1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
])
