import { sql } from 'kysely'
import { documentMoves, documentStatuses, type DocumentCase, type DocumentStatus } from '../contract/documents.ts'
import { UploadReport } from '../contract/document-report.ts'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import type { KnownForm } from '../pki/pades-report.ts'
import type { Db, Tx } from './db.ts'
import type { DocumentFile } from './document-files.ts'
import { seal, unseal, type Keys } from './keys.ts'
import type { Portal } from './portal.ts'
import { signsRemotely } from './remote-signing.ts'

/** A document case as both sides of it need it: the customer's feature and the provider API. */
export type CaseRow = {
  id: string
  providerId: string
  owner: string
  customer: string
  email: string
  locale: Locale
  application: string
  document: string
  process: DocumentCase['process']
  signer: Buffer
  status: DocumentStatus
  version: number
  accessCode: Buffer | null
  codeSentAt: Date | null
  refusal: DocumentCase['refusal']
  documentFile: (DocumentFile & { source: string; clear: KnownForm | null }) | null
  uploadFile: (DocumentFile & { report: string }) | null
  signedFile: DocumentFile | null
  hasCloudSignature: boolean
  createdAt: Date
  updatedAt: Date
}

const fileOf = (column: 'document_file' | 'upload_file' | 'signed_file') => sql`
  (select jsonb_build_object('id', f.id, 'bytes', f.bytes, 'sha256', f.sha256, 'source', f.source_sha256,
    'clear', case when f.clear_sha256 is not null then jsonb_build_object('length', f.clear_bytes, 'sha256', f.clear_sha256) end, 'report', encode(f.report, 'base64'))
    from document_files f where f.id = ${sql.ref(`c.${column}`)})`

/** The encrypted form, and the clear one, unless the document was filed before that was noted. */
export const knownForms = ({ bytes, sha256, clear }: NonNullable<CaseRow['documentFile']>): KnownForm[] => [
  { length: bytes, sha256 },
  ...(clear ? [clear] : []),
]

/** A signature `s` whose key, if it lies anywhere, lies at the signing service, and that is active. */
export const signsInCloud = sql`
  s.product = 'app' and s.status = 'good' and s.valid_from <= portal_now() and s.valid_to > portal_now()`

/** What is read of a case; give it `document_cases c join accounts a`. */
export const caseColumns = sql`
  c.id, c.provider_id as "providerId", c.account_id as owner, a.provider_id as customer, a.email, a.locale, c.application, c.document,
  c.process, c.signer, c.status, c.version, c.access_code as "accessCode", c.code_sent_at as "codeSentAt", c.refusal,
  exists(select from signatures s where s.account_id = c.account_id and ${signsInCloud}) as "hasCloudSignature",
  ${fileOf('document_file')} as "documentFile", ${fileOf('upload_file')} as "uploadFile", ${fileOf('signed_file')} as "signedFile",
  c.created_at as "createdAt", c.updated_at as "updatedAt"`

export const refusedIn = (status: DocumentStatus) => ({ current: status })

const earlier = (to: DocumentStatus) => documentStatuses.filter((from) => documentMoves[from].includes(to))

/**
 * Makes a move of DOC-2 and holds the row until the transaction ends; false when the case is not where the move begins, or
 * not at the given version. The one statement decides, so of several at once one wins (R51, R55).
 */
export async function moveCase(
  tx: Tx,
  id: string,
  to: DocumentStatus,
  only: { from?: DocumentStatus; version?: number } = {},
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update document_cases set status = ${to}, version = version + 1, updated_at = portal_now()
    where id = ${id} and status = any(${only.from ? [only.from] : earlier(to)}::text[])
      and (${only.version ?? null}::int is null or version = ${only.version ?? null}::int)`.execute(tx)
  return numAffectedRows === 1n
}

const signerPlace = (id: string) => `document_cases.signer ${id}`
const codePlace = (id: string) => `document_cases.access_code ${id}`
const reportPlace = (fileId: string) => `document_files.report ${fileId}`

export const sealSigner = (keys: Keys, id: string, signer: string) => seal(keys, signerPlace(id), signer)
export const openSigner = (keys: Keys, { id, signer }: Pick<CaseRow, 'id' | 'signer'>) =>
  unseal(keys, signerPlace(id), signer)
export const sealAccessCode = (keys: Keys, id: string, code: string) => seal(keys, codePlace(id), code)
export const openAccessCode = (keys: Keys, { id, accessCode }: CaseRow) =>
  accessCode && unseal(keys, codePlace(id), accessCode)

export const openReport = (keys: Keys, fileId: string, report: Buffer): UploadReport =>
  UploadReport.parse(JSON.parse(unseal(keys, reportPlace(fileId), report)))

export async function storeReport(db: Db, keys: Keys, fileId: string, report: UploadReport): Promise<void> {
  await db
    .updateTable('document_files')
    .set({ verdict: report.verdict, report: seal(keys, reportPlace(fileId), JSON.stringify(report)) })
    .where('id', '=', fileId)
    .execute()
}

/** The upload that was confirmed, and what the check said of it. */
export function uploadOf(keys: Keys, { uploadFile }: CaseRow) {
  if (!uploadFile) return null
  const { id, sha256, bytes, report } = uploadFile
  return {
    sha256,
    bytes,
    report: openReport(keys, id, Buffer.from(report, 'base64')),
  }
}

/** What the customer sees of a case. */
export function caseOf({ ports }: Pick<Portal, 'ports'>, row: CaseRow): DocumentCase {
  const { id, application, document, process, status, version, codeSentAt, refusal } = row
  const resendAt = codeSentAt && new Date(codeSentAt.getTime() + limits.documents.codeResendAfter * 1000)
  return {
    id,
    application,
    document,
    process,
    status,
    version,
    content: row.documentFile ? 'ready' : 'generating',
    signed: row.signedFile !== null,
    signHere: row.hasCloudSignature && signsRemotely(ports),
    codeSentAt: codeSentAt?.toISOString() ?? null,
    codeResendAt: resendAt?.toISOString() ?? null,
    refusal,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
