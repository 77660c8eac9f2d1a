import { sql } from 'kysely'
import * as calls from '../../contract/file-signing.ts'
import type { FileSigning } from '../../contract/file-signing.ts'
import { digestBytes } from '../../pki/asn1/signature-algorithm.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import { zip } from '../../pki/zip.ts'
import { orThrow } from '../platform/api-error.ts'
import { createCodeOnce, resendCode } from '../platform/authentication/codes.ts'
import { operationIn, type LiveSession } from '../platform/authentication/session.ts'
import type { Tx } from '../platform/database/database.ts'
import { readAccountPhone, readRecipient } from '../platform/encrypted-data/encrypted-fields.ts'
import { handler } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { requestSignatures } from '../platform/pdf/remote-signing.ts'
import type { Portal, ServerFeature } from '../platform/portal.ts'
import { endAuthorisationsOf } from '../service-authorisation/authorisation-store.ts'
import { confirmByCode, voidedAs } from '../service-authorisation/confirm-by-code.ts'
import { findOpenAuthorisation, requirementOf } from '../service-authorisation/service-authorisation.ts'
import {
  detailsOf,
  fileSigningObjectOf,
  prepareFiles,
  filesSubjectOf,
  timestampKept,
  fileSignedObject,
} from './file-signed-object.ts'
import { bindingOf, findFileSigners, referenceOf } from './file-signers.ts'
import {
  confirmSigning,
  findFileSigning,
  releaseSigning,
  findOrAddFileSigning,
  takeSigning,
  findReasonNotTaken,
  type FileSigningRow,
  removeOldSignings,
} from './file-signing-store.ts'

const operationOf = (session: LiveSession, { id, digests }: FileSigningRow) => ({
  ...operationIn(session, 'sign-files', id),
  mark: referenceOf(digests).slice(0, 8),
})

// Signs files that stay in the browser, by their digests (SGN-20).

/** Finds a signing, in the session that began it only (R202), or returns why not. */
async function findOwnSigning({ db }: Portal, { accountId, id: sessionId }: LiveSession, id: string) {
  const row = await findFileSigning(db, accountId, id)
  if (!row) return { refused: 'not-found' as const }
  return row.sessionId === sessionId ? row : { refused: 'signing-over' as const }
}

function stateOf({ signedAt, confirmedAt }: FileSigningRow): FileSigning['state'] {
  if (signedAt) return 'signed'
  return confirmedAt ? 'confirmed' : 'started'
}

async function answerFor(
  portal: Portal,
  session: LiveSession,
  row: FileSigningRow,
  authorisation?: FileSigning['authorisation'],
): Promise<FileSigning> {
  const { id, digests, confirmedAt, signatures, timestamps, signedAt, isTaken } = row
  // Where only timestamps are missing and no request adds them, nothing is asked of the customer any more.
  const isOpen = confirmedAt && !signedAt && (!signatures || isTaken)
  return {
    id,
    reference: referenceOf(digests),
    state: stateOf(row),
    authorisation:
      authorisation ??
      (isOpen ? await findOpenAuthorisation(portal, session, fileSigningObjectOf(row), row.binding) : null),
    signatures: signedAt
      ? zip(signatures ?? [], timestamps ?? []).map(([signature, timestamp]) => ({
          signature: base64Of(signature),
          timestamp: base64Of(timestamp!),
        }))
      : null,
  }
}

export const listFileSigners = handler(calls.listFileSigners, async ({ session, fail, limit }, portal) => {
  await limit('too-many-attempts', ['file-signers', session.accountId])
  const found = await findFileSigners(portal, session.accountId)
  if (!found) throw fail('unavailable')
  return {
    signers: found.signers.map(({ shown }) => shown),
    unusable: found.unusable,
    maskedPhone: maskPhone(await readAccountPhone(portal.db, portal.keys, session.accountId)),
  }
})

