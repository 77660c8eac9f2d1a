import type { Given } from '../../contract/endpoint.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { AuditAction } from '../../contract/audit-actions.ts'
import {
  readStatusRequest,
  requestResumption,
  requestRevocation,
  requestSuspension,
  type StatusReason,
  type StatusRequest,
} from '../../contract/status-requests.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import { serve, type BoundAudit, type Call } from '../platform/http/http.ts'
import { type Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { notifyOfRequest } from './status-request-mails.ts'
import {
  findNewest,
  findTarget,
  insertRequest,
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

/** What follows a stored request, in its transaction: the audit entry of its customer, the message to the authority, and the notices. */
export async function announceRequest(tx: Tx, portal: Portal, row: StatusRequestRow, audit: BoundAudit): Promise<void> {
  await audit(requestedActions[row.change], detailsOf(row.id, targetOf(row)), row.owner)
  await enqueue(tx, portal.keys, { channel: 'certificate-status', request: row.id })
  await notifyOfRequest(tx, portal, row, 'requested')
}

type RequestCall = Pick<
  Call<typeof requestResumption>,
  'params' | 'session' | 'transaction' | 'fail' | 'limit' | 'found'
>

/** The request, its message to the authority, the notices and the audit entry are one transaction, so a kill loses nothing (R177). */
export function serveStatusRequests(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  const request = (
    change: StatusChange,
    reason: StatusReason | null,
    { params, session, transaction, fail, limit, found }: RequestCall,
  ): Promise<Given<typeof StatusRequest>> =>
    transaction(async (tx, audit) => {
      await lockRequests(tx, session.accountId)
      const { status, ...target } = found(await findTarget(tx, session.accountId, params.id))
      await limit('too-many-attempts', [change === 'revoke' ? 'revocations' : 'status-changes', target.id], tx)
      const replaced = change === 'revoke' && (await replaceOpen(tx, target))
      const row = await insertRequest(tx, session.accountId, target, { id: randomUUIDv7(), change, reason })
      if (!row) throw fail('state-passed', { current: status })
      if (replaced) await audit('status-request-replaced', detailsOf(replaced, target))
      await announceRequest(tx, portal, row, audit)
      return requestOf(row)
    })

  serve(app, portal, requestSuspension, (call) => request('suspend', call.body.reason, call))
  serve(app, portal, requestResumption, (call) => request('resume', null, call))
  serve(app, portal, requestRevocation, (call) => request('revoke', call.body.reason, call))

  serve(app, portal, readStatusRequest, async ({ params, session, found }) => {
    const target = found(await findTarget(db, session.accountId, params.id))
    const newest = await findNewest(db, target)
    return { request: newest ? requestOf(newest) : null }
  })
}

const requestOf = ({ owner: _, signatureId: __, sealId: ___, ...row }: StatusRequestRow) => row
