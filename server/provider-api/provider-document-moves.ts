import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import {
  cancelDocumentCase,
  countersign,
  downloadUpload,
  finishDocumentCase,
  refuseUpload,
} from '../../contract/provider-documents.ts'
import type { Act } from '../../contract/acts.ts'
import { record } from '../audit.ts'
import type { ProviderClient } from '../authenticate.ts'
import type { Tx } from '../db.ts'
import { moveCase, refusedIn, type CaseRow } from '../document-cases.ts'
import { dropFile, openFile, storeFile, type DocumentFile } from '../document-files.ts'
import { tellOfDocument } from '../document-mails.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { askFinish, findCase, holdCase, nameRefusal, nameSigned } from './provider-document-queries.ts'
import { stateFrom } from './provider-documents.ts'

/** What the provider does with an upload, and how it ends a case (DOC-6). Said twice or in another order, it is done once (R55). */
export function serveProviderDocumentMoves(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, downloadUpload, async ({ params, client, address, fail }) => {
    const row = await findCase(db, params.case)
    if (!row) throw fail('not-found')
    if (!row.uploadFile) throw fail('document-not-ready')
    const file = await openFile(portal, row.uploadFile)
    if (!file) throw fail('document-content-missing')
    await db.transaction().execute((tx) => recordAct(tx, 'document-upload-fetched', row, client, address))
    return { name: 'upload.pdf', type: 'application/pdf', ...file }
  })

  serve(app, portal, countersign, async ({ params, upload, client, address, fail }) => {
    const before = await findCase(db, params.case)
    if (!before) throw fail('not-found')
    const { uploadFile } = before
    if (!uploadFile || before.status === 'canceled') throw fail('state-passed', refusedIn(before.status))
    const arrival = {
      caseId: before.id,
      kind: 'signed' as const,
      largest: limits.http.pdfBytes + limits.http.signatureBytes,
    }
    const beginning = hashOfBeginning(uploadFile.bytes)
    const file = await storeFile(portal, arrival, beginning.over(upload))
    const isTaken = await db
      .transaction()
      .execute(async (tx) => {
        // What the customer has signed goes on byte for byte, and something comes after it.
        if (beginning.digest() !== uploadFile.sha256 || file.bytes === uploadFile.bytes)
          throw fail('document-not-continued')
        const row = (await holdCase(tx, params.case))!
        if (!(await moveCase(tx, row.id, 'issuer-uploaded'))) return settled(row, file, fail)
        const { finishAsked } = await nameSigned(tx, row.id, file.id)
        await tellOfDocument(tx, portal, row, { news: 'countersigned' })
        await recordAct(tx, 'document-countersigned', row, client, address)
        if (finishAsked) await finish(tx, row, client, address)
        return true
      })
      .catch(async (error: unknown) => {
        await dropFile(portal, file.id)
        throw error
      })
    if (!isTaken) await dropFile(portal, file.id)
    return (await stateFrom(db, keys, params.case))!
  })

  serve(app, portal, refuseUpload, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const row = await holdCase(tx, params.case)
      if (!row) throw fail('not-found')
      if (await moveCase(tx, row.id, 'canceled', { from: 'subscriber-uploaded' })) {
        await nameRefusal(tx, row.id, body)
        await tellOfDocument(tx, portal, row, { news: 'refused', refusal: body })
        await recordAct(tx, 'document-upload-refused', row, client, address)
      } else if (!row.refusal) throw fail('state-passed', refusedIn(row.status))
      return (await stateFrom(tx, keys, params.case))!
    }),
  )

  serve(app, portal, finishDocumentCase, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const row = await holdCase(tx, params.case)
      if (!row) throw fail('not-found')
      const isDone = row.status === 'finished' || (await finish(tx, row, client, address))
      if (!isDone && !(await askFinish(tx, row.id))) throw fail('state-passed', refusedIn(row.status))
      return (await stateFrom(tx, keys, params.case))!
    }),
  )

  serve(app, portal, cancelDocumentCase, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const row = await holdCase(tx, params.case)
      if (!row) throw fail('not-found')
      if (await moveCase(tx, row.id, 'canceled')) {
        await tellOfDocument(tx, portal, row, { news: 'canceled' })
        await recordAct(tx, 'document-canceled', row, client, address)
      } else if (row.status !== 'canceled') throw fail('state-passed', refusedIn(row.status))
      return (await stateFrom(tx, keys, params.case))!
    }),
  )
}

/** A countersignature that came before: the same one again is as good as the first. */
function settled(
  { signedFile, status }: CaseRow,
  { sha256 }: DocumentFile,
  fail: (code: 'state-passed', data: { current: string }) => Error,
): false {
  if (signedFile?.sha256 !== sha256) throw fail('state-passed', refusedIn(status))
  return false
}

async function finish(tx: Tx, row: CaseRow, client: ProviderClient, address: string): Promise<boolean> {
  if (!(await moveCase(tx, row.id, 'finished'))) return false
  await recordAct(tx, 'document-finished', row, client, address)
  return true
}

const recordAct = (tx: Tx, act: Act, row: CaseRow, client: ProviderClient, address: string) =>
  record(tx, {
    act,
    accountId: row.owner,
    actor: 'provider',
    address,
    details: { client: client.id, documentCase: row.id },
  })

/** The SHA-256 of the first bytes of what passes. */
function hashOfBeginning(bytes: number) {
  const hash = createHash('sha256')
  let left = bytes
  async function* passed(content: Readable) {
    for await (const part of content.iterator({ destroyOnReturn: false })) {
      const chunk = part as Buffer
      hash.update(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
      yield chunk
    }
  }
  return {
    over(content: Readable): Readable {
      content.on('error', () => {})
      return Readable.from(passed(content))
    },
    digest: () => hash.digest('hex'),
  }
}
