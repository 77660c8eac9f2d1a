import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { DocumentStatus, Refusal, RefusalReason, StoredUpload } from '../documents.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { StoredFile, patternText, Instant, line, ProviderId, LocalText } from '../fields.ts'
import { limits } from '../limits.ts'
import { pages } from '../list-pages.ts'
import { ProviderText, removes } from './provider-api.ts'
import { pdfErrors } from './provider-certificates.ts'

// The provider's side of a document case (OPS-4). Every call states the wanted result, so repeating it changes nothing, and
// calls can arrive in any order (R55).

export const ProviderDocumentCase = component(
  'DocumentCase',
  'A document case, as you put it.',
  z.strictObject({
    customer: described('Your id of the customer.', ProviderId),
    application: described('The number of the application, as the customer sees it.', line(limits.text.name)),
    document: described('The number of the document, as the customer sees it.', line(limits.text.name)),
    process: described('What the document is for, as the customer reads it.', ProviderText),
    signer: described(
      'The identifier in the certificate of the person who has to sign: `PNOPL-44051401458`.',
      patternText(64, /^[A-Za-z0-9:./ -]{1,64}$/),
    ),
  }),
)
export type ProviderDocumentCase = z.infer<typeof ProviderDocumentCase>

const RefusalForm = component(
  'RefusalForm',
  'Why you refuse an upload.',
  z.strictObject({
    reason: RefusalReason,
    note: described(
      'Your own text for the customer, in addition to the portal’s text for the reason; null for none.',
      z.nullable(ProviderText),
    ),
  }),
)

const CaseSummary = component(
  'DocumentCaseSummary',
  'A document case in a list.',
  z.strictObject({
    case: described('Your id of the case.', ProviderId),
    customer: described('Your id of the customer.', ProviderId),
    application: described('The number of the application, as the customer sees it.', z.string()),
    document: described('The number of the document, as the customer sees it.', z.string()),
    process: described('What the document is for, as the customer reads it.', LocalText),
    signer: described(
      'The identifier in the certificate of the person who has to sign: `PNOPL-44051401458`.',
      z.string(),
    ),
    status: DocumentStatus,
    version: described('Counts the changes of the case.', z.int()),
    content: described(
      'Whether the document is filed; until then the customer sees that it is being generated.',
      z.enum(['generating', 'ready']),
    ),
    refusal: described('Why you have refused the upload; null if you have not.', z.nullable(Refusal)),
    createdAt: Instant,
    updatedAt: Instant,
  }),
)

const CaseState = component(
  'DocumentCaseState',
  'A document case as the portal knows it.',
  z.extend(CaseSummary, {
    accessCode: described(
      'Decrypts the upload if the customer has signed the encrypted file; null while there is no document.',
      z.nullable(z.string()),
    ),
    upload: described(
      'The PDF that the customer has signed, with the report on it; null before that.',
      z.nullable(StoredUpload),
    ),
    signed: described('The PDF with both signatures; null before that.', z.nullable(StoredFile)),
  }),
)

/** A call that changes a case, and returns it as it is then. */
const changesCase = { reply: CaseState, errors: ['not-found', 'state-passed'] } as const

export const putDocumentCase = endpoint('provider', 'PUT /provider/v1/document-cases/:case', {
  summary: 'Creates a case of a customer, or updates one that has not ended; its document follows in another call',
  description:
    'A case is one document that the customer signs and you countersign. `signer` is the identifier in the certificate of the person who has to sign. File the PDF with `PUT …/document` next.',
  ...changesCase,
  body: ProviderDocumentCase,
})

export const putCaseDocument = endpoint('provider', 'PUT /provider/v1/document-cases/:case/document', {
  summary: 'Stores the PDF to be signed; the portal encrypts it with a new access code',
  description:
    'The body is a PDF below 10 MB that is neither signed nor encrypted; the customer is notified. A PDF filed again replaces the previous one until the customer has downloaded it. Refused with `pdf-unusable` if it cannot be signed; `reason` says why.',
  upload: 'application/pdf',
  reply: CaseState,
  errors: ['not-found', 'state-passed', ...pdfErrors],
})

export const getDocumentCase = endpoint('provider', 'GET /provider/v1/document-cases/:case', {
  summary: 'Returns a case as the portal knows it',
  description:
    'Includes `accessCode`, which decrypts an upload that the customer signed in its encrypted form, and the portal’s report on the upload.',
  ...readsOne(CaseState),
})

export const listDocumentCases = endpoint('provider', 'GET /provider/v1/document-cases', {
  summary:
    'Lists cases by page, optionally of one customer or of one status, such as `subscriber-uploaded` for those to be verified',
  description:
    'Pages of 100. With `status=subscriber-uploaded` it lists the cases that you have to verify. Pass `next` as `cursor` to get the next page.',
  ...pages(CaseSummary, {
    customer: described('Only those of this customer, by your id.', ProviderId),
    status: described('Only those with this status.', DocumentStatus),
  }),
})

export const removeDocumentCase = endpoint('provider', 'DELETE /provider/v1/document-cases/:case', {
  summary: 'Removes a case that was filed by mistake, with its document; not after the customer has signed it',
  description:
    '`reason` says why it was filed by mistake. Refused with `object-in-use` after the customer has signed: cancel or refuse instead; also while the customer is under a legal hold (`reason` is `legal-hold`). Repeating the call answers `"removed": false`.',
  ...removes,
})

export const downloadUpload = endpoint('provider', 'GET /provider/v1/document-cases/:case/upload', {
  summary: 'Returns the PDF that the customer signed, byte for byte',
  description:
    'Available from the status `subscriber-uploaded` on. Verify this file, then append your signature to the same bytes.',
  download: ['application/pdf'],
  errors: ['not-found', 'document-not-ready', 'document-content-missing'],
})

export const countersign = endpoint('provider', 'PUT /provider/v1/document-cases/:case/signed', {
  summary: 'Stores the customer’s PDF with the provider’s signature appended, and notifies the customer',
  description:
    'The body is the file of `GET …/upload` with your signature appended; any other change of its bytes is refused with `document-not-continued`. The customer is notified.',
  upload: 'application/pdf',
  // The largest upload plus the appended signature.
  maxBytes: limits.http.pdfBytes + limits.http.signatureBytes,
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
  description:
    'The customer gets an e-mail with the explanation of the reason and your own `note`. A refused case cannot continue: open another one for another attempt.',
  ...changesCase,
  body: RefusalForm,
})

export const finishDocumentCase = endpoint('provider', 'POST /provider/v1/document-cases/:case/finish', {
  summary: 'Finishes a case; a case without the provider’s signature finishes when it arrives',
  description:
    'Call it when your signature is filed. Called before, it takes effect when `PUT …/signed` arrives, so the two calls can come in any order.',
  ...changesCase,
})

export const cancelDocumentCase = endpoint('provider', 'POST /provider/v1/document-cases/:case/cancellation', {
  summary: 'Cancels a case that is not finished',
  description: 'Ends the case without a signature of yours. Refused with `state-passed` if it is finished.',
  ...changesCase,
})
