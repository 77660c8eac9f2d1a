import type { AlarmContext } from '../audit/alarms.ts'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { ApiError } from '../api-error.ts'
import { type Tx, query } from '../database/database.ts'
import { DocumentTooLarge, StorageFull } from '../ports.ts'
import { storageFull } from './documents-store.ts'

/** Stores a PDF of the provider under a key of the store. */
async function storeDocument(portal: AlarmContext, key: string, content: Uint8Array) {
  try {
    return await portal.ports.documents.write(key, Readable.from([content]), limits.http.pdfBytes)
  } catch (error) {
    if (error instanceof DocumentTooLarge) throw new ApiError('body-too-large')
    if (error instanceof StorageFull) throw storageFull(portal)
    throw error
  }
}

type AgreementFile = { key: string; bytes: number; sha256: string }

/** Stores the agreement of a signature or a seal. `name` names the file in its row and returns the key of the file it replaces. */
export async function storeAgreement(
  portal: AlarmContext,
  pdf: Uint8Array,
  name: (file: AgreementFile) => Promise<string | null>,
) {
  const key = `agreements/${crypto.randomUUID()}`
  const { bytes, sha256 } = await storeDocument(portal, key, pdf)
  // The file is stored before the row names it, and the replaced file is removed when no row names it any more.
  const replaced = await name({ key, bytes, sha256 })
  if (replaced) await portal.ports.documents.remove(replaced)
  return { sha256, bytes }
}

/** Names the file in its row. The row's lock orders concurrent calls, so that each replaces a different file. */
export async function linkAgreement(
  tx: Tx,
  table: CertificateTable,
  id: string,
  { key, bytes, sha256 }: AgreementFile,
): Promise<string | null> {
  const row = await query(tx).first(sql<{ key: string | null }>`
    select agreement_key as key from ${sql.table(table)} where id = ${id} for update`)
  await sql`
    update ${sql.table(table)} set agreement_key = ${key}, agreement_bytes = ${bytes}, agreement_sha256 = ${sha256}
    where id = ${id}`.execute(tx)
  return row?.key ?? null
}

type CertificateTable = 'signatures' | 'seals'

/** Orders calls about one certificate and then those about one id: of two at once, one finds what the other has stored (R140). */
export async function lockFiling(tx: Tx, table: CertificateTable, providerId: string, index: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`certificate ${index.toString('hex')}`}))`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext(${`put-${table} ${providerId}`}))`.execute(tx)
}

/** The provider's other id under which a certificate is filed, if there is one. */
export async function findFiledAs(tx: Tx, table: CertificateTable, providerId: string, index: Buffer) {
  const row = await query(tx).first(sql<{ providerId: string }>`
    select provider_id from ${sql.table(table)} where certificate_index = ${index} and provider_id <> ${providerId}`)
  return row?.providerId
}
