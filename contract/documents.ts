import * as z from 'zod/mini'
import { UploadReport } from './document-report.ts'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { keysOf } from './enums.ts'
import { Instant, LocalText, Sha256, StoredFile, Uuid, Version } from './fields.ts'
import { pages, PageSize, searches } from './list-pages.ts'
import { CodeForm, CodeSent, smsNotSent } from './one-time-code.ts'
import { requirementFields, ServiceAuthorisation } from './service-authorisation.ts'
import { transitions } from './transitions.ts'

/** Every transition of a case; the database refuses any other (DOC-2, R55). `canceled` ends a case early. */
export const documentMoves = transitions({
  'passed-to-subscriber': ['subscriber-downloaded', 'canceled'],
  'subscriber-downloaded': ['subscriber-uploaded', 'canceled'],
  'subscriber-uploaded': ['issuer-uploaded', 'canceled'],
  'issuer-uploaded': ['finished', 'canceled'],
  finished: [],
  canceled: [],
})
export const DocumentStatus = component(
  'DocumentStatus',
  'Where a document case is: passed to the customer, downloaded, signed and uploaded by the customer, countersigned by the provider, finished; or canceled early.',
  z.enum(keysOf(documentMoves)),
)
export type DocumentStatus = z.infer<typeof DocumentStatus>

export const RefusalReason = component(
  'RefusalReason',
  'Why an upload was refused: the page and the e-mail say what to do about each reason.',
  z.enum(['signature-invalid', 'certificate-invalid', 'other-signer', 'other-document', 'changed', 'other']),
)
export type RefusalReason = z.infer<typeof RefusalReason>

export const Refusal = component(
  'Refusal',
  'The provider’s refusal of an upload, which cancels the case.',
  z.strictObject({
    reason: RefusalReason,
    note: described('The provider’s own text for the customer; null if there is none.', z.nullable(LocalText)),
  }),
)

export const DocumentCase = component(
  'OwnDocumentCase',
  'A document case, as its customer sees it.',
  z.strictObject({
    id: Uuid,
    application: described('The provider’s number of the application.', z.string()),
    document: described('The provider’s number of the document.', z.string()),
    process: described('What the document is for.', LocalText),
    status: DocumentStatus,
    version: described(
      'Counts transitions and changes of the signer; a confirmation names the version that it is for.',
      z.int(),
    ),
    content: described(
      'Whether the document is filed; until then it is being generated.',
      z.enum(['generating', 'ready']),
    ),
    isSigned: described('Whether the document with both signatures can be downloaded.', z.boolean()),
    signHere: described(
      'Whether the customer has a cloud signature, so that signing in the portal can be offered.',
      z.boolean(),
    ),
    codeSentAt: described('When the access code was last sent by e-mail; null before that.', z.nullable(Instant)),
    codeResendAt: described('When it can be sent again; null while there is none.', z.nullable(Instant)),
    refusal: described('Why the provider has refused the upload; null if it has not.', z.nullable(Refusal)),
    createdAt: Instant,
    updatedAt: Instant,
  }),
)
export type DocumentCase = z.infer<typeof DocumentCase>

export type DocumentAction = 'download' | 'resend-code' | 'sign-here' | 'upload' | 'download-signed'

export function documentActions({
  status,
  content,
  isSigned,
  signHere,
  codeSentAt,
}: Pick<DocumentCase, 'status' | 'content' | 'isSigned' | 'signHere' | 'codeSentAt'>): DocumentAction[] {
  const isOpen = status !== 'canceled' && content === 'ready'
  const can: Record<DocumentAction, boolean> = {
    download: isOpen,
    'resend-code': isOpen && codeSentAt !== null,
    // Its dialog downloads and opens the document first: nobody should sign what they could not read (DOC-11).
    'sign-here':
      (status === 'passed-to-subscriber' || status === 'subscriber-downloaded') && content === 'ready' && signHere,
    upload: status === 'subscriber-downloaded',
    'download-signed': isSigned && status !== 'canceled',
  }
  return keysOf(can).filter((action) => can[action])
}

