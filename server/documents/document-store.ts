import { sql } from 'kysely'
import type { DocumentStatus } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { isFound, type Searched } from '../platform/database/text-search.ts'
import { caseRows, selectedCases, type CaseRow } from './document-case-store.ts'

export type CasePosition = { urgency: number; createdAt: string; id: string }

type CaseFilters = {
  after: CasePosition | undefined
  size: number
  status?: DocumentStatus | undefined
} & Searched

/** To be signed, to be downloaded, the rest (DOC-14). By the status alone, so that no row moves when its file is ready; an index has it. */
const urgency = sql`(case c.status when 'passed-to-subscriber' then 2 when 'subscriber-downloaded' then 2 when 'issuer-uploaded' then 1 else 0 end)`
const searched = sql`(c.process ->> 'pl') || ' ' || (c.process ->> 'en') || ' ' || c.application || ' ' || c.document`

/** The most urgent first, with one row more than `size` if there is a next page. */
export function listCases(
  db: Db,
  owner: string,
  { after, size, status, ...wanted }: CaseFilters,
): Promise<(CaseRow & { urgency: number; position: string })[]> {
  const beyond = after
    ? sql`(${urgency}, c.created_at, c.id) < (${after.urgency}::int, ${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  return caseRows(db).all<{ urgency: number; position: string }>(sql`
    select ${caseRows.columns}, ${urgency} as urgency, c.created_at::text as position
    from document_cases c join accounts a on a.id = c.account_id
    where c.account_id = ${owner} and ${beyond} and ${status ? sql`c.status = ${status}` : sql`true`}
      and ${isFound(wanted, sql`c.id`, searched)}
    order by ${urgency} desc, c.created_at desc, c.id desc limit ${size + 1}`)
}

const waiting = {
  signed: sql`(c.status = 'subscriber-downloaded' or c.status = 'passed-to-subscriber' and c.document_file is not null)`,
  fetched: sql`(c.status = 'issuer-uploaded' and c.signed_file is not null)`,
}

/** The newest case that waits for its owner, with the number of such cases. */
export const newestWaiting = (
  db: Db,
  owner: string,
  until: keyof typeof waiting,
): Promise<(CaseRow & { count: number }) | undefined> =>
  caseRows(db).first<{ count: number }>(sql`
    select ${caseRows.columns}, count(*) over ()::int as count from document_cases c join accounts a on a.id = c.account_id
    where c.account_id = ${owner} and ${waiting[until]} order by c.created_at desc, c.id desc limit 1`)

/** The owner's case; another customer's case is not found (R34). */
export const findCase = (db: Db, owner: string, id: string): Promise<CaseRow | undefined> =>
  caseRows(db).first(sql`${selectedCases} where c.id = ${id} and c.account_id = ${owner}`)

/** Records at the first download that the access code is sent; false if the file was replaced since it was opened. */
export const noteCodeSent = (tx: Tx, id: string, file: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update document_cases set code_sent_at = portal_now() where id = ${id} and document_file = ${file}`)

/** Claims the right to send the code again; one statement decides, so that of two concurrent calls one sends it. */
export const claimResend = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update document_cases set code_sent_at = portal_now()
    where id = ${id} and status <> 'canceled' and code_sent_at + make_interval(secs => ${limits.documents.codeResendAfter}) <= portal_now()`)

export async function secondsUntilResend(db: Db, id: string): Promise<number> {
  const row = await query(db).first(sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from code_sent_at - portal_now()) + ${limits.documents.codeResendAfter}))::float8 as seconds
    from document_cases where id = ${id}`)
  return row?.seconds ?? 1
}

/** The newest upload with this hash that can still be confirmed. */
export const findStaged = (tx: Tx, caseId: string, sha256: string) =>
  query(tx).first(sql<{ id: string; verdict: 'accepted' | 'pending' | 'refused' }>`
    select id, verdict from document_files
    where case_id = ${caseId} and kind = 'upload' and sha256 = ${sha256} and verdict is not null
      and created_at > portal_now() - make_interval(secs => ${limits.documents.staged})
    order by created_at desc limit 1`)

/** Names the upload of the case and returns the case. */
export async function linkUpload(tx: Tx, { id, owner }: CaseRow, file: string): Promise<CaseRow | undefined> {
  await sql`update document_cases set upload_file = ${file} where id = ${id}`.execute(tx)
  return findCase(tx, owner, id)
}
