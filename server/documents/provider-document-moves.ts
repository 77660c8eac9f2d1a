import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/provider-documents.ts'
import type { Refusal } from '../platform/api-error.ts'
import type { Tx } from '../platform/database/database.ts'
import { openStoredPdf } from '../platform/files/stored-pdfs.ts'
import { handler, type BoundAudit } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { moveDocumentCase, refusedIn, type DocumentCaseRow } from './document-case-store.ts'
import { removeUnusedFile, storeFile, storedAs } from './document-files.ts'
import { notifyOfDocument } from './document-mails.ts'
import { requestFinish, findDocumentCase, lockCase, nameSigned, nameRefusal } from './provider-document-store.ts'
import { readState } from './provider-documents.ts'

// The provider's calls that refuse or countersign an upload and end a case (DOC-6). Repeated or out of order, each takes effect once (R55).

export const downloadUpload = handler(
  calls.downloadUpload,
  async ({ params, fail, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findDocumentCase(portal.db, params.case))
    if (!row.uploadFile) throw fail('document-not-ready')
    const file = await openStoredPdf(portal, storedAs(row.uploadFile))
    if (!file) throw fail('document-content-missing')
    await transaction((_, audit) => audit('document-upload-fetched', { documentCase: row.id }, row.accountId))
    return { name: 'upload.pdf', type: 'application/pdf', ...file }
  },
)

export const countersign = handler(
  calls.countersign,
  async ({ params, upload, fail, transaction, orNotFound }, portal) => {
    const before = orNotFound(await findDocumentCase(portal.db, params.case))
    const { uploadFile } = before
    if (!uploadFile || before.status === 'canceled') throw fail('state-passed', refusedIn(before.status))
    const arrival = {
      caseId: before.id,
      kind: 'signed' as const,
      largest: limits.http.pdfBytes + limits.http.signatureBytes,
    }
    const beginning = hashOfBeginning(uploadFile.bytes)
    const file = await storeFile(portal, arrival, beginning.over(upload))
    const isTaken = await transaction(async (tx, audit) => {
      // The file is the customer's upload byte for byte, with something appended.
      if (beginning.digest() !== uploadFile.sha256 || file.bytes === uploadFile.bytes)
        throw fail('document-not-continued')
      const row = orNotFound(await lockCase(tx, params.case))
      if (!(await moveDocumentCase(tx, row.id, 'issuer-uploaded'))) {
        // The same countersignature was filed before.
        if (row.signedFile?.sha256 === file.sha256) return false
        throw fail('state-passed', refusedIn(row.status))
      }
      const isFinishAsked = await nameSigned(tx, row.id, file.id)
      await notifyOfDocument(tx, portal, row, { news: 'countersigned' })
      await audit('document-countersigned', { documentCase: row.id }, row.accountId)
      if (isFinishAsked) await finishCase(tx, audit, row)
      return true
    }).catch(async (error: unknown) => {
      await removeUnusedFile(portal, file.id)
      throw error
    })
    if (!isTaken) await removeUnusedFile(portal, file.id)
    return orNotFound(await readState(portal.db, portal.keys, params.case))
  },
)

// These functions end a case whose row is locked, for the provider's own system or the desk. Repeated, each call takes
// effect once (R55).

export async function refuseLockedCase(
  tx: Tx,
  portal: Portal,
  row: DocumentCaseRow,
  refusal: NonNullable<DocumentCaseRow['refusal']>,
  audit: BoundAudit,
): Promise<Refusal<'state-passed'> | undefined> {
  if (!(await moveDocumentCase(tx, row.id, 'canceled', { from: 'subscriber-uploaded' })))
    return row.refusal ? undefined : { refused: 'state-passed', data: refusedIn(row.status) }
  await nameRefusal(tx, row.id, refusal)
  await notifyOfDocument(tx, portal, row, { news: 'refused', refusal })
  await audit('document-upload-refused', { documentCase: row.id }, row.accountId)
  return undefined
}

export async function cancelLockedCase(
  tx: Tx,
  portal: Portal,
  row: DocumentCaseRow,
  audit: BoundAudit,
): Promise<Refusal<'state-passed'> | undefined> {
  if (!(await moveDocumentCase(tx, row.id, 'canceled')))
    return row.status === 'canceled' ? undefined : { refused: 'state-passed', data: refusedIn(row.status) }
  await notifyOfDocument(tx, portal, row, { news: 'canceled' })
  await audit('document-canceled', { documentCase: row.id }, row.accountId)
  return undefined
}

export const refuseUpload = handler(calls.refuseUpload, ({ params, body, orFail, transaction, orNotFound }, portal) =>
  transaction(async (tx, audit) => {
    const row = orNotFound(await lockCase(tx, params.case))
    orFail(await refuseLockedCase(tx, portal, row, body, audit))
    return orNotFound(await readState(tx, portal.keys, params.case))
  }),
)

export const finishDocumentCase = handler(
  calls.finishDocumentCase,
  ({ params, fail, transaction, orNotFound }, { keys }) =>
    transaction(async (tx, audit) => {
      const row = orNotFound(await lockCase(tx, params.case))
      const isDone = row.status === 'finished' || (await finishCase(tx, audit, row))
      if (!isDone && !(await requestFinish(tx, row.id))) throw fail('state-passed', refusedIn(row.status))
      return orNotFound(await readState(tx, keys, params.case))
    }),
)

export const cancelDocumentCase = handler(
  calls.cancelDocumentCase,
  ({ params, orFail, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const row = orNotFound(await lockCase(tx, params.case))
      orFail(await cancelLockedCase(tx, portal, row, audit))
      return orNotFound(await readState(tx, portal.keys, params.case))
    }),
)

async function finishCase(tx: Tx, audit: BoundAudit, { id, accountId }: DocumentCaseRow): Promise<boolean> {
  if (!(await moveDocumentCase(tx, id, 'finished'))) return false
  await audit('document-finished', { documentCase: id }, accountId)
  return true
}

/** Computes the SHA-256 of the first bytes of a stream that passes through. */
function hashOfBeginning(bytes: number) {
  const hash = createHash('sha256')
  let left = bytes
  async function* pass(content: Readable) {
    const chunks: AsyncIterable<Buffer> = content.iterator({ destroyOnReturn: false })
    for await (const chunk of chunks) {
      hash.update(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
      yield chunk
    }
  }
  return {
    over(content: Readable): Readable {
      content.on('error', () => {})
      return Readable.from(pass(content))
    },
    digest: () => hash.digest('hex'),
  }
}
