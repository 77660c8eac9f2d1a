/** How a signature was made. Without a digest the scheme has its own, as EdDSA does. */
export type SignatureScheme = {
  /** A digest of `digest()`. */
  digest?: string
  /** RSA PSS with this salt, in bytes, and one digest for hash and mask (RFC 8017 §8.1); RSA signatures are PKCS #1 v1.5 otherwise. */
  pss?: { saltLength: number }
  /** Of ECDSA: the two numbers in DER (RFC 3279 §2.2.3) or concatenated (BSI TR-03111 §5.2.1). */
  encoding?: 'der' | 'ieee-p1363'
}

/** A public key of a certificate. Keys of kinds that verify nothing here have a kind only. */
export type PublicKey = {
  /** `rsa`, `rsa-pss`, `ec`, `ed25519`, `ed448`, or that of another key. */
  kind: string
  /** Of the modulus; undefined for other keys than RSA. */
  modulusBits: number | undefined
  /** Its name in OpenSSL, such as `prime256v1`. */
  curve: string | undefined
  /** False for a wrong or malformed signature. May throw for a scheme that does not fit the key. */
  verify: (data: Uint8Array, signature: Uint8Array, scheme: SignatureScheme) => boolean
}

/** Throws for a larger key than any certificate needs: verifying takes the third power of the one, times the other. */
export function requireUsableRsa(modulusBits: number, exponent: bigint): void {
  if (modulusBits > 8192 || exponent > 2n ** 32n) throw new RangeError('The RSA key is not usable')
}
