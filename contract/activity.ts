import * as z from 'zod/mini'
import { ActivityObject } from './activity-object.ts'
import { auditActionKinds, auditActionsOf } from './audit-actions.ts'
import { Day } from './day.ts'
import { Device } from './device.ts'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Instant, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { pages, PageSize } from './list-pages.ts'

export const ActivityEntry = component(
  'ActivityEntry',
  'An entry of the audit trail, as its customer may see it.',
  z.strictObject({
    id: described('The number of the entry.', z.string()),
    at: Instant,
    act: described('What happened.', z.enum(auditActionsOf())),
    actor: described(
      'Who did it; `system` is the portal by itself.',
      z.enum(['customer', 'provider', 'operator', 'system']),
    ),
    address: described('The network address; null if the customer did not act.', z.nullable(z.string())),
    object: described(
      'What it is about; null if that is the account itself, or something without a name.',
      z.nullable(ActivityObject),
    ),
    device: described('The device of a sign-in; null for others.', z.nullable(Device)),
    factor: described(
      'The second factor of a sign-in; `passkey-alone` is a sign-in without a password; null for others.',
      z.nullable(z.enum(['sms', 'passkey', 'passkey-alone'])),
    ),
  }),
)
export type ActivityEntry = z.infer<typeof ActivityEntry>

export const ActivityRow = component(
  'ActivityRow',
  'Entries of one day that show the same and follow each other, as the newest of them.',
  z.strictObject({
    ...ActivityEntry.shape,
    since: described('The time of the first of them.', Instant),
    count: described('How many there are.', z.int().check(z.positive(), z.maximum(limits.activity.maxGrouped))),
  }),
)
export type ActivityRow = z.infer<typeof ActivityRow>

/** Days of the Polish calendar; `to` is included. */
export const ActivityFilters = z.strictObject({
  kind: described('Only entries of this kind.', z.optional(z.enum(auditActionKinds))),
  from: described('Only from this day of the Polish calendar on.', z.optional(Day)),
  to: described('Only to this day of the Polish calendar, which is included.', z.optional(Day)),
})
export type ActivityFilters = z.infer<typeof ActivityFilters>

/** The filters as a form takes them: days in the wrong order are a mistake, not an empty period. */
export const ActivityForm = ActivityFilters.check(
  z.refine(({ from, to }) => !from || !to || from <= to, { error: 'date-order', path: ['to'] }),
)

export const listActivity = endpoint('customer', 'GET /api/activity', {
  summary: 'Lists what happened in the account, newest first',
  description: 'By page, with filters by kind and time. Equal entries of one day that follow each other are one row.',
  ...pages(ActivityRow, { ...ActivityFilters.shape, size: PageSize }),
})

export const exportActivity = endpoint('customer', 'GET /api/activity/export', {
  summary: 'Returns what happened in the account as a file: CSV for a spreadsheet, or JSON',
  description: 'CSV has its headings in the chosen language.',
  query: z.extend(ActivityFilters, {
    format: described('The format of the file.', z.enum(['csv', 'json'])),
    locale: described('The language of its headings.', Locale),
  }),
  download: ['text/csv', 'application/json'],
  errors: ['too-many-attempts'],
})

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
  summary: 'Lists the sessions of the customer: the caller’s own first, then by last use',
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
