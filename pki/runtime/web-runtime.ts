import { cbc } from '@noble/ciphers/aes.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { ed448 } from '@noble/curves/ed448.js'
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import { AsnConvert, AsnProp, AsnPropTypes, AsnType, AsnTypeTypes } from '@peculiar/asn1-schema'
import { SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import { Inflate } from 'pako'
import { joined } from '../bytes.ts'
import type { PublicKey, RunningDigest } from './public-key.ts'
import { readRsaKey, restrictedToPss } from './rsa-key.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Running = { update: (bytes: Uint8Array) => unknown; digest: () => Uint8Array; clone: () => Running }
type Hash = { (bytes: Uint8Array): Uint8Array; create: () => Running }

const hashes: Record<string, Hash> = {
  sha1,
  sha256,
  sha384,
  sha512,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
}

const own = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)

function hashOf(name: string) {
  const found = hashes[name]
  if (!found) throw new TypeError(`The digest ${name} is unknown`)
  return found
}

/** The digest of bytes; the name is `sha1`, `sha256`, `sha384`, `sha512`, `sha3-256`, `sha3-384` or `sha3-512`. */
export function digest(name: string, bytes: Uint8Array): Bytes {
  return own(hashOf(name)(bytes))
}

export function runningDigest(name: string): RunningDigest {
  return running(hashOf(name).create())
}

function running(state: Running): RunningDigest {
  const digesting: RunningDigest = {
    update(bytes) {
      state.update(bytes)
      return digesting
    },
    copy: () => running(state.clone()),
    digest: () => own(state.digest()),
  }
  return digesting
}

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

/** There is no second parser of certificates in a browser: what the ASN.1 library reads is accepted. */
export function checkCertificate(_: Uint8Array): void {}

/** AES in CBC mode; the key's length selects the variant. `padded` means PKCS #7 padding, otherwise the data are whole blocks of 16 bytes. */
export function encryptAes(key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean): Bytes {
  return cbc(key, iv, { disablePadding: !padded }).encrypt(bytes)
}

/** The same backwards; throws for incomplete blocks and wrong padding. */
export function decryptAes(key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean): Bytes {
  return cbc(key, iv, { disablePadding: !padded }).decrypt(bytes)
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Inflates zlib data (RFC 1950) of at most `most` bytes; throws RangeError for more, and another error for damaged data. */
export function inflate(data: Uint8Array, most: number): Uint8Array {
  const parts: Bytes[] = []
  let length = 0
  const stream = new Inflate({ windowBits: 15 })
  stream.onData = (part) => {
    length += part.length
    if (length > most) throw new RangeError('The data inflate to too much')
    parts.push(part)
  }
  stream.push(data, true)
  if (stream.err || !stream.ended) throw new TypeError(`The data cannot be inflated: ${stream.msg}`)
  return joined(parts)
}