export const startFileSigning = handler(
  calls.startFileSigning,
  async ({ body, session, address, fail, limit, transaction }, portal) => {
    const { accountId: owner } = session
    const wrongDigests = () => fail('invalid-input', { fields: [{ name: 'digests', problem: 'format' }] })
    const digests = body.digests.flatMap((text) => fromBase64(text) ?? [])
    const possible: readonly number[] = Object.values(digestBytes)
    if (digests.length !== body.digests.length || !digests.every(({ length }) => possible.includes(length)))
      throw wrongDigests()
    // Counted before the service is called for it (R204).
    await limit('too-many-attempts', ['file-signings', owner])
    const found = await findFileSigners(portal, owner)
    if (!found) throw fail('unavailable')
    const signer = found.signers.find(({ shown }) => shown.id === body.signer)
    if (!signer) throw fail('signer-unknown')
    const { kind, mostFiles, algorithm } = signer.shown
    const areDigests = digests.every(({ length }) => length === digestBytes[algorithm.digest])
    if (!areDigests || digests.length > mostFiles) throw wrongDigests()
    const to = await readRecipient(portal, session, address)
    const { row, code } = await transaction(async (tx, audit) => {
      const started = await findOrAddFileSigning(tx, {
        accountId: owner,
        sessionId: session.id,
        signatureId: kind === 'signature' ? body.signer : null,
        sealId: kind === 'seal' ? body.signer : null,
        digests,
        binding: bindingOf(owner, signer, digests),
      })
      const sent = orThrow(await createCodeOnce(tx, portal, operationOf(session, started), to))
      await audit('file-signing-started', detailsOf(started))
      return { row: started, code: sent }
    })
    return { signing: await answerFor(portal, session, row), code }
  },
)

export const readFileSigning = handler(calls.readFileSigning, async ({ params, session, orFail }, portal) =>
  answerFor(portal, session, orFail(await findOwnSigning(portal, session, params.id))),
)

export const resendFileSigningCode = handler(
  calls.resendFileSigningCode,
  async ({ params, session, address, orFail, transaction }, portal) => {
    const row = orFail(await findOwnSigning(portal, session, params.id))
    const to = await readRecipient(portal, session, address)
    return transaction(async (tx) => orThrow(await resendCode(tx, portal, operationOf(session, row), to)))
  },
)

export const confirmFileSigning = handler(calls.confirmFileSigning, async (call, portal) => {
  const { params, session, fail, orFail } = call
  const find = async () => orFail(await findOwnSigning(portal, session, params.id))
  const row = await find()
  const confirmed = await confirmByCode(portal, call, {
    operation: operationOf(session, row),
    subject: filesSubjectOf(row),
    async prepare() {
      const ready = await prepareFiles(portal, row)
      const isChanged = 'refused' in ready && ready.refused === 'signing-changed'
      return isChanged ? voidedAs('file-signing-voided', detailsOf(row)) : orFail(ready)
    },
    async confirm(tx, audit, spend) {
      await spend()
      if (!(await confirmSigning(tx, row.id))) throw fail('code-void')
      await audit('file-signing-confirmed', detailsOf(row))
      return detailsOf(row)
    },
  })
  const { authorisation } = orFail(confirmed)
  return answerFor(portal, session, await find(), authorisation)
})

export const signFiles = handler(calls.signFiles, async ({ params, session, fail, orFail, transaction }, portal) => {
  const find = async () => orFail(await findOwnSigning(portal, session, params.id))
  const begun = await find()
  if (begun.signedAt) return answerFor(portal, session, begun)
  const row = await takeSigning(portal.db, params.id)
  if (!row) {
    const why = await findReasonNotTaken(portal.db, params.id)
    if (why === 'signed') return answerFor(portal, session, await find())
    throw fail(why)
  }
  // An authorisation of the service that is still open has nothing left to authorise then.
  const end = (tx: Tx) => endAuthorisationsOf(tx, fileSigningObjectOf(row))
  if (row.signatures) {
    await timestampKept(portal, row, { transaction, end })
    return answerFor(portal, session, await find())
  }
  try {
    const ready = orFail(await prepareFiles(portal, row))
    const { attributes, credential, description } = ready
    // Such a credential signs by the calls of its authorisation.
    if (requirementOf(credential)) throw fail('signing-over')
    const signatures = await requestSignatures(portal.ports, attributes, { credential, description })
    if (typeof signatures === 'string') {
      await transaction((_, audit) => audit('file-signing-failed', { ...detailsOf(row), why: signatures }))
      throw fail(signatures === 'unreachable' ? 'unavailable' : 'signing-refused')
    }
    await ready.store({ signatures, at: session.now, transaction, end })
  } catch (error) {
    await releaseSigning(portal.db, row)
    throw error
  }
  return answerFor(portal, session, await find())
})

export const fileSigningFeature: ServerFeature = {
  calls: [listFileSigners, startFileSigning, readFileSigning, resendFileSigningCode, confirmFileSigning, signFiles],
  tidy: ({ db }) => removeOldSignings(db),
  signing: fileSignedObject,
  erasure: { remove: (id) => [sql`delete from file_signings where account_id = ${id}`] },
}
