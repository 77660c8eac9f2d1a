import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { type Text, keysOf } from './enums.ts'
import { Instant, text, Uuid, LocalText } from './fields.ts'
import {
  StatusChange,
  certificateMoves,
  CertificateStatus,
  statusAfter,
  type OpenStatusRequest,
} from './signatures-and-seals.ts'
import { transitions } from './transitions.ts'

/**
 * Requests of customers to suspend, resume or revoke a certificate. The portal requests and the provider's authority
 * decides (decision 0118). A revocation replaces an open request for another change, and the report of a lost phone one
 * to resume. The database refuses any other move.
 */
export const statusRequestMoves = transitions({
  requested: ['done', 'refused', 'replaced'],
  done: [],
  refused: [],
  replaced: [],
})
export const StatusRequestState = component(
  'StatusRequestState',
  '`requested`: waits for the provider; `done`: the certificate has the status; `refused` by the provider; `replaced` by a revocation, or a resumption by the suspension after a lost phone.',
  z.enum(keysOf(statusRequestMoves)),
)
export type StatusRequestState = z.infer<typeof StatusRequestState>

export const StatusReason = component(
  'StatusReason',
  'Why: somebody else may be able to use the certificate (`compromised`), its data are no longer true (`data-changed`), another certificate replaces it (`superseded`), it is no longer needed (`not-needed`), or the customer has lost the phone (`phone-lost`).',
  z.enum(['compromised', 'data-changed', 'superseded', 'not-needed', 'phone-lost']),
)
export type StatusReason = z.infer<typeof StatusReason>

/** Reasons that a customer can choose; `phone-lost` is the reason of every request on the page for a lost phone (STP-7). */
export const ChosenReason = described(
  'Why: the reasons that a customer can choose.',
  z.enum(StatusReason.options.filter((reason) => reason !== 'phone-lost')),
)

export const StatusRequest = component(
  'StatusRequest',
  'A request for another status of a certificate.',
  z.strictObject({
    id: Uuid,
    change: StatusChange,
    reason: described('Why; null for the end of a suspension.', z.nullable(StatusReason)),
    state: StatusRequestState,
    requestedAt: Instant,
    deadline: described('Until when the provider has to decide it.', Instant),
    decidedAt: described('When it was decided or replaced; null before that.', z.nullable(Instant)),
    note: described('The provider’s own text about a refusal; null if there is none.', z.nullable(LocalText)),
  }),
)
export type StatusRequest = z.infer<typeof StatusRequest>

const params = { id: described('The id of a signature, or of a seal whose Administrator the caller is.', Uuid) }

const requests = {
  params,
  reply: StatusRequest,
  errors: ['not-found', 'state-passed', 'too-many-attempts'],
} as const

export const requestSuspension = endpoint('customer', 'POST /api/certificates/:id/suspension', {
  summary: 'Requests the suspension of a certificate',
  description:
    'Signatures made during a suspension are not valid. It ends by a resumption, or is followed by a revocation.',
  ...requests,
  idempotent: true,
  stepUp: 'suspend',
  body: z.strictObject({ reason: ChosenReason }),
})

export const requestResumption = endpoint('customer', 'POST /api/certificates/:id/resumption', {
  summary: 'Requests the end of a suspension that was requested here',
  description: 'A suspension by the provider is ended by the provider.',
  ...requests,
  idempotent: true,
  stepUp: 'resume',
})

/** Words that have to be typed to confirm a revocation. */
export const revocationWords: Text = { pl: 'UNIEWAŻNIAM', en: 'REVOKE' }

/** Folds the case of letters and the Polish marks. */
const plain = (typed: string) => typed.trim().toUpperCase().normalize('NFD').replace(/\p{M}/gu, '')

/** One of the words, as it was typed. */
const Confirmation = text(64, 'required').check(
  z.minLength(1, 'required'),
  z.refine((typed) => Object.values(revocationWords).some((word) => plain(word) === plain(typed)), 'confirmation-word'),
)

export const RevocationForm = z.strictObject({
  reason: ChosenReason,
  confirmation: described('What the customer has typed: „UNIEWAŻNIAM” or “REVOKE”, in any case.', Confirmation),
})

export const requestRevocation = endpoint('customer', 'POST /api/certificates/:id/revocation', {
  summary: 'Requests the revocation of a certificate, which is final',
  description: 'It replaces an open request for another change. Nothing replaces it.',
  ...requests,
  idempotent: true,
  stepUp: 'revoke',
  body: RevocationForm,
})

export const readStatusRequest = endpoint('customer', 'GET /api/certificates/:id/status-request', {
  summary: 'Returns the newest request for another status of a certificate',
  description: 'The page polls it while the customer waits.',
  params,
  background: true,
  reply: z.strictObject({
    request: described('The newest one; null if there was none.', z.nullable(StatusRequest)),
  }),
  errors: ['not-found'],
})

type ChangeableCertificate = {
  status: CertificateStatus
  hasEnded: boolean
  /** Whether its suspension was requested here. Only the provider ends its own one. */
  ownSuspension: boolean
  request: OpenStatusRequest | null
}

/** Returns the statuses from which a change is possible. */
export const statusesBefore = (change: StatusChange): CertificateStatus[] =>
  CertificateStatus.options.filter((status) => certificateMoves[status].includes(statusAfter[change]))

/**
 * Returns the changes that can be requested now (STP-1, STP-2): a revocation replaces any other open request, and nothing replaces a
 * revocation.
 */
export function changesOf({ status, hasEnded, ownSuspension, request }: ChangeableCertificate): StatusChange[] {
  if (hasEnded) return []
  return StatusChange.options.filter(
    (change) =>
      statusesBefore(change).includes(status) &&
      (change !== 'resume' || ownSuspension) &&
      (!request || (change === 'revoke' && request.change !== 'revoke')),
  )
}
