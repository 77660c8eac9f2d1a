import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import type { Db } from './db.ts'
import { seal, unseal, type Keys } from './keys.ts'
import { piecesOf, usedUp } from './pieces.ts'
import { DocumentTooLarge, type DocumentStore } from './ports/ports.ts'

const chunkBytes = 65_536
const tagBytes = 16

/**
 * A store whose documents rest sealed, each under a key of its own that rests sealed in the database (R83). Rotating the
 * master key touches no file, and a file whose row is gone can be read from no copy of it.
 */
export function sealedDocuments(db: Db, keys: Keys, store: DocumentStore): DocumentStore {
  const place = (document: string) => `document ${document}`
  const forget = (document: string, on: Db = db) =>
    on.deleteFrom('document_keys').where('document', '=', document).execute()

  return {
    async write(document, content, maxBytes) {
      const pieces = piecesOf(content)
      const key = randomBytes(32)
      await db
        .insertInto('document_keys')
        .values({ document, sealed: seal(keys, place(document), key.toString('base64')) })
        .execute()
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
        await store.write(document, usedUp(sealChunks(key, counted())), sealedSize(maxBytes))
      } catch (error) {
        await forget(document)
        throw error
      }
      return { bytes, sha256: hash.digest('hex') }
    },

    async read(document) {
      const row = await db
        .selectFrom('document_keys')
        .select('sealed')
        .where('document', '=', document)
        .executeTakeFirst()
      if (!row) return undefined
      // Before the file is open: it would stay so if its key did not open.
      const key = Buffer.from(unseal(keys, place(document), row.sealed), 'base64')
      const file = await store.read(document)
      if (!file) return undefined
      // Whoever reads meets an error of either stream in the second one.
      return { content: pipeline(file.content, openChunks(key), () => {}), bytes: openedSize(file.bytes) }
    },

    async remove(document, tx) {
      await forget(document, tx)
      await store.remove(document)
    },

    removeUnfinished: () => store.removeUnfinished(),
  }
}

const sealedSize = (bytes: number) => bytes + Math.max(1, Math.ceil(bytes / chunkBytes)) * tagBytes
const openedSize = (bytes: number) => bytes - Math.ceil(bytes / (chunkBytes + tagBytes)) * tagBytes

/**
 * The nonce of a chunk: its place, and whether it is the last, so that chunks cannot be moved, left out or cut off the end
 * (STREAM, Hoang, Reyhanitabar, Rogaway and Vizár 2015). The key is this file's alone, so places never come twice.
 */
function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(place, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** One chunk is held, in a place of its own: what is made anew for each piece waits for the collector in hundreds (R42). */
async function* sealChunks(key: Buffer, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const held = Buffer.alloc(chunkBytes)
  let filled = 0
  let place = 0
  function* sealed(isLast: boolean) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place++, isLast))
    yield cipher.update(held.subarray(0, filled))
    cipher.final()
    yield cipher.getAuthTag()
  }
  for await (const part of content)
    for (let at = 0; at < part.length;) {
      // A whole chunk waits until more comes: it may be the last.
      if (filled === chunkBytes) {
        yield* sealed(false)
        filled = 0
      }
      const taken = part.subarray(at, at + chunkBytes - filled)
      held.set(taken, filled)
      filled += taken.length
      at += taken.length
    }
  yield* sealed(true)
}

function openChunks(key: Buffer): Transform {
  const held = Buffer.alloc(chunkBytes + tagBytes)
  let filled = 0
  let place = 0
  const opened = (isLast: boolean) => {
    if (filled < tagBytes) throw new Error('The document was cut.')
    const end = filled - tagBytes
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(place++, isLast)).setAuthTag(
      held.subarray(end, filled),
    )
    const chunk = decipher.update(held.subarray(0, end))
    decipher.final()
    filled = 0
    return chunk
  }
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < part.length;) {
          if (filled === held.length) this.push(opened(false))
          const taken = part.subarray(at, at + held.length - filled)
          held.set(taken, filled)
          filled += taken.length
          at += taken.length
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        done(null, opened(true))
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

/**
 * Documents that a version before 0006 left in clear: each is written sealed under a key of its own name, the row names that
 * one, and only then the clear one goes. A start that was broken off goes on where it stopped.
 */
export async function sealClearDocuments(db: Db, clear: DocumentStore, sealed: DocumentStore): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await db
      .selectFrom('signatures')
      .select(['id', 'agreement_key as key', 'agreement_bytes as bytes'])
      .where('agreement_key', 'is not', null)
      .where('id', '>', after)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('document_keys').select('document').whereRef('document', '=', 'agreement_key'))),
      )
      .orderBy('id')
      .limit(20)
      .execute()
    if (!rows.length) return
    after = rows.at(-1)!.id
    for (const { id, key, bytes } of rows) {
      const file = await clear.read(key!)
      // It is missing for its reader too, who is told so.
      if (!file) continue
      const renamed = `${key!.split('/')[0]}/${crypto.randomUUID()}`
      await sealed.write(renamed, file.content, Number(bytes))
      const { numUpdatedRows } = await db
        .updateTable('signatures')
        .set({ agreement_key: renamed })
        .where('id', '=', id)
        .where('agreement_key', '=', key)
        .executeTakeFirst()
      await (numUpdatedRows ? clear.remove(key!) : sealed.remove(renamed))
    }
  }
}
