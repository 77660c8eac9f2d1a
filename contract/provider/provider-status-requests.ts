import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { Instant, Uuid, LocalText } from '../fields.ts'
import { pages } from '../list-pages.ts'
import { StatusChange } from '../signatures-and-seals.ts'
import { StatusReason, StatusRequestState } from '../status-requests.ts'
import { ProviderText } from './provider-api.ts'

// The provider's side of requests for another status of a certificate (STP-4). The provider fetches those that wait,
// changes the status at its authority, and reports the result. With an interface of the authority (CA_STATUS_URL) the
// portal does both by itself.

export const ProviderStatusRequest = component(
  'CertificateStatusRequest',
  'A customer’s request for another status of a certificate.',
  z.strictObject({
    request: described('The portal’s id of the request.', Uuid),
    customer: described(
      'Your id of the customer who has requested it; null for somebody who registered in the portal and whom you have not put yet.',
      z.nullable(z.string()),
    ),
    signature: described('Your id of the signature; null for a seal.', z.nullable(z.string())),
    seal: described('Your id of the seal; null for a signature.', z.nullable(z.string())),
    change: StatusChange,
    reason: described('Why; null for the end of a suspension.', z.nullable(StatusReason)),
    state: StatusRequestState,
    requestedAt: Instant,
    deadline: described('Until when you have to decide it: 24 hours after the request.', Instant),
    decidedAt: described('When it was decided or replaced; null before that.', z.nullable(Instant)),
    note: described('Your text of a refusal; null if there is none.', z.nullable(LocalText)),
  }),
)
export type ProviderStatusRequest = z.infer<typeof ProviderStatusRequest>

const params = { request: described('The portal’s id of the request.', Uuid) }

const decides = { params, reply: ProviderStatusRequest, errors: ['not-found', 'state-passed'] } as const

export const listProviderStatusRequests = endpoint('provider', 'GET /provider/v1/status-requests', {
  summary:
    'Lists requests for another status of a certificate by page; `state=requested` selects those that wait for you',
  description:
    'Pages of 100. Do those with `state=requested` before their `deadline`, and report each by its own call. Nothing is ever requested of a certificate that has expired or is revoked.',
  ...pages(ProviderStatusRequest, { state: described('Only those in this state.', StatusRequestState) }),
})

export const getProviderStatusRequest = endpoint('provider', 'GET /provider/v1/status-requests/:request', {
  summary: 'Returns a request for another status of a certificate; to be read after a lost answer',
  description: 'As the portal knows it now.',
  params,
  ...readsOne(ProviderStatusRequest),
})

export const reportStatusChanged = endpoint('provider', 'PUT /provider/v1/status-requests/:request/done', {
  summary: 'Reports that the certificate has the requested status; the portal shows it from then on',
  description:
    'Change the status at your authority first. The certificate need not be put again. A repeated report changes nothing.',
  ...decides,
})

export const refuseStatusRequest = endpoint('provider', 'PUT /provider/v1/status-requests/:request/refusal', {
  summary: 'Refuses a request for another status of a certificate',
  description: 'The customer reads `note`, your own explanation, if there is one. A repeated refusal changes nothing.',
  ...decides,
  body: z.strictObject({
    note: described('Your own text for the customer; null for none.', z.nullable(ProviderText)),
  }),
})
