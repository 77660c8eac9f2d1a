import { sql } from 'kysely'
import { UploadReport } from '../../contract/document-report.ts'
import { documentMoves, DocumentStatus, type DocumentCase } from '../../contract/documents.ts'
import type { Given } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { KnownForm } from '../../pki/pades/pades-report.ts'
import { signsInCloudCondition } from '../certificates/certificate-conditions.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { searchCondition, type Searched } from '../platform/database/text-search.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { signsRemotely } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import type { DocumentFile } from './document-files.ts'

const fileOf = (reference: 'document_file' | 'upload_file' | 'signed_file') => sql`
  (select jsonb_build_object('id', f.id, 'bytes', f.bytes, 'sha256', f.sha256, 'source', f.source_sha256,
    'clear', case when f.clear_sha256 is not null then jsonb_build_object('length', f.clear_bytes, 'sha256', f.clear_sha256) end, 'report', encode(f.report, 'base64'))
    from document_files f where f.id = ${sql.ref(`c.${reference}`)})`

/** A document case, for the customer's calls and the provider API: from `document_cases c join accounts a`. */
export const caseRows = describeRows({
  id: column<string>`c.id`,
  providerId: column<string>`c.provider_id`,
  accountId: column<string>`c.account_id`,
  customer: column<string>`a.provider_id`,
  email: column<string>`a.email`,
  locale: column<Locale>`a.locale`,
  application: column<string>`c.application`,
  document: column<string>`c.document`,
  process: column<DocumentCase['process']>`c.process`,
  signer: column<Buffer>`c.signer`,
  status: column<DocumentStatus>`c.status`,
  version: column<number>`c.version`,
  accessCode: column<Buffer | null>`c.access_code`,
  codeSentAt: column<Date | null>`c.code_sent_at`,
  refusal: column<DocumentCase['refusal']>`c.refusal`,
  documentFile: column<(DocumentFile & { source: string; clear: KnownForm | null }) | null>`${fileOf('document_file')}`,
  uploadFile: column<(DocumentFile & { report: string }) | null>`${fileOf('upload_file')}`,
  signedFile: column<DocumentFile | null>`${fileOf('signed_file')}`,
  /**
   * Whether the customer has a cloud signature; by a subquery, because for `exists` PostgreSQL would read all valid signatures of all
   * customers once for a page of the provider's list, not those of each row.
   */
  hasCloudSignature: column<boolean>`
    coalesce((select true from signatures s where s.account_id = c.account_id and ${signsInCloudCondition} limit 1), false)`,
  createdAt: column<Date>`c.created_at`,
  updatedAt: column<Date>`c.updated_at`,
})
export type DocumentCaseRow = RowOf<typeof caseRows>

export const selectedCases = sql`select ${caseRows.columns} from document_cases c join accounts a on a.id = c.account_id`

/** Returns the known forms of a document: the encrypted one, and the plain one unless the document was stored before its hash was kept. */
export const knownForms = ({ bytes, sha256, clear }: NonNullable<DocumentCaseRow['documentFile']>): KnownForm[] => [
  { length: bytes, sha256 },
  ...(clear ? [clear] : []),
]

export const refusedIn = (status: DocumentStatus) => ({ current: status })

const earlier = (to: DocumentStatus) => DocumentStatus.options.filter((from) => documentMoves[from].includes(to))

/**
 * Makes a move of DOC-2 and locks the row until the transaction ends; false if the case is not in a state from which the move
 * starts, or not at the given version. One statement decides, so that one of several concurrent calls wins (R51, R55).
 */
export const moveDocumentCase = (
  tx: Tx,
  id: string,
  to: DocumentStatus,
  only: { from?: DocumentStatus; version?: number } = {},
): Promise<boolean> =>
  query(tx).changesOne(sql`
    update document_cases set status = ${to}, version = version + 1, updated_at = portal_now()
    where id = ${id} and status = any(${only.from ? [only.from] : earlier(to)}::text[])
      and (${only.version ?? null}::int is null or version = ${only.version ?? null}::int)`)

const signers = encryptionOf('document_cases', 'signer')
const accessCodes = encryptionOf('document_cases', 'access_code')
const reports = encryptionOf('document_files', 'report')

export const encryptSigner = signers.encrypt
export const decryptSigner = (keys: Keys, { id, signer }: Pick<DocumentCaseRow, 'id' | 'signer'>) =>
  signers.decrypt(keys, id, signer)
export const encryptAccessCode = accessCodes.encrypt
export const decryptAccessCode = (keys: Keys, { id, accessCode }: DocumentCaseRow) =>
  accessCode && accessCodes.decrypt(keys, id, accessCode)

/** Returns the issued document and the code that opens it, which are stored together. */
export function issuedDocument(keys: Keys, row: DocumentCaseRow) {
  const accessCode = decryptAccessCode(keys, row)
  return row.documentFile && accessCode ? { file: row.documentFile, accessCode } : undefined
}

const decryptReport = (keys: Keys, fileId: string, report: Buffer): UploadReport =>
  UploadReport.parse(JSON.parse(reports.decrypt(keys, fileId, report)))

export async function setReport(db: Db, keys: Keys, fileId: string, report: UploadReport): Promise<void> {
  await query(db).run(sql`
    update document_files set verdict = ${report.verdict}, report = ${reports.encrypt(keys, fileId, JSON.stringify(report))}
    where id = ${fileId}`)
}

