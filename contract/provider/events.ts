import * as z from 'zod/mini'
import { consentKinds } from '../legal/consent-statements.ts'
import { DocumentStatus } from '../documents.ts'
import { endpoint } from '../endpoint.ts'
import { formed, Instant, Uuid } from '../fields.ts'
import { limits } from '../limits.ts'
import { removableObjects, RemovalReason } from './provider-api.ts'
import { RenewalState } from '../renewal.ts'
import { SealUserStatus } from '../seal-users.ts'
import { SealUserRole } from '../enums.ts'
import { CaseStatus, VoucherProcess } from '../vouchers.ts'

/**
 * The events by which the provider follows the portal (OPS-4), as a feed and as webhooks. An event says what happened to which
 * object, by ids and states; other data has to be read from the object. Delivery is at least once, and in order for each object.
 */

/** The position in the feed. */
const Position = z.int().check(z.minimum(1))

/** The provider's own id of the customer, null for a registered customer whom no PUT has named yet; and the portal's. */
const owner = { customer: z.nullable(z.string()), account: Uuid }

const sealUser = { seal: z.string(), user: z.string(), role: SealUserRole, status: SealUserStatus }
const voucherCase = { ...owner, case: z.string(), code: z.string(), process: VoucherProcess, status: CaseStatus }

const eventKind = <const T extends string, D extends z.core.$ZodShape>(type: T, summary: string, data: D) => ({
  type,
  summary,
  schema: z.strictObject({
    /** The same in every delivery, also as `webhook-id`, so that repetitions are recognised. */
    id: Uuid,
    position: Position,
    type: z.literal(type),
    timestamp: Instant,
    data: z.strictObject(data),
  }),
})

export const eventKinds = [
  eventKind(
    'customer.activated',
    'A customer has set the first password; a registered one is without `customer` yet',
    owner,
  ),
  eventKind('customer.adopted', 'An account that was registered has become the customer of a PUT', owner),
  eventKind('customer.blocked', 'An account was blocked', owner),
  eventKind('customer.unblocked', 'An account is open again', owner),
  eventKind('customer.phone-changed', 'A customer has another telephone number', owner),
  eventKind(
    'customer.contact-changed',
    'A PUT or an import has changed the e-mail address or the phone number of an account',
    {
      ...owner,
      email: z.boolean(),
      phone: z.boolean(),
    },
  ),
  eventKind('customer.consent-changed', 'A customer has given or withdrawn a consent', {
    ...owner,
    kind: z.enum(consentKinds),
    given: z.boolean(),
    version: z.string(),
  }),
  eventKind(
    'signature.activation-requested',
    'A customer waits for what the signing app of a signature scans, and the provider has to give it',
    { ...owner, signature: z.string() },
  ),
  eventKind(
    'signature.activation-shown',
    'What the signing app of a signature scans was shown; a secret that you fetched before is void',
    { ...owner, signature: z.string() },
  ),
  eventKind('signature.paired', 'The signing app of a signature was paired', { ...owner, signature: z.string() }),
  eventKind('seal-user.changed', 'Somebody was invited to a seal, has activated the access, or has lost it', sealUser),
  eventKind(
    'seal-user.activation-requested',
    'A user of a seal waits for what the signing app scans, and the provider has to give it',
    sealUser,
  ),
  eventKind(
    'seal-user.activation-shown',
    'What the signing app of a user of a seal scans was shown; a secret that you fetched before is void',
    sealUser,
  ),
  eventKind('seal-user.paired', 'A user of a seal has paired the signing app', sealUser),
  eventKind('document-case.moved', 'A document case has another status', {
    ...owner,
    case: z.string(),
    status: DocumentStatus,
    version: z.int(),
  }),
  eventKind('voucher-case.opened', 'A voucher was redeemed', voucherCase),
  eventKind('voucher-case.moved', 'A voucher case was reported on', voucherCase),
  eventKind('renewal.moved', 'A renewal has another state, or its identity document waits to be looked at', {
    ...owner,
    renewal: Uuid,
    renews: z.string(),
    state: RenewalState,
    version: z.int(),
    identity: z.nullable(z.enum(['asked', 'confirmed', 'refused'])),
    issued: z.nullable(z.string()),
  }),
  eventKind('object.removed', 'The provider has removed an object that was filed by mistake', {
    object: z.enum(removableObjects),
    /** The provider's own id of the object. */
    filed: z.string(),
    reason: RemovalReason,
  }),
] as const

export type EventType = (typeof eventKinds)[number]['type']
export const EventType = z.enum(eventKinds.map(({ type }) => type))

export const ProviderEvent = z.union(eventKinds.map(({ schema }) => schema))
export type ProviderEvent = z.infer<typeof ProviderEvent>

export const listEvents = endpoint('provider', 'GET /provider/v1/events', {
  summary: 'The events after a position, in their order; without a position, from the oldest that is kept',
  impersonal: true,
  description:
    'At most 100 events, or `limit` up to 500. Store `next` together with their effects and pass it as `after`. Events are kept for 90 days; an older position is refused with `cursor-refused`: then read the lists and start without `after`.',
  query: z.strictObject({
    after: z.optional(formed(15, /^\d{1,15}$/)),
    limit: z.optional(formed(3, /^[1-9]\d{0,2}$/).check(z.refine((n) => Number(n) <= limits.events.page))),
  }),
  reply: z.strictObject({
    items: z.array(ProviderEvent),
    /** The `after` of the next call; the same while there is nothing new. */
    next: z.int(),
  }),
  /** A position that is not of this feed, or so old that events after it are no longer kept: start again from the lists. */
  errors: ['cursor-refused'],
})
