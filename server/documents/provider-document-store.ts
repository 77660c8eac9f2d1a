import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { ProviderDocumentCase } from '../../contract/provider/provider-documents.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import type { PageFilters } from '../platform/http/cursor.ts'
import type { Removal } from '../platform/http/object-removal.ts'
import {
  caseRows,
  decryptSigner,
  encryptAccessCode,
  encryptSigner,
  selectedCases,
  type DocumentCaseRow,
} from './document-case-store.ts'
import { documentKeyOf } from './document-files.ts'

export const findDocumentCase = (db: Db, providerId: string): Promise<DocumentCaseRow | undefined> =>
  caseRows(db).first(sql`${selectedCases} where c.provider_id = ${providerId}`)

/** Finds a case as `findDocumentCase` does, locked until the transaction ends. */
export async function lockCase(tx: Tx, providerId: string): Promise<DocumentCaseRow | undefined> {
  await query(tx).run(sql`select from document_cases where provider_id = ${providerId} for no key update`)
  return findDocumentCase(tx, providerId)
}

/** Lists cases by id, so that one that changes its state between two calls changes no page. */
export const listByStatus = (
  db: Db,
  { customer, status, after, size }: PageFilters<'customer' | 'status'>,
): Promise<DocumentCaseRow[]> =>
  caseRows(db).all(sql`
    ${selectedCases}
    where ${customer ? sql`c.account_id = (select id from accounts where provider_id = ${customer})` : sql`true`}
      and ${status ? sql`c.status = ${status}` : sql`true`} and ${after ? sql`c.id > ${after}::uuid` : sql`true`}
    order by c.id limit ${size + 1}`)

/**
 * Creates or updates the case of the provider's id; a case that has ended does not change. `absent`: there is no such customer
 * or the case is another customer's; `submitted`: another signer cannot be named, because a signed upload is there already.
 */
export async function putCase(
  tx: Tx,
  keys: Keys,
  providerId: string,
  { customer, application, document, process, signer }: ProviderDocumentCase,
): Promise<'stored' | 'absent' | 'submitted'> {
  // One at a time: values are encrypted for the row's id, and two concurrent calls would each choose one.
  await query(tx).run(sql`select pg_advisory_xact_lock(hashtext(${`put-document-case ${providerId}`}))`)
  const known = await lockCase(tx, providerId)
  if (known && known.customer !== customer) return 'absent'
  if (known && (known.status === 'finished' || known.status === 'canceled')) return 'stored'
  const isOtherSigner = known !== undefined && decryptSigner(keys, known) !== signer
  if (isOtherSigner && known.uploadFile) return 'submitted'
  const id = known?.id ?? randomUUIDv7()
  // An upload that was checked for another signer must not be confirmed any more (R51).
  const changes = isOtherSigner ? 1 : 0
  const isStored = await query(tx).changesOne(sql`
    insert into document_cases (id, provider_id, account_id, application, document, process, signer)
    select ${id}::uuid, ${providerId}, a.id, ${application}, ${document}, ${JSON.stringify(process)}::jsonb, ${encryptSigner(keys, id, signer)}::bytea
    from accounts a where a.provider_id = ${customer}
    on conflict (provider_id) do update set application = excluded.application, document = excluded.document,
      process = excluded.process, signer = excluded.signer, version = document_cases.version + ${changes}`)
  return isStored ? 'stored' : 'absent'
}

/** Names the encrypted document with its code; the row is locked. */
export async function linkDocument(
  tx: Tx,
  keys: Keys,
  id: string,
  { file, accessCode }: { file: string; accessCode: string },
): Promise<void> {
  await query(tx).run(sql`
    update document_cases set document_file = ${file}, access_code = ${encryptAccessCode(keys, id, accessCode)}, updated_at = portal_now()
    where id = ${id}`)
}

/** Names the countersigned document; returns whether the provider has already requested to finish the case. */
export async function nameSigned(tx: Tx, id: string, file: string): Promise<boolean> {
  const row = await query(tx).first(sql<{ finishAsked: boolean }>`
    update document_cases set signed_file = ${file} where id = ${id} returning finish_asked`)
  return row?.finishAsked ?? false
}

export async function nameRefusal(tx: Tx, id: string, refusal: NonNullable<DocumentCaseRow['refusal']>): Promise<void> {
  await query(tx).run(sql`update document_cases set refusal = ${JSON.stringify(refusal)} where id = ${id}`)
}

/** Records that the case is to be finished after its countersignature; false unless the case waits for one. */
export const requestFinish = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update document_cases set finish_asked = true where id = ${id} and status = 'subscriber-uploaded'`)

/** Removes a case with its document and discards the files; what the customer has signed is evidence. */
export async function removeCase(tx: Tx, providerId: string): Promise<Removal> {
  const row = await lockCase(tx, providerId)
  if (!row) return undefined
  await discardFiles(tx, sql`select ${documentKeyOf('')} || id from document_files where case_id = ${row.id}`)
  const isDeleted = await query(tx).changesOne(sql`
    delete from document_cases where id = ${row.id} and upload_file is null and status in ('passed-to-subscriber', 'subscriber-downloaded', 'canceled')`)
  return isDeleted ? { owner: row.accountId } : { neededFor: 'signed-document' }
}