/** Returns the confirmed upload and the report of its check. */
export function uploadOf(keys: Keys, { uploadFile }: DocumentCaseRow) {
  if (!uploadFile) return null
  const { id, sha256, bytes, report } = uploadFile
  return { sha256, bytes, report: decryptReport(keys, id, Buffer.from(report, 'base64')) }
}

/** Checks whether the customer can sign the document in the portal (DOC-10). */
export const signsHere = ({ ports }: Pick<Portal, 'ports'>, { hasCloudSignature }: DocumentCaseRow): boolean =>
  hasCloudSignature && signsRemotely(ports)

export function documentCaseOf({ ports }: Pick<Portal, 'ports'>, row: DocumentCaseRow): Given<typeof DocumentCase> {
  const { id, application, document, process, status, version, codeSentAt, refusal, createdAt, updatedAt } = row
  const codeResendAt = codeSentAt && new Date(codeSentAt.getTime() + limits.documents.codeResendAfter * 1000)
  return {
    id,
    application,
    document,
    process,
    status,
    version,
    content: row.documentFile ? 'ready' : 'generating',
    isSigned: row.signedFile !== null,
    signHere: signsHere({ ports }, row),
    codeSentAt,
    codeResendAt,
    refusal,
    createdAt,
    updatedAt,
  }
}

export type DocumentCasePosition = { urgency: number; createdAt: string; id: string }

type CaseFilters = {
  after: DocumentCasePosition | undefined
  size: number
  status?: DocumentStatus | undefined
} & Searched

/**
 * Rank of a case: to be signed, to be downloaded, the rest (DOC-14). The status alone decides, so that no row moves when its file is ready;
 * an index has it.
 */
const urgency = sql`(case c.status when 'passed-to-subscriber' then 2 when 'subscriber-downloaded' then 2 when 'issuer-uploaded' then 1 else 0 end)`
const searched = sql`(c.process ->> 'pl') || ' ' || (c.process ->> 'en') || ' ' || c.application || ' ' || c.document`

/** Lists cases, the most urgent first, with one row more than `size` if there is a next page. */
export function listOwnDocumentCases(
  db: Db,
  accountId: string,
  { after, size, status, ...wanted }: CaseFilters,
): Promise<(DocumentCaseRow & { urgency: number; position: string })[]> {
  const beyond = after
    ? sql`(${urgency}, c.created_at, c.id) < (${after.urgency}::int, ${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  return caseRows(db).all<{ urgency: number; position: string }>(sql`
    select ${caseRows.columns}, ${urgency} as urgency, c.created_at::text as position
    from document_cases c join accounts a on a.id = c.account_id
    where c.account_id = ${accountId} and ${beyond} and ${status ? sql`c.status = ${status}` : sql`true`}
      and ${searchCondition(wanted, sql`c.id`, searched)}
    order by ${urgency} desc, c.created_at desc, c.id desc limit ${size + 1}`)
}

const waiting = {
  signed: sql`(c.status = 'subscriber-downloaded' or c.status = 'passed-to-subscriber' and c.document_file is not null)`,
  fetched: sql`(c.status = 'issuer-uploaded' and c.signed_file is not null)`,
}

/** Finds the newest case that waits for its owner, with the number of such cases. */
export const findNewestWaiting = (
  db: Db,
  accountId: string,
  until: keyof typeof waiting,
): Promise<(DocumentCaseRow & { count: number }) | undefined> =>
  caseRows(db).first<{ count: number }>(sql`
    select ${caseRows.columns}, count(*) over ()::int as count from document_cases c join accounts a on a.id = c.account_id
    where c.account_id = ${accountId} and ${waiting[until]} order by c.created_at desc, c.id desc limit 1`)

/** Finds the owner's case; another customer's case is not found (R34). */
export const findOwnDocumentCase = (db: Db, accountId: string, id: string): Promise<DocumentCaseRow | undefined> =>
  caseRows(db).first(sql`${selectedCases} where c.id = ${id} and c.account_id = ${accountId}`)

/** Records at the first download that the access code is sent; false if the file was replaced since it was opened. */
export const setCodeSent = (tx: Tx, id: string, file: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update document_cases set code_sent_at = portal_now() where id = ${id} and document_file = ${file}`)

/** Claims the right to send the code again; one statement decides, so that of two concurrent calls one sends it. */
export const claimResend = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update document_cases set code_sent_at = portal_now()
    where id = ${id} and status <> 'canceled' and code_sent_at + make_interval(secs => ${limits.documents.codeResendAfter}) <= portal_now()`)

export async function readSecondsUntilResend(db: Db, id: string): Promise<number> {
  const row = await query(db).first(sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from code_sent_at - portal_now()) + ${limits.documents.codeResendAfter}))::float8 as seconds
    from document_cases where id = ${id}`)
  return row?.seconds ?? 1
}

/** Finds the newest upload with this hash that can still be confirmed. */
export const findStaged = (tx: Tx, caseId: string, sha256: string) =>
  query(tx).first(sql<{ id: string; verdict: 'accepted' | 'pending' | 'refused' }>`
    select id, verdict from document_files
    where case_id = ${caseId} and kind = 'upload' and sha256 = ${sha256} and verdict is not null
      and created_at > portal_now() - make_interval(secs => ${limits.documents.staged})
    order by created_at desc limit 1`)

/** Names the upload of the case and returns the case. */
export async function linkUpload(
  tx: Tx,
  { id, accountId }: DocumentCaseRow,
  file: string,
): Promise<DocumentCaseRow | undefined> {
  await query(tx).run(sql`update document_cases set upload_file = ${file} where id = ${id}`)
  return findOwnDocumentCase(tx, accountId, id)
}
