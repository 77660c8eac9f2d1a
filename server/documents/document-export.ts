import { sql } from 'kysely'
import type { DocumentStatus, RefusalReason } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { exportedList, labels, type ExportData, type ExportSource } from '../platform/exported-data.ts'
import { decryptReport, decryptSigner } from './document-case-store.ts'

/** The document cases in the copy of all data, with the facts of their files; the files themselves are in Documents. */
export const exportDocuments: ExportData = async (source) =>
  exportedList('documents', { pl: 'Dokumenty', en: 'Documents' }, await readDocuments(source), (document) => ({
    name: document.process,
    rows: [
      [{ pl: 'Numer sprawy', en: 'Case number' }, document.application],
      [{ pl: 'Dokument', en: 'Document' }, document.document],
      [labels.status, statusText[document.status]],
      [{ pl: 'Podpisujący', en: 'Signer' }, document.signer],
      [labels.created, document.createdAt],
      [labels.changed, document.updatedAt],
      [{ pl: 'Plików', en: 'Files' }, document.files.length],
      [labels.note, document.refusal?.note ?? null],
    ],
  }))

async function readDocuments({ db, keys, accountId }: ExportSource) {
  const cases = await sql<{
    id: string
    providerId: string
    application: string
    document: string
    process: Text
    status: DocumentStatus
    signer: Buffer
    refusal: { reason: RefusalReason; note: Text | null } | null
    codeSentAt: Date | null
    createdAt: Date
    updatedAt: Date
  }>`
    select id, provider_id, application, document, process, status, signer, refusal, code_sent_at, created_at, updated_at
    from document_cases where account_id = ${accountId} order by created_at, id`.execute(db)
  const files = await sql<{
    id: string
    document: string
    kind: 'document' | 'upload' | 'signed'
    bytes: number
    sha256: string
    sourceSha256: string | null
    verdict: string | null
    report: Buffer | null
    createdAt: Date
  }>`
    select f.id, f.case_id as document, f.kind, f.bytes, f.sha256, f.source_sha256, f.verdict, f.report, f.created_at
    from document_files f join document_cases c on c.id = f.case_id
    where c.account_id = ${accountId} and f.sha256 is not null order by f.created_at, f.id`.execute(db)
  return cases.rows.map((row) => ({
    ...row,
    signer: decryptSigner(keys, row),
    files: files.rows
      .filter(({ document }) => document === row.id)
      .map(({ id, document: _, report, ...file }) => ({
        ...file,
        report: report && decryptReport(keys, id, report),
      })),
  }))
}

const statusText: Record<DocumentStatus, Text> = {
  'passed-to-subscriber': { pl: 'do pobrania i\u00a0podpisania', en: 'to download and sign' },
  'subscriber-downloaded': { pl: 'pobrany, czeka na podpis', en: 'downloaded, awaiting signature' },
  'subscriber-uploaded': { pl: 'w\u00a0weryfikacji', en: 'being checked' },
  'issuer-uploaded': { pl: 'gotowy do pobrania', en: 'ready to download' },
  finished: { pl: 'zakończony', en: 'completed' },
  canceled: { pl: 'anulowany', en: 'cancelled' },
}
