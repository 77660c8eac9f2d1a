import { ed448 } from '@noble/curves/ed448.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import * as asn1 from '@peculiar/asn1-schema'
import { SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import { hexOf, joined, sameBytes } from '../bytes.ts'
import { type PublicKey, requireUsableRsa, digestNames, PssParameters } from './public-key.ts'
import { digest } from './web-runtime.ts'

const curves = {
  '1.2.840.10045.3.1.7': { name: 'prime256v1', curve: p256 },
  '1.3.132.0.34': { name: 'secp384r1', curve: p384 },
  '1.3.132.0.35': { name: 'secp521r1', curve: p521 },
  '1.3.36.3.3.2.8.1.1.7': { name: 'brainpoolP256r1', curve: brainpoolP256r1 },
  '1.3.36.3.3.2.8.1.1.11': { name: 'brainpoolP384r1', curve: brainpoolP384r1 },
  '1.3.36.3.3.2.8.1.1.13': { name: 'brainpoolP512r1', curve: brainpoolP512r1 },
}

/** RFC 8017 §A.1.1. */
class RsaPublicKey {
  modulus = new ArrayBuffer(0)
  publicExponent = new ArrayBuffer(0)
}
for (const part of ['modulus', 'publicExponent'])
  asn1.AsnProp({ type: asn1.AsnPropTypes.Integer, converter: asn1.AsnIntegerArrayBufferConverter })(
    RsaPublicKey.prototype,
    part,
  )

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
function readRsaKey(der: Uint8Array): PublicKey {
  const key = asn1.AsnConvert.parse(der, RsaPublicKey)
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
      return pss ? isPss(encoded, modulusBits - 1, hashed, pss.saltLength, name) : isPkcs1(encoded, hashed, name)
    },
  }
}

/** Checks an EMSA-PKCS1-v1_5 encoding (RFC 8017 §9.2): the only possible encoding of the digest is compared as a whole. */
function isPkcs1(encoded: Uint8Array, hashed: Uint8Array, name: string): boolean {
  const info = (digestInfoHeads[name] ?? '') + hexOf(hashed)
  const padding = encoded.length - info.length / 2 - 3
  return padding >= 8 && hexOf(encoded) === `0001${'ff'.repeat(padding)}00${info}`
}

/** Checks a PSS encoding by EMSA-PSS-VERIFY (RFC 8017 §9.1.2) with one digest for hash and mask. */
function isPss(encoded: Uint8Array, bits: number, hashed: Uint8Array, saltLength: number, name: string): boolean {
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
  const mask = mgf1(check, maskedLength, name)
  const block = masked.map((byte, i) => byte ^ (mask[i] ?? 0))
  block[0] = (block[0] ?? 0) & (0xff >> unusedBits)
  if (block.subarray(0, paddingLength).some((byte) => byte !== 0) || block[paddingLength] !== 1) return false
  const salt = block.subarray(paddingLength + 1)
  return sameBytes(digest(name, joined([new Uint8Array(8), hashed, salt])), check)
}

/** Generates a mask by MGF1 (RFC 8017 §B.2.1). */
function mgf1(seed: Uint8Array, length: number, name: string): Uint8Array {
  const parts: Uint8Array[] = []
  for (let counter = 0, got = 0; got < length; counter++) {
    const part = digest(name, joined([seed, Uint8Array.of(counter >>> 24, counter >>> 16, counter >>> 8, counter)]))
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

/** Restricts a key to PSS and, if it has parameters, to this digest and at least this salt (RFC 4055 §3.1). */
function restrictedToPss(key: PublicKey, parameters: ArrayBuffer | null | undefined): PublicKey {
  const restriction = parameters && asn1.AsnConvert.parse(parameters, PssParameters)
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

/** Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7); throws for one that is malformed. */
export function readPublicKey(spki: Uint8Array): PublicKey {
  const { algorithm, subjectPublicKey } = asn1.AsnConvert.parse(spki, SubjectPublicKeyInfo)
  const bits = new Uint8Array(subjectPublicKey)
  switch (algorithm.algorithm) {
    case '1.2.840.113549.1.1.1':
      return readRsaKey(bits)
    case '1.2.840.113549.1.1.10':
      return restrictedToPss(readRsaKey(bits), algorithm.parameters)
    case '1.2.840.10045.2.1':
      return ellipticKey(bits, algorithm.parameters)
    case '1.3.101.112':
      return edwardsKey('ed25519', (signature, data) => ed25519.verify(signature, data, bits, { zip215: false }))
    case '1.3.101.113':
      return edwardsKey('ed448', (signature, data) => ed448.verify(signature, data, bits, { zip215: false }))
    default:
      return { kind: 'unknown', modulusBits: undefined, curve: undefined, verify: () => false }
  }
}

/** Curves are named; keys with parameters of their own are refused (RFC 5480 §2.1.1). */
class CurveIdentifier {
  value = ''
}
asn1.AsnType({ type: asn1.AsnTypeTypes.Choice })(CurveIdentifier)
asn1.AsnProp({ type: asn1.AsnPropTypes.ObjectIdentifier })(CurveIdentifier.prototype, 'value')

function ellipticKey(bits: Uint8Array, parameters: ArrayBuffer | null | undefined): PublicKey {
  const id = asn1.AsnConvert.parse(parameters ?? new ArrayBuffer(), CurveIdentifier).value
  const known = (curves as Partial<Record<string, (typeof curves)['1.2.840.10045.3.1.7']>>)[id]
  known?.curve.Point.fromBytes(bits)
  return {
    kind: 'ec',
    modulusBits: undefined,
    curve: known?.name,
    verify(data, signature, { digest: name = '', encoding }) {
      const format = encoding === 'ieee-p1363' ? 'compact' : 'der'
      const options = { prehash: false, lowS: false, format } as const
      return known?.curve.verify(signature, digest(name, data), bits, options) ?? false
    },
  }
}

function edwardsKey(kind: string, verify: (signature: Uint8Array, data: Uint8Array) => boolean): PublicKey {
  return { kind, modulusBits: undefined, curve: undefined, verify: (data, signature) => verify(signature, data) }
}

/** Computes the SHA-256 of a whole certificate, hexadecimal, upper case. */
export const fingerprintOf = (der: Uint8Array): string => hexOf(digest('sha256', der)).toUpperCase()
