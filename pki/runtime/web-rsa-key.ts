import { AsnConvert, AsnIntegerArrayBufferConverter, AsnProp, AsnPropTypes } from '@peculiar/asn1-schema'
import { hexOf, joined, sameBytes } from '../bytes.ts'
import { digestNames, PssParameters } from './pss-parameters.ts'
import { requireUsableRsa, type PublicKey } from './public-key.ts'

/** RFC 8017 §A.1.1. */
class RsaPublicKey {
  modulus = new ArrayBuffer(0)
  publicExponent = new ArrayBuffer(0)
}
for (const part of ['modulus', 'publicExponent'])
  AsnProp({ type: AsnPropTypes.Integer, converter: AsnIntegerArrayBufferConverter })(RsaPublicKey.prototype, part)

type Digest = (name: string, bytes: Uint8Array) => Uint8Array

/** DigestInfo up to the digest itself (RFC 8017 §9.2 note 1), by the name of the digest. */
const digestInfoHeads: Partial<Record<string, string>> = {
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
  'sha3-256': '3031300d060960864801650304020805000420',
  'sha3-384': '3041300d060960864801650304020905000430',
  'sha3-512': '3051300d060960864801650304020a05000440',
}

/** Reads an RSAPublicKey (RFC 8017 §A.1.1); throws for one that is malformed or not usable. */
export function readRsaKey(der: Uint8Array, digest: Digest): PublicKey {
  const key = AsnConvert.parse(der, RsaPublicKey)
  const modulus = integerOf(new Uint8Array(key.modulus))
  const exponent = integerOf(new Uint8Array(key.publicExponent))
  const modulusBits = modulus.toString(2).length
  requireUsableRsa(modulusBits, exponent)
  if (modulus % 2n === 0n) throw new RangeError('The RSA key is not usable')
  const size = Math.ceil(modulusBits / 8)
  return {
    kind: 'rsa',
    modulusBits,
    curve: undefined,
    verify(data, signature, { digest: name = '', pss }) {
      const value = integerOf(signature)
      if (signature.length !== size || value >= modulus) return false
      const encoded = bytesOfInteger(power(value, exponent, modulus), size)
      const hashed = digest(name, data)
      return pss
        ? isPss(encoded, modulusBits - 1, hashed, pss.saltLength, (bytes) => digest(name, bytes))
        : isPkcs1(encoded, hashed, name)
    },
  }
}

/** EMSA-PKCS1-v1_5 (RFC 8017 §9.2): the only encoding of the digest is compared as a whole. */
function isPkcs1(encoded: Uint8Array, hashed: Uint8Array, name: string): boolean {
  const info = (digestInfoHeads[name] ?? '') + hexOf(hashed)
  const padding = encoded.length - info.length / 2 - 3
  return padding >= 8 && hexOf(encoded) === `0001${'ff'.repeat(padding)}00${info}`
}

/** EMSA-PSS-VERIFY (RFC 8017 §9.1.2) with one digest for hash and mask. */
function isPss(
  encoded: Uint8Array,
  bits: number,
  hashed: Uint8Array,
  saltLength: number,
  digest: (bytes: Uint8Array) => Uint8Array,
): boolean {
  const size = Math.ceil(bits / 8)
  // The modulus may have one octet more than the encoding, which is zero then.
  if (encoded.length > size && encoded[0] !== 0) return false
  const message = encoded.subarray(encoded.length - size)
  const maskedLength = size - hashed.length - 1
  const paddingLength = maskedLength - saltLength - 1
  if (paddingLength < 0 || message.at(-1) !== 0xbc) return false
  const masked = message.subarray(0, maskedLength)
  const check = message.subarray(maskedLength, size - 1)
  const unusedBits = 8 * size - bits
  if ((masked[0] ?? 0) >> (8 - unusedBits)) return false
  const mask = mgf1(check, maskedLength, digest)
  const block = masked.map((byte, i) => byte ^ (mask[i] ?? 0))
  block[0] = (block[0] ?? 0) & (0xff >> unusedBits)
  if (block.subarray(0, paddingLength).some((byte) => byte !== 0) || block[paddingLength] !== 1) return false
  const salt = block.subarray(paddingLength + 1)
  return sameBytes(digest(joined([new Uint8Array(8), hashed, salt])), check)
}

/** RFC 8017 §B.2.1. */
function mgf1(seed: Uint8Array, length: number, digest: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (let counter = 0, got = 0; got < length; counter++) {
    const part = digest(joined([seed, Uint8Array.of(counter >>> 24, counter >>> 16, counter >>> 8, counter)]))
    parts.push(part)
    got += part.length
  }
  return joined(parts).subarray(0, length)
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

const integerOf = (bytes: Uint8Array) => BigInt(`0x0${hexOf(bytes)}`)

function bytesOfInteger(value: bigint, length: number): Uint8Array {
  const digits = value.toString(16).padStart(2 * length, '0')
  return Uint8Array.from({ length }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}

/** A key that is for PSS only, and if it has parameters, with this digest and at least this salt (RFC 4055 §3.1). */
export function restrictedToPss(key: PublicKey, parameters: ArrayBuffer | null | undefined): PublicKey {
  const restriction = parameters && AsnConvert.parse(parameters, PssParameters)
  const { algorithm = '' } = (restriction && restriction.hashAlgorithm) ?? {}
  return {
    ...key,
    kind: 'rsa-pss',
    verify(data, signature, scheme) {
      const { digest: name, pss } = scheme
      const isAllowed =
        pss && (!restriction || (digestNames.get(algorithm) === name && pss.saltLength >= restriction.saltLength))
      return !!isAllowed && key.verify(data, signature, scheme)
    },
  }
}
