import { sql } from 'kysely'
import type { DocumentStatus } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { labels, reasons, type ExportedList } from '../platform/exported-data.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { documentKeyOf, removeOrphans } from './document-files.ts'
import { documentSignedObject } from './document-signed-object.ts'
import {
  listDocumentSigners,
  startDocumentSigning,
  resendDocumentSigningCode,
  finishDocumentSigning,
} from './document-signing-calls.ts'
import {
  listDocuments,
  summariseDocuments,
  readDocument,
  downloadDocument,
  resendAccessCode,
  downloadSignedDocument,
  stageUpload,
  confirmUpload,
} from './documents.ts'
import {
  downloadUpload,
  countersign,
  refuseUpload,
  finishDocumentCase,
  cancelDocumentCase,
} from './provider-document-moves.ts'
import {
  putDocumentCase,
  putCaseDocument,
  getDocumentCase,
  removeDocumentCase,
  listDocumentCases,
} from './provider-documents.ts'

const statusText: Record<DocumentStatus, Text> = {
  'passed-to-subscriber': { pl: 'do pobrania i\u00a0podpisania', en: 'to download and sign' },
  'subscriber-downloaded': { pl: 'pobrany, czeka na podpis', en: 'downloaded, awaiting signature' },
  'subscriber-uploaded': { pl: 'w\u00a0weryfikacji', en: 'being checked' },
  'issuer-uploaded': { pl: 'gotowy do pobrania', en: 'ready to download' },
  finished: { pl: 'zakończony', en: 'completed' },
  canceled: { pl: 'anulowany', en: 'cancelled' },
}

/** The document cases in the copy of all data, with the facts of their files; the files themselves are in Documents. */
const exportedDocuments: ExportedList = {
  key: 'documents',
  table: 'document_cases',
  columns: 'id provider_id application document process status signer refusal code_sent_at created_at updated_at',
  omitted: {
    'version finish_asked': reasons.internal,
    access_code: reasons.secret,
    'document_file upload_file signed_file': reasons.stored,
  },
  order: 'created_at id',
  lists: {
    files: {
      table: 'document_files',
      parent: 'case_id',
      where: sql`sha256 is not null`,
      columns: 'kind bytes sha256 source_sha256 verdict created_at report',
      omitted: { id: reasons.stored, 'clear_bytes clear_sha256': reasons.canonical },
      order: 'created_at id',
    },
  },
  title: { pl: 'Dokumenty', en: 'Documents' },
  name: 'process',
  rows: [
    [{ pl: 'Numer sprawy', en: 'Case number' }, 'application'],
    [{ pl: 'Dokument', en: 'Document' }, 'document'],
    [labels.status, ['status', statusText]],
    [{ pl: 'Podpisujący', en: 'Signer' }, 'signer'],
    [labels.created, 'createdAt'],
    [labels.changed, 'updatedAt'],
    [{ pl: 'Plików', en: 'Files' }, 'files.length'],
    [labels.note, 'refusal.note'],
  ],
}

export const documentsFeature: ServerFeature = {
  calls: [
    listDocuments,
    summariseDocuments,
    readDocument,
    downloadDocument,
    resendAccessCode,
    downloadSignedDocument,
    stageUpload,
    confirmUpload,
    listDocumentSigners,
    startDocumentSigning,
    resendDocumentSigningCode,
    finishDocumentSigning,
    putDocumentCase,
    putCaseDocument,
    getDocumentCase,
    removeDocumentCase,
    listDocumentCases,
    downloadUpload,
    countersign,
    refuseUpload,
    finishDocumentCase,
    cancelDocumentCase,
  ],
  tidy: ({ db, ports }) => removeOrphans(db, ports.documents),
  signing: documentSignedObject,
  historyObjects: {
    document: {
      details: ['documentCase'],
      find: (accountId, idIn) => sql`
        select jsonb_build_object('id', id, 'name', application) from document_cases
        where id = ${idIn('documentCase')} and account_id = ${accountId}`,
    },
  },
  exportData: [exportedDocuments],
  erasure: {
    inUse: (id) => [
      sql`exists (select from document_cases where account_id = ${id} and status not in ('finished', 'canceled'))`,
    ],
    evidenceConditions: (id) => [sql`exists (select from document_cases where account_id = ${id})`],
    files: (id) => ({
      removed: sql`select ${documentKeyOf('')} || f.id from document_files f join document_cases c on c.id = f.case_id
        where c.account_id = ${id} and c.status = 'canceled'`,
      kept: sql`select ${documentKeyOf('')} || f.id from document_files f join document_cases c on c.id = f.case_id
        where c.account_id = ${id}`,
    }),
    remove: (id) => [
      sql`delete from document_cases where account_id = ${id} and status = 'canceled'`,
      sql`delete from document_signings where case_id in (select id from document_cases where account_id = ${id})`,
    ],
  },
}
