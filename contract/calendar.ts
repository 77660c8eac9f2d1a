import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Instant, Token } from './fields.ts'

// The customer's calendar of expiry dates, which programs read by a private address (CAL).

export const Calendar = component(
  'Calendar',
  'Whether the customer’s expiry dates can be read as a calendar. The address itself is shown only when it is made.',
  z.strictObject({ since: described('When the address was made; null if there is none.', z.nullable(Instant)) }),
)
export type Calendar = z.infer<typeof Calendar>

export const readCalendar = endpoint('customer', 'GET /api/calendar', {
  summary: 'Returns since when the customer’s calendar has an address',
  description: 'Of the address only a hash is stored, so it cannot be shown again.',
  reply: Calendar,
})

export const makeCalendarAddress = endpoint('customer', 'POST /api/calendar/address', {
  summary: 'Makes a private address of the customer’s calendar, in place of the one before', // CAL-1
  description: 'Whoever has the address can read the calendar, until it is replaced or revoked.',
  reply: z.strictObject({ address: described('Shown only once.', z.string()) }),
})

/** Revoking where there is no address changes nothing. */
export const revokeCalendarAddress = endpoint('customer', 'DELETE /api/calendar/address', {
  summary: 'Revokes the address of the customer’s calendar',
  description: 'Programs that have it are answered as for an unknown address from then on.',
})

export const readCalendarFile = endpoint('open', 'GET /api/calendar/:token/expiry.ics', {
  summary: 'Returns the expiry dates of the customer whose address this is, in the format iCalendar (RFC 5545)', // CAL-2
  description:
    'For calendar programs: signatures, seals and timestamp packages, in the customer’s language, with alarms. It names nobody.',
  params: { token: described('The private part of the address: 43 characters of base64url.', Token) },
  // Programs add parameters of their own, such as one against caches.
  query: z.object({}),
  download: ['text/calendar'],
  revalidated: true,
  errors: ['not-found', 'too-many-attempts'],
})
