import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { KnownForm } from '../../pki/pades/pades-report.ts'
import type { AlarmContext } from '../platform/audit/alarms.ts'
import { type Db, query } from '../platform/database/database.ts'
import { type StoredPdf, writePdf } from '../platform/files/stored-pdfs.ts'
import type { DocumentStore } from '../platform/ports.ts'

export type DocumentFile = { id: string; bytes: number; sha256: string }

export const documentKeyOf = (id: string) => `documents/${id}`

export const storedAs = ({ id, bytes, sha256 }: DocumentFile): StoredPdf => ({ key: documentKeyOf(id), bytes, sha256 })

type IncomingFile = {
  caseId: string
  kind: 'document' | 'upload' | 'signed'
  largest?: number
  sourceSha256?: string
  clear?: KnownForm
}

/**
 * Stores a PDF as it arrives. Until the case refers to it, the tidying removes it, also after a crash (R53).
 */
export async function storeFile(
  portal: AlarmContext,
  { caseId, kind, largest, sourceSha256, clear }: IncomingFile,
  content: Readable,
): Promise<DocumentFile> {
  // Listened for at once, because the sender may disconnect before the content is read.
  content.on('error', () => {})
  const { db } = portal
  const id = crypto.randomUUID()
  await query(db).run(sql`
    insert into document_files (id, case_id, kind, source_sha256, clear_bytes, clear_sha256)
    values (${id}, ${caseId}, ${kind}, ${sourceSha256 ?? null}, ${clear?.length ?? null}, ${clear?.sha256 ?? null})`)
  try {
    const { bytes, sha256 } = await writePdf(portal, documentKeyOf(id), content, largest)
    await query(db).run(sql`update document_files set bytes = ${bytes}, sha256 = ${sha256} where id = ${id}`)
    return { id, bytes, sha256 }
  } catch (error) {
    await deleteRow(db, id)
    throw error
  }
}

const deleteRow = (db: Db, id: string) => query(db).run(sql`delete from document_files where id = ${id}`)

type Files = { db: Db; ports: { documents: DocumentStore } }

/** Removes the row first: the database refuses that for a file in use, and the rollback restores it if the file stays. */
const removeFile = ({ db, ports }: Files, id: string) =>
  db.transaction().execute(async (tx) => {
    await deleteRow(tx, id)
    await ports.documents.remove(documentKeyOf(id), tx)
  })

/** Removes a file that no case uses. If that fails, the tidying does it later. */
export const removeUnusedFile = (files: Files, id: string): Promise<void> => removeFile(files, id).catch(() => {})

/** The age of a file, shortly after the time for a confirmation, at which no case can refer to it any more. */
const orphanAfterSeconds = limits.documents.staged + 180
/** Time limit for a report: without one by then, the process that stored the file has died, and no confirmation can refer to the file. */
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
