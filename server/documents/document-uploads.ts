import type { FastifyInstance } from 'fastify'
import { confirmUpload, stageUpload } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import { caseOf, moveCase, refusedIn } from '../document-cases.ts'
import { tellOfDocument } from '../document-mails.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { findCase, findStaged, nameUpload } from './document-queries.ts'
import { stageSigned } from './upload-check.ts'

const uploads: Budget = { name: 'document-uploads', ...limits.documents.uploads }

/** What a customer has signed: taken, checked, and handed over for good (DOC-5, DOC-8). */
export function serveDocumentUploads(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, stageUpload, async ({ params, upload, session: { accountId, now }, address, fail }) => {
    const row = await findCase(db, accountId, params.id)
    if (!row) throw fail('not-found')
    if (row.status !== 'subscriber-downloaded') throw fail('state-passed', refusedIn(row.status))
    const paid = await spend(db, keys, uploads, accountId)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    const { file, report } = await stageSigned(portal, { row, content: upload, receivedAt: now, address })
    return { sha256: file.sha256, bytes: file.bytes, version: row.version, report }
  })

  serve(app, portal, confirmUpload, async ({ params, body, session: { accountId }, tx, address, fail }) => {
    const before = await findCase(tx, accountId, params.id)
    if (!before) throw fail('not-found')
    if (!(await moveCase(tx, before.id, 'subscriber-uploaded', { version: body.version })))
      throw fail('state-passed', refusedIn((await findCase(tx, accountId, params.id))!.status))
    // Behind the move, which holds the case: what is refused from here on undoes it.
    const staged = await findStaged(tx, before.id, body.sha256)
    if (!staged) throw fail('upload-unknown')
    if (staged.verdict === 'refused') throw fail('upload-refused')
    const row = await nameUpload(tx, before, staged.id)
    await tellOfDocument(tx, portal, row, { news: 'received' })
    await record(tx, {
      act: 'document-upload-confirmed',
      accountId,
      actor: 'customer',
      address,
      details: { documentCase: row.id, sha256: body.sha256 },
    })
    return caseOf(portal, row)
  })
}
