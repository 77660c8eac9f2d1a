import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import type { StaffSession } from '../platform/authentication/staff-session.ts'
import type { Portal } from '../platform/portal.ts'
import { chargeAttempt, type RateLimit } from '../platform/rate-limits/rate-limits.ts'

/** What one person looks up in an hour; an action counts too, because it returns the customer (R237). */
const lookUps: RateLimit = { name: 'desk-look-ups', ...deskLimits.lookUps }

/** Counts what somebody looks up, before it is read; who looks up as much as is allowed raises an alarm. */
export function lookUpsOf(portal: Portal) {
  return async function charge(
    { subject }: StaffSession,
    fail: (code: 'too-many-requests', data: object) => Error,
  ): Promise<void> {
    const charged = await chargeAttempt(portal.db, portal.keys, lookUps, subject)
    if (!charged.ok || !charged.left) raiseAlarm(portal, { name: 'staff-reads-many', about: subject })
    if (!charged.ok) throw fail('too-many-requests', { retryAfter: charged.retryAfter })
  }
}
