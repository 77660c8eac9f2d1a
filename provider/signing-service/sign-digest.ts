import { constants, createECDH, createHash, privateEncrypt, randomBytes, type KeyObject } from 'node:crypto'
import { derInteger } from '../../pki/asn1/certificate-write.ts'
import { derValue } from '../../pki/asn1/der.ts'
import { digestBytes, type SigningAlgorithm, type SigningDigest } from '../../pki/asn1/signature-algorithm.ts'

/** The curves of NIST (FIPS 186-5): the name in OpenSSL, the order of the group, and the identifier (RFC 5480 §2.1.1.1). */
export const curves = {
  'P-256': {
    openssl: 'prime256v1',
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    bits: 256,
    id: '1.2.840.10045.3.1.7',
  },
  'P-384': {
    openssl: 'secp384r1',
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    bits: 384,
    id: '1.3.132.0.34',
  },
  'P-521': {
    openssl: 'secp521r1',
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    bits: 521,
    id: '1.3.132.0.35',
  },
} as const

/**
 * Signs a digest that was computed elsewhere, which node:crypto offers for PKCS #1 v1.5 only. For test keys alone: the time of the
 * arithmetic depends on the key.
 */
export function signDigest(key: KeyObject, digest: Uint8Array, algorithm: SigningAlgorithm): Uint8Array {
  if (digest.length !== digestBytes[algorithm.digest]) throw new RangeError('The digest has another length')
  if (algorithm.scheme === 'ecdsa') return ecdsa(key, digest)
  if (algorithm.scheme === 'rsa-pss') {
    const encoded = pssEncoded(digest, algorithm.digest, key.asymmetricKeyDetails?.modulusLength ?? 0)
    return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded)
  }
  const info = Buffer.concat([Buffer.from(digestInfos[algorithm.digest], 'hex'), digest])
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, info)
}

/** RFC 8017 §9.2, note 1: what precedes a digest in the signed encoding. */
const digestInfos: Record<SigningDigest, string> = {
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
}

/** Encodes a digest for RSA-PSS (RFC 8017 §9.1.1), with a salt as long as the digest; the length of keys is a multiple of 8. */
function pssEncoded(digest: Uint8Array, name: SigningDigest, keyBits: number) {
  const hash = (...parts: Uint8Array[]) => createHash(name).update(Buffer.concat(parts)).digest()
  const salt = randomBytes(digest.length)
  const h = hash(Buffer.alloc(8), digest, salt)
  const block = Buffer.alloc(keyBits / 8 - h.length - 1)
  block[block.length - salt.length - 1] = 1
  salt.copy(block, block.length - salt.length)
  for (let at = 0, counter = 0; at < block.length; counter++) {
    const index = Buffer.alloc(4)
    index.writeUInt32BE(counter)
    for (const byte of hash(h, index)) if (at < block.length) block[at] = block[at++]! ^ byte
  }
  // One bit less than the modulus.
  block[0]! &= 0x7f
  return Buffer.concat([block, h, Buffer.of(0xbc)])
}

/** Signs a digest with ECDSA (FIPS 186-5 §6.4.1), in the encoding of RFC 3279 §2.2.3. */
function ecdsa(key: KeyObject, digest: Uint8Array): Uint8Array {
  const curve = Object.values(curves).find(({ openssl }) => openssl === key.asymmetricKeyDetails?.namedCurve)
  if (!curve) throw new TypeError('The curve is not supported')
  const { order, openssl, bits } = curve
  const secret = numberOf(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'))
  // The leftmost bits, if the digest is longer than the order.
  const excess = Math.max(0, digest.length * 8 - bits)
  const message = numberOf(digest) >> BigInt(excess)
  for (;;) {
    const nonce = createECDH(openssl)
    const point = nonce.generateKeys()
    const r = numberOf(point.subarray(1, 1 + (point.length - 1) / 2)) % order
    const s = (inverse(numberOf(nonce.getPrivateKey()), order) * (message + r * secret)) % order
    if (r && s) return derValue(0x30, derInteger(r), derInteger(s))
  }
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/** Computes a modular inverse by Fermat's little theorem, because the order is prime. */
function inverse(value: bigint, order: bigint) {
  let result = 1n
  let power = value % order
  for (let exponent = order - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * power) % order
    power = (power * power) % order
  }
  return result
}
