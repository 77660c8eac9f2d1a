import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import { sql } from 'kysely'
import { query, type Db } from '../database/database.ts'
import { encryptionOf } from '../encrypted-data/encrypted-columns.ts'
import type { Keys } from '../encryption/keys.ts'
import { DocumentTooLarge, type DocumentStore } from '../ports.ts'
import { piecesOf, releasingPieces } from './byte-streams.ts'

const chunkBytes = 65_536
const tagBytes = 16

/**
 * Creates a store that encrypts each document with a key of its own, which is encrypted in the database (R83). A rotation of the master key
 * changes no file, and once the row of its key is gone, no copy of a file can be decrypted.
 */
export function encryptedDocuments(db: Db, keys: Keys, store: DocumentStore): DocumentStore {
  const documentKeys = encryptionOf('document_keys', 'encrypted')
  const removeKey = (document: string, on: Db = db) =>
    query(on).run(sql`delete from document_keys where document = ${document}`)

  return {
    async write(document, content, maxBytes) {
      const pieces = piecesOf(content)
      const key = randomBytes(32)
      const encryptedKey = documentKeys.encrypt(keys, document, key.toString('base64'))
      await query(db).run(sql`insert into document_keys (document, encrypted) values (${document}, ${encryptedKey})`)
      const hash = createHash('sha256')
      let bytes = 0
      async function* counted() {
        for await (const part of pieces) {
          bytes += part.length
          if (bytes > maxBytes) throw new DocumentTooLarge(`more than ${maxBytes} bytes`)
          hash.update(part)
          yield part
        }
      }
      try {
        await store.write(document, releasingPieces(encryptChunks(key, counted())), encryptedSize(maxBytes))
      } catch (error) {
        await removeKey(document)
        throw error
      }
      return { bytes, sha256: hash.digest('hex') }
    },

    async read(document) {
      const row = await query(db).first(sql<{ encrypted: Buffer }>`
        select encrypted from document_keys where document = ${document}`)
      if (!row) return undefined
      // The key is decrypted before the file is opened: if that fails, no file stays open.
      const key = Buffer.from(documentKeys.decrypt(keys, document, row.encrypted), 'base64')
      const file = await store.read(document)
      if (!file) return undefined
      // An error of either stream reaches the reader by the second one.
      return { content: pipeline(file.content, decryptChunks(key), () => {}), bytes: decryptedSize(file.bytes) }
    },

    async remove(document, tx) {
      await removeKey(document, tx)
      await store.remove(document)
    },

    removeUnfinished: () => store.removeUnfinished(),
  }
}

const encryptedSize = (bytes: number) => bytes + Math.max(1, Math.ceil(bytes / chunkBytes)) * tagBytes
const decryptedSize = (bytes: number) => bytes - Math.ceil(bytes / (chunkBytes + tagBytes)) * tagBytes

/**
 * Returns the nonce of a chunk: its number, and whether it is the last, so that chunks cannot be moved, omitted or cut off the end (STREAM,
 * Hoang, Reyhanitabar, Rogaway and Vizár 2015). Each file has its own key, so nonces never repeat.
 */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(chunk, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Encrypts a document in chunks. One buffer is reused for all chunks: new buffers would pile up until they are collected (R42). */
async function* encryptChunks(key: Buffer, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(chunkBytes)
  let filled = 0
  let chunkNumber = 0
  function* encrypted(isLast: boolean) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(chunkNumber++, isLast))
    yield cipher.update(buffer.subarray(0, filled))
    cipher.final()
    yield cipher.getAuthTag()
  }
  for await (const part of content)
    for (let at = 0; at < part.length;) {
      // A full chunk waits for the next piece, because it may be the last.
      if (filled === chunkBytes) {
        yield* encrypted(false)
        filled = 0
      }
      const taken = part.subarray(at, at + chunkBytes - filled)
      buffer.set(taken, filled)
      filled += taken.length
      at += taken.length
    }
  yield* encrypted(true)
}

function decryptChunks(key: Buffer): Transform {
  const buffer = Buffer.alloc(chunkBytes + tagBytes)
  let filled = 0
  let chunkNumber = 0
  const decrypted = (isLast: boolean) => {
    if (filled < tagBytes) throw new Error('The document is truncated.')
    const end = filled - tagBytes
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(chunkNumber++, isLast)).setAuthTag(
      buffer.subarray(end, filled),
    )
    const chunk = decipher.update(buffer.subarray(0, end))
    decipher.final()
    filled = 0
    return chunk
  }
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < part.length;) {
          if (filled === buffer.length) this.push(decrypted(false))
          const taken = part.subarray(at, at + buffer.length - filled)
          buffer.set(taken, filled)
          filled += taken.length
          at += taken.length
        }
        done()
      } catch (error) {
        done(asError(error))
      }
    },
    flush(done) {
      try {
        done(null, decrypted(true))
      } catch (error) {
        done(asError(error))
      }
    },
  })
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
