import { joined } from '../bytes.ts'
import type { PdfCipher } from './pdf-encryption.ts'

/** The cipher on WebCrypto, which always pads: unpadded output is cut, and unpadded input gets a padding block. */
export const webCipher: PdfCipher = {
  digest: async (bits, bytes) => new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, own(bytes))),
  async encrypt(key, iv, bytes, padded) {
    const encrypted = await encryptPadded(key, iv, bytes)
    return padded ? encrypted : encrypted.slice(0, bytes.length)
  },
  async decrypt(key, iv, bytes, padded) {
    const padding = padded ? [] : [(await encryptPadded(key, bytes.slice(-16), new Uint8Array())).subarray(0, 16)]
    const algorithm = { name: 'AES-CBC', iv: own(iv) }
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, await keyOf(key), joined([bytes, ...padding])))
  },
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
}

/** WebCrypto does not accept memory that may be shared. */
const own = (bytes: Uint8Array) => new Uint8Array(bytes)

const keyOf = (key: Uint8Array) => crypto.subtle.importKey('raw', own(key), 'AES-CBC', false, ['encrypt', 'decrypt'])

async function encryptPadded(key: Uint8Array, iv: Uint8Array, bytes: Uint8Array) {
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv: own(iv) }, await keyOf(key), own(bytes)))
}
