import { AsnProp, AsnPropTypes } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'

/** Details of how a signature was made. Without a digest the scheme has its own, as EdDSA does. */
export type SignatureScheme = {
  /** A digest of `digest()`. */
  digest?: string
  /** RSA PSS with this salt, in bytes, and one digest for hash and mask (RFC 8017 §8.1); RSA signatures are PKCS #1 v1.5 otherwise. */
  pss?: { saltLength: number }
  /** Encoding of an ECDSA signature: its two numbers in DER (RFC 3279 §2.2.3) or concatenated (BSI TR-03111 §5.2.1). */
  encoding?: 'der' | 'ieee-p1363'
}

/** A public key of a certificate. Keys of kinds that verify nothing here have a kind only. */
export type PublicKey = {
  /** `rsa`, `rsa-pss`, `ec`, `ed25519`, `ed448`, or that of another key. */
  kind: string
  /** Number of bits of the modulus; undefined for keys other than RSA. */
  modulusBits: number | undefined
  /** Name of the curve in OpenSSL, such as `prime256v1`. */
  curve: string | undefined
  /** Verifies a signature; false for a wrong or malformed one. May throw for a scheme that does not fit the key. */
  verify: (data: Uint8Array, signature: Uint8Array, scheme: SignatureScheme) => boolean
}

/** Throws for a larger key than any certificate needs: verifying takes the third power of the one, times the other. */
export function requireUsableRsa(modulusBits: number, exponent: bigint): void {
  if (modulusBits > 8192 || exponent > 2n ** 32n) throw new RangeError('The RSA key is not usable')
}

/** The digests of ETSI TS 119 312 §5.2: their names by object identifier. */
export const digestNames: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
  ['2.16.840.1.101.3.4.2.8', 'sha3-256'],
  ['2.16.840.1.101.3.4.2.9', 'sha3-384'],
  ['2.16.840.1.101.3.4.2.10', 'sha3-512'],
])

export const idRsaPss = '1.2.840.113549.1.1.10'

/** RFC 4055 §3.1. */
export class PssParameters {
  hashAlgorithm?: AlgorithmIdentifier
  maskGenAlgorithm?: AlgorithmIdentifier
  saltLength = 20
  trailerField = 1
}
AsnProp({ type: AlgorithmIdentifier, context: 0, optional: true })(PssParameters.prototype, 'hashAlgorithm')
AsnProp({ type: AlgorithmIdentifier, context: 1, optional: true })(PssParameters.prototype, 'maskGenAlgorithm')
AsnProp({ type: AsnPropTypes.Integer, context: 2, defaultValue: 20 })(PssParameters.prototype, 'saltLength')
AsnProp({ type: AsnPropTypes.Integer, context: 3, defaultValue: 1 })(PssParameters.prototype, 'trailerField')

export const idMgf1 = '1.2.840.113549.1.1.8'
