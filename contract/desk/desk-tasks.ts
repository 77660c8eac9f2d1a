import * as z from 'zod/mini'
import { RefusalReason } from '../documents.ts'
import { endpoint } from '../endpoint.ts'
import { Instant, line, Uuid } from '../fields.ts'
import { IdentityDocument } from '../identification.ts'
import { pages } from '../list-pages.ts'
import { Judgement } from '../provider/provider-renewals.ts'
import { DeskCase } from './desk-cases.ts'
import { MaskedIdentity } from './desk-customers.ts'
import { deskLimits } from './desk-limits.ts'

// DSK-38: what the provider has to do by hand where no system of its own does. Served only with `DESK_TASKS`.

/**
 * `identity`: an identity document in a renewal has to be judged. `upload`: a document that the customer signed has to
 * be countersigned or refused.
 */
const taskKinds = ['identity', 'upload'] as const

const DeskTask = z.strictObject({
  kind: z.enum(taskKinds),
  /** The id of the renewal or of the document case, and how the customer names it. */
  case: Uuid,
  number: z.string(),
  since: Instant,
  customer: MaskedIdentity,
})
export type DeskTask = z.infer<typeof DeskTask>

const { query, reply, errors } = pages(DeskTask)

export const listDeskTasks = endpoint('staff', 'GET /desk/api/tasks', {
  summary: 'Lists identity documents and uploads that wait for the provider, the oldest first',
  description: 'By page, with masked data. Not of erased customers.',
  query,
  reply,
  errors: [...errors, 'too-many-requests'],
})

export const unmaskIdentityDocument = endpoint('staff', 'POST /desk/api/customers/:id/renewals/:renewal/identity', {
  summary: 'Returns the identity document that a customer has entered in a renewal, for a reason',
  description:
    'With the name, the identification number, the document that is on file, and the name and number in the certificate. The reason is in the audit trail with the name of the caller.',
  params: { renewal: Uuid },
  body: z.strictObject({ reason: line(deskLimits.reason) }),
  reply: z.strictObject({
    name: z.string(),
    /** The name and number in the certificate that is renewed. */
    certificate: z.string(),
    identificationNumber: z.nullable(z.string()),
    document: IdentityDocument,
    filed: z.nullable(IdentityDocument),
  }),
  errors: ['not-found', 'too-many-requests', 'state-passed'],
})

export const judgeIdentityAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/renewals/:renewal/judgement', {
  summary: 'Confirms or refuses the identity document that a customer has entered in a renewal',
  description:
    'Repeats the document that was checked, because the customer may have entered another one since. A confirmed one replaces the document on file; `renewal-refused` if it has expired, or cannot be that of the customer. The case as it is then.',
  params: { renewal: Uuid },
  body: Judgement,
  reply: DeskCase,
  /** `reason`: `DOC_EXPIRED` or `DATA_MISMATCH`. */
  errors: ['not-found', 'too-many-requests', 'state-passed', 'renewal-refused'],
})

const changesDocument = {
  params: { document: Uuid },
  reply: DeskCase,
  errors: ['not-found', 'too-many-requests', 'state-passed'],
} as const

export const refuseUploadAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/documents/:document/refusal', {
  summary: 'Refuses the upload of a customer, which ends the case',
  description: 'The customer gets an e-mail with the explanation of the reason. The case as it is then.',
  body: z.strictObject({ reason: RefusalReason }),
  ...changesDocument,
})

export const cancelDocumentAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/documents/:document/cancellation', {
  summary: 'Cancels a document case that is not finished',
  description: 'The customer gets an e-mail. The case as it is then.',
  ...changesDocument,
})
