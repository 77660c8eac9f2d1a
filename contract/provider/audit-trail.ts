import * as z from 'zod/mini'
import { allAuditActions } from '../desk/all-audit-actions.ts'
import { component, described } from '../documented.ts'
import { endpoint } from '../endpoint.ts'
import { keysOf } from '../enums.ts'
import { patternText, Instant, ProviderId, Uuid } from '../fields.ts'
import { limits } from '../limits.ts'

export const auditActors = ['customer', 'provider', 'operator', 'system', 'staff'] as const
export type AuditActor = (typeof auditActors)[number]

export const ListedEntry = component(
  'AuditEntry', // R86
  'An entry of the audit trail. Of people it has ids, counts, states, the network address of a call, and at the desk the reason that your staff entered, nothing else.',
  z.strictObject({
    position: described('The number of the entry. It rises from entry to entry, with gaps.', z.int()),
    at: Instant,
    action: described('What happened, such as `customer-updated`.', z.string()),
    actor: described(
      'Who did it; `staff` is your staff at the desk, and `system` the portal by itself.',
      z.enum(auditActors),
    ),
    actorName: described(
      'The name of the client key or of the member of the staff, or the login of the operator; null for others.',
      z.nullable(z.string()),
    ),
    account: described(
      'The portal’s id of the account that the entry is about; null if it is about none.',
      z.nullable(Uuid),
    ),
    address: described('The network address of the call; null if it was not a call.', z.nullable(z.string())),
    details: described('Ids, counts and states, whose names depend on the action.', z.record(z.string(), z.unknown())),
  }),
)
export type ListedEntry = z.infer<typeof ListedEntry>

/** The hash is there because after a restore the number can be another entry's. */
export const TrailPosition = component(
  'AuditPosition',
  'The place of an entry in the audit trail: its number, and the beginning of a hash of it, by which the portal finds out that the trail does not have this entry any more.',
  patternText(32, /^\d{1,15}-[0-9a-f]{16}$/),
)

const AuditLine = component(
  'AuditLine',
  'An entry of the audit trail as a line of NDJSON.',
  z.extend(ListedEntry, {
    position: described('What continues after this entry: the `after` of a later call.', TrailPosition),
  }),
)

export const listAuditEntries = endpoint('provider', 'GET /provider/v1/audit', {
  summary: 'Lists entries of the audit trail after a position, in their order',
  description:
    'Without `after` it begins with the oldest entry. Store `next` and pass it as `after`, also to follow the trail: no entry appears later before a position that was returned. If the trail does not have that entry any more, because the database was restored to an earlier time, the answer is `position-unknown`: begin again without `after`, with `since`. Entries can be limited to one account, customer, action or time.\n\nWith `Accept: application/x-ndjson` the answer is a stream: one entry in each line, with its own position, at most 50,000 of them. Each thousand counts as a call of the key. Pass the position of the last line that you have kept as `after`, also after a broken answer, until an answer has no line: then there is nothing new yet, or a transaction is open, so come again a moment later. Times are those of the database’s clock: if that was wrong by more than a day, `since` and `until` can miss entries.',
  query: z.strictObject({
    after: described(
      'Only entries after this one: `next` of the previous answer, or `position` of a line of NDJSON. Without it, the oldest entry is first.',
      z.optional(TrailPosition),
    ),
    limit: described(
      'The largest number of entries in the answer, from 1 to 1,000; 100 by default, and 50,000 as NDJSON.',
      z.optional(patternText(4, /^[1-9]\d{0,3}$/).check(z.refine((n) => Number(n) <= limits.audit.maxPage))),
    ),
    account: described('Only entries about the account with this id of the portal.', z.optional(Uuid)),
    customer: described('Only entries about the customer with this id of yours.', z.optional(ProviderId)),
    action: described('Only entries of this action.', z.optional(z.enum(keysOf(allAuditActions)))),
    since: described('Only entries from this time on.', z.optional(Instant)),
    until: described('Only entries before this time.', z.optional(Instant)),
  }),
  reply: z.strictObject({
    items: described('The entries, in their order.', z.array(ListedEntry)),
    next: described('The `after` of the next call, also while there is nothing new.', TrailPosition),
  }),
  ndjsonLine: AuditLine,
  errors: ['position-unknown'],
  // This reading records itself, or the readings of a program that follows the trail would follow each other for ever.
  impersonal: true,
})
