import * as z from 'zod/mini'
import { UploadReport } from './document-report.ts'
import { DocumentStatus, RefusalReason, Sha256 } from './documents.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, formed, Instant, line } from './fields.ts'
import { limits } from './limits.ts'
import { ProviderId } from './provider-api.ts'

/**
 * The provider's side of a document case (OPS-4). Every call says what is to be, so repeating it changes nothing, and one
 * that comes late or early leaves the case as it would be in any other order (R55).
 */

const Words = z.strictObject({ pl: line(limits.text.words), en: line(limits.text.words) })

export const ProviderDocumentCase = z.strictObject({
  customer: ProviderId,
  /** The numbers that the customer sees. */
  application: line(limits.text.name),
  document: line(limits.text.name),
  process: Words,
  /** Who is to sign, as the certificate names them: `PNOPL-44051401458`. */
  signer: formed(64, /^[A-Za-z0-9:./ -]{1,64}$/),
})
export type ProviderDocumentCase = z.infer<typeof ProviderDocumentCase>

const Refusal = z.strictObject({
  reason: RefusalReason,
  /** The provider's own words for the customer, beside those of the portal for the reason. */
  note: z.nullable(Words),
})

const CaseSummary = z.strictObject({
  case: ProviderId,
  customer: ProviderId,
  application: z.string(),
  document: z.string(),
  process: z.strictObject({ pl: z.string(), en: z.string() }),
  signer: z.string(),
  status: DocumentStatus,
  version: z.int(),
  content: z.enum(['generating', 'ready']),
  refusal: z.nullable(
    z.strictObject({
      reason: RefusalReason,
      note: z.nullable(z.strictObject({ pl: z.string(), en: z.string() })),
    }),
  ),
  createdAt: Instant,
  updatedAt: Instant,
})

const CaseState = z.extend(CaseSummary, {
  /** Opens what the customer signed, where they signed the encrypted file; null while there is no document. */
  accessCode: z.nullable(z.string()),
  upload: z.nullable(z.strictObject({ sha256: Sha256, bytes: z.int(), report: UploadReport })),
  signed: z.nullable(z.strictObject({ sha256: Sha256, bytes: z.int() })),
})
export type ProviderDocumentState = z.infer<typeof CaseState>

const caseParams = z.strictObject({ case: ProviderId })

export const putDocumentCase = endpoint({
  method: 'PUT',
  path: '/provider/v1/document-cases/:case',
  summary: 'Opens a case of a customer, or updates one that has not ended; its document follows',
  access: 'provider',
  params: caseParams,
  body: ProviderDocumentCase,
  reply: CaseState,
  errors: ['not-found', 'state-passed'],
})

export const putCaseDocument = endpoint({
  method: 'PUT',
  path: '/provider/v1/document-cases/:case/document',
  summary: 'Files the PDF to be signed; the portal encrypts it with an access code of its own',
  access: 'provider',
  params: caseParams,
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

export const getDocumentCase = endpoint({
  method: 'GET',
  path: '/provider/v1/document-cases/:case',
  summary: 'A case as the portal knows it',
  access: 'provider',
  params: caseParams,
  reply: CaseState,
  errors: ['not-found'],
})

export const listDocumentCases = endpoint({
  method: 'GET',
  path: '/provider/v1/document-cases',
  summary: 'Cases by page, of one status where it is asked for, as `subscriber-uploaded` for what is to be verified',
  access: 'provider',
  query: z.strictObject({
    status: z.optional(DocumentStatus),
    cursor: z.optional(Cursor),
  }),
  reply: z.strictObject({ items: z.array(CaseSummary), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})

export const downloadUpload = endpoint({
  method: 'GET',
  path: '/provider/v1/document-cases/:case/upload',
  summary: 'The PDF that the customer signed, byte for byte',
  access: 'provider',
  params: caseParams,
  download: ['application/pdf'],
  errors: ['not-found', 'document-not-ready', 'document-content-missing'],
})

export const countersign = endpoint({
  method: 'PUT',
  path: '/provider/v1/document-cases/:case/signed',
  summary: 'Files the customer’s PDF with the provider’s signature appended, and tells the customer',
  access: 'provider',
  params: caseParams,
  upload: 'application/pdf',
  // What is appended to the largest upload has to fit too.
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

export const refuseUpload = endpoint({
  method: 'POST',
  path: '/provider/v1/document-cases/:case/refusal',
  summary: 'Refuses what the customer uploaded, which ends the case; a new one is the way forward',
  access: 'provider',
  params: caseParams,
  body: Refusal,
  reply: CaseState,
  errors: ['not-found', 'state-passed'],
})

export const finishDocumentCase = endpoint({
  method: 'POST',
  path: '/provider/v1/document-cases/:case/finish',
  summary: 'Finishes a case; one that waits for the provider’s signature finishes with it',
  access: 'provider',
  params: caseParams,
  reply: CaseState,
  errors: ['not-found', 'state-passed'],
})

export const cancelDocumentCase = endpoint({
  method: 'POST',
  path: '/provider/v1/document-cases/:case/cancellation',
  summary: 'Cancels a case that is not finished',
  access: 'provider',
  params: caseParams,
  reply: CaseState,
  errors: ['not-found', 'state-passed'],
})
