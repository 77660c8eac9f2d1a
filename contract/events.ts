import * as z from 'zod/mini'
import { consentKinds } from './consent-statements.ts'
import { DocumentStatus } from './documents.ts'
import { endpoint } from './endpoint.ts'
import { formed, Instant, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { RenewalState } from './renewal.ts'
import { SealUserRole, SealUserStatus } from './seal-users.ts'
import { CaseStatus, VoucherProcess } from './vouchers.ts'

/**
 * What the provider follows the portal by (OPS-4), as a feed and as webhooks. An event says what happened to which object,
 * by ids and states; who needs more asks for the object. It is told at least once, in order for each object.
 */

/** The place in the feed. */
const Position = z.int().check(z.minimum(1))

/** The provider's own id of the customer, null of somebody who registered and whom no PUT has named yet; and the portal's. */
const owner = { customer: z.nullable(z.string()), account: Uuid }

const sealUser = { seal: z.string(), user: z.string(), role: SealUserRole, status: SealUserStatus }
const voucherCase = { ...owner, case: z.string(), code: z.string(), process: VoucherProcess, status: CaseStatus }

const told = <const T extends string, D extends z.core.$ZodShape>(type: T, summary: string, data: D) => ({
  type,
  summary,
  schema: z.strictObject({
    /** The same at every telling, and `webhook-id`: what was seen before is known by it. */
    id: Uuid,
    position: Position,
    type: z.literal(type),
    timestamp: Instant,
    data: z.strictObject(data),
  }),
})

export const eventKinds = [
  told(
    'customer.activated',
    'A customer has set the first password; a registered one is without `customer` yet',
    owner,
  ),
  told('customer.adopted', 'An account that was registered has become the customer of a PUT', owner),
  told('customer.blocked', 'An account was blocked', owner),
  told('customer.unblocked', 'An account is open again', owner),
  told('customer.phone-changed', 'A customer has another telephone number', owner),
  told(
    'customer.contact-changed',
    'A PUT or an import has changed the e-mail address or the phone number of an account',
    {
      ...owner,
      email: z.boolean(),
      phone: z.boolean(),
    },
  ),
  told('customer.consent-changed', 'A customer has given or withdrawn a consent', {
    ...owner,
    kind: z.enum(consentKinds),
    given: z.boolean(),
    version: z.string(),
  }),
  told('signature.paired', 'The signing app of a signature was paired', { ...owner, signature: z.string() }),
  told('seal-user.changed', 'Somebody was invited to a seal, has activated the access, or has lost it', sealUser),
  told('seal-user.paired', 'A user of a seal has paired the signing app', sealUser),
  told('document-case.moved', 'A document case has another status', {
    ...owner,
    case: z.string(),
    status: DocumentStatus,
    version: z.int(),
  }),
  told('voucher-case.opened', 'A voucher was redeemed', voucherCase),
  told('voucher-case.moved', 'A voucher case was reported on', voucherCase),
  told('renewal.moved', 'A renewal has another state, or its identity document waits to be looked at', {
    ...owner,
    renewal: Uuid,
    renews: z.string(),
    state: RenewalState,
    version: z.int(),
    identity: z.nullable(z.enum(['asked', 'confirmed', 'refused'])),
    issued: z.nullable(z.string()),
  }),
] as const

export type EventType = (typeof eventKinds)[number]['type']
export const EventType = z.enum(eventKinds.map(({ type }) => type))

export const ProviderEvent = z.union(eventKinds.map(({ schema }) => schema))
export type ProviderEvent = z.infer<typeof ProviderEvent>

export const listEvents = endpoint({
  method: 'GET',
  path: '/provider/v1/events',
  summary:
    'What happened, after a position, in the order in which it was done; without one, from the oldest that is kept',
  access: 'provider',
  query: z.strictObject({
    after: z.optional(formed(15, /^\d{1,15}$/)),
    limit: z.optional(formed(3, /^[1-9]\d{0,2}$/).check(z.refine((n) => Number(n) <= limits.events.page))),
  }),
  reply: z.strictObject({
    items: z.array(ProviderEvent),
    /** What to ask after next; the same again while there is nothing new. */
    next: z.int(),
  }),
  /** A position that is not of this feed, or so old that events after it are no longer kept: begin anew, with the lists. */
  errors: ['cursor-refused'],
})
