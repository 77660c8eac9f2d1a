import * as calls from '../../contract/documents.ts'
import { caseOf, moveCase, refusedIn } from './document-case-store.ts'
import { notifyOfDocument } from './document-mails.ts'
import { handler } from '../platform/http/http.ts'
import { findCase, findStaged, linkUpload } from './document-store.ts'
import { stageSigned } from './upload-check.ts'

// Uploads of signed documents: staged, checked, and submitted for good (DOC-5, DOC-8).

export const stageUpload = handler(
  calls.stageUpload,
  async ({ params, upload, session, fail, limit, transaction, found }, portal) => {
    const { accountId, now } = session
    const row = found(await findCase(portal.db, accountId, params.id))
    if (row.status !== 'subscriber-downloaded') throw fail('state-passed', refusedIn(row.status))
    await limit('too-many-attempts', ['document-uploads', accountId])
    const staged = await stageSigned(portal, { row, content: upload, receivedAt: now, transaction })
    if ('refused' in staged) throw fail(staged.refused, staged.data)
    const { file, report } = staged
    return { sha256: file.sha256, bytes: file.bytes, version: row.version, report }
  },
)

export const confirmUpload = handler(
  calls.confirmUpload,
  ({ params, body, session: { accountId }, fail, transaction, found }, portal) =>
    transaction(async (tx, audit) => {
      const before = found(await findCase(tx, accountId, params.id))
      if (!(await moveCase(tx, before.id, 'subscriber-uploaded', { version: body.version })))
        throw fail('state-passed', refusedIn(found(await findCase(tx, accountId, params.id)).status))
      // After the move, which locks the case: a refusal from here on undoes it.
      const staged = await findStaged(tx, before.id, body.sha256)
      if (!staged) throw fail('upload-unknown')
      if (staged.verdict === 'refused') throw fail('upload-refused')
      const row = found(await linkUpload(tx, before, staged.id))
      await notifyOfDocument(tx, portal, row, { news: 'received' })
      await audit('document-upload-confirmed', { documentCase: row.id, sha256: body.sha256 })
      return caseOf(portal, row)
    }),
)
