import { sql, type RawBuilder } from 'kysely'
import { type Db, type Tx, query } from '../database/database.ts'
import type { DocumentStore } from '../ports.ts'

/** Marks files for removal, in the transaction that removes the references to them. `keys`: a query of one column. */
export const discardFiles = (tx: Tx, keys: RawBuilder<unknown>) =>
  query(tx).run(sql`
    insert into discarded_files (file) select key from (${keys}) old (key) where key is not null on conflict do nothing`)

/** Removes discarded files: first the file, then the row, so that the next run finds what a crash or a full disk left (R87). */
export async function removeDiscarded(db: Db, documents: DocumentStore): Promise<void> {
  for (const { file } of await query(db).all(sql<{ file: string }>`select file from discarded_files limit 1000`)) {
    await documents.remove(file)
    await query(db).run(sql`delete from discarded_files where file = ${file}`)
  }
}
