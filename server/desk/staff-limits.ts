import type { Endpoint, Failure } from '../../contract/endpoint.ts'
import type { Feature } from '../../contract/features.ts'
import { ApiError, type Refusal } from '../platform/api-error.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import type { StaffSession } from '../platform/authentication/staff-session.ts'
import type { Db } from '../platform/database/database.ts'
import { handler, type Call } from '../platform/http/http.ts'
import type { Handler, Portal } from '../platform/portal.ts'
import type { StaffSignInPort } from '../platform/ports.ts'
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

/** Creates the handler of a call that counts as a look-up before anything is looked up. */
export const lookUpHandler = <const E extends Endpoint & { access: 'staff' }>(
  endpoint: E & ('too-many-requests' extends Failure<E> ? unknown : never),
  handle: Parameters<typeof handler<E>>[1],
): Handler =>
  handler<E>(endpoint, async (call, portal) => {
    await chargeStaff(portal, 'desk-look-ups', call.staff)
    return handle(call, portal)
  })

/** Portal as the calls of the desk receive it. */
export type DeskPortal = Portal & {
  staffSignIn: StaffSignInPort
  /** Folder with the signed heads of the audit trail. */
  directory: string
  /** Connection of the owner, for client keys: the login of requests cannot change them (R123). */
  ownerDb: Db
}

/**
 * Refuses what would lead a customer to a feature that the operator has switched off: a code, an invitation, or the next step of a case.
 * Staff still read, end, move and decide what there is, as the provider API does.
 */
export const refuseIfOff = ({ settings }: Portal, feature: Feature): Refusal<'unavailable'> | undefined =>
  settings.featuresOff.includes(feature) ? { refused: 'unavailable', data: { reason: 'switched-off' } } : undefined

type Tried = {
  /** The account of the customer. */
  about: string
  action: 'approval' | 'refusal' | 'move'
} & ({ proposal: string } | { kind: string; object: string; to: string })

/**
 * Audits an action that is refused, in a transaction of its own, because that of the action is rolled back (R258). An object that does not
 * exist, or a refusal before anything was looked at, leaves no entry.
 */
export async function runRecordingRefusal<T>(
  transaction: Call<unknown>['transaction'],
  { about, ...tried }: Tried,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'not-found') {
      const { code, data } = error
      const cause = data?.reason ?? code
      await transaction((_, audit) => audit('desk-action-refused', { ...tried, cause }, about))
    }
    throw error
  }
}
