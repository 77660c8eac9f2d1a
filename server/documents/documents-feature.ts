import { sql } from 'kysely'
import { documentKeyOf, removeOrphans } from '../platform/files/document-files.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { exportedDocuments } from './document-export.ts'
import { documentSigning } from './document-signing.ts'
import { stageUpload, confirmUpload } from './document-uploads.ts'
import {
  listDocuments,
  summariseDocuments,
  readDocument,
  downloadDocument,
  resendAccessCode,
  downloadSigned,
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
import { listSigners, startSigning, resendSigningCode, finishSigning } from './signing-in-place.ts'

export const documentsFeature: ServerFeature = {
  calls: [
    listDocuments,
    summariseDocuments,
    readDocument,
    downloadDocument,
    resendAccessCode,
    downloadSigned,
    stageUpload,
    confirmUpload,
    listSigners,
    startSigning,
    resendSigningCode,
    finishSigning,
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
  signing: documentSigning,
  exportData: [exportedDocuments],
  erasure: {
    inUse: (id) => [
      sql`exists (select from document_cases where account_id = ${id} and status not in ('finished', 'canceled'))`,
    ],
    isEvidence: (id) => [sql`exists (select from document_cases where account_id = ${id})`],
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
