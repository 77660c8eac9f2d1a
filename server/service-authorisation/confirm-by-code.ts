import type { AuditAction } from '../../contract/audit-actions.ts'
import type { codeRefusals } from '../../contract/one-time-code.ts'
import type { ServiceAuthorisation } from '../../contract/service-authorisation.ts'
import type { CodePurpose } from '../../contract/step-up-purpose.ts'
import { ApiError, type Refusal } from '../platform/api-error.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import type { Operation } from '../platform/authentication/code-limits.ts'
import { refundOnFailure, enterCode, refundEntry, spendCode, voidCodes } from '../platform/authentication/codes.ts'
import type { LiveSession } from '../platform/authentication/session.ts'
import type { Tx } from '../platform/database/database.ts'
import type { BoundAudit } from '../platform/http/http.ts'
import type { AuditedTransaction, Portal, ReadyToSign, SigningSubject } from '../platform/portal.ts'
import { beginAuthorisation, findAuthorisation } from './authorisation-store.ts'
import { authorisationOf, hashesText, requirementOf, sendOtp } from './service-authorisation.ts'

type Prepared = Pick<ReadyToSign, 'attributes' | 'credential' | 'binding'>
type Details = NonNullable<AuditEntry['details']>
type Voided = { voided: AuditAction; details: Details }

/** Returns that the signature is not what the code was for, with the audit entry of that. */
export const voidedAs = (action: AuditAction, details: Details): Voided => ({ voided: action, details })

/** A signature of a feature, as `confirmByCode` confirms it. */
type ConfirmedSignature<P> = {
  operation: Operation & { purpose: Exclude<CodePurpose, 'sign-in'> }
  subject: SigningSubject
  /** Prepares the signature again, to compare it with what the code was for (R33); the code is refunded if that throws. */
  prepare: () => Promise<P | Voided>
  /**
   * Makes the changes that the code confirms, and spends it among them, in the order in which the feature locks its rows. `spend` returns
   * the code's id, and throws if another request was first. `isAwaited`: the service requires more, so nothing is agreed to be signed yet.
   * Returns the details of the audit entry that is added then.
   */
  confirm: (tx: Tx, audit: BoundAudit, spend: () => Promise<string>, isAwaited: boolean) => Promise<Details>
}

/**
 * Confirms a signature by the portal's code. What changed since the code was sent voids it. What the service requires of the customer
 * beyond the code is awaited from the transaction that spends it, with the hashes that the service signs and everything that the code
 * was for (R33, R137). Without a requirement, or if nothing was prepared, the authorisation is null.
 */
export async function confirmByCode<P extends Prepared | undefined>(
  portal: Portal,
  { session, body, transaction }: { session: LiveSession; body: { code: string }; transaction: AuditedTransaction },
  { operation, subject, prepare, confirm }: ConfirmedSignature<P>,
): Promise<
  | { prepared: P; authorisation: ServiceAuthorisation | null }
  | Refusal<(typeof codeRefusals)[number] | 'signing-changed'>
> {
  const entry = await enterCode(portal.db, portal, operation, body.code)
  if ('refused' in entry) return entry
  const refund = refundOnFailure(portal, entry)
  const prepared = await prepare().catch(refund)
  if (prepared && 'voided' in prepared) {
    // Before its code is void, which would keep the entry charged.
    await refundEntry(portal.db, portal, entry)
    await transaction(async (tx, audit) => {
      await voidCodes(tx, operation.purpose, operation.object)
      await audit(prepared.voided, prepared.details)
    })
    return { refused: 'signing-changed' }
  }
  const requirement = prepared && requirementOf(prepared.credential)
  const id = await transaction(async (tx, audit) => {
    const spend = async () => {
      if (!(await spendCode(tx, portal, entry))) throw new ApiError('code-void')
      return entry.codeId
    }
    const details = await confirm(tx, audit, spend, !!requirement)
    if (!requirement) return undefined
    await audit('signing-awaited', details)
    const bound = { sessionId: session.id, binding: prepared.binding, hash: hashesText(prepared) }
    return beginAuthorisation(tx, { ...subject, ...requirement, ...bound })
  }).catch(refund)
  if (!prepared || !id) return { prepared, authorisation: null }
  // The customer is told what to enter or confirm; if the service sends codes, it sends the first one now.
  await sendOtp(portal, id, prepared.credential)
  const begun = await findAuthorisation(portal.db, session, { id })
  if (!begun) throw new Error('An authorisation that was just begun is not there.')
  return { prepared, authorisation: authorisationOf(begun) }
}