export const StoredUpload = component(
  'StoredUpload',
  'A PDF that the customer has signed, with the report on it.',
  z.extend(StoredFile, { report: described('What the check of the file has found.', UploadReport) }),
)

export const listDocuments = endpoint('customer', 'GET /api/documents', {
  summary:
    'Lists the customer’s document cases by page, status, search and id: to be signed, to be downloaded, then the others, newest first',
  description: 'Filters by status, and a search over numbers and names.',
  offlineCopy: true,
  ...pages(DocumentCase, {
    size: PageSize,
    status: described('Only those with this status.', DocumentStatus),
    ...searches,
  }),
})

const Waiting = component(
  'WaitingDocuments',
  'Documents that wait for the customer.',
  z.strictObject({
    count: described('How many there are.', z.int()),
    newest: described('The newest of them; null if there is none.', z.nullable(DocumentCase)),
  }),
)

/** The documents on the home page (HOM-3). */
export const summariseDocuments = endpoint('customer', 'GET /api/documents/summary', {
  summary:
    'Lists the documents that wait for the customer’s signature, and those with both signatures that were not downloaded yet',
  description: 'For the home page.',
  offlineCopy: true,
  reply: z.strictObject({
    toSign: described('Those that wait for the customer’s signature.', Waiting),
    toFetch: described('Those with both signatures that were not downloaded yet.', Waiting),
  }),
})

export const readDocument = endpoint('customer', 'GET /api/documents/:id', {
  summary: 'Returns a case, with the report on its confirmed upload',
  description: 'For the details of one row of the list.',
  reply: z.extend(DocumentCase, {
    upload: described(
      'The PDF that the customer has submitted, with the report on it; null before that.',
      z.nullable(StoredUpload),
    ),
  }),
  errors: ['not-found'],
})

/** POST, because the first download changes the case and sends the access code: no link or prefetch may do that (R62). */
export const downloadDocument = endpoint('customer', 'POST /api/documents/:id/file', {
  summary: 'Returns the encrypted PDF; the first download sends its access code by e-mail', // DOC-3
  description: 'A POST, because the first download changes the state of the case.',
  download: ['application/pdf'],
  errors: ['not-found', 'state-passed', 'document-not-ready', 'document-content-missing'],
})

export const resendAccessCode = endpoint('customer', 'POST /api/documents/:id/access-code', {
  summary: 'Sends the access code of a downloaded document by e-mail again',
  description: 'The e-mail goes to the address of the account.',
  reply: DocumentCase,
  errors: ['not-found', 'state-passed', 'resend-too-early', 'sends-spent'],
})

/** The file is kept for `limits.documents.staged` and belongs to the case only once it is confirmed. */
export const stageUpload = endpoint('customer', 'POST /api/documents/:id/uploads', {
  summary: 'Checks an uploaded signed PDF and returns the report; the case does not change yet', // DOC-8
  description: 'The body is the signed PDF; only a confirmation submits it.',
  upload: 'application/pdf',
  reply: z.extend(StoredUpload, {
    version: described('The version of the case: a confirmation of this upload has to name it and `sha256`.', z.int()),
  }),
  errors: [
    'not-found',
    'state-passed',
    'too-many-attempts',
    'unsupported-media-type',
    'body-too-large',
    'pdf-required',
    'pdf-encrypted',
    'pdf-damaged',
    'pdf-too-costly',
    'malware-found',
    'busy',
    'unavailable',
    'storage-full',
  ],
})

export const ConfirmationForm = z.strictObject({ sha256: Sha256, version: Version })

export const confirmUpload = endpoint('customer', 'POST /api/documents/:id/confirmation', {
  summary: 'Submits an uploaded file to the provider, finally; of several at once one wins', // R51
  description: 'The upload has to be the one whose report the customer has seen.',
  body: ConfirmationForm,
  idempotent: true,
  reply: DocumentCase,
  errors: ['not-found', 'state-passed', 'upload-unknown', 'upload-refused'],
})

