import { randomUUIDv7 } from 'node:crypto'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Given } from '../../contract/endpoint.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import * as calls from '../../contract/status-requests.ts'
import type { StatusReason, StatusRequest } from '../../contract/status-requests.ts'
import { type Tx } from '../platform/database/database.ts'
import { handler, type BoundAudit, type Call } from '../platform/http/http.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { notifyOfRequest } from './status-request-mails.ts'
import {
  findNewest,
  findStatusTarget,
  addStatusRequest,
  lockRequests,
  replaceOpen,
  targetOf,
  type StatusRequestRow,
  type StatusTarget,
} from './status-request-store.ts'

const requestedActions: Record<StatusChange, AuditAction> = {
  suspend: 'suspension-requested',
  resume: 'resumption-requested',
  revoke: 'revocation-requested',
}

const detailsOf = (request: string, { kind, id }: StatusTarget) => ({ request, [kind]: id })

/**
 * Audits and announces a stored request, in its transaction: the audit entry of its customer, the message to the authority, and the
 * notices.
 */
export async function announceRequest(tx: Tx, portal: Portal, row: StatusRequestRow, audit: BoundAudit): Promise<void> {
  await audit(requestedActions[row.change], detailsOf(row.id, targetOf(row)), row.owner)
  await enqueue(tx, portal.keys, { channel: 'certificate-status', request: row.id })
  await notifyOfRequest(tx, portal, row, 'requested')
}

type RequestCall = Pick<
  Call<typeof calls.requestResumption>,
  'params' | 'session' | 'transaction' | 'fail' | 'limit' | 'orNotFound'
>

// The request, its message to the authority, the notices and the audit entry are one transaction, so a kill loses nothing (R177).

const request = (
  portal: Portal,
  change: StatusChange,
  reason: StatusReason | null,
  { params, session, transaction, fail, limit, orNotFound }: RequestCall,
): Promise<Given<typeof StatusRequest>> =>
  transaction(async (tx, audit) => {
    await lockRequests(tx, session.accountId)
    const { status, ...target } = orNotFound(await findStatusTarget(tx, session.accountId, params.id))
    await limit('too-many-attempts', [change === 'revoke' ? 'revocations' : 'status-changes', target.id], tx)
    const replaced = change === 'revoke' && (await replaceOpen(tx, target))
    const row = await addStatusRequest(tx, session.accountId, target, { id: randomUUIDv7(), change, reason })
    if (!row) throw fail('state-passed', { current: status })
    if (replaced) await audit('status-request-replaced', detailsOf(replaced, target))
    await announceRequest(tx, portal, row, audit)
    return requestOf(row)
  })

export const requestSuspension = handler(calls.requestSuspension, (call, portal) =>
  request(portal, 'suspend', call.body.reason, call),
)
export const requestResumption = handler(calls.requestResumption, (call, portal) =>
  request(portal, 'resume', null, call),
)
export const requestRevocation = handler(calls.requestRevocation, (call, portal) =>
  request(portal, 'revoke', call.body.reason, call),
)

export const readStatusRequest = handler(calls.readStatusRequest, async ({ params, session, orNotFound }, { db }) => {
  const target = orNotFound(await findStatusTarget(db, session.accountId, params.id))
  const newest = await findNewest(db, target)
  return { request: newest ? requestOf(newest) : null }
})

const requestOf = ({ owner: _, signatureId: __, sealId: ___, ...row }: StatusRequestRow) => row
