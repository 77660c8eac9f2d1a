import { sql } from 'kysely'
import type { DocumentStatus } from '../../contract/documents.ts'
import type { ProviderDocumentCase } from '../../contract/provider-documents.ts'
import type { Db, Tx } from '../db.ts'
import { caseColumns, openSigner, sealAccessCode, sealSigner, type CaseRow } from '../document-cases.ts'
import type { Keys } from '../keys.ts'

const from = sql`document_cases c join accounts a on a.id = c.account_id`

export async function findCase(db: Db, providerId: string): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`select ${caseColumns} from ${from} where c.provider_id = ${providerId}`.execute(
    db,
  )
  return rows[0]
}

/** The same, held until the transaction ends. */
export async function holdCase(tx: Tx, providerId: string): Promise<CaseRow | undefined> {
  await sql`select from document_cases where provider_id = ${providerId} for no key update`.execute(tx)
  return findCase(tx, providerId)
}

/** By id, so that a case that moves meanwhile changes no page. */
export async function listByStatus(
  db: Db,
  { status, after, size }: { status: DocumentStatus | undefined; after: string | undefined; size: number },
): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    select ${caseColumns} from ${from}
    where ${status ? sql`c.status = ${status}` : sql`true`} and ${after ? sql`c.id > ${after}::uuid` : sql`true`}
    order by c.id limit ${size + 1}`.execute(db)
  return rows
}

/**
 * Creates or updates the case of the provider's id; one that has ended stays as it is. `absent` when there is no such
 * customer or it is another one's; what one signer has handed over is not made another's (`handed-over`).
 */
export async function storeCase(
  tx: Tx,
  keys: Keys,
  providerId: string,
  { customer, application, document, process, signer }: ProviderDocumentCase,
): Promise<'stored' | 'absent' | 'handed-over'> {
  // One at a time: what is sealed is sealed for the row's id, and two at once would each choose one.
  await sql`select pg_advisory_xact_lock(hashtext(${`put-document-case ${providerId}`}))`.execute(tx)
  const held = await holdCase(tx, providerId)
  if (held && held.customer !== customer) return 'absent'
  if (held && (held.status === 'finished' || held.status === 'canceled')) return 'stored'
  const isOther = held !== undefined && openSigner(keys, held) !== signer
  if (isOther && held.uploadFile) return 'handed-over'
  const id = held?.id ?? crypto.randomUUID()
  const words = JSON.stringify(process)
  // What was checked for another signer, and waits to be confirmed, was checked for another case (R51).
  const changes = isOther ? 1 : 0
  const { numAffectedRows } = await sql`
    insert into document_cases (id, provider_id, account_id, application, document, process, signer)
    select ${id}::uuid, ${providerId}, a.id, ${application}, ${document}, ${words}::jsonb, ${sealSigner(keys, id, signer)}::bytea
    from accounts a where a.provider_id = ${customer}
    on conflict (provider_id) do update set application = excluded.application, document = excluded.document,
      process = excluded.process, signer = excluded.signer, version = document_cases.version + ${changes}`.execute(tx)
  return numAffectedRows === 1n ? 'stored' : 'absent'
}

/** Names the encrypted document with its code; the row is held. */
export async function nameDocument(
  tx: Tx,
  keys: Keys,
  id: string,
  { file, accessCode }: { file: string; accessCode: string },
): Promise<void> {
  await sql`
    update document_cases set document_file = ${file}, access_code = ${sealAccessCode(keys, id, accessCode)}, updated_at = portal_now()
    where id = ${id}`.execute(tx)
}

export async function nameSigned(tx: Tx, id: string, file: string): Promise<{ finishAsked: boolean }> {
  const row = await tx
    .updateTable('document_cases')
    .set({ signed_file: file })
    .where('id', '=', id)
    .returning('finish_asked as finishAsked')
    .executeTakeFirstOrThrow()
  return row
}

export async function nameRefusal(tx: Tx, id: string, refusal: NonNullable<CaseRow['refusal']>): Promise<void> {
  await tx
    .updateTable('document_cases')
    .set({ refusal: JSON.stringify(refusal) })
    .where('id', '=', id)
    .execute()
}

/** Remembers that the case is to finish; only while its countersignature is what it waits for. */
export async function askFinish(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update document_cases set finish_asked = true where id = ${id} and status = 'subscriber-uploaded'`.execute(tx)
  return numAffectedRows === 1n
}
