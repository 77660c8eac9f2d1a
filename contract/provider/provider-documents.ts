import * as z from 'zod/mini'
import { DocumentStatus, Refusal, RefusalReason, StoredFile, StoredUpload } from '../documents.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { formed, Instant, line, ProviderId } from '../fields.ts'
import { limits } from '../limits.ts'
import { pages } from '../list-pages.ts'
import { ProviderText, removes } from './provider-api.ts'
import { LocalText } from '../software.ts'

/**
 * The provider's side of a document case (OPS-4). Every call states the wanted result, so repeating it changes nothing, and
 * calls can arrive in any order (R55).
 */

export const ProviderDocumentCase = z.strictObject({
  customer: ProviderId,
  /** The numbers that the customer sees. */
  application: line(limits.text.name),
  document: line(limits.text.name),
  process: ProviderText,
  /** The identifier of the signer in the certificate: `PNOPL-44051401458`. */
  signer: formed(64, /^[A-Za-z0-9:./ -]{1,64}$/),
})
export type ProviderDocumentCase = z.infer<typeof ProviderDocumentCase>

/** `note`: the provider's own text for the customer, in addition to the portal's text for the reason. */
const RefusalForm = z.strictObject({ reason: RefusalReason, note: z.nullable(ProviderText) })

const CaseSummary = z.strictObject({
  case: ProviderId,
  customer: ProviderId,
  application: z.string(),
  document: z.string(),
  process: LocalText,
  signer: z.string(),
  status: DocumentStatus,
  version: z.int(),
  content: z.enum(['generating', 'ready']),
  refusal: z.nullable(Refusal),
  createdAt: Instant,
  updatedAt: Instant,
})

const CaseState = z.extend(CaseSummary, {
  /** Decrypts the upload if the customer signed the encrypted file; null while there is no document. */
  accessCode: z.nullable(z.string()),
  upload: z.nullable(StoredUpload),
  signed: z.nullable(StoredFile),
})
export type ProviderDocumentState = z.infer<typeof CaseState>

/** A call that changes a case, and returns it as it is then. */
const changesCase = { reply: CaseState, errors: ['not-found', 'state-passed'] } as const

export const putDocumentCase = endpoint('provider', 'PUT /provider/v1/document-cases/:case', {
  summary: 'Creates a case of a customer, or updates one that has not ended; its document follows in another call',
  ...changesCase,
  body: ProviderDocumentCase,
})

export const putCaseDocument = endpoint('provider', 'PUT /provider/v1/document-cases/:case/document', {
  summary: 'Stores the PDF to be signed; the portal encrypts it with a new access code',
  upload: 'application/pdf',
  reply: CaseState,
  errors: [
    'not-found',
    'state-passed',
    'body-too-large',
    'unsupported-media-type',
    'pdf-required',
    'pdf-unusable',
    'busy',
    'storage-full',
  ],
})

export const getDocumentCase = endpoint('provider', 'GET /provider/v1/document-cases/:case', {
  summary: 'A case as the portal knows it',
  ...readsOne(CaseState),
})

export const listDocumentCases = endpoint('provider', 'GET /provider/v1/document-cases', {
  summary:
    'Cases by page, optionally of one customer or of one status, such as `subscriber-uploaded` for those to be verified',
  ...pages(CaseSummary, { customer: ProviderId, status: DocumentStatus }),
})

export const removeDocumentCase = endpoint('provider', 'DELETE /provider/v1/document-cases/:case', {
  summary: 'Removes a case that was filed by mistake, with its document; not after the customer has signed it',
  ...removes,
})

export const downloadUpload = endpoint('provider', 'GET /provider/v1/document-cases/:case/upload', {
  summary: 'The PDF that the customer signed, byte for byte',
  download: ['application/pdf'],
  errors: ['not-found', 'document-not-ready', 'document-content-missing'],
})

export const countersign = endpoint('provider', 'PUT /provider/v1/document-cases/:case/signed', {
  summary: 'Stores the customer’s PDF with the provider’s signature appended, and notifies the customer',
  upload: 'application/pdf',
  // The largest upload plus the appended signature.
  largest: limits.http.pdfBytes + limits.http.signatureBytes,
  reply: CaseState,
  errors: [
    'not-found',
    'state-passed',
    'body-too-large',
    'unsupported-media-type',
    'pdf-required',
    'document-not-continued',
    'storage-full',
  ],
})

export const refuseUpload = endpoint('provider', 'POST /provider/v1/document-cases/:case/refusal', {
  summary: 'Refuses the customer’s upload, which ends the case; the provider can create a new one',
  ...changesCase,
  body: RefusalForm,
})

export const finishDocumentCase = endpoint('provider', 'POST /provider/v1/document-cases/:case/finish', {
  summary: 'Finishes a case; a case without the provider’s signature finishes when it arrives',
  ...changesCase,
})

export const cancelDocumentCase = endpoint('provider', 'POST /provider/v1/document-cases/:case/cancellation', {
  summary: 'Cancels a case that is not finished',
  ...changesCase,
})
