import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'

export const Reminders = component(
  'Reminders',
  'Reminders of certificates that are about to expire.',
  z.strictObject({
    early: described('Whether reminders are sent early; the last two before an end are always sent.', z.boolean()),
  }),
)
export type Reminders = z.infer<typeof Reminders>

export const readReminders = endpoint('customer', 'GET /api/reminders', {
  summary: 'Whether the customer wants early reminders of expiring certificates',
  description: 'The last two reminders before an end are always sent.',
  reply: Reminders,
})

export const changeReminders = endpoint('customer', 'PUT /api/reminders', {
  summary: 'Switches early reminders on or off; the last two are always sent', // SIG-5
  description: 'Applies to all certificates of the customer.',
  body: Reminders,
})
