import * as z from 'zod/mini'
import { actKinds, actsOf } from './acts.ts'
import { Device } from './device.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Cursor, Day, Instant } from './fields.ts'
import { limits } from './limits.ts'

/** One record of the audit trail, as the customer whom it is about may see it (AUT-9). */
export const ActivityEntry = z.strictObject({
  id: z.string(),
  at: Instant,
  act: z.enum(actsOf() as [ReturnType<typeof actsOf>[number], ...ReturnType<typeof actsOf>]),
  actor: z.enum(['customer', 'provider', 'operator', 'system']),
  /** The network address; of what was done from the customer's side only. */
  address: z.nullable(z.string()),
  /** Of a sign-in: from what, and by which second factor, or by a passkey alone. */
  device: z.nullable(Device),
  factor: z.nullable(z.enum(['sms', 'passkey', 'passkey-alone'])),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

/** Days of the Polish calendar, the last one included. */
export const ActivityWish = z.strictObject({
  kind: z.optional(z.enum(actKinds)),
  from: z.optional(Day),
  to: z.optional(Day),
})
export type ActivityWish = z.infer<typeof ActivityWish>

/** The same as a form asks for it: days the wrong way round are a slip, not a time in which nothing happened. */
export const ActivityForm = ActivityWish.check(
  z.refine(({ from, to }) => !from || !to || from <= to, { error: 'date-order', path: ['to'] }),
)

export const listActivity = endpoint({
  method: 'GET',
  path: '/api/activity',
  summary: 'What happened in the account, newest first',
  access: 'customer',
  query: z.extend(ActivityWish, {
    cursor: z.optional(Cursor),
    size: z.optional(z.enum(limits.list.sizes.map(String) as ['20', '50', '100'])),
  }),
  reply: z.strictObject({ items: z.array(ActivityEntry), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})

export const exportActivity = endpoint({
  method: 'GET',
  path: '/api/activity/export',
  summary: 'The same as a file: a table for a spreadsheet, or JSON',
  access: 'customer',
  query: z.extend(ActivityWish, { format: z.enum(['csv', 'json']), locale: Locale }),
  download: ['text/csv', 'application/json'],
  errors: ['too-many-attempts'],
})
