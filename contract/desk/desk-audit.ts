import * as z from 'zod/mini'
import type { AuditAction } from '../audit-actions.ts'
import { Day } from '../day.ts'
import { endpoint } from '../endpoint.ts'
import { Locale, keysOf } from '../enums.ts'
import { Instant, line, Uuid } from '../fields.ts'
import { limits } from '../limits.ts'
import { pages } from '../list-pages.ts'
import { auditActors, ListedEntry } from '../provider/audit-trail.ts'
import { allAuditActions } from './all-audit-actions.ts'
import { deskLimits } from './desk-limits.ts'

/**
 * Actions by which somebody has read data of customers (DSK-16), also those at the desk whose answer shows the customer or the case. Where
 * customers or systems make entries of the same action, the desk adds `desk-customer-read` or `desk-case-read`.
 */
export const readingActions = [
  'desk-searched',
  'desk-customer-read',
  'desk-customer-unmasked',
  'desk-case-read',
  'desk-tasks-read',
  'desk-identity-unmasked',
  'desk-change-read',
  'desk-change-unmasked',
  'desk-wrong-codes-reset',
  'desk-sessions-ended',
  'desk-password-link-sent',
  'desk-messages-resent',
  'desk-invitation-resent',
  'desk-change-proposed',
  'desk-change-withdrawn',
  'desk-notice-resent',
  'desk-signing-retried',
  'desk-signing-reopened',
  'desk-object-moved',
  'desk-messages-read',
  'desk-codes-read',
  'desk-trail-read',
  'desk-trail-exported',
  'data-read',
  'customers-searched',
] as const satisfies readonly AuditAction[]

/** A day in a year of four digits, within the present rules of Poland's calendar. */
const TrailDay = Day.check(z.refine((day) => day >= '2000' && day < '3000', 'date-format'))

/** Days of the Polish calendar, of which `to` is included. */
const period = {
  from: z.optional(TrailDay),
  to: z.optional(TrailDay),
}
const person = {
  /** The provider's own id of a customer, or the portal's id of the account. */
  customer: z.optional(line(64)),
  /** The full name of a client key, an operator or a member of the staff, in any case. */
  name: z.optional(line(limits.text.name)),
}

export const TrailFilters = z.strictObject({
  ...period,
  ...person,
  action: z.optional(z.enum(keysOf(allAuditActions))),
  actor: z.optional(z.enum(auditActors)),
})
export type TrailFilters = z.infer<typeof TrailFilters>

/** An entry with the provider's own id of the customer whom it is about. */
const DeskEntry = z.extend(ListedEntry, { customer: z.nullable(z.string()) })
export type DeskEntry = z.infer<typeof DeskEntry>

export const listDeskAudit = endpoint('staff', 'GET /desk/api/audit', {
  summary: 'Lists the audit trail from its newest entry back',
  description:
    'By page. A page ends early where it has examined as many entries as a page may: `readTo` is the time of the last one, and the next page goes on there.',
  ...pages(DeskEntry, TrailFilters.shape, { readTo: z.nullable(Instant) }),
})

export const exportDeskAudit = endpoint('staff', 'GET /desk/api/audit/export', {
  summary: 'Returns the entries of a filter as a file: CSV for a spreadsheet, or NDJSON',
  description: 'The newest first. More entries than a file may have, or a filter that examines too many, are refused.',
  query: z.extend(TrailFilters, { format: z.enum(['csv', 'ndjson']), locale: Locale }),
  download: ['text/csv', 'application/x-ndjson'],
  /** `invalid-input`: the filter is too wide; a shorter time helps. `unavailable`: a transaction may still add entries to it. */
  errors: ['invalid-input', 'too-many-requests', 'unavailable'],
  takesLong: true,
})

const Finding = z.strictObject({
  chain: z.string(),
  from: z.int(),
  to: z.int(),
  what: z.enum(['changed', 'missing', 'out of order', 'cut off', 'unlike the head', 'head replaced', 'detached']),
})
export type TrailFinding = z.infer<typeof Finding>

export const verifyDeskAudit = endpoint('staff', 'POST /desk/api/audit/verification', {
  summary: 'Verifies the chain of the entries of one day',
  description:
    'As `sygnet audit verify --day` does. A day is one of UTC, with a million entries at most. One verification runs at a time.',
  body: z.strictObject({ day: TrailDay }),
  reply: z.strictObject({
    entries: z.int(),
    chains: z.int(),
    /** The signed head with which they were compared; null if this node has none. */
    head: z.nullable(z.strictObject({ ordinal: z.int(), at: z.string() })),
    found: z.int(),
    /** The first of them. */
    findings: z.array(Finding),
  }),
  /** `invalid-input`: the day has more than a million entries. */
  errors: ['invalid-input', 'too-many-requests', 'unavailable'],
  takesLong: true,
})
export type TrailVerification = z.infer<typeof verifyDeskAudit.reply>

/** Days in the order of a form. */
const inOrder = z.refine<{ from?: string | undefined; to?: string | undefined }>(
  ({ from, to }) => !from || !to || from <= to,
  { error: 'date-order', path: ['to'] },
)
export const TrailForm = TrailFilters.check(inOrder)

const Reader = z.strictObject({
  actor: z.enum(auditActors),
  actorName: z.nullable(z.string()),
  /** The `sub` of a member of the staff, since two can have one name; null for all others. */
  staff: z.nullable(z.string()),
  /** The customer's account; null for lists and searches of several customers, or of nobody. */
  account: z.nullable(Uuid),
  customer: z.nullable(z.string()),
  /** Number of readings. */
  times: z.int(),
  /** Time of the last reading. */
  last: Instant,
  /** Actions by which the data were read. */
  actions: z.array(z.string()),
  /** Some of the reasons that were entered to see full data, or to propose a change. */
  reasons: z.array(z.string()),
})
export type Reader = z.infer<typeof Reader>

export const ReaderFilters = z.strictObject({ ...period, ...person })
export type ReaderFilters = z.infer<typeof ReaderFilters>
export const ReaderForm = ReaderFilters.check(inOrder)

export const listDeskReaders = endpoint('staff', 'GET /desk/api/readers', {
  summary: 'Lists who has read the data of which customer, how often and for which reasons',
  description: `Of the newest ${deskLimits.trail.examined} readings. Pairs of somebody and a customer, the latest first.`,
  query: ReaderFilters,
  reply: z.strictObject({ items: z.array(Reader), hasMore: z.boolean(), readTo: z.nullable(Instant) }),
})
