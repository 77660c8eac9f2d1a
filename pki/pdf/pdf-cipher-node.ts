import { createCipheriv, createDecipheriv, hash, randomBytes, type Decipheriv } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { joined } from '../bytes.ts'
import { encryptionKey, type PdfCipher } from './pdf-encryption.ts'
import type { Inflate } from './pdf-filter.ts'
import { PdfError } from './pdf-parser.ts'
import { dictionaryAt, openPdf, type Pdf, type PdfSecurity } from './pdf-read.ts'

type Bytes = Uint8Array<ArrayBuffer>

const own = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)

let cached: { key: Bytes; aes: Decipheriv } | undefined

/**
 * One decipher is reused for all strings of a file, because creating it costs more than decrypting a string. In CBC mode
 * a block is decrypted with the previous one, so the vector is fed in as a block whose output is ignored.
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

/** PKCS #7 */
function unpadded(bytes: Bytes): Bytes {
  const length = bytes.at(-1) ?? 0
  const padding = bytes.subarray(bytes.length - length)
  if (length < 1 || length > 16 || padding.some((byte) => byte !== length)) throw new RangeError('Not padded')
  return bytes.subarray(0, bytes.length - length)
}

/** The cipher on node:crypto, which is synchronous. */
export const nodeCipher = {
  digest: (bits, bytes) => own(hash(`sha${bits}`, bytes, 'buffer')),
  encrypt(key, iv, bytes, padded) {
    const aes = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(padded)
    const blocks = aes.update(bytes)
    return padded ? joined([blocks, aes.final()]) : new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.length)
  },
  decrypt(key, iv, bytes, padded) {
    const plain = decryptBlocks(key, iv, bytes)
    return padded ? unpadded(plain) : plain
  },
  random: (length) => own(randomBytes(length)),
} satisfies PdfCipher

/** zlib, which stops after `most` bytes. */
export const nodeInflate: Inflate = (data, most) => inflateSync(data, { maxOutputLength: most })

/** The tools of `pdf-rewrite.ts`. */
export const nodeTools = { cipher: nodeCipher, inflate: nodeInflate }

/** Opens any PDF; an encrypted one needs its password. Throws PdfError `encrypted` without one, `wrong-password` with another. */
export async function openAnyPdf(bytes: Uint8Array, password?: string): Promise<Pdf> {
  const encrypted = openPdf(bytes, { inflate: nodeInflate, unlock: () => undefined })
  if (!encrypted.trailer.has('Encrypt')) return openPdf(bytes, { inflate: nodeInflate })
  if (password === undefined) throw new PdfError('The file is encrypted', 'encrypted')
  const key = await encryptionKey(nodeCipher, dictionaryAt(encrypted, encrypted.trailer, 'Encrypt'), password)
  return openPdf(bytes, { inflate: nodeInflate, unlock: () => securityOf(key) })
}

/** Encrypts and decrypts the parts of a file whose key is known. */
function securityOf(key: Uint8Array): PdfSecurity {
  return {
    encrypt(bytes) {
      const iv = nodeCipher.random(16)
      return joined([iv, nodeCipher.encrypt(key, iv, bytes, true)])
    },
    decrypt(bytes) {
      try {
        return nodeCipher.decrypt(key, bytes.subarray(0, 16), bytes.subarray(16), true)
      } catch (cause) {
        throw new PdfError('An encrypted part is damaged', 'damaged', { cause })
      }
    },
  }
}
