import type { FastifyInstance } from 'fastify'
import {
  downloadDocument,
  downloadSigned,
  listDocuments,
  readDocument,
  resendAccessCode,
  summariseDocuments,
} from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { caseOf, moveCase, openAccessCode, refusedIn, uploadOf } from '../document-cases.ts'
import { openFile } from '../document-files.ts'
import { tellOfDocument } from '../document-mails.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { findCase, listCases, newestWaiting, secondsUntilResend, startCode, takeResend } from './document-queries.ts'

const codes: Budget = { name: 'document-code', ...limits.documents.codes }

/** The customer's document cases: the list, what is downloaded, and the access code (DOC-1, DOC-3). */
export function serveDocuments(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, listDocuments, async ({ query, session: { accountId } }) => {
    const size = Number(query.size ?? limits.list.size)
    const { status } = query
    const list = `documents ${status ?? 'all'}`
    const [createdAt, id] = query.cursor === undefined ? [] : readCursor(keys, list, accountId, query.cursor)
    const after = id === undefined ? undefined : { createdAt: String(createdAt), id: String(id) }
    const rows = await listCases(db, accountId, { after, size, status })
    const last = rows[size - 1]
    const next = rows.length > size && last ? makeCursor(keys, list, accountId, [last.place, last.id]) : null
    return { items: rows.slice(0, size).map((row) => caseOf(portal, row)), next }
  })

  serve(app, portal, summariseDocuments, async ({ session: { accountId } }) => {
    const waiting = async (until: 'signed' | 'fetched') => {
      const [row] = await newestWaiting(db, accountId, until)
      return { count: row?.count ?? 0, newest: row ? caseOf(portal, row) : null }
    }
    return { toSign: await waiting('signed'), toFetch: await waiting('fetched') }
  })

  serve(app, portal, readDocument, async ({ params, session, fail }) => {
    const row = await findCase(db, session.accountId, params.id)
    if (!row) throw fail('not-found')
    return { ...caseOf(portal, row), upload: uploadOf(keys, row) }
  })

  serve(app, portal, downloadDocument, async ({ params, session: { accountId }, address, fail }) => {
    const row = await findCase(db, accountId, params.id)
    if (!row) throw fail('not-found')
    if (row.status === 'canceled') throw fail('state-passed', refusedIn(row.status))
    if (!row.documentFile) throw fail('document-not-ready', { retryAfter: limits.documents.retryAfter })
    const { documentFile } = row
    // Before the move: a document that cannot be read was not downloaded.
    const file = await openFile(portal, documentFile)
    if (!file) throw fail('document-content-missing')
    try {
      await db.transaction().execute(async (tx) => {
        const first = await moveCase(tx, row.id, 'subscriber-downloaded')
        if (first) {
          // The provider may have replaced it a moment ago, and the code with it.
          if (!(await startCode(tx, row.id, documentFile.id))) throw fail('document-not-ready', { retryAfter: 1 })
          await tellOfDocument(tx, portal, row, { news: 'access-code', code: openAccessCode(keys, row)! })
        }
        await record(tx, {
          act: 'document-downloaded',
          accountId,
          actor: 'customer',
          address,
          details: { documentCase: row.id, first },
        })
      })
    } catch (error) {
      file.content.destroy()
      throw error
    }
    return { name: row.locale === 'pl' ? 'dokument.pdf' : 'document.pdf', type: 'application/pdf', ...file }
  })

  serve(app, portal, resendAccessCode, async ({ params, session: { accountId }, address, fail }) => {
    const row = await findCase(db, accountId, params.id)
    if (!row) throw fail('not-found')
    if (!row.codeSentAt || row.status === 'canceled') throw fail('state-passed', refusedIn(row.status))
    await db.transaction().execute(async (tx) => {
      if (!(await takeResend(tx, row.id)))
        throw fail('resend-too-early', { retryAfter: await secondsUntilResend(tx, row.id) })
      const paid = await spend(tx, keys, codes, row.id)
      if (!paid.ok) throw fail('sends-spent', { retryAfter: paid.retryAfter })
      await tellOfDocument(tx, portal, row, { news: 'access-code', code: openAccessCode(keys, row)! })
      await record(tx, {
        act: 'document-code-sent',
        accountId,
        actor: 'customer',
        address,
        details: { documentCase: row.id },
      })
    })
    return caseOf(portal, (await findCase(db, accountId, params.id))!)
  })

  serve(app, portal, downloadSigned, async ({ params, session: { accountId }, address, fail }) => {
    const row = await findCase(db, accountId, params.id)
    if (!row) throw fail('not-found')
    if (row.status === 'canceled') throw fail('state-passed', refusedIn(row.status))
    if (!row.signedFile) throw fail('document-not-ready', { retryAfter: limits.documents.retryAfter })
    const file = await openFile(portal, row.signedFile)
    if (!file) throw fail('document-content-missing')
    await db.transaction().execute((tx) =>
      record(tx, {
        act: 'document-signed-downloaded',
        accountId,
        actor: 'customer',
        address,
        details: { documentCase: row.id },
      }),
    )
    const name = row.locale === 'pl' ? 'dokument-podpisany.pdf' : 'document-signed.pdf'
    return { name, type: 'application/pdf', ...file }
  })
}
