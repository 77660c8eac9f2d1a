import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** SIG-5: reminders of certificates that come to their end. The last two are sent to everyone. */
export const Reminders = z.strictObject({ early: z.boolean() })
export type Reminders = z.infer<typeof Reminders>

export const readReminders = endpoint({
  method: 'GET',
  path: '/api/reminders',
  summary: 'Whether the customer wants the early reminders of ending certificates',
  access: 'customer',
  reply: Reminders,
})

export const changeReminders = endpoint({
  method: 'PUT',
  path: '/api/reminders',
  summary: 'Switches the early reminders on or off; the last two always come (SIG-5)',
  access: 'customer',
  body: Reminders,
})
