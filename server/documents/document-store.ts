import { sql } from 'kysely'
import type { DocumentStatus } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import type { Db, Tx } from '../db.ts'
import { caseColumns, type CaseRow } from '../document-cases.ts'

export type CasePlace = { createdAt: string; id: string }

/** The newest first; one more than asked for when there is a next page. */
export async function listCases(
  db: Db,
  owner: string,
  { after, size, status }: { after: CasePlace | undefined; size: number; status: DocumentStatus | undefined },
): Promise<(CaseRow & { place: string })[]> {
  const beyond = after ? sql`(c.created_at, c.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<CaseRow & { place: string }>`
    select ${caseColumns}, c.created_at::text as place from document_cases c join accounts a on a.id = c.account_id
    where c.account_id = ${owner} and ${beyond} and ${status ? sql`c.status = ${status}` : sql`true`}
    order by c.created_at desc, c.id desc limit ${size + 1}`.execute(db)
  return rows
}

const waiting = {
  signed: sql`(c.status = 'subscriber-downloaded' or c.status = 'passed-to-subscriber' and c.document_file is not null)`,
  fetched: sql`(c.status = 'issuer-uploaded' and c.signed_file is not null)`,
}

/** The newest case that waits for its owner, and how many do; none where nothing waits. */
export async function newestWaiting(
  db: Db,
  owner: string,
  until: keyof typeof waiting,
): Promise<(CaseRow & { count: number })[]> {
  const { rows } = await sql<CaseRow & { count: number }>`
    select ${caseColumns}, count(*) over ()::int as count from document_cases c join accounts a on a.id = c.account_id
    where c.account_id = ${owner} and ${waiting[until]} order by c.created_at desc, c.id desc limit 1`.execute(db)
  return rows
}

/** The owner's case; anyone else's is as absent as none (R34). */
export async function findCase(db: Db, owner: string, id: string): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`
    select ${caseColumns} from document_cases c join accounts a on a.id = c.account_id
    where c.id = ${id} and c.account_id = ${owner}`.execute(db)
  return rows[0]
}

/** With the move of the first download: the access code goes now. Whether the file is still the one that was opened. */
export async function startCode(tx: Tx, id: string, file: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update document_cases set code_sent_at = portal_now() where id = ${id} and document_file = ${file}`.execute(tx)
  return numAffectedRows === 1n
}

/** Takes the right to send the code again; the one statement keeps two at once apart. */
export async function takeResend(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update document_cases set code_sent_at = portal_now()
    where id = ${id} and status <> 'canceled' and code_sent_at + make_interval(secs => ${limits.documents.codeResendAfter}) <= portal_now()`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

export async function secondsUntilResend(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from code_sent_at - portal_now()) + ${limits.documents.codeResendAfter}))::float8 as seconds
    from document_cases where id = ${id}`.execute(db)
  return rows[0]!.seconds
}

/** The newest upload of this hash that still waits for its confirmation. */
export async function findStaged(tx: Tx, caseId: string, sha256: string) {
  const { rows } = await sql<{ id: string; verdict: 'accepted' | 'pending' | 'refused' }>`
    select id, verdict from document_files
    where case_id = ${caseId} and kind = 'upload' and sha256 = ${sha256} and verdict is not null
      and created_at > portal_now() - make_interval(secs => ${limits.documents.staged})
    order by created_at desc limit 1`.execute(tx)
  return rows[0]
}

/** The case with the upload that is its own from now on. */
export async function nameUpload(tx: Tx, { id, owner }: CaseRow, file: string): Promise<CaseRow> {
  await tx.updateTable('document_cases').set({ upload_file: file }).where('id', '=', id).execute()
  return (await findCase(tx, owner, id))!
}
