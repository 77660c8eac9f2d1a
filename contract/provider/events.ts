import * as z from 'zod/mini'
import { removableObjects } from '../activity-object.ts'
import { component, described } from '../documented.ts'
import { DocumentStatus } from '../documents.ts'
import { endpoint } from '../endpoint.ts'
import { keysOf } from '../enums.ts'
import { patternText, Instant, Uuid } from '../fields.ts'
import { consentKinds } from '../legal/consent-statements.ts'
import { limits } from '../limits.ts'
import { RenewalState } from '../renewal.ts'
import { SealUserStatus } from '../seal-users.ts'
import { SealUserRole } from '../seals.ts'
import { StatusChange } from '../signatures-and-seals.ts'
import { StatusRequestState } from '../status-requests.ts'
import { CaseStatus, VoucherProcess } from '../vouchers.ts'
import { RemovalReason } from './provider-api.ts'

// The events by which the provider follows the portal (OPS-4), as a feed and as webhooks. An event says what happened to which
// object, by ids and states; other data has to be read from the object. Delivery is at least once, and in order for each object.

const Position = described('The position in the feed, which rises from event to event.', z.int().check(z.minimum(1)))

const owner = {
  customer: described(
    'Your id of the customer; null for somebody who registered in the portal and whom you have not put yet.',
    z.nullable(z.string()),
  ),
  account: described('The portal’s id of the account.', Uuid),
}

const AccountData = component('AccountData', 'An account, by its ids.', z.strictObject(owner))
const SignatureData = component(
  'SignatureData',
  'A signature, by its ids.',
  z.strictObject({ ...owner, signature: described('Your id of the signature.', z.string()) }),
)
const SealUserData = component(
  'SealUserData',
  'A user of a seal, by ids and states.',
  z.strictObject({
    seal: described('Your id of the seal.', z.string()),
    user: described(
      'Your id of the user of the seal, or the portal’s for somebody whom an Administrator has invited.',
      z.string(),
    ),
    role: SealUserRole,
    status: SealUserStatus,
  }),
)
const VoucherCaseData = component(
  'VoucherCaseData',
  'A case of a redeemed voucher, by ids and states.',
  z.strictObject({
    ...owner,
    case: described('The portal’s number of the case.', z.string()),
    code: described('Your id of the voucher.', z.string()),
    process: VoucherProcess,
    status: CaseStatus,
  }),
)

