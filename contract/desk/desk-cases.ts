import * as z from 'zod/mini'
import { SignatureFound, UploadReport } from '../document-report.ts'
import { Refusal } from '../documents.ts'
import { endpoint } from '../endpoint.ts'
import type { Feature } from '../features.ts'
import { Instant, Uuid, LocalText } from '../fields.ts'
import { auditActors } from '../provider/audit-trail.ts'
import { DeskCustomer } from './desk-customers.ts'
import { caseFields } from './desk-products.ts'

export const caseKinds = ['renewal', 'document', 'voucher'] as const
const CaseKind = z.enum(caseKinds)
export type CaseKind = z.infer<typeof CaseKind>

/** The feature without which a customer cannot go on with a case (ERR-5). */
export const featureOfCase = {
  renewal: 'renewal',
  document: 'documents',
  voucher: 'vouchers',
} as const satisfies Record<CaseKind, Feature>

/**
 * Actions that an agent can take on a case. `send-notice`: sends the customer the newest message about it again. `retry-signing`: asks the
 * signing service now. `sign-again`: lets the customer sign with a new code.
 */
const caseActions = ['send-notice', 'retry-signing', 'sign-again'] as const
export type CaseAction = (typeof caseActions)[number]

/** The result of the check of an upload. Names of signers are masked; the issuer is null unless the certificate is trusted (DSK-19). */
const UploadCheck = z.extend(UploadReport, { signatures: z.array(z.omit(SignatureFound, { level: true })) })
export type UploadCheck = z.infer<typeof UploadCheck>

/** A case step by step (DSK-19). */
export const DeskCase = z.strictObject({
  kind: CaseKind,
  ...caseFields,
  state: z.string(),
  /** Time until which the case is kept; null without an end. */
  endsAt: z.nullable(Instant),
  refusal: z.nullable(Refusal),
  /** The provider's own text for the customer. */
  note: z.nullable(LocalText),
  /** The check of the signed document; null while the customer has uploaded none. */
  uploadCheck: z.nullable(UploadCheck),
  /** The last failure of the signing service; `nextTryAt` is null if there is none. */
  failure: z.nullable(z.strictObject({ cause: z.string(), tries: z.int(), nextTryAt: z.nullable(Instant) })),
  /** Entries of the audit trail, the oldest first. */
  steps: z.array(z.strictObject({ at: Instant, action: z.string(), actor: z.enum(auditActors) })),
  /** The actions that are possible now; none while their feature is off. */
  actions: z.array(z.enum(caseActions)),
})
export type DeskCase = z.infer<typeof DeskCase>

const params = { kind: CaseKind, case: Uuid }

export const readDeskCase = endpoint('staff', 'GET /desk/api/customers/:id/cases/:kind/:case', {
  summary: 'Returns a renewal, a document case or a voucher case of a customer, step by step',
  description: 'With what it waits for, and what an agent can do.',
  params,
  reply: DeskCase,
  errors: ['not-found', 'too-many-requests'],
})

export const actOnDeskCase = endpoint('staff', 'POST /desk/api/customers/:id/cases/:kind/:case/actions', {
  summary:
    'Sends the newest notice of a case again, has the signing service asked now, or lets the customer sign again',
  description: 'One of the `actions` of the case. A notice once a minute. The case as it is then.',
  params,
  body: z.strictObject({ action: z.enum(caseActions) }),
  reply: DeskCase,
  /** `unavailable`: the feature of the case is switched off. */
  errors: ['not-found', 'too-many-requests', 'state-passed', 'resend-too-early', 'unavailable'],
})

export const resendMessagesAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/messages/resend', {
  summary: 'Sends the undelivered messages of a customer again now',
  description:
    'Those to the present address and number. An expired code or link is not sent. The customer as they are then.',
  reply: DeskCustomer,
  errors: ['not-found', 'too-many-requests', 'resend-too-early'],
})

const invitation = {
  params: { invitation: Uuid },
  reply: DeskCustomer,
} as const

export const resendInvitationAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/invitations/:invitation/resend', {
  summary: 'Sends an invitation to a seal again, valid for its full time from now on',
  description: 'Once a minute. The customer as they are then.',
  ...invitation,
  /** `unavailable`: seals are switched off. */
  errors: ['not-found', 'too-many-requests', 'seal-ended', 'resend-too-early', 'sends-spent', 'unavailable'],
})

export const withdrawInvitationAtDesk = endpoint(
  'staff',
  'POST /desk/api/customers/:id/invitations/:invitation/withdrawal',
  {
    summary: 'Withdraws an invitation to a seal',
    description: 'Its link and code do not work any more. The customer as they are then.',
    ...invitation,
    errors: ['not-found', 'too-many-requests'],
  },
)
