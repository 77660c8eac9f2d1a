import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hash,
  randomBytes as randomBuffer,
  type Decipheriv,
  type Hash,
} from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { joined, type RunningDigest } from '../bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

const own = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)

/**
 * Computes the digest of bytes; the name is `sha1`, `sha256`, `sha384`, `sha512`, `sha3-256`, `sha3-384`, `sha3-512` or `shake256` (512
 * bits).
 */
export const digest = (name: string, bytes: Uint8Array): Bytes =>
  name in lengths ? runningDigest(name).update(bytes).digest() : own(hash(name, bytes, 'buffer'))

/** Lengths of digests that can have any length (RFC 8419 §3.1). */
const lengths: Record<string, { outputLength: number }> = { shake256: { outputLength: 64 } }

export const runningDigest = (name: string): RunningDigest => running(createHash(name, lengths[name]), lengths[name])

function running(state: Hash, length?: { outputLength: number }): RunningDigest {
  const digesting: RunningDigest = {
    update(bytes) {
      state.update(bytes)
      return digesting
    },
    copy: () => running(state.copy(length), length),
    digest: () => own(state.digest()),
  }
  return digesting
}

/**
 * Encrypts with AES in CBC mode; the key's length selects the variant. `padded` means PKCS #7 padding, otherwise the data are whole blocks
 * of 16 bytes.
 */
export function encryptAes(key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean): Bytes {
  const aes = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(padded)
  const blocks = aes.update(bytes)
  return padded ? joined([blocks, aes.final()]) : new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.length)
}

/** Decrypts the result of `encryptAes`; throws for incomplete blocks and wrong padding. */
export function decryptAes(key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean): Bytes {
  const plain = decryptBlocks(key, iv, bytes)
  return padded ? unpadded(plain) : plain
}

let cached: { key: Bytes; aes: Decipheriv } | undefined

/**
 * Decrypts whole blocks. One decipher is reused for all strings of a file, because creating it costs more than decrypting a string. In CBC
 * mode a block is decrypted with the previous one, so the vector is fed in as a block whose output is ignored.
 */
function decryptBlocks(key: Uint8Array, iv: Uint8Array, bytes: Uint8Array): Bytes {
  // An incomplete block would stay buffered and become part of the next string.
  if (iv.length !== 16 || bytes.length % 16 !== 0) throw new RangeError('Not whole blocks')
  if (!cached || Buffer.compare(cached.key, key) !== 0)
    cached = { key: own(key), aes: createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(false) }
  cached.aes.update(iv)
  const { buffer, byteOffset, length } = cached.aes.update(bytes)
  return new Uint8Array(buffer, byteOffset, length)
}

/** Removes PKCS #7 padding. */
function unpadded(bytes: Bytes): Bytes {
  const length = bytes.at(-1) ?? 0
  const padding = bytes.subarray(bytes.length - length)
  if (length < 1 || length > 16 || padding.some((byte) => byte !== length)) throw new RangeError('Not padded')
  return bytes.subarray(0, bytes.length - length)
}

export function randomBytes(length: number): Bytes {
  return own(randomBuffer(length))
}

/** Inflates zlib data (RFC 1950) of at most `most` bytes; throws RangeError for more, and another error for damaged data. */
export const inflate = (data: Uint8Array, most: number): Uint8Array => inflateSync(data, { maxOutputLength: most })
