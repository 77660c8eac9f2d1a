import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { Device } from './device.ts'
import { endpoint } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'

export const ActiveSession = component(
  'ActiveSession',
  'A session of the customer.',
  z.strictObject({
    id: Uuid,
    isOwn: described('Whether this is the caller’s session.', z.boolean()),
    device: Device,
    address: described(
      'The network address from which it was used last; null if it is not known.',
      z.nullable(z.string()),
    ),
    country: described(
      'ISO 3166-1 alpha-2; null without a lookup service, or if it does not know the address.',
      z.nullable(z.string()),
    ),
    startedAt: described('When the customer signed in.', Instant),
    usedAt: described('When it was used last.', Instant),
  }),
)
export type ActiveSession = z.infer<typeof ActiveSession>

export const listSessions = endpoint('customer', 'GET /api/sessions', {
  summary: 'The sessions of the customer: the caller’s own first, then by last use',
  description: 'Each with its device and the time of its last use.',
  reply: z.strictObject({
    items: described('The sessions: the caller’s own first, then by last use.', z.array(ActiveSession)),
  }),
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
