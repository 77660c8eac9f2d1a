import { raiseAlarm } from '../platform/audit/alarms.ts'
import type { StaffSession } from '../platform/authentication/staff-session.ts'
import type { Portal } from '../platform/portal.ts'
import { charge } from '../platform/rate-limits/rate-limits.ts'

const alarms = { 'desk-look-ups': 'staff-reads-many', 'desk-codes': 'staff-makes-many-codes' } as const

type Fail = (code: 'too-many-requests', data: object) => Error

/** Counts what somebody of the staff does, before it is done; who does as much as is allowed raises an alarm (R237, R261). */
export async function chargeStaff(
  portal: Portal,
  limit: keyof typeof alarms,
  { subject }: StaffSession,
  fail: Fail,
): Promise<void> {
  const charged = await charge(portal.db, portal.keys, [limit, subject])
  if (!charged.ok || !charged.left[0]) raiseAlarm(portal, { name: alarms[limit], about: subject })
  if (!charged.ok) throw fail('too-many-requests', { retryAfter: charged.retryAfter })
}

export const lookUpsOf = (portal: Portal) => (staff: StaffSession, fail: Fail) =>
  chargeStaff(portal, 'desk-look-ups', staff, fail)
