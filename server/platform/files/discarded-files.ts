import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from './db.ts'
import type { DocumentStore } from './ports/ports.ts'

/** Writes down that files are nobody's any more, in the transaction that ends what named them. `keys`: a query of one column. */
export const discardFiles = (tx: Tx, keys: RawBuilder<unknown>) =>
  sql`insert into discarded_files (file) select key from (${keys}) old (key) where key is not null on conflict do nothing`.execute(
    tx,
  )

/** Removes them: first the file, then the row, so that what a crash or a full disk leaves is found by the next one (R87). */
export async function removeDiscarded(db: Db, documents: DocumentStore): Promise<void> {
  const { rows } = await sql<{ file: string }>`select file from discarded_files limit 1000`.execute(db)
  for (const { file } of rows) {
    await documents.remove(file)
    await db.deleteFrom('discarded_files').where('file', '=', file).execute()
  }
}
