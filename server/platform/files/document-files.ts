import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { KnownForm } from '../../../pki/pades/pades-report.ts'
import { raiseAlarm, type AlarmContext } from '../audit/alarms.ts'
import { type Db, query } from '../database/database.ts'
import { ApiError } from '../api-error.ts'
import { chunksOf, piecesOf, releasingPieces } from './pieces.ts'
import { DocumentTooLarge, StorageFull, StorageUnreachable, type DocumentStore } from '../ports.ts'
import { storageFull } from './documents-store.ts'

/** A complete file of a case. */
export type DocumentFile = { id: string; bytes: number; sha256: string }

/** The key of a case's file in the store. */
export const documentKeyOf = (id: string) => `documents/${id}`

class NotPdfError extends Error {}

/** R43: refuses content at its first bytes if it is not a PDF. */
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
    if (start.compare(first, 0, known, 0, known) !== 0) throw new NotPdfError()
    isPdf = known === start.length
    if (isPdf) yield first
  }
  if (!isPdf) throw new NotPdfError()
}

/** Converts refusals of the store and of `pdfOnly` to the contract's codes. */
function asApiError(portal: AlarmContext, error: unknown): unknown {
  if (error instanceof StorageFull) return storageFull(portal)
  if (error instanceof DocumentTooLarge) return new ApiError('body-too-large')
  return error instanceof NotPdfError ? new ApiError('pdf-required') : error
}

type IncomingFile = {
  caseId: string
  kind: 'document' | 'upload' | 'signed'
  largest?: number
  sourceSha256?: string
  clear?: KnownForm
}

/**
 * Stores a PDF as it arrives, in bounded memory. Until the case refers to it, the tidying removes it, also after a
 * crash (R53).
 */
export async function storeFile(
  portal: AlarmContext,
  { caseId, kind, largest = limits.http.pdfBytes, sourceSha256, clear }: IncomingFile,
  content: Readable,
): Promise<DocumentFile> {
  // Listened for at once, because the sender may disconnect before the content is read.
  const pdf = pdfOnly(content.on('error', () => {}))
  const { db, ports } = portal
  const id = crypto.randomUUID()
  await query(db).run(sql`
    insert into document_files (id, case_id, kind, source_sha256, clear_bytes, clear_sha256)
    values (${id}, ${caseId}, ${kind}, ${sourceSha256 ?? null}, ${clear?.length ?? null}, ${clear?.sha256 ?? null})`)
  try {
    const stored = await ports.documents.write(documentKeyOf(id), releasingPieces(pdf), largest)
    await sql`update document_files set bytes = ${stored.bytes}, sha256 = ${stored.sha256} where id = ${id}`.execute(db)
    return { id, ...stored }
  } catch (error) {
    await deleteRow(db, id)
    throw asApiError(portal, error)
  }
}

/** Reads the provider's PDF into memory. */
export async function readUpload(portal: AlarmContext, content: Readable): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of pdfOnly(content)) {
      bytes += part.length
      if (bytes > limits.http.pdfBytes) throw new DocumentTooLarge()
      parts.push(part)
    }
  } catch (error) {
    throw asApiError(portal, error)
  }
  return Buffer.concat(parts)
}

const deleteRow = (db: Db, id: string) => sql`delete from document_files where id = ${id}`.execute(db)

type Files = { db: Db; ports: { documents: DocumentStore } }

/** Removes the row first: the database refuses that for a file in use, and the rollback restores it if the file stays. */
const removeFile = ({ db, ports }: Files, id: string) =>
  db.transaction().execute(async (tx) => {
    await deleteRow(tx, id)
    await ports.documents.remove(documentKeyOf(id), tx)
  })

/** Removes a file that no case uses. If that fails, the tidying does it later. */
export const dropFile = (files: Files, id: string): Promise<void> => removeFile(files, id).catch(() => {})

/**
 * Opens a file after its hash was checked. If it is damaged or missing, returns undefined and raises an alarm (R54). The file is
 * read twice, because damage at its end must prevent serving its beginning.
 */
export async function openFile(portal: AlarmContext, { id, bytes, sha256 }: DocumentFile) {
  const { documents } = portal.ports
  try {
    const hash = createHash('sha256')
    const first = await documents.read(documentKeyOf(id))
    if (first) for await (const chunk of chunksOf(first.content)) hash.update(chunk)
    const second = first && hash.digest('hex') === sha256 ? await documents.read(documentKeyOf(id)) : undefined
    if (second) return { content: second.content, bytes }
  } catch (error) {
    if (error instanceof StorageUnreachable) throw error
    // Any other error means a damaged file.
  }
  raiseAlarm(portal, { name: 'document-damaged', about: documentKeyOf(id) })
  return undefined
}

/** A whole file; undefined as for `openFile`. */
export async function readFile(portal: AlarmContext, file: DocumentFile): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const opened = await openFile(portal, file)
  if (!opened) return undefined
  const bytes = new Uint8Array(file.bytes)
  let at = 0
  for await (const chunk of chunksOf(opened.content)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** A file for a check, whose stream fails at its end if the file is damaged (R54). */
export function verifiedFile(portal: AlarmContext, { id, bytes, sha256 }: DocumentFile) {
  async function* verified() {
    const hash = createHash('sha256')
    try {
      const stored = await portal.ports.documents.read(documentKeyOf(id))
      if (stored)
        for await (const chunk of chunksOf(stored.content)) {
          hash.update(chunk)
          yield chunk
        }
      if (hash.digest('hex') === sha256) return
    } catch (error) {
      if (error instanceof StorageUnreachable) throw error
      // Any other error means a damaged file.
    }
    raiseAlarm(portal, { name: 'document-damaged', about: documentKeyOf(id) })
    throw new Error('A stored file is damaged.')
  }
  return { content: Readable.from(verified()), bytes }
}

/** Shortly after the time for a confirmation no case can refer to the file any more. */
const orphanAfterSeconds = limits.documents.staged + 180
/** Without a report by then, the process that stored the file has died, and no confirmation can refer to it. */
const unfinishedAfterSeconds = 900

/**
 * Removes files that no case refers to: staged and not confirmed, or left by a crash (R53). With ten minutes between two runs
 * they are gone in less than an hour. Returns whether there may be more.
 */
export async function removeOrphans(db: Db, documents: DocumentStore): Promise<boolean> {
  const batch = 1000
  const rows = await query(db).all(sql<{ id: string }>`
    select f.id from document_files f join document_cases c on c.id = f.case_id
    where f.created_at < portal_now() - make_interval(secs => case when f.verdict is null then ${unfinishedAfterSeconds}::int else ${orphanAfterSeconds}::int end)
      and f.created_at < portal_now() - make_interval(secs => ${unfinishedAfterSeconds})
      and f.id is distinct from c.document_file and f.id is distinct from c.upload_file and f.id is distinct from c.signed_file
    order by f.created_at limit ${batch}`)
  for (const { id } of rows) await removeFile({ db, ports: { documents } }, id)
  return rows.length === batch
}
