import type { Endpoint, Failure } from '../../contract/endpoint.ts'
import { ApiError } from '../platform/api-error.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import type { StaffSession } from '../platform/authentication/staff-session.ts'
import { handler } from '../platform/http/http.ts'
import type { Handler, Portal } from '../platform/portal.ts'
import { charge } from '../platform/rate-limits/rate-limits.ts'

const alarms = { 'desk-look-ups': 'staff-reads-many', 'desk-codes': 'staff-makes-many-codes' } as const

/** Counts what somebody of the staff does, before it is done; who does as much as is allowed raises an alarm (R237, R261). */
export async function chargeStaff(
  portal: Portal,
  limit: keyof typeof alarms,
  { subject }: StaffSession,
): Promise<void> {
  const charged = await charge(portal.db, portal.keys, [limit, subject])
  if (!charged.ok || !charged.left[0]) raiseAlarm(portal, { name: alarms[limit], about: subject })
  if (!charged.ok) throw new ApiError('too-many-requests', { retryAfter: charged.retryAfter })
}

/** A call that counts as a look-up, before anything is looked up. */
export const lookUpHandler = <const E extends Endpoint & { access: 'staff' }>(
  endpoint: E & ('too-many-requests' extends Failure<E> ? unknown : never),
  handle: Parameters<typeof handler<E>>[1],
): Handler =>
  handler<E>(endpoint, async (call, portal) => {
    await chargeStaff(portal, 'desk-look-ups', call.staff)
    return handle(call, portal)
  })
