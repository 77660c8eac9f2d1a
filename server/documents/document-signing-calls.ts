import * as calls from '../../contract/documents.ts'
import { wholeSeconds } from '../../pki/asn1/der.ts'
import { orThrow } from '../platform/api-error.ts'
import { createCodeOnce, resendCode, voidCodes } from '../platform/authentication/codes.ts'
import { operationIn, type LiveSession } from '../platform/authentication/session.ts'
import { readAccountPhone, readRecipient } from '../platform/encrypted-data/encrypted-fields.ts'
import { handler } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { attributesOf, signPrepared } from '../platform/pdf/remote-signing.ts'
import type { ObjectToSign, Portal } from '../platform/portal.ts'
import { confirmByCode, voidedAs } from '../service-authorisation/confirm-by-code.ts'
import { documentCaseOf, refusedIn, type DocumentCaseRow, findOwnDocumentCase } from './document-case-store.ts'
import { describeDocument, prepareAgain, submitSigned } from './document-signed-object.ts'
import {
  prepareDocumentSignature,
  listReadySignatures,
  type ReadySignature,
  endDocumentSigning,
  findSigning,
  putSigning,
  type PreparedSigning,
} from './signing-preparation.ts'

const operationOf = (session: LiveSession, { id, documentSha256 }: PreparedSigning) => ({
  ...operationIn(session, 'sign-document', id),
  mark: documentSha256.slice(0, 8),
})

// A case is signed with the customer's own cloud signature, after the portal's SMS code and what the service requires (DOC-9).

export const listDocumentSigners = handler(
  calls.listDocumentSigners,
  async ({ params, session, fail, orNotFound }, portal) => {
    const row = orNotFound(await findOwnDocumentCase(portal.db, session.accountId, params.id))
    // Also before the first download: the dialog says with which certificate while it opens the document (DOC-11).
    if (row.status !== 'subscriber-downloaded' && row.status !== 'passed-to-subscriber')
      throw fail('state-passed', refusedIn(row.status))
    const signers = await listReadySignatures(portal, row)
    if (!signers) throw fail('unavailable')
    return {
      signers: signers.map(({ shown }) => shown),
      maskedPhone: maskPhone(await readAccountPhone(portal.db, portal.keys, session.accountId)),
    }
  },
)

export const startDocumentSigning = handler(
  calls.startDocumentSigning,
  async ({ params, body, session, address, fail, orFail, limit, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findOwnDocumentCase(portal.db, session.accountId, params.id))
    if (row.status !== 'subscriber-downloaded') throw fail('state-passed', refusedIn(row.status))
    const signers = await listReadySignatures(portal, row)
    if (!signers) throw fail('unavailable')
    const signer = signers.find(({ shown }) => shown.id === body.signer)
    if (!signer) throw fail('signer-unknown')
    await limit('too-many-attempts', ['document-signings', row.accountId])

    const before = await findSigning(portal.db, row.id)
    const chosen = orFail(await chooseSigning(portal, row, session, signer, before))
    const to = await readRecipient(portal, session, address)
    const code = await transaction(async (tx, audit) => {
      if (chosen !== before) {
        if (before) await voidCodes(tx, 'sign-document', before.id)
        await putSigning(tx, row.id, chosen)
      }
      const sent = orThrow(await createCodeOnce(tx, portal, operationOf(session, chosen), to))
      const { signatureId, documentSha256 } = chosen
      await audit('document-signing-started', { documentCase: row.id, signature: signatureId, sha256: documentSha256 })
      return sent
    })
    return { sha256: chosen.documentSha256, code }
  },
)

/**
 * Returns the existing signing if the session starts the same one again, so that the code that was sent stays valid; otherwise a new one.
 */
async function chooseSigning(
  portal: Portal,
  row: DocumentCaseRow,
  session: LiveSession,
  signer: ReadySignature,
  before?: PreparedSigning,
) {
  if (before?.sessionId === session.id && before.signatureId === signer.shown.id) {
    const again = await prepareDocumentSignature(portal, row, signer, before.claimedAt)
    if ('refused' in again) return again
    if (again.binding === before.binding) return before
  }
  const claimedAt = wholeSeconds(session.now)
  const prepared = await prepareDocumentSignature(portal, row, signer, claimedAt)
  if ('refused' in prepared) return prepared
  return {
    id: crypto.randomUUID(),
    sessionId: session.id,
    signatureId: signer.shown.id,
    documentSha256: prepared.sha256,
    binding: prepared.binding,
    claimedAt,
  }
}

export const resendDocumentSigningCode = handler(
  calls.resendDocumentSigningCode,
  async ({ params, session, address, fail, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findOwnDocumentCase(portal.db, session.accountId, params.id))
    if (row.status !== 'subscriber-downloaded') throw fail('signing-changed')
    const signing = await findSigning(portal.db, row.id)
    // The code of a signing is void once another session's signing has replaced it.
    if (signing?.sessionId !== session.id) throw fail('code-void')
    const to = await readRecipient(portal, session, address)
    return transaction(async (tx) => orThrow(await resendCode(tx, portal, operationOf(session, signing), to)))
  },
)

export const finishDocumentSigning = handler(calls.finishDocumentSigning, async (call, portal) => {
  const { params, session, fail, orFail, transaction, orNotFound } = call
  const row = orNotFound(await findOwnDocumentCase(portal.db, session.accountId, params.id))
  if (row.status !== 'subscriber-downloaded') throw fail('state-passed', refusedIn(row.status))
  const signing = await findSigning(portal.db, row.id)
  if (signing?.sessionId !== session.id) throw fail('code-void')
  const { signatureId, documentSha256, claimedAt } = signing
  const object: ObjectToSign = { kind: 'documentCase', id: row.id }
  const subject = { owner: row.accountId, object, signatureId, claimedAt }
  const confirmed = await confirmByCode(portal, call, {
    operation: operationOf(session, signing),
    subject,
    async prepare() {
      const { signer, ready } = orFail(await prepareAgain(portal, row, signing))
      if (ready.binding !== signing.binding || !signer) {
        const details = { documentCase: row.id, sent: documentSha256, found: ready.sha256 }
        return voidedAs('document-signing-voided', details)
      }
      const { credential } = signer
      return { file: ready, credential, attributes: [attributesOf(ready, credential)], binding: ready.binding }
    },
    // From here on the code is spent and the signing is over, so at most one signature is requested.
    async confirm(tx, _, spend) {
      await spend()
      if (!(await endDocumentSigning(tx, signing.id))) throw fail('code-void')
      return { documentCase: row.id, signature: signatureId, sha256: documentSha256 }
    },
  })
  const { prepared, authorisation } = orFail(confirmed)
  if (authorisation) return { ...documentCaseOf(portal, row), authorisation }
  const { file, credential } = prepared
  const signed = await signPrepared(portal.ports, file, { credential, description: describeDocument(row) })
  if (typeof signed === 'string') {
    await transaction((_, audit) =>
      audit('document-signing-failed', { documentCase: row.id, sha256: documentSha256, why: signed }),
    )
    throw fail(signed === 'unreachable' ? 'unavailable' : 'signing-refused')
  }
  // The signing has ended with its code.
  const end = async () => {}
  const made = { file: signed, prepared: file, at: session.now, transaction, end }
  const submitted = await submitSigned(portal, row, subject, made)
  return { ...submitted, authorisation: null }
})
