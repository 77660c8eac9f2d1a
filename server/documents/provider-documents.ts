import { hash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Given } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/provider-documents.ts'
import { drawAccessCode } from '../platform/authentication/access-codes.ts'
import type { Db } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { readUpload } from '../platform/files/stored-pdfs.ts'
import { handler } from '../platform/http/http.ts'
import { removing } from '../platform/http/object-removal.ts'
import { unlessBusy } from '../platform/pdf/pdf-work.ts'
import type { Portal } from '../platform/portal.ts'
import { decryptAccessCode, decryptSigner, refusedIn, uploadOf, type DocumentCaseRow } from './document-case-store.ts'
import { removeUnusedFile, storeFile } from './document-files.ts'
import { notifyOfDocument } from './document-mails.ts'
import {
  findDocumentCase,
  lockCase,
  listByStatus,
  linkDocument,
  removeCase,
  putCase,
} from './provider-document-store.ts'

const remove = removing('document-case', 'case', removeCase)

/** The largest encrypted file, so that an upload has room for it and its signature. */
const maxLocked = limits.http.pdfBytes - 131_072

// The provider's calls that open and read cases; those that handle an upload are in provider-document-moves.ts.

export const putDocumentCase = handler(
  calls.putDocumentCase,
  ({ params, body, fail, transaction, orNotFound }, { keys }) =>
    transaction(async (tx, audit) => {
      const stored = await putCase(tx, keys, params.case, body)
      if (stored === 'absent') throw fail('not-found')
      const row = orNotFound(await findDocumentCase(tx, params.case))
      if (stored === 'submitted') throw fail('state-passed', refusedIn(row.status))
      await audit('document-case-stored', { documentCase: row.id }, row.accountId)
      return stateOf(keys, row)
    }),
)

export const putCaseDocument = handler(
  calls.putCaseDocument,
  async ({ params, upload, fail, transaction, orNotFound }, portal) => {
    const before = orNotFound(await findDocumentCase(portal.db, params.case))
    const bytes = await readUpload(portal, upload)
    const source = hash('sha256', bytes)
    const isSame = (row: DocumentCaseRow) => row.documentFile?.source === source
    if (isSame(before)) return stateOf(portal.keys, before)
    if (before.status !== 'passed-to-subscriber') throw fail('state-passed', refusedIn(before.status))

    const accessCode = drawAccessCode()
    const locked = await lock(portal, bytes, accessCode)
    if (locked === 'busy') throw fail('busy')
    if (typeof locked === 'string') throw fail('pdf-unusable', { reason: locked })
    const arrival = { caseId: before.id, largest: maxLocked, sourceSha256: source, clear: locked.clear }
    const content = Readable.from([Buffer.from(locked.file)])
    const file = await storeFile(portal, { ...arrival, kind: 'document' }, content)
    const superfluous = await transaction(async (tx, audit) => {
      const row = orNotFound(await lockCase(tx, params.case))
      // A concurrent call with the same file, or the customer's download, may have been first.
      if (isSame(row)) return file.id
      if (row.status !== 'passed-to-subscriber') throw fail('state-passed', refusedIn(row.status))
      await linkDocument(tx, portal.keys, row.id, { file: file.id, accessCode })
      if (!row.documentFile) await notifyOfDocument(tx, portal, row, { news: 'waiting' })
      await audit('document-stored', { documentCase: row.id, sha256: source }, row.accountId)
      // The customer may be downloading the file before; the removal of orphans deletes it later.
      return undefined
    }).catch(async (error: unknown) => {
      await removeUnusedFile(portal, file.id)
      throw error
    })
    if (superfluous) await removeUnusedFile(portal, superfluous)
    return orNotFound(await readState(portal.db, portal.keys, params.case))
  },
)

export const getDocumentCase = handler(calls.getDocumentCase, async ({ params, orNotFound }, { db, keys }) =>
  orNotFound(await readState(db, keys, params.case)),
)

export const removeDocumentCase = handler(calls.removeDocumentCase, remove)

export const listDocumentCases = handler(
  calls.listDocumentCases,
  async ({ query: { customer, status, cursor }, pageById }, { db, keys }) => {
    const { rows, next } = await pageById(
      { list: `document cases ${customer ?? ''} ${status ?? 'all'}`, cursor },
      (at) => listByStatus(db, { customer, status, ...at }),
    )
    return { items: rows.map((row) => summaryOf(keys, row)), next }
  },
)

/** Encrypts a file. The owner's password is discarded, so that the code allows printing and signing only. */
const lock = ({ pdfWork }: Portal, bytes: Uint8Array, password: string) =>
  unlessBusy(pdfWork.lock(bytes, { password, owner: randomBytes(32).toString('hex') }), 'busy')

const summaryOf = (keys: Keys, row: DocumentCaseRow) => ({
  case: row.providerId,
  customer: row.customer,
  application: row.application,
  document: row.document,
  process: row.process satisfies Text,
  signer: decryptSigner(keys, row),
  status: row.status,
  version: row.version,
  content: row.documentFile ? ('ready' as const) : ('generating' as const),
  refusal: row.refusal,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

export const stateOf = (keys: Keys, row: DocumentCaseRow): Given<(typeof calls.getDocumentCase)['reply']> => ({
  ...summaryOf(keys, row),
  accessCode: decryptAccessCode(keys, row),
  upload: uploadOf(keys, row),
  signed: row.signedFile && { sha256: row.signedFile.sha256, bytes: row.signedFile.bytes },
})

export async function readState(db: Db, keys: Keys, providerId: string) {
  const row = await findDocumentCase(db, providerId)
  return row && stateOf(keys, row)
}
