import * as z from 'zod/mini'
import { ActivityObject } from './activity-object.ts'
import { auditActionKinds, auditActionsOf } from './audit-actions.ts'
import { Device } from './device.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Day, Instant } from './fields.ts'
import { pages, PageSize } from './list-pages.ts'

/** An entry of the audit trail, as its customer may see it (AUT-9). */
export const ActivityEntry = z.strictObject({
  id: z.string(),
  at: Instant,
  act: z.enum(auditActionsOf()),
  actor: z.enum(['customer', 'provider', 'operator', 'system']),
  /** The network address, only if the customer acted. */
  address: z.nullable(z.string()),
  /** Null: the entry is about the account itself, or about something without a name. */
  object: z.nullable(ActivityObject),
  /** Of a sign-in: the device and the second factor; `passkey-alone` is a sign-in without a password. */
  device: z.nullable(Device),
  factor: z.nullable(z.enum(['sms', 'passkey', 'passkey-alone'])),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

/** Days of the Polish calendar; `to` is included. */
export const ActivityFilters = z.strictObject({
  kind: z.optional(z.enum(auditActionKinds)),
  from: z.optional(Day),
  to: z.optional(Day),
})
export type ActivityFilters = z.infer<typeof ActivityFilters>

/** The filters as a form takes them: days in the wrong order are a mistake, not an empty period. */
export const ActivityForm = ActivityFilters.check(
  z.refine(({ from, to }) => !from || !to || from <= to, { error: 'date-order', path: ['to'] }),
)

export const listActivity = endpoint('customer', 'GET /api/activity', {
  summary: 'What happened in the account, newest first',
  description: 'By page, with filters by kind and time.',
  ...pages(ActivityEntry, { ...ActivityFilters.shape, size: PageSize }),
})

export const exportActivity = endpoint('customer', 'GET /api/activity/export', {
  summary: 'What happened in the account as a file: CSV for a spreadsheet, or JSON',
  description: 'CSV has its headings in the chosen language.',
  query: z.extend(ActivityFilters, { format: z.enum(['csv', 'json']), locale: Locale }),
  download: ['text/csv', 'application/json'],
  errors: ['too-many-attempts'],
})
