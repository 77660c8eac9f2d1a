import { hash } from 'node:crypto'
import { wholeSeconds } from '../../pki/asn1/der.ts'
import { ApiError } from '../platform/api-error.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { attributesOf, embedSigned, timestampAll } from '../platform/pdf/remote-signing.ts'
import type { ObjectToSign, Portal, Signed, SignedObject, SigningSubject } from '../platform/portal.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { describeAgreement, prepareAgreement, storeSignedAgreement } from './agreement-delivery.ts'
import { agreedCondition, moveRenewal } from './renewal-moves.ts'
import { findAnyRenewal, hasAgreement, type AgreedRow, type RenewalRow } from './renewal-store.ts'
import { currentRefusals, termsHold } from './renewal-terms.ts'
import { findSigningKey } from './renewal-view.ts'

/**
 * Returns an id of the content that a code confirms: the renewal at its version, the agreement and the terms by their hashes. If any of
 * them changes, the code that was sent is for something else (R33, PSD2 RTS art. 5).
 */
export function signedObjectId({ id, version, termsSha256, agreement }: AgreedRow): string {
  const bound = hash('sha256', `${id} ${version} ${termsSha256} ${agreement.sha256}`)
  return bound.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the rule that forbids signing the agreement as it is. */
export const forbiddenBy = (row: RenewalRow) =>
  currentRefusals(row)[0] ?? (termsHold(row) ? undefined : 'DATA_MISMATCH')

export const renewalObjectOf = ({ id }: { id: string }): ObjectToSign => ({ kind: 'renewal', id })

/** Returns the subject of the agreement's signature, made at a time in whole seconds, as PDF writes it. */
export const agreementSubjectOf = (row: RenewalRow, now: Date): SigningSubject => ({
  owner: row.accountId,
  object: renewalObjectOf(row),
  signatureId: row.signature.id,
  claimedAt: wholeSeconds(now),
})

/** The agreement that is signed while the customer is present, because the service requires more than the portal's code. */
export const renewalSignedObject: SignedObject = {
  kind: 'renewal',

  async prepare(portal, { object, claimedAt }) {
    const row = await findAnyRenewal(portal.db, portal.keys, object.id)
    if (row?.state !== 'signing') return { refused: 'state-passed', data: row ? { current: row.state } : {} }
    if (!hasAgreement(row)) return { refused: 'signing-changed' }
    const reason = forbiddenBy(row)
    if (reason) return { refused: 'renewal-refused', data: { reason } }
    const key = await findSigningKey(portal, row)
    if ('obstacle' in key)
      return { refused: key.obstacle === 'SIGNING_UNAVAILABLE' ? 'unavailable' : 'signing-refused' }
    const { credential } = key
    const prepared = await prepareAgreement(portal, row, claimedAt, credential).catch((error: unknown) => {
      if (error instanceof DeliveryFailed) return 'unreadable' as const
      throw error
    })
    if (prepared === 'unreadable') return { refused: 'unavailable' }
    if (!prepared) return { refused: 'signing-refused' }
    return {
      attributes: [attributesOf(prepared, credential)],
      credential,
      binding: signedObjectId(row),
      description: describeAgreement(row),
      async store({ signatures, end }) {
        const signed = await timestampAll(portal.ports, signatures)
        if (signed === 'unreachable') return signed
        return storePresent(portal, row.id, embedSigned(prepared, credential, signed), end)
      },
    }
  },
}

async function storePresent(portal: Portal, id: string, file: Uint8Array<ArrayBuffer>, end: Signed['end']) {
  const row = await findAnyRenewal(portal.db, portal.keys, id)
  if (row?.state !== 'signing' || !hasAgreement(row)) throw new ApiError('signing-changed')
  const { agreement, termsSha256 } = row
  const isTaken = await storeSignedAgreement(portal, row, file, async (tx) => {
    // Exactly what the portal's code has confirmed (R33, R59).
    const only = agreedCondition(agreement.sha256, termsSha256)
    if (!(await moveRenewal(tx, row, 'authorised', { signingFailed: false }, only)))
      throw new ApiError('signing-changed')
    // Every move locks the renewal's row first, so this comes after it.
    await end(tx)
    const details = { renewal: row.id, agreement: agreement.sha256, terms: termsSha256 }
    await addAuditEntry(tx, { action: 'renewal-authorised', accountId: row.accountId, actor: 'customer', details })
    return { state: 'authorised', version: row.version + 1 }
  })
  if (!isTaken) throw new ApiError('signing-changed')
}
