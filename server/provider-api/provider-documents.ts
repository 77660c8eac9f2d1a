import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import {
  getDocumentCase,
  listDocumentCases,
  putCaseDocument,
  putDocumentCase,
  type ProviderDocumentState,
} from '../../contract/provider-documents.ts'
import { drawAccessCode } from '../access-code.ts'
import { record } from '../audit.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import type { Db } from '../db.ts'
import { openAccessCode, openSigner, refusedIn, uploadOf, type CaseRow } from '../document-cases.ts'
import { dropFile, readArriving, storeFile } from '../document-files.ts'
import { tellOfDocument } from '../document-mails.ts'
import { serve } from '../http.ts'
import type { Keys } from '../keys.ts'
import { PdfWorkBusy } from '../pdf-work.ts'
import type { Portal } from '../portal.ts'
import { findCase, holdCase, listByStatus, nameDocument, storeCase } from './provider-document-queries.ts'

/** Whatever is signed on the encrypted file has to fit into an upload with it. */
const largestLocked = limits.http.pdfBytes - 131_072

/** Cases as the provider opens and follows them; what it does with an upload is in provider-document-moves.ts. */
export function serveProviderDocuments(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, putDocumentCase, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const stored = await storeCase(tx, keys, params.case, body)
      if (stored === 'absent') throw fail('not-found')
      const row = (await findCase(tx, params.case))!
      if (stored === 'handed-over') throw fail('state-passed', refusedIn(row.status))
      await record(tx, {
        act: 'document-case-stored',
        accountId: row.owner,
        actor: 'provider',
        address,
        details: { client: client.id, documentCase: row.id },
      })
      return stateOf(keys, row)
    }),
  )

  serve(app, portal, putCaseDocument, async ({ params, upload, client, address, fail }) => {
    const before = await findCase(db, params.case)
    if (!before) throw fail('not-found')
    const bytes = await readArriving(portal, upload)
    const source = createHash('sha256').update(bytes).digest('hex')
    const isSame = (row: CaseRow) => row.documentFile?.source === source
    if (isSame(before)) return stateOf(keys, before)
    if (before.status !== 'passed-to-subscriber') throw fail('state-passed', refusedIn(before.status))

    const accessCode = drawAccessCode()
    const locked = await lock(portal, bytes, accessCode)
    if (locked === 'busy') throw fail('busy', { retryAfter: 5 })
    if (typeof locked === 'string') throw fail('pdf-unusable', { reason: locked })
    const arrival = {
      caseId: before.id,
      kind: 'document' as const,
      largest: largestLocked,
      sourceSha256: source,
      clear: locked.clear,
    }
    const file = await storeFile(portal, arrival, Readable.from([Buffer.from(locked.file)]))
    const needless = await db
      .transaction()
      .execute(async (tx) => {
        const row = (await holdCase(tx, params.case))!
        // Another of the same may have been first, or the customer.
        if (isSame(row)) return file.id
        if (row.status !== 'passed-to-subscriber') throw fail('state-passed', refusedIn(row.status))
        await nameDocument(tx, keys, row.id, { file: file.id, accessCode })
        if (!row.documentFile) await tellOfDocument(tx, portal, row, { news: 'waiting' })
        await record(tx, {
          act: 'document-stored',
          accountId: row.owner,
          actor: 'provider',
          address,
          details: { client: client.id, documentCase: row.id, sha256: source },
        })
        // The one before may be on its way to the customer; the housekeeping removes it.
        return undefined
      })
      .catch(async (error: unknown) => {
        await dropFile(portal, file.id)
        throw error
      })
    if (needless) await dropFile(portal, needless)
    return (await stateFrom(db, keys, params.case))!
  })

  serve(app, portal, getDocumentCase, async ({ params, fail }) => {
    const state = await stateFrom(db, keys, params.case)
    if (!state) throw fail('not-found')
    return state
  })

  serve(app, portal, listDocumentCases, async ({ query: { status, cursor }, client }) => {
    const size = limits.list.sizes[2]
    const list = `document cases ${status ?? 'all'}`
    const [after] = cursor === undefined ? [] : readCursor(keys, list, client.id, cursor)
    const rows = await listByStatus(db, { status, after: after === undefined ? undefined : String(after), size })
    const last = rows[size - 1]
    const next = rows.length > size && last ? makeCursor(keys, list, client.id, [last.id]) : null
    return { items: rows.slice(0, size).map((row) => summaryOf(keys, row)), next }
  })
}

async function lock({ pdfWork }: Portal, bytes: Uint8Array, password: string) {
  try {
    // Nobody keeps the owner's password: whoever has the code may print and sign, and nothing more.
    return await pdfWork.lock(bytes, { password, owner: randomBytes(32).toString('hex') })
  } catch (error) {
    if (error instanceof PdfWorkBusy) return 'busy'
    throw error
  }
}

const summaryOf = (keys: Keys, row: CaseRow) => ({
  case: row.providerId,
  customer: row.customer,
  application: row.application,
  document: row.document,
  process: row.process satisfies Text,
  signer: openSigner(keys, row),
  status: row.status,
  version: row.version,
  content: row.documentFile ? ('ready' as const) : ('generating' as const),
  refusal: row.refusal,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const stateOf = (keys: Keys, row: CaseRow): ProviderDocumentState => ({
  ...summaryOf(keys, row),
  accessCode: openAccessCode(keys, row),
  upload: uploadOf(keys, row),
  signed: row.signedFile && { sha256: row.signedFile.sha256, bytes: row.signedFile.bytes },
})

export async function stateFrom(from: Db, keys: Keys, providerId: string) {
  const row = await findCase(from, providerId)
  return row && stateOf(keys, row)
}
