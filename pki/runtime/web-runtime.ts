import { cbc } from '@noble/ciphers/aes.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256, sha3_384, sha3_512, shake256_64 } from '@noble/hashes/sha3.js'
import { Inflate } from 'pako'
import { joined, type RunningDigest } from '../bytes.ts'

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
  shake256: shake256_64,
}

const own = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)

function hashOf(name: string) {
  const found = hashes[name]
  if (!found) throw new TypeError(`The digest ${name} is unknown`)
  return found
}

/**
 * Computes the digest of bytes; the name is `sha1`, `sha256`, `sha384`, `sha512`, `sha3-256`, `sha3-384`, `sha3-512` or `shake256` (512
 * bits).
 */
export function digest(name: string, bytes: Uint8Array): Bytes {
  return own(hashOf(name)(bytes))
}

export const runningDigest = (name: string): RunningDigest => running(hashOf(name).create())

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

/**
 * Encrypts with AES in CBC mode; the key's length selects the variant. `padded` means PKCS #7 padding, otherwise the data are whole blocks
 * of 16 bytes.
 */
export const encryptAes = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean): Bytes =>
  cbc(key, iv, { disablePadding: !padded }).encrypt(bytes)

/** Decrypts the result of `encryptAes`; throws for incomplete blocks and wrong padding. */
export const decryptAes = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean): Bytes =>
  cbc(key, iv, { disablePadding: !padded }).decrypt(bytes)

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

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
