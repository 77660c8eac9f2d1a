import { hash } from 'node:crypto'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import type { AgreementSignature } from '../platform/messages/message.ts'
import { addArchiveTimestamp } from '../platform/pdf/long-term.ts'
import { unlessBusy } from '../platform/pdf/pdf-work.ts'
import { signatureRoomOf, signPrepared } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import { DeliveryFailed, type SigningCredential } from '../platform/ports.ts'
import { requirementOf } from '../service-authorisation/service-authorisation.ts'
import { storeArchive } from './archives.ts'
import { notifyOfRenewal } from './renewal-mails.ts'
import { moveRenewal, isFileOf } from './renewal-moves.ts'
import { findAnyRenewal, hasAgreement, type AgreedRow, type RenewalRow } from './renewal-store.ts'
import { findSigningKey } from './renewal-view.ts'

/**
 * Makes the signature with the key of the certificate that is renewed, PAdES B-LTA (REN-7, R105); if the validation data cannot be
 * obtained now, the file is stored as it is and `archives.ts` adds them later. The outbox retries until it is done: after
 * any crash the agreement that was signed by code is signed in the end, and the row names one file (REN-10). Asking the service
 * twice for the same hash does no harm.
 */
export async function deliverAgreementSignature(portal: Portal, { renewal }: AgreementSignature): Promise<void> {
  const { db, keys } = portal
  const row = await findAnyRenewal(db, keys, renewal)
  if (row?.state !== 'authorised') return
  if (!hasAgreement(row)) throw new Error('A renewal that was signed by code has no agreement.')
  const file = await makeSignature(portal, row)
  if (!file) {
    await db.transaction().execute((tx) => requestSignatureAgain(tx, portal, row))
    return
  }
  await storeSignedAgreement(portal, row, file, async () => row)
}

/**
 * Removes a file whose transaction failed, unless the renewal names it all the same: the answer to a commit can be lost on its way. A
 * file that cannot be checked stays, because a signed agreement cannot be made again.
 */
export async function removeUnlessStored({ db, ports }: Portal, renewalId: string, key: string): Promise<void> {
  const isUsed = await db
    .transaction()
    .execute((tx) => isFileOf(tx, renewalId, key))
    .catch(() => true)
  if (!isUsed) await ports.documents.remove(key)
}

/**
 * Archives and stores the signed agreement, and notifies its owner. `authorise` is run in the transaction of the move and returns
 * the renewal's new state and version; if the renewal has moved on meanwhile, the file is removed again.
 */
export async function storeSignedAgreement(
  portal: Portal,
  row: AgreedRow,
  file: Uint8Array<ArrayBuffer>,
  authorise: (tx: Tx) => Promise<Pick<RenewalRow, 'state' | 'version'>>,
): Promise<boolean> {
  const { db, ports } = portal
  // The job reports a failure to archive it, and retries.
  const lasting = await addArchiveTimestamp(portal, file, row.now).catch(() => undefined)
  const key = `agreements/${crypto.randomUUID()}`
  const { bytes, sha256 } = await storeArchive(portal, key, lasting?.file ?? file)
  const isTaken = await db
    .transaction()
    .execute(async (tx) => {
      const signed = {
        signedKey: key,
        signedBytes: bytes,
        signedSha256: sha256,
        signedAt: row.now,
        archiveRenewBy: lasting?.renewBy ?? null,
        archiveStampedAt: lasting ? row.now : null,
      }
      if (!(await moveRenewal(tx, { ...(await authorise(tx)), id: row.id }, 'signed', signed))) return false
      await auditBySystem(tx, row, 'renewal-signed', {
        agreement: row.agreement.sha256,
        signed: sha256,
        archived: lasting ? 'yes' : 'not yet',
      })
      await notifyOfRenewal(tx, portal, row, 'signed')
      return true
    })
    .catch(async (error: unknown) => {
      await removeUnlessStored(portal, row.id, key)
      throw error
    })
  if (!isTaken) await ports.documents.remove(key)
  return isTaken
}

/**
 * Has the customer sign the agreement by a new code, because the signature cannot be made. A worker that still handles the old message
 * finds that the renewal has moved and removes its file: there are never two signatures. False if the renewal has moved on before.
 */
export async function requestSignatureAgain(tx: Tx, portal: Portal, row: RenewalRow): Promise<boolean> {
  if (!(await moveRenewal(tx, row, 'signing', { signingFailed: true, signingOrder: null }))) return false
  await auditBySystem(tx, row, 'renewal-signing-failed')
  await notifyOfRenewal(tx, portal, row, 'unsigned')
  return true
}

const auditBySystem = (
  tx: Tx,
  { id, accountId }: RenewalRow,
  action: 'renewal-signed' | 'renewal-signing-failed',
  details: { [name: string]: string } = {},
) => addAuditEntry(tx, { action, accountId: accountId, actor: 'system', details: { renewal: id, ...details } })

const retryLater = (reason: string) => new DeliveryFailed(reason, false)

/** Makes the signed file; undefined if it can never be signed like this. Throws if the outbox is to retry. */
async function makeSignature(portal: Portal, row: AgreedRow): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // The certificate may have been stopped since the code was entered, while the service did not answer.
  const { status, isBeingStopped } = row.signature
  if (status !== 'good' || isBeingStopped) return undefined
  const key = await findSigningKey(portal, row)
  if ('obstacle' in key) {
    if (key.obstacle === 'SIGNING_UNAVAILABLE')
      throw retryLater(
        'The signing service or its timestamps do not answer: check CSC_URL and TSA_URL by sygnet check.',
      )
    return undefined
  }
  const { credential } = key
  // Such a credential signs only while the customer is present.
  if (requirementOf(credential)) return undefined
  // Fixed when the code was entered, so that every try signs the same bytes.
  const prepared = await prepareAgreement(portal, row, row.updatedAt, credential)
  if (!prepared) return undefined
  const signed = await signPrepared(portal.ports, prepared, { credential, description: describeAgreement(row) })
  if (signed === 'unreachable')
    throw retryLater('The signing service or its timestamps do not answer: check CSC_URL and TSA_URL by sygnet check.')
  return typeof signed === 'string' ? undefined : signed
}

export const describeAgreement = ({ agreement }: AgreedRow) => `Agreement ${agreement.sha256}`

/** Prepares the agreement for a signature; undefined if it cannot have one. Throws `DeliveryFailed` if it cannot be read now. */
export async function prepareAgreement(portal: Portal, row: AgreedRow, at: Date, credential: SigningCredential) {
  const agreement = await readAgreement(portal, row)
  const field = {
    field: 'Customer',
    signer: row.signature.name,
    reason: row.agreement.sha256,
    at,
    room: signatureRoomOf(credential),
  }
  const ready = await unlessBusy(
    portal.pdfWork.prepare(async () => ({ bytes: agreement }), field),
    'busy',
  )
  if (ready === 'busy') throw retryLater('Too many files wait.')
  return ready
}

/** Reads the agreement; throws unless it is still the one that was signed by code. */
async function readAgreement({ ports }: Portal, { agreement }: AgreedRow): Promise<Uint8Array<ArrayBuffer>> {
  const file = await ports.documents.read(agreement.key)
  if (!file) throw retryLater('The agreement cannot be read.')
  const bytes = Buffer.concat(await file.content.toArray())
  if (hash('sha256', bytes) !== agreement.sha256)
    throw new DeliveryFailed('The agreement is not the one that was signed by code.', false)
  return new Uint8Array(bytes)
}