/** Download without encryption, which would destroy the signatures. */
export const downloadSignedDocument = endpoint('customer', 'GET /api/documents/:id/signed', {
  summary: 'Returns the document with the signatures of both sides',
  description: 'Available once the provider has countersigned.',
  download: ['application/pdf'],
  errors: ['not-found', 'state-passed', 'document-not-ready', 'document-content-missing'],
})

export const DocumentSigner = component(
  'DocumentSigner',
  'A certificate that fits the case and whose key the signing service has.',
  z.strictObject({
    id: described('The signature, as in the list of signatures.', Uuid),
    name: described('The common name of its subject.', z.string()),
    organisation: described('The organisation in the certificate; null if there is none.', z.nullable(z.string())),
    serialNumber: described('Hexadecimal, upper case.', z.string()),
    validTo: described('Until when it is valid.', Instant),
    ...requirementFields,
  }),
)
export type DocumentSigner = z.infer<typeof DocumentSigner>

export const listDocumentSigners = endpoint('customer', 'GET /api/documents/:id/signers', {
  summary: 'Lists the customer’s cloud signatures that can sign a case in the portal', // DOC-9
  description: 'They belong to the signer whom the case names.',
  reply: z.strictObject({
    signers: described(
      'The signatures that can sign the case, the newest first; none if the list is empty.',
      z.array(DocumentSigner),
    ),
    maskedPhone: described('Where the code for a signature is sent, masked: `+48 ••• ••• 417`.', z.string()),
  }),
  errors: ['not-found', 'state-passed', 'unavailable'],
})

/** The code is bound to the document’s bytes, to the version of its case, and to the certificate (R33). */
export const startDocumentSigning = endpoint('customer', 'POST /api/documents/:id/signing', {
  summary: 'Prepares a signature in the portal and sends its SMS code; the message names the document’s hash',
  description: 'The code can be entered until `expiresAt`.',
  body: z.strictObject({ signer: described('One of the `signers` of the case.', Uuid) }),
  reply: z.strictObject({
    sha256: described('Of the unencrypted document; the message has its first eight digits.', Sha256),
    code: described('The code that was sent.', CodeSent),
  }),
  errors: [
    'not-found',
    'state-passed',
    'signer-unknown',
    'document-content-missing',
    'pdf-too-costly',
    'busy',
    'unavailable',
    ...smsNotSent,
  ],
})

export const resendDocumentSigningCode = endpoint('customer', 'POST /api/documents/:id/signing/code/resend', {
  summary: 'Sends a new SMS code for the signature and voids the previous one',
  description: 'The message names the hash of the same document.',
  reply: CodeSent,
  errors: ['not-found', 'signing-changed', 'resend-too-early', 'code-expired', 'code-void', ...smsNotSent],
})

/** A code makes at most one signature, and a signature one upload. */
export const finishDocumentSigning = endpoint('customer', 'POST /api/documents/:id/signing/code', {
  summary: 'Signs with the cloud signature and submits the signed document to the provider, finally',
  description: 'The code belongs to exactly this document and certificate.',
  body: CodeForm,
  idempotent: 'code',
  takesLong: true,
  reply: z.extend(DocumentCase, {
    authorisation: described(
      'What the signing service asks of the customer, after which the document is signed; null if it is signed.',
      z.nullable(ServiceAuthorisation),
    ),
  }),
  errors: [
    'not-found',
    'state-passed',
    'code-wrong',
    'code-expired',
    'code-void',
    'too-many-attempts',
    /** The document, the case or the certificate has changed since the code was sent (R33). */
    'signing-changed',
    /** The signing service refused, or its answer is not a signature by this certificate. */
    'signing-refused',
    'upload-refused',
    'body-too-large',
    'malware-found',
    'document-content-missing',
    'pdf-too-costly',
    'busy',
    'unavailable',
    'storage-full',
  ],
})
