import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import type { KnownForm } from '../pki/pades-report.ts'
import { raiseAlarm } from './alarms.ts'
import type { Db } from './db.ts'
import { Failed } from './failure.ts'
import { storageFull } from './storage-full.ts'
import { piecesOf, usedUp } from './pieces.ts'
import type { Portal } from './portal.ts'
import { DocumentTooLarge, StorageFull, StorageUnreachable, type DocumentStore } from './ports/ports.ts'

/** A whole file of a case. */
export type DocumentFile = { id: string; bytes: number; sha256: string }

/** Under which name the store has a file of a case. */
export const documentKeyOf = (id: string) => `documents/${id}`

class NotPdf extends Error {}

/** R43: what does not begin as a PDF is refused with its first bytes. */
async function* pdfOnly(content: Readable): AsyncGenerator<Uint8Array> {
  const start = Buffer.from('%PDF-')
  let first: Uint8Array = Buffer.alloc(0)
  let isPdf = false
  for await (const part of piecesOf(content)) {
    if (isPdf) {
      yield part
      continue
    }
    first = Buffer.concat([first, part])
    const known = Math.min(start.length, first.length)
    if (start.compare(first, 0, known, 0, known) !== 0) throw new NotPdf()
    isPdf = known === start.length
    if (isPdf) yield first
  }
  if (!isPdf) throw new NotPdf()
}

/** What the store and the look at the first bytes refuse, in the contract's codes. */
function inCodes(portal: Portal, error: unknown): unknown {
  if (error instanceof StorageFull) return storageFull(portal)
  if (error instanceof DocumentTooLarge) return new Failed('body-too-large')
  return error instanceof NotPdf ? new Failed('pdf-required') : error
}

type Arrival = {
  caseId: string
  kind: 'document' | 'upload' | 'signed'
  largest?: number
  sourceSha256?: string
  clear?: KnownForm
}

/**
 * Keeps a PDF as it arrives, in bounded memory: its pieces are used up. The case does not name it yet: until then it is the housekeeping's to
 * remove, wherever a crash leaves it (R53).
 */
export async function storeFile(
  portal: Portal,
  { caseId, kind, largest = limits.http.pdfBytes, sourceSha256, clear }: Arrival,
  content: Readable,
): Promise<DocumentFile> {
  // From now on, though it is read later: its sender may leave before.
  const pdf = pdfOnly(content.on('error', () => {}))
  const { db, ports } = portal
  const id = crypto.randomUUID()
  await db
    .insertInto('document_files')
    .values({
      id,
      case_id: caseId,
      kind,
      source_sha256: sourceSha256 ?? null,
      clear_bytes: clear?.length ?? null,
      clear_sha256: clear?.sha256 ?? null,
    })
    .execute()
  try {
    const stored = await ports.documents.write(documentKeyOf(id), usedUp(pdf), largest)
    await db.updateTable('document_files').set(stored).where('id', '=', id).execute()
    return { id, ...stored }
  } catch (error) {
    await db.deleteFrom('document_files').where('id', '=', id).execute()
    throw inCodes(portal, error)
  }
}

/** The provider's PDF, which is worked on as a whole. */
export async function readArriving(portal: Portal, content: Readable): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of pdfOnly(content)) {
      bytes += part.length
      if (bytes > limits.http.pdfBytes) throw new DocumentTooLarge()
      parts.push(part)
    }
  } catch (error) {
    throw inCodes(portal, error)
  }
  return Buffer.concat(parts)
}

type Files = { db: Db; ports: { documents: DocumentStore } }

/** The row goes first, which the database refuses for a file that a case names, and comes back if the file stays. */
const removeFile = ({ db, ports }: Files, id: string) =>
  db.transaction().execute(async (tx) => {
    await tx.deleteFrom('document_files').where('id', '=', id).execute()
    await ports.documents.remove(documentKeyOf(id), tx)
  })

/** Removes a file that no case names. What cannot be removed now, or was named after all, is left to the housekeeping. */
export const dropFile = (files: Files, id: string): Promise<void> => removeFile(files, id).catch(() => {})

/**
 * Opens a file after it was read once and found to be what was received; undefined, and an alarm, if it is not or is gone
 * (R54). Read twice, because what is wrong at the end must keep the beginning from being served.
 */
export async function openFile(portal: Portal, { id, bytes, sha256 }: DocumentFile) {
  const { documents } = portal.ports
  try {
    const hash = createHash('sha256')
    const first = await documents.read(documentKeyOf(id))
    if (first) for await (const part of first.content) hash.update(part as Buffer)
    const again = first && hash.digest('hex') === sha256 ? await documents.read(documentKeyOf(id)) : undefined
    if (again) return { content: again.content, bytes }
  } catch (error) {
    if (error instanceof StorageUnreachable) throw error
    // Whatever else kept it from being read, it is not to be served.
  }
  raiseAlarm(portal, { name: 'document-damaged', about: documentKeyOf(id) })
  return undefined
}

/** A file as a whole; undefined as `openFile`. */
export async function readFile(portal: Portal, file: DocumentFile): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const opened = await openFile(portal, file)
  if (!opened) return undefined
  const bytes = new Uint8Array(file.bytes)
  let at = 0
  for await (const part of opened.content) {
    bytes.set(part as Buffer, at)
    at += (part as Buffer).length
  }
  return bytes
}

/** A file on its way to a check, which is told at its end if it is not what was received (R54). */
export function passFile(portal: Portal, { id, bytes, sha256 }: DocumentFile) {
  async function* proven() {
    const hash = createHash('sha256')
    try {
      const stored = await portal.ports.documents.read(documentKeyOf(id))
      if (stored)
        for await (const part of stored.content) {
          hash.update(part as Buffer)
          yield part as Buffer
        }
      if (hash.digest('hex') === sha256) return
    } catch (error) {
      if (error instanceof StorageUnreachable) throw error
      // Whatever else kept it from being read, it is not what was received.
    }
    raiseAlarm(portal, { name: 'document-damaged', about: documentKeyOf(id) })
    throw new Error('A stored file is not what was received.')
  }
  return { content: Readable.from(proven()), bytes }
}

/** A little later than a confirmation is taken nothing can name the file any more. */
const orphanAfter = limits.documents.staged + 180
/** What has no report by then is of a process that died: no confirmation can ever name it. */
const brokenAfter = 900

/**
 * Removes what was staged and not confirmed, and what a crash has left: files that no case names (R53). With the ten minutes
 * between two runs it takes less than an hour. Tells whether there may be more.
 */
export async function removeOrphans(db: Db, documents: DocumentStore): Promise<boolean> {
  const most = 1000
  const { rows } = await sql<{ id: string }>`
    select f.id from document_files f join document_cases c on c.id = f.case_id
    where f.created_at < portal_now() - make_interval(secs => case when f.verdict is null then ${brokenAfter}::int else ${orphanAfter}::int end)
      and f.created_at < portal_now() - make_interval(secs => ${brokenAfter})
      and f.id is distinct from c.document_file and f.id is distinct from c.upload_file and f.id is distinct from c.signed_file
    order by f.created_at limit ${most}`.execute(db)
  for (const { id } of rows) await removeFile({ db, ports: { documents } }, id)
  return rows.length === most
}
