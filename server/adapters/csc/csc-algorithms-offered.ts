import type { KeyObject } from 'node:crypto'
import {
  pssParameters,
  signatureIds,
  signingAlgorithms,
  type SigningAlgorithm,
  type SigningDigest,
} from '../../../pki/asn1/signature-algorithm.ts'
import { idRsaPss } from '../../../pki/runtime/public-key.ts'

/** Algorithms in order of preference. A service that offers only weaker digests than SHA-256 is not used. */
const all: readonly SigningAlgorithm[] = [...signingAlgorithms.values()]

/** Identifiers of keys that sign with any digest; the request names the digest (CSC API §11.10). */
const rsa = '1.2.840.113549.1.1.1'
const ec = '1.2.840.10045.2.1'

/** The parameters of `signatures/signHash` that name an algorithm. */
export type SignAlgorithm = { signAlgo: string; signAlgoParams?: string }

/**
 * Returns the parameters that request an algorithm of a key with these identifiers (§11.5 `key/algo`); undefined if the key does not offer
 * it.
 */
function requestParameters(
  offered: readonly string[],
  { scheme, digest }: SigningAlgorithm,
): SignAlgorithm | undefined {
  if (scheme === 'rsa-pss') {
    const signAlgoParams = Buffer.from(pssParameters(digest)).toString('base64')
    return offered.includes(idRsaPss) ? { signAlgo: idRsaPss, signAlgoParams } : undefined
  }
  const exact = signatureIds[scheme][digest]
  if (offered.includes(exact)) return { signAlgo: exact }
  if (scheme === 'rsa-pkcs1') return offered.includes(rsa) ? { signAlgo: rsa } : undefined
  return offered.includes(ec) ? { signAlgo: exact } : undefined
}

export const offersAny = (offered: readonly string[], accepted = all) =>
  accepted.some((algorithm) => requestParameters(offered, algorithm))

/** The digest whose strength matches the curve (ETSI TS 119 312 §9.3). */
const usualDigests: Record<string, SigningDigest> = {
  secp384r1: 'sha384',
  brainpoolP384r1: 'sha384',
  secp521r1: 'sha512',
  brainpoolP512r1: 'sha512',
}

/** Returns the preferred algorithm that this key can use; undefined if it can use none. */
export function algorithmFor(key: KeyObject, offered: readonly string[], accepted?: readonly SigningAlgorithm[]) {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: { namedCurve = '' } = {} } = key
  const usual = usualDigests[namedCurve]
  const preferred = accepted ?? (usual ? [{ scheme: 'ecdsa' as const, digest: usual }, ...all] : all)
  for (const algorithm of preferred) {
    if ((algorithm.scheme === 'ecdsa') !== (kind === 'ec')) continue
    // RFC 4055 §1.2: such a key signs with PSS only.
    if (kind === 'rsa-pss' && algorithm.scheme !== 'rsa-pss') continue
    const request = requestParameters(offered, algorithm)
    if (request) return { algorithm, request }
  }
  return undefined
}
