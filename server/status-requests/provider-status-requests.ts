import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Text } from '../../contract/enums.ts'
import * as calls from '../../contract/provider/provider-status-requests.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import { handler, type Call, type BoundAudit } from '../platform/http/http.ts'
import type { CertificateStatusMessage } from '../platform/messages/message.ts'
import type { Portal } from '../platform/portal.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { notifyOfRequest } from './status-request-mails.ts'
import {
  findForProvider,
  listStatusRequestsAfter,
  type ProviderStatusRequestRow,
  decideRequest,
  findStatusOrder,
  listRecipients,
  markOverdue,
  targetOf,
} from './status-request-store.ts'

type ReportCall = Pick<
  Call<typeof calls.reportStatusChanged>,
  'params' | 'transaction' | 'fail' | 'orNotFound' | 'isAbout'
>

// The provider's calls for requests of another status. A repeated report takes effect once, and one for a decided
// request not at all (R178).

export const listProviderStatusRequests = handler(
  calls.listProviderStatusRequests,
  async ({ query: { state, cursor }, pageById }, { db }) => {
    const { rows, next } = await pageById({ list: `status requests ${state ?? 'all'}`, cursor }, (at) =>
      listStatusRequestsAfter(db, { state, ...at }),
    )
    return { items: rows.map(stateOf), next }
  },
)

export const getProviderStatusRequest = handler(
  calls.getProviderStatusRequest,
  async ({ params, orNotFound, isAbout }, { db }) => {
    const row = orNotFound(await findForProvider(db, params.request))
    isAbout(row.owner)
    return stateOf(row)
  },
)

const doneActions: Record<StatusChange, AuditAction> = {
  suspend: 'certificate-suspended',
  resume: 'certificate-resumed',
  revoke: 'certificate-revoked',
}

/**
 * Decides a request, with its effect on the certificate, the audit entries and the notices; false if it was not open. The entry of whoever
 * requested it names the request, and has its event; the other Administrators of a seal get an entry in their own history.
 */
async function decide(
  tx: Tx,
  portal: Portal,
  id: string,
  { state, note = null }: { state: 'done' | 'refused'; note?: Text | null },
  audit: BoundAudit,
): Promise<boolean> {
  const request = await decideRequest(tx, id, state, note)
  if (!request) return false
  const { owner, change } = request
  const { kind, id: certificate } = targetOf(request)
  const action = state === 'done' ? doneActions[change] : 'status-request-refused'
  await audit(action, { request: id, [kind]: certificate }, owner)
  if (kind === 'seal')
    for (const other of await listRecipients(tx, portal.keys, targetOf(request)))
      if (other.id !== owner) await audit(action, { [kind]: certificate }, other.id)
  await notifyOfRequest(tx, portal, request, state)
  return true
}

/**
 * Has the provider's authority carry out a request (STP-5). Where it has no interface, or leaves the decision to people, the request
 * waits for the provider's report; while it does not answer, the outbox retries. It answers a repeated request alike (R177).
 */
export async function deliverStatusRequest(portal: Portal, { request }: CertificateStatusMessage): Promise<void> {
  const { db, keys, ports } = portal
  const order = ports.certificateStatus && (await findStatusOrder(db, keys, request))
  if (!ports.certificateStatus || !order) return
  if (order === 'early')
    throw new DeliveryFailed('The certificate authority may still carry out the resumption that this replaces.', false)
  const answer = await ports.certificateStatus.change(order)
  if (answer === 'accepted') return
  if (answer === 'unreachable')
    throw new DeliveryFailed('The interface of the certificate authority does not answer: check CA_STATUS_URL.', false)
  if (answer === 'refused')
    throw new DeliveryFailed(
      'The certificate authority refuses to change the status: decide the request by the provider API.',
      true,
    )
  await db.transaction().execute(async (tx) => {
    const audit: BoundAudit = (action, details, accountId = null) =>
      addAuditEntry(tx, { action, accountId, actor: 'system', details: details ?? {} })
    await decide(tx, portal, request, { state: 'done' }, audit)
  })
}

/** Raises an alarm for the operator about overdue requests, while there is still time to decide. */
export async function raiseOverdueAlarm(portal: Portal): Promise<void> {
  if (await markOverdue(portal.db))
    raiseAlarm(portal, { name: 'status-request-overdue', about: 'certificate authority' })
}

async function report(
  portal: Portal,
  { params, transaction, fail, orNotFound, isAbout }: ReportCall,
  state: 'done' | 'refused',
  note: Text | null = null,
) {
  await transaction((tx, audit) => decide(tx, portal, params.request, { state, note }, audit))
  const row = orNotFound(await findForProvider(portal.db, params.request))
  isAbout(row.owner)
  if (row.state !== state) throw fail('state-passed', { current: row.state })
  return stateOf(row)
}

export const reportStatusChanged = handler(calls.reportStatusChanged, (call, portal) => report(portal, call, 'done'))
export const refuseStatusRequest = handler(calls.refuseStatusRequest, (call, portal) =>
  report(portal, call, 'refused', call.body.note),
)

const stateOf = ({ id, owner: _, ...row }: ProviderStatusRequestRow) => ({ request: id, ...row })
