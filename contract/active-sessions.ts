import * as z from 'zod/mini'
import { Device } from './device.ts'
import { endpoint } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'

/** A session of the customer (AUT-9). */
export const ActiveSession = z.strictObject({
  id: Uuid,
  /** Whether this is the caller's session. */
  isOwn: z.boolean(),
  device: Device,
  address: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2; null without a lookup service, or if it does not know the address. */
  country: z.nullable(z.string()),
  startedAt: Instant,
  usedAt: Instant,
})
export type ActiveSession = z.infer<typeof ActiveSession>

export const listSessions = endpoint('customer', 'GET /api/sessions', {
  summary: 'The sessions of the customer: the caller’s own first, then by last use',
  description: 'Each with its device and the time of its last use.',
  reply: z.strictObject({ items: z.array(ActiveSession) }),
})

export const revokeSession = endpoint('customer', 'DELETE /api/sessions/:id', {
  summary: 'Ends a session of the customer at once, on every node',
  description: 'The device is signed out with its next request.',
  errors: ['not-found'],
})

export const revokeOtherSessions = endpoint('customer', 'POST /api/sessions/revocation', {
  summary: 'Ends every session of the customer but the caller’s own, and unfinished sign-ins',
  description: 'Other devices are signed out with their next request.',
})
