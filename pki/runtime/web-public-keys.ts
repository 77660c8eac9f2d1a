import { ed25519 } from '@noble/curves/ed25519.js'
import { ed448 } from '@noble/curves/ed448.js'
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { AsnConvert, AsnProp, AsnPropTypes, AsnType, AsnTypeTypes } from '@peculiar/asn1-schema'
import { SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import type { PublicKey } from './public-key.ts'
import { readRsaKey, restrictedToPss } from './web-rsa-key.ts'
import { hexOf } from '../bytes.ts'
import { digest } from './web-runtime.ts'

const curves = {
  '1.2.840.10045.3.1.7': { name: 'prime256v1', curve: p256 },
  '1.3.132.0.34': { name: 'secp384r1', curve: p384 },
  '1.3.132.0.35': { name: 'secp521r1', curve: p521 },
  '1.3.36.3.3.2.8.1.1.7': { name: 'brainpoolP256r1', curve: brainpoolP256r1 },
  '1.3.36.3.3.2.8.1.1.11': { name: 'brainpoolP384r1', curve: brainpoolP384r1 },
  '1.3.36.3.3.2.8.1.1.13': { name: 'brainpoolP512r1', curve: brainpoolP512r1 },
}

/** Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7); throws for one that is malformed. */
export function readPublicKey(spki: Uint8Array): PublicKey {
  const { algorithm, subjectPublicKey } = AsnConvert.parse(spki, SubjectPublicKeyInfo)
  const bits = new Uint8Array(subjectPublicKey)
  switch (algorithm.algorithm) {
    case '1.2.840.113549.1.1.1':
      return readRsaKey(bits, digest)
    case '1.2.840.113549.1.1.10':
      return restrictedToPss(readRsaKey(bits, digest), algorithm.parameters)
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
AsnType({ type: AsnTypeTypes.Choice })(CurveIdentifier)
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(CurveIdentifier.prototype, 'value')

function ellipticKey(bits: Uint8Array, parameters: ArrayBuffer | null | undefined): PublicKey {
  const id = AsnConvert.parse(parameters ?? new ArrayBuffer(), CurveIdentifier).value
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
  return {
    kind,
    modulusBits: undefined,
    curve: undefined,
    verify: (data, signature) => verify(signature, data),
  }
}

/** SHA-256 of a whole certificate, hexadecimal, upper case. */
export function fingerprintOf(der: Uint8Array): string {
  return hexOf(digest('sha256', der)).toUpperCase()
}
