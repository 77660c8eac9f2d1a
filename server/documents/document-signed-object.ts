import { Readable } from 'node:stream'
import type { UploadReport } from '../../contract/document-report.ts'
import { limits } from '../../contract/limits.ts'
import { ApiError, orThrow } from '../platform/api-error.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { withProof } from '../platform/pdf/long-term.ts'
import { attributesOf, embedSigned, timestampAll, type PreparedSignature } from '../platform/pdf/remote-signing.ts'
import type { Portal, Signed, SignedObject, SigningSubject } from '../platform/portal.ts'
import {
  documentCaseOf,
  moveDocumentCase,
  refusedIn,
  type DocumentCaseRow,
  findOwnDocumentCase,
  linkUpload,
} from './document-case-store.ts'
import { removeUnusedFile } from './document-files.ts'
import { notifyOfDocument } from './document-mails.ts'
import { prepareDocumentSignature, listReadySignatures } from './signing-preparation.ts'
import { stageSigned } from './upload-check.ts'

/** The document that is signed while its customer is present, because the service requires more than the portal's code. */
export const documentSignedObject: SignedObject = {
  kind: 'documentCase',

  async prepare(portal, subject) {
    const row = await findOwnDocumentCase(portal.db, subject.owner, subject.object.id)
    if (row?.status !== 'subscriber-downloaded')
      return { refused: 'state-passed', data: row ? refusedIn(row.status) : {} }
    const prepared = await prepareAgain(portal, row, subject)
    if (prepared.refused) return prepared
    const { signer, ready } = prepared
    if (!signer) return { refused: 'signing-changed' }
    const { credential } = signer
    return {
      attributes: [attributesOf(ready, credential)],
      credential,
      binding: ready.binding,
      description: describeDocument(row),
      async store({ signatures, ...rest }) {
        const signed = await timestampAll(portal.ports, signatures)
        if (signed === 'unreachable') return signed
        const current = await findOwnDocumentCase(portal.db, subject.owner, row.id)
        if (!current) throw new ApiError('signing-changed')
        const file = embedSigned(ready, credential, signed)
        await submitSigned(portal, current, subject, { ...rest, file, prepared: ready })
        return undefined
      },
    }
  },
}

export const describeDocument = ({ application, document }: DocumentCaseRow) => `${application} ${document}`

/** Prepares the document to be signed now; without a signer if the signature chosen at the start is no longer available. */
export async function prepareAgain(
  portal: Portal,
  row: DocumentCaseRow,
  { signatureId, claimedAt }: Pick<SigningSubject, 'signatureId' | 'claimedAt'>,
) {
  const signers = await listReadySignatures(portal, row)
  if (!signers) return { refused: 'unavailable' as const }
  const signer = signers.find(({ shown }) => shown.id === signatureId)
  const ready = await prepareDocumentSignature(portal, row, signer, claimedAt)
  return 'refused' in ready ? ready : { signer, ready }
}

type SignedFile = Omit<Signed, 'signatures'> & { file: Uint8Array<ArrayBuffer>; prepared: PreparedSignature }

/**
 * Adds validation data to the signed document, checks it like any upload, and submits it to the provider by the one
 * conditional move (R51).
 */
export async function submitSigned(
  portal: Portal,
  row: DocumentCaseRow,
  { signatureId }: Pick<SigningSubject, 'signatureId'>,
  { file: signed, prepared, at, transaction, end }: SignedFile,
) {
  // The signature cannot be made again, so the document is submitted even without validation data.
  const lasting = await withProof(portal, signed, at).catch(() => undefined)
  const fits = lasting && lasting.length <= limits.http.pdfBytes
  if (!fits && portal.ports.revocation)
    raiseAlarm(portal, { name: 'validation-data-missing', about: 'documents signed in the portal' })

  const document = fits ? lasting : signed
  const content = Readable.from([Buffer.from(document.buffer, document.byteOffset, document.length)])
  // The call declares only those codes of an upload that the portal's own signature can cause.
  const { file, report } = orThrow(await stageSigned(portal, { row, content, receivedAt: at, transaction }))
  if (report.verdict === 'refused') {
    await removeUnusedFile(portal, file.id)
    throw new ApiError('upload-refused')
  }
  return transaction(async (tx, audit) => {
    await end(tx)
    if (!(await moveDocumentCase(tx, row.id, 'subscriber-uploaded', { version: row.version }))) {
      const current = await findOwnDocumentCase(tx, row.accountId, row.id)
      throw new ApiError('state-passed', current ? refusedIn(current.status) : {})
    }
    const moved = await linkUpload(tx, row, file.id)
    if (!moved) throw new ApiError('not-found')
    await notifyOfDocument(tx, portal, moved, { news: 'received' })
    await audit('document-signed-in-place', {
      documentCase: row.id,
      ...(signatureId && { signature: signatureId }),
      document: prepared.sha256,
      sha256: file.sha256,
      level: levelOf(report),
    })
    return documentCaseOf(portal, moved)
  })
}

/** Returns the level of the new signature: B-LT unless the authorities were unreachable. */
const levelOf = ({ signatures }: UploadReport) => signatures.findLast(({ kind }) => kind === 'signature')?.level ?? ''
