import { encryptBytes, encryptionKey, decryptBytes } from './pdf-encryption.ts'
import { PdfError } from './pdf-parser.ts'
import { dictionaryAt, openPdf, type Pdf } from './pdf-read.ts'

/** Opens any PDF; an encrypted one needs its password. Throws PdfError `encrypted` without one, `wrong-password` with another. */
export function openAnyPdf(bytes: Uint8Array, password?: string): Pdf {
  const encrypted = openPdf(bytes, { unlock: () => undefined })
  if (!encrypted.trailer.has('Encrypt')) return openPdf(bytes)
  if (password === undefined) throw new PdfError('The file is encrypted', 'encrypted')
  const key = encryptionKey(dictionaryAt(encrypted, encrypted.trailer, 'Encrypt'), password)
  const security = {
    encrypt: (plain: Uint8Array) => encryptBytes(key, plain),
    decrypt: (data: Uint8Array) => decryptBytes(key, data),
  }
  return openPdf(bytes, { unlock: () => security })
}
