import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import type { Db } from './db.ts'
import { seal, unseal, type Keys } from './keys.ts'
import { DocumentTooLarge, type DocumentStore } from './ports/ports.ts'

const chunkBytes = 65_536
const tagBytes = 16

/**
 * A store whose documents rest sealed, each under a key of its own that rests sealed in the database (R83). Rotating the
 * master key touches no file, and a file whose row is gone can be read from no copy of it.
 */
export function sealedDocuments(db: Db, keys: Keys, store: DocumentStore): DocumentStore {
  const place = (document: string) => `document ${document}`
  const forget = (document: string) => db.deleteFrom('document_keys').where('document', '=', document).execute()

  return {
    async write(document, content, maxBytes) {
      // A sender who leaves before the copying listens must not end the process; the copying meets the error again.
      content.on('error', () => {})
      const key = randomBytes(32)
      await db
        .insertInto('document_keys')
        .values({ document, sealed: seal(keys, place(document), key.toString('base64')) })
        .execute()
      const hash = createHash('sha256')
      let bytes = 0
      async function* counted() {
        // A stream that is left early stays open: the sender of too much is still told so, over the same connection.
        for await (const part of content.iterator({ destroyOnReturn: false })) {
          const chunk = Buffer.from(part as Uint8Array)
          bytes += chunk.length
          if (bytes > maxBytes) throw new DocumentTooLarge(`more than ${maxBytes} bytes`)
          hash.update(chunk)
          yield chunk
        }
      }
      try {
        await store.write(document, Readable.from(sealChunks(key, counted())), sealedSize(maxBytes))
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

    async remove(document) {
      await forget(document)
      await store.remove(document)
    },
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

async function* sealChunks(key: Buffer, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let place = 0
  let rest = Buffer.alloc(0)
  const sealed = (chunk: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place++, isLast))
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
  for await (const part of content) {
    rest = Buffer.concat([rest, part])
    // A whole chunk waits until more comes: it may be the last.
    for (; rest.length > chunkBytes; rest = rest.subarray(chunkBytes)) yield sealed(rest.subarray(0, chunkBytes), false)
  }
  yield sealed(rest, true)
}

function openChunks(key: Buffer): Transform {
  let place = 0
  let rest = Buffer.alloc(0)
  const opened = (chunk: Buffer, isLast: boolean) => {
    if (chunk.length < tagBytes) throw new Error('The document was cut.')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(place++, isLast)).setAuthTag(
      chunk.subarray(-tagBytes),
    )
    return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()])
  }
  const whole = chunkBytes + tagBytes
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        rest = Buffer.concat([rest, part])
        for (; rest.length > whole; rest = rest.subarray(whole)) this.push(opened(rest.subarray(0, whole), false))
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        done(null, opened(rest, true))
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
