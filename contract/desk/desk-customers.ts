import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Locale } from '../enums.ts'
import { Instant, line, Uuid } from '../fields.ts'
import { limits } from '../limits.ts'
import { deskLimits } from './desk-limits.ts'
import { DeskProducts } from './desk-products.ts'

const state = z.enum(['invited', 'registered', 'active', 'blocked'])

/** Masked: enough to recognise somebody who says who they are, too little to find out. */
export const MaskedIdentity = z.strictObject({
  account: Uuid,
  name: z.string(),
  login: z.string(),
  email: z.string(),
  phone: z.string(),
  state,
})
export type MaskedIdentity = z.infer<typeof MaskedIdentity>

export const searchDesk = endpoint('staff', 'POST /desk/api/search', {
  summary: 'Finds customers by what is known of them, with masked data',
  description:
    'An e-mail address, login, phone number, PESEL or other identifier, or a number of a case, document or certificate.',
  body: z.strictObject({ text: line(limits.text.email) }),
  reply: z.strictObject({ items: z.array(MaskedIdentity), hasMore: z.boolean() }),
  errors: ['too-many-requests'],
})

/** The limits of a sign-in that support can meet, by what they limit. */
export const signInLimits = [
  'codes-wrong',
  'codes-never-right',
  'codes-sent',
  'codes-sent-known',
  'codes-in-all',
  'codes-in-all-known',
  'codes-pause',
  'codes-of-range',
  'passwords-wrong',
] as const
export type SignInLimit = (typeof signInLimits)[number]

/** Reason why a customer may be unable to sign in. */
export const Obstacle = z.discriminatedUnion('kind', [
  /**
   * The last report of a lost phone, unless the number was changed since; the customer's own certificates that are
   * suspended, or will be on request.
   */
  z.strictObject({ kind: z.literal('phone-lost'), since: Instant, suspended: z.int(), requested: z.int() }),
  /** The lack of a password: when the last link was sent, and until when it works. */
  z.strictObject({ kind: z.literal('no-password'), sentAt: z.nullable(Instant), until: z.nullable(Instant) }),
  z.strictObject({ kind: z.literal('unconfirmed-registration') }),
  z.strictObject({ kind: z.literal('blocked'), by: z.enum(['wrong-passwords', 'provider']), since: Instant }),
  z.strictObject({ kind: z.literal('phone-unconfirmed') }),
  z.strictObject({ kind: z.literal('resets-delayed'), until: Instant }),
  /** The operator's settings forbid text messages to this number (R27). */
  z.strictObject({ kind: z.literal('sms-refused'), cause: z.enum(['sms-stopped', 'sms-country-refused']) }),
  z.strictObject({ kind: z.literal('limit'), limit: z.enum(signInLimits), until: Instant }),
  z.strictObject({ kind: z.literal('code-pending'), sentAt: Instant, until: Instant, wrong: z.int() }),
  z.strictObject({
    kind: z.literal('undelivered'),
    channel: z.enum(['mail', 'sms']),
    createdAt: Instant,
    tries: z.int(),
    cause: z.string(),
    isFinal: z.boolean(),
  }),
])
export type Obstacle = z.infer<typeof Obstacle>

/** Changes of a customer that two people make: one proposes, another one approves (DSK-24). */
export const proposalKinds = ['email', 'phone', 'erasure', 'hold', 'hold-release'] as const
export type ProposalKind = (typeof proposalKinds)[number]

/** A change that waits for another person, or was decided within a day; its value is masked, and gone with the decision. */
export const CustomerProposal = z.strictObject({
  id: Uuid,
  kind: z.enum(proposalKinds),
  proposed: z.nullable(z.string()),
  reason: z.string(),
  by: z.string(),
  subject: z.string(),
  proposedAt: Instant,
  until: Instant,
  outcome: z.nullable(z.enum(['approved', 'refused', 'void'])),
  decider: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export type CustomerProposal = z.infer<typeof CustomerProposal>

export const DeskCustomer = z.extend(MaskedIdentity, {
  /** The provider's own id; null for somebody who registered. */
  customer: z.nullable(z.string()),
  locale: Locale,
  identificationNumber: z.nullable(z.string()),
  createdAt: Instant,
  lastSignIn: z.nullable(Instant),
  sessions: z.int(),
  obstacles: z.array(Obstacle),
  products: DeskProducts,
  /** Time since which a legal hold has kept the customer from being erased. */
  heldSince: z.nullable(Instant),
  proposals: z.array(CustomerProposal),
})
export type DeskCustomer = z.infer<typeof DeskCustomer>

export const readDeskCustomer = endpoint('staff', 'GET /desk/api/customers/:id', {
  summary: 'Returns a customer with masked data, why they may be unable to sign in, and what they have',
  description:
    'A lost phone, blocks, limits in force, codes under way and messages that were not delivered; the newest of each kind of object.',
  reply: DeskCustomer,
  errors: ['not-found', 'too-many-requests'],
})

export const unmaskDeskCustomer = endpoint('staff', 'POST /desk/api/customers/:id/unmasking', {
  summary: 'Returns the full data of a customer, for a reason',
  description: 'The reason is in the audit trail with the name of the caller.',
  body: z.strictObject({ reason: line(deskLimits.reason) }),
  reply: z.strictObject({
    name: z.string(),
    login: z.string(),
    email: z.string(),
    phone: z.string(),
    identificationNumber: z.nullable(z.string()),
  }),
  errors: ['not-found', 'too-many-requests'],
})

const action = { reply: DeskCustomer, errors: ['not-found', 'too-many-requests'] } as const

export const unblockAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/unblock', {
  summary: 'Unblocks a customer for the present password',
  description: 'Wrong passwords are counted from zero again. The customer as they are then.',
  ...action,
})

export const endSessionsAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/sessions/end', {
  summary: 'Ends all sessions of a customer',
  description: 'Sign-ins under way too. The customer as they are then.',
  ...action,
})

export const sendLinkAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/password-link', {
  summary: 'Sends a customer the link for a password',
  description: 'An invitation if there is no password yet. Earlier links work until one is used.',
  reply: DeskCustomer,
  /** `resend-too-early`: less than a minute after the last one, or while no links go to a changed address. */
  errors: ['not-found', 'too-many-requests', 'resend-too-early'],
})