/** Converts the type of an event to a name: `seal-user.changed` → `SealUserChanged`. */
const nameOf = (type: string) =>
  type
    .split(/[.-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const eventKind = <const T extends string, D extends z.ZodMiniObject>(type: T, summary: string, data: D) => ({
  type,
  summary,
  schema: component(
    `${nameOf(type)}Event`,
    summary,
    z.strictObject({
      id: described(
        'The same in every delivery, also as `webhook-id`: events that come again are recognised by it.',
        Uuid,
      ),
      position: Position,
      type: described('What has happened.', z.literal(type)),
      timestamp: described('When it happened.', Instant),
      data: described('The object, by ids and states.', data),
    }),
  ),
})

export const eventKinds = [
  eventKind(
    'customer.activated',
    'A customer has set the first password; a registered one is without `customer` yet',
    AccountData,
  ),
  eventKind('customer.adopted', 'An account that was registered has become the customer of a PUT', AccountData),
  eventKind('customer.blocked', 'An account was blocked', AccountData),
  eventKind('customer.unblocked', 'An account is open again', AccountData),
  eventKind(
    'customer.phone-lost',
    'A customer has reported a lost phone: all sessions have ended, and only you end the suspension of the customer’s own signatures',
    AccountData,
  ),
  eventKind('customer.phone-changed', 'A customer has another telephone number', AccountData),
  eventKind(
    'customer.contact-changed',
    'A PUT or an import has changed the e-mail address or the phone number of an account',
    z.strictObject({
      ...owner,
      email: described('Whether the e-mail address has changed.', z.boolean()),
      phone: described('Whether the telephone number has changed.', z.boolean()),
    }),
  ),
  eventKind(
    'customer.consent-changed',
    'A customer has given or withdrawn a consent',
    z.strictObject({
      ...owner,
      kind: described('The consent.', z.enum(consentKinds)),
      given: described('Whether it is given now.', z.boolean()),
      version: described('The day from which its wording applies.', z.string()),
    }),
  ),
  eventKind(
    'signature.activation-requested',
    'A customer waits for what the signing app of a signature scans, and the provider has to give it',
    SignatureData,
  ),
  eventKind(
    'signature.activation-shown',
    'What the signing app of a signature scans was shown; a secret that you fetched before is void',
    SignatureData,
  ),
  eventKind('signature.paired', 'The signing app of a signature was paired', SignatureData),
  eventKind(
    'seal-user.changed',
    'Somebody was invited to a seal, has activated the access, or has lost it, or your staff have moved it to another customer',
    SealUserData,
  ),
  eventKind(
    'seal-user.activation-requested',
    'A user of a seal waits for what the signing app scans, and the provider has to give it',
    SealUserData,
  ),
  eventKind(
    'seal-user.activation-shown',
    'What the signing app of a user of a seal scans was shown; a secret that you fetched before is void',
    SealUserData,
  ),
  eventKind('seal-user.paired', 'A user of a seal has paired the signing app', SealUserData),
  eventKind(
    'document-case.moved',
    'A document case has another status',
    z.strictObject({
      ...owner,
      case: described('Your id of the case.', z.string()),
      status: DocumentStatus,
      version: described(
        'Counts the changes of the case: of two events, the one with the higher version is newer.',
        z.int(),
      ),
    }),
  ),
  eventKind('voucher-case.opened', 'A voucher was redeemed', VoucherCaseData),
  eventKind('voucher-case.moved', 'A voucher case was reported on', VoucherCaseData),
  eventKind(
    'renewal.moved',
    'A renewal has another state, or its identity document waits to be looked at',
    z.strictObject({
      ...owner,
      renewal: described('The portal’s id of the renewal.', Uuid),
      renews: described('Your id of the signature to be renewed.', z.string()),
      state: RenewalState,
      version: described(
        'Counts the changes of the renewal: of two events, the one with the higher version is newer.',
        z.int(),
      ),
      identity: described(
        'The state of a check of the identity document that the customer entered; null if there is none.',
        z.nullable(z.enum(['asked', 'confirmed', 'refused'])),
      ),
      issued: described('Your id of the issued signature; null before that.', z.nullable(z.string())),
    }),
  ),
  eventKind(
    'status-request.moved',
    'A customer has requested another status of a certificate, the request has the reason `phone-lost` now, or it was decided or replaced',
    z.strictObject({
      ...owner,
      request: described('The portal’s id of the request.', Uuid),
      signature: described('Your id of the signature; null for a seal.', z.nullable(z.string())),
      seal: described('Your id of the seal; null for a signature.', z.nullable(z.string())),
      change: StatusChange,
      state: StatusRequestState,
      deadline: described('Until when you have to decide it.', Instant),
    }),
  ),
  eventKind(
    'files.signed',
    'A customer has signed files that stayed in the browser',
    z.strictObject({
      ...owner,
      signature: described('Your id of the signature; null for a seal.', z.nullable(z.string())),
      seal: described('Your id of the seal; null for a signature.', z.nullable(z.string())),
      files: described('How many files.', z.int()),
    }),
  ),
  eventKind(
    'object.removed',
    'The provider has removed an object that was filed by mistake',
    z.strictObject({
      object: described('The kind of the object.', z.enum(keysOf(removableObjects))),
      filed: described('Your id of the object.', z.string()),
      reason: RemovalReason,
    }),
  ),
  eventKind(
    'object.moved',
    'Your staff have moved an object that was filed under the wrong customer: your next call has to name the right one',
    z.strictObject({
      ...owner,
      object: described('The kind of the object.', z.enum(['signature', 'document-case'])),
      filed: described('Your id of the object.', z.string()),
      previous: described(
        'Your id of the customer who had it; null for an account without one.',
        z.nullable(z.string()),
      ),
    }),
  ),
] as const

export type EventType = (typeof eventKinds)[number]['type']
export const EventType = component('EventType', 'A kind of event.', z.enum(eventKinds.map(({ type }) => type)))

export const ProviderEvent = component(
  'PortalEvent',
  'An event: what happened to which object, by ids and states.',
  z.union(eventKinds.map(({ schema }) => schema)),
)
export type ProviderEvent = z.infer<typeof ProviderEvent>

export const listEvents = endpoint('provider', 'GET /provider/v1/events', {
  summary: 'Lists the events after a position, in their order; without a position, from the oldest that is kept',
  impersonal: true,
  description:
    'At most 100 events, or `limit` up to 500. Store `next` together with their effects and pass it as `after`. Events are kept for 90 days; an older position is refused with `cursor-refused`: then read the lists and start without `after`.',
  query: z.strictObject({
    after: described(
      'Only events after this position: `next` of the previous answer. Without it, the oldest event that is kept is first.',
      z.optional(patternText(15, /^\d{1,15}$/)),
    ),
    limit: described(
      'The largest number of events in the answer, from 1 to 500; 100 by default.',
      z.optional(patternText(3, /^[1-9]\d{0,2}$/).check(z.refine((n) => Number(n) <= limits.events.maxPage))),
    ),
  }),
  reply: z.strictObject({
    items: described('The events, in their order.', z.array(ProviderEvent)),
    next: described('The `after` of the next call; the same while there is nothing new.', z.int()),
  }),
  /** A position that is not of this feed, or so old that events after it are no longer kept: start again from the lists. */
  errors: ['cursor-refused'],
})
