import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Email, fieldProblem, Instant, line, PhoneNumber, Uuid } from '../fields.ts'
import { limits } from '../limits.ts'
import { DeskCustomer, MaskedIdentity, proposalKinds, type ProposalKind } from './desk-customers.ts'
import { deskLimits } from './desk-limits.ts'

/** Reasons why a proposal is refused: the `reason` of `state-passed`. */
export const proposalProblems = [
  'open-already',
  'unchanged',
  'unconfirmed',
  'held-already',
  'not-held',
  'own',
  'not-own',
  'decided',
  'expired',
  'void',
] as const
export type ProposalProblem = (typeof proposalProblems)[number]

const reason = line(deskLimits.reason)

const valueOf = { email: Email, phone: PhoneNumber }
const fits = (kind: ProposalKind, value: string | undefined) =>
  kind === 'email' || kind === 'phone' ? valueOf[kind].safeParse(value).success : value === undefined

/** `value` is the new address or number, which other changes do not have. */
export const ProposedChange = z
  .strictObject({ kind: z.enum(proposalKinds), value: z.optional(line(limits.text.email)), reason })
  .check(z.refine(({ kind, value }) => fits(kind, value), { error: fieldProblem('format'), path: ['value'] }))
export type ProposedChange = z.infer<typeof ProposedChange>

const charged = ['not-found', 'too-many-requests'] as const

export const proposeAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/proposals', {
  summary: 'Proposes a change of a customer, which another person approves',
  description: 'Nothing changes yet. One open proposal for each customer and kind; it expires after a day.',
  body: ProposedChange,
  reply: DeskCustomer,
  errors: [...charged, 'state-passed', 'sms-country-refused'],
})

export const blockAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/block', {
  summary: 'Blocks a customer and ends all sessions',
  description: 'For somebody who says “that was not me”. The customer as they are then.',
  reply: DeskCustomer,
  errors: charged,
})

export const ListedProposal = z.strictObject({
  id: Uuid,
  kind: z.enum(proposalKinds),
  by: z.string(),
  isOwn: z.boolean(),
  proposedAt: Instant,
  until: Instant,
})
export type ListedProposal = z.infer<typeof ListedProposal>

export const listProposals = endpoint('staff', 'GET /desk/api/approvals', {
  summary: 'Lists the open proposals, without data of customers',
  description: 'Those that expire first come first. Without their reasons, which are typed and can name a customer.',
  reply: z.strictObject({ items: z.array(ListedProposal) }),
})

export const countProposals = endpoint('staff', 'GET /desk/api/approvals/count', {
  summary: 'Counts the proposals that the caller can decide',
  description: 'Open ones of other people.',
  reply: z.strictObject({ open: z.int() }),
  background: true,
})

export const readProposal = endpoint('staff', 'GET /desk/api/approvals/:id', {
  summary: 'Returns an open proposal with its customer',
  description:
    'The present and the new value are shown in full to those who may decide, and masked for the person who proposed it.',
  reply: z.extend(ListedProposal, {
    reason: z.string(),
    customer: MaskedIdentity,
    /** The value before the change; null for changes without a value. */
    present: z.nullable(z.string()),
    proposed: z.nullable(z.string()),
  }),
  errors: [...charged, 'state-passed'],
})

export const approveProposal = endpoint('staff', 'POST /desk/api/approvals/:id/approval', {
  summary: 'Approves a proposal of another person, and makes the change',
  description:
    'The proposal is void if the login, e-mail address or phone number of the customer has changed since. It needs a recent sign-in at the OpenID provider.',
  errors: [...charged, 'step-up-required', 'state-passed', 'login-taken', 'customer-in-use'],
})

export const refuseProposal = endpoint('staff', 'POST /desk/api/approvals/:id/refusal', {
  summary: 'Refuses a proposal of another person',
  description: 'The person who proposed it sees the reason.',
  body: z.strictObject({ reason }),
  errors: [...charged, 'state-passed'],
})

export const withdrawProposal = endpoint('staff', 'POST /desk/api/approvals/:id/withdrawal', {
  summary: 'Withdraws an own proposal',
  description: 'The customer as they are then.',
  reply: DeskCustomer,
  errors: [...charged, 'state-passed'],
})
