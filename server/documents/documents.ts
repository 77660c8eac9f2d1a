import * as calls from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { openStoredPdf } from '../platform/files/stored-pdfs.ts'
import { handler } from '../platform/http/http.ts'
import {
  documentCaseOf,
  issuedDocument,
  moveDocumentCase,
  refusedIn,
  uploadOf,
  claimResend,
  findOwnDocumentCase,
  listOwnDocumentCases,
  findNewestWaiting,
  setCodeSent,
  readSecondsUntilResend,
  type DocumentCasePosition,
  findStaged,
  linkUpload,
} from './document-case-store.ts'
import { storedAs } from './document-files.ts'
import { notifyOfDocument } from './document-mails.ts'
import { stageSigned } from './upload-check.ts'

// The customer's document cases: the list, downloads and the access code (DOC-1, DOC-3).

export const listDocuments = handler(calls.listDocuments, async ({ query, session: { accountId }, page }, portal) => {
  const { cursor, size: asked, ...filters } = query
  const { rows, next } = await page(
    { list: 'documents by urgency', cursor, size: asked },
    (after: DocumentCasePosition | undefined, size) =>
      listOwnDocumentCases(portal.db, accountId, { ...filters, size, after }),
    ({ urgency, position, id }) => ({ urgency, createdAt: position, id }),
  )
  return { items: rows.map((row) => documentCaseOf(portal, row)), next }
})

export const summariseDocuments = handler(calls.summariseDocuments, async ({ session: { accountId } }, portal) => {
  const summariseWaiting = async (until: 'signed' | 'fetched') => {
    const row = await findNewestWaiting(portal.db, accountId, until)
    return { count: row?.count ?? 0, newest: row ? documentCaseOf(portal, row) : null }
  }
  return { toSign: await summariseWaiting('signed'), toFetch: await summariseWaiting('fetched') }
})

export const readDocument = handler(calls.readDocument, async ({ params, session, orNotFound }, portal) => {
  const row = orNotFound(await findOwnDocumentCase(portal.db, session.accountId, params.id))
  return { ...documentCaseOf(portal, row), upload: uploadOf(portal.keys, row) }
})

export const downloadDocument = handler(
  calls.downloadDocument,
  async ({ params, session: { accountId }, fail, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findOwnDocumentCase(portal.db, accountId, params.id))
    if (row.status === 'canceled') throw fail('state-passed', refusedIn(row.status))
    const issued = issuedDocument(portal.keys, row)
    if (!issued) throw fail('document-not-ready', { retryAfter: limits.documents.retryAfter })
    // Before the move: a document that cannot be read was not downloaded.
    const file = await openStoredPdf(portal, storedAs(issued.file))
    if (!file) throw fail('document-content-missing')
    try {
      await transaction(async (tx, audit) => {
        const isFirst = await moveDocumentCase(tx, row.id, 'subscriber-downloaded')
        if (isFirst) {
          // The provider may have replaced the document and its code meanwhile.
          if (!(await setCodeSent(tx, row.id, issued.file.id))) throw fail('document-not-ready', { retryAfter: 1 })
          await notifyOfDocument(tx, portal, row, { news: 'access-code', code: issued.accessCode })
        }
        await audit('document-downloaded', { documentCase: row.id, first: isFirst })
      })
    } catch (error) {
      file.content.destroy()
      throw error
    }
    return { name: row.locale === 'pl' ? 'dokument.pdf' : 'document.pdf', type: 'application/pdf', ...file }
  },
)

export const resendAccessCode = handler(
  calls.resendAccessCode,
  async ({ params, session: { accountId }, fail, limit, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findOwnDocumentCase(portal.db, accountId, params.id))
    const issued = issuedDocument(portal.keys, row)
    if (!issued || !row.codeSentAt || row.status === 'canceled') throw fail('state-passed', refusedIn(row.status))
    await transaction(async (tx, audit) => {
      if (!(await claimResend(tx, row.id)))
        throw fail('resend-too-early', { retryAfter: await readSecondsUntilResend(tx, row.id) })
      await limit('sends-spent', ['document-code', row.id], tx)
      await notifyOfDocument(tx, portal, row, { news: 'access-code', code: issued.accessCode })
      await audit('document-code-sent', { documentCase: row.id })
    })
    return documentCaseOf(portal, orNotFound(await findOwnDocumentCase(portal.db, accountId, params.id)))
  },
)

export const downloadSignedDocument = handler(
  calls.downloadSignedDocument,
  async ({ params, session: { accountId }, fail, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findOwnDocumentCase(portal.db, accountId, params.id))
    if (row.status === 'canceled') throw fail('state-passed', refusedIn(row.status))
    if (!row.signedFile) throw fail('document-not-ready', { retryAfter: limits.documents.retryAfter })
    const file = await openStoredPdf(portal, storedAs(row.signedFile))
    if (!file) throw fail('document-content-missing')
    await transaction((tx, audit) => audit('document-signed-downloaded', { documentCase: row.id }))
    const name = row.locale === 'pl' ? 'dokument-podpisany.pdf' : 'document-signed.pdf'
    return { name, type: 'application/pdf', ...file }
  },
)

// Uploads of signed documents: staged, checked, and submitted for good (DOC-5, DOC-8).

export const stageUpload = handler(
  calls.stageUpload,
  async ({ params, upload, session, fail, orFail, limit, transaction, orNotFound }, portal) => {
    const { accountId, now } = session
    const row = orNotFound(await findOwnDocumentCase(portal.db, accountId, params.id))
    if (row.status !== 'subscriber-downloaded') throw fail('state-passed', refusedIn(row.status))
    await limit('too-many-attempts', ['document-uploads', accountId])
    const { file, report } = orFail(await stageSigned(portal, { row, content: upload, receivedAt: now, transaction }))
    return { sha256: file.sha256, bytes: file.bytes, version: row.version, report }
  },
)

export const confirmUpload = handler(
  calls.confirmUpload,
  ({ params, body, session: { accountId }, fail, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const before = orNotFound(await findOwnDocumentCase(tx, accountId, params.id))
      if (!(await moveDocumentCase(tx, before.id, 'subscriber-uploaded', { version: body.version })))
        throw fail('state-passed', refusedIn(orNotFound(await findOwnDocumentCase(tx, accountId, params.id)).status))
      // After the move, which locks the case: a refusal from here on undoes it.
      const staged = await findStaged(tx, before.id, body.sha256)
      if (!staged) throw fail('upload-unknown')
      if (staged.verdict === 'refused') throw fail('upload-refused')
      const row = orNotFound(await linkUpload(tx, before, staged.id))
      await notifyOfDocument(tx, portal, row, { news: 'received' })
      await audit('document-upload-confirmed', { documentCase: row.id, sha256: body.sha256 })
      return documentCaseOf(portal, row)
    }),
)
