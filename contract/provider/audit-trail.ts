import * as z from 'zod/mini'
import { auditActions } from '../audit-actions.ts'
import { endpoint } from '../endpoint.ts'
import { formed, Instant, ProviderId, Uuid } from '../fields.ts'
import { keysOf } from '../keys-of.ts'
import { limits } from '../limits.ts'

/** One entry of the audit trail. Of people it has ids, counts, states and the network address of a call, nothing else (R86). */
const ListedEntry = z.strictObject({
  /** Rises from entry to entry, with gaps. */
  position: z.int(),
  at: Instant,
  /** Actions of earlier versions included. */
  action: z.string(),
  actor: z.enum(['customer', 'provider', 'operator', 'system']),
  /** The name of the client key, or the login of the operator; null for others, and for entries of earlier versions. */
  actorName: z.nullable(z.string()),
  /** The portal's id of the account that the entry is about. */
  account: z.nullable(Uuid),
  address: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
})
export type ListedEntry = z.infer<typeof ListedEntry>

/** The number of an entry, and the beginning of a hash of it: after a restore the number can be another entry's. */
export const TrailPosition = formed(32, /^\d{1,15}-[0-9a-f]{16}$/)

export const listAuditEntries = endpoint('provider', 'GET /provider/v1/audit', {
  summary: 'Entries of the audit trail after a position, in their order',
  description:
    'Without `after` it begins with the oldest entry. Store `next` and pass it as `after`, also to follow the trail: no entry appears later before a position that was returned. If the trail does not have that entry any more, because the database was restored to an earlier time, the answer is `position-unknown`: begin again without `after`, with `since`. Entries can be limited to one account, customer, action or time.',
  query: z.strictObject({
    after: z.optional(TrailPosition),
    limit: z.optional(formed(4, /^[1-9]\d{0,3}$/).check(z.refine((n) => Number(n) <= limits.audit.page))),
    account: z.optional(Uuid),
    customer: z.optional(ProviderId),
    action: z.optional(z.enum(keysOf(auditActions))),
    since: z.optional(Instant),
    /** Entries before this time. */
    until: z.optional(Instant),
  }),
  reply: z.strictObject({
    items: z.array(ListedEntry),
    /** The `after` of the next call, also while there is nothing new. */
    next: TrailPosition,
  }),
  errors: ['position-unknown'],
  // It records itself, or the readings of a program that follows the trail would follow each other for ever.
  impersonal: true,
})
