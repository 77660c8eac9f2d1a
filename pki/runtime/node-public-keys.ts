import { constants, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { requireUsableRsa, type PublicKey } from './public-key.ts'

/** Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7); throws for one that is malformed or not usable. */
export function readPublicKey(spki: Uint8Array): PublicKey {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  const { asymmetricKeyType = 'unknown', asymmetricKeyDetails: details } = key
  if (details?.modulusLength) requireUsableRsa(details.modulusLength, details.publicExponent ?? 0n)
  return {
    kind: asymmetricKeyType,
    modulusBits: details?.modulusLength,
    curve: details?.namedCurve,
    verify(data, signature, { digest: name, pss, encoding }) {
      // RFC 8017 §8.1.2: OpenSSL accepts a signature without its leading zero octets.
      if (details?.modulusLength && signature.length !== Math.ceil(details.modulusLength / 8)) return false
      const options = {
        key,
        ...(encoding && { dsaEncoding: encoding }),
        ...(pss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: pss.saltLength }),
      }
      return verify(name ?? null, data, options, signature)
    },
  }
}

/**
 * Computes the SHA-256 of a whole certificate, hexadecimal, upper case. Throws unless OpenSSL can read the certificate; OpenSSL is stricter
 * than the ASN.1 library.
 */
export const fingerprintOf = (der: Uint8Array): string => new X509Certificate(der).fingerprint256.replaceAll(':', '')
