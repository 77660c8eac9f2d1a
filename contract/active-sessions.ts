import * as z from 'zod/mini'
import { Device } from './device.ts'
import { endpoint } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'

/** A place where the customer is signed in (AUT-9). */
export const ActiveSession = z.strictObject({
  id: Uuid,
  /** The one that asks. */
  isOwn: z.boolean(),
  device: Device,
  address: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2; null where no lookup is set or it does not know. */
  country: z.nullable(z.string()),
  startedAt: Instant,
  usedAt: Instant,
})
export type ActiveSession = z.infer<typeof ActiveSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: 'Where the customer is signed in, the asking session first, then the last used',
  access: 'customer',
  reply: z.strictObject({ items: z.array(ActiveSession) }),
})

export const revokeSession = endpoint({
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'Ends a session of the customer at once, on every node',
  access: 'customer',
  params: z.strictObject({ id: Uuid }),
  errors: ['not-found'],
})

export const revokeOtherSessions = endpoint({
  method: 'POST',
  path: '/api/sessions/revocation',
  summary: 'Ends every session of the customer but the asking one, and sign-ins that are half done',
  access: 'customer',
})
