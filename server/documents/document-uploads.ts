import type { FastifyInstance } from 'fastify'
import { confirmUpload, stageUpload } from '../../contract/documents.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import {
  caseOf,
  moveCase,
  openAccessCode,
  openSigner,
  refusedIn,
  storeReport,
  type CaseRow,
} from '../document-cases.ts'
import { dropFile, openFile, passFile, storeFile, type DocumentFile } from '../document-files.ts'
import { tellOfDocument } from '../document-mails.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import type { Verification } from '../ports/ports.ts'
import { findCase, findStaged, nameUpload } from './document-queries.ts'

const uploads: Budget = { name: 'document-uploads', ...limits.documents.uploads }

type Refused = {
  refused: 'pdf-damaged' | 'pdf-encrypted' | 'pdf-too-costly' | 'malware-found' | 'busy' | 'unavailable'
}

const whyUnread = {
  damaged: 'pdf-damaged',
  encrypted: 'pdf-encrypted',
  'too-costly': 'pdf-too-costly',
} as const satisfies Record<Extract<Verification, { readable: false }>['why'], ErrorCode>

/** What a customer has signed: taken, checked, and handed over for good (DOC-5, DOC-8). */
export function serveDocumentUploads(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, stageUpload, async ({ params, upload, session: { accountId, now }, address, fail }) => {
    const row = await findCase(db, accountId, params.id)
    if (!row) throw fail('not-found')
    if (row.status !== 'subscriber-downloaded') throw fail('state-passed', refusedIn(row.status))
    const paid = await spend(db, keys, uploads, accountId)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    const file = await storeFile(portal, { caseId: row.id, kind: 'upload' }, upload)
    const judged = await judge(portal, row, file, now).catch(async (error: unknown) => {
      await dropFile(portal, file.id)
      throw error
    })
    if ('refused' in judged) {
      await dropFile(portal, file.id)
      throw fail(judged.refused, judged.refused === 'busy' ? { retryAfter: 5 } : {})
    }
    const { report } = judged
    await storeReport(db, keys, file.id, report)
    await db.transaction().execute((tx) =>
      record(tx, {
        act: 'document-upload-checked',
        accountId,
        actor: 'customer',
        address,
        details: { documentCase: row.id, sha256: file.sha256, verdict: report.verdict },
      }),
    )
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
    await nameUpload(tx, before.id, staged.id)
    const row = (await findCase(tx, accountId, params.id))!
    await tellOfDocument(tx, portal, row, { news: 'received' })
    await record(tx, {
      act: 'document-upload-confirmed',
      accountId,
      actor: 'customer',
      address,
      details: { documentCase: row.id, sha256: body.sha256 },
    })
    return caseOf(row)
  })
}

/** The scan for malware, where there is one, and then the check of the signature. */
async function judge(
  portal: Portal,
  row: CaseRow,
  file: DocumentFile,
  receivedAt: Date,
): Promise<Refused | Extract<Verification, { readable: true }>> {
  const { verification, malware } = portal.ports
  if (malware) {
    const opened = await openFile(portal, file)
    const found = opened ? await malware.scan(opened.content) : 'unreachable'
    if (found !== 'clean') return { refused: found === 'infected' ? 'malware-found' : 'unavailable' }
  }
  const judged = await verification.verify({
    file: async () => passFile(portal, file),
    issued: async () => passFile(portal, row.documentFile!),
    accessCode: openAccessCode(portal.keys, row)!,
    signer: openSigner(portal.keys, row),
    receivedAt,
  })
  if (judged === 'busy') return { refused: 'busy' }
  if (judged === 'unreachable') return { refused: 'unavailable' }
  return judged.readable ? judged : { refused: whyUnread[judged.why] }
}
