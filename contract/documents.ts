import * as z from 'zod/mini'
import { CodeSent, entersCode, smsNotSent } from './account.ts'
import { UploadReport } from './document-report.ts'
import { endpoint } from './endpoint.ts'
import { formed, Instant, Uuid, Version } from './fields.ts'
import { pages, PageSize, searches } from './list-pages.ts'
import { LocalText } from './software.ts'
import { ServiceAuthorisation, ServiceRequirement } from './signing.ts'
import { transitions } from './transitions.ts'
import { keysOf } from './keys-of.ts'

/** Every transition of a case; the database refuses any other (DOC-2, R55). `canceled` ends a case early. */
export const documentMoves = transitions({
  'passed-to-subscriber': ['subscriber-downloaded', 'canceled'],
  'subscriber-downloaded': ['subscriber-uploaded', 'canceled'],
  'subscriber-uploaded': ['issuer-uploaded', 'canceled'],
  'issuer-uploaded': ['finished', 'canceled'],
  finished: [],
  canceled: [],
})
export const DocumentStatus = z.enum(keysOf(documentMoves))
export type DocumentStatus = z.infer<typeof DocumentStatus>

/** Why the provider refused an upload (DOC-6): the page and the mail say what to do about each reason. */
export const RefusalReason = z.enum([
  'signature-invalid',
  'certificate-invalid',
  'other-signer',
  'other-document',
  'changed',
  'other',
])
export type RefusalReason = z.infer<typeof RefusalReason>

/** The provider's refusal, which cancels the case; `note` is its own text. */
export const Refusal = z.strictObject({ reason: RefusalReason, note: z.nullable(LocalText) })

/** A case in the list (DOC-1). */
export const DocumentCase = z.strictObject({
  id: Uuid,
  /** The provider's numbers of the application and of the document. */
  application: z.string(),
  document: z.string(),
  process: LocalText,
  status: DocumentStatus,
  /** Counts transitions and changes of the signer; a confirmation names the version that it is for (R51). */
  version: z.int(),
  content: z.enum(['generating', 'ready']),
  /** Whether the document with both signatures can be downloaded. */
  signed: z.boolean(),
  /** Whether the customer has a cloud signature, so that signing in the portal can be offered (DOC-9). */
  signHere: z.boolean(),
  /** When the access code was last sent by e-mail, and when it can be sent again. */
  codeSentAt: z.nullable(Instant),
  codeResendAt: z.nullable(Instant),
  refusal: z.nullable(Refusal),
  createdAt: Instant,
  updatedAt: Instant,
})
export type DocumentCase = z.infer<typeof DocumentCase>

export type DocumentAction = 'download' | 'resend-code' | 'sign-here' | 'upload' | 'download-signed'

/** What the customer can do with a case now. */
export function documentActions({
  status,
  content,
  signed,
  signHere,
  codeSentAt,
}: Pick<DocumentCase, 'status' | 'content' | 'signed' | 'signHere' | 'codeSentAt'>): DocumentAction[] {
  const isOpen = status !== 'canceled' && content === 'ready'
  const can: Record<DocumentAction, boolean> = {
    download: isOpen,
    'resend-code': isOpen && codeSentAt !== null,
    // Its dialog downloads and opens the document first: nobody should sign what they could not read (DOC-11).
    'sign-here':
      (status === 'passed-to-subscriber' || status === 'subscriber-downloaded') && content === 'ready' && signHere,
    upload: status === 'subscriber-downloaded',
    'download-signed': signed && status !== 'canceled',
  }
  return keysOf(can).filter((action) => can[action])
}

/** SHA-256 in hexadecimal, lower case. */
export const Sha256 = formed(64, /^[0-9a-f]{64}$/)

export const StoredFile = z.strictObject({ sha256: Sha256, bytes: z.int() })
/** A signed PDF of the customer. */
export const StoredUpload = z.extend(StoredFile, { report: UploadReport })

export const listDocuments = endpoint('customer', 'GET /api/documents', {
  summary:
    'The customer’s document cases by page, status, search and id: to be signed, to be downloaded, then the others, newest first',
  description: 'Filters by status, and a search over numbers and names.',
  kept: true,
  ...pages(DocumentCase, { size: PageSize, status: DocumentStatus, ...searches }),
})

const Waiting = z.strictObject({ count: z.int(), newest: z.nullable(DocumentCase) })

/** The documents on the home page (HOM-3). */
export const summariseDocuments = endpoint('customer', 'GET /api/documents/summary', {
  summary:
    'The documents that wait for the customer’s signature, and those with both signatures that were not downloaded yet',
  description: 'For the home page.',
  kept: true,
  reply: z.strictObject({ toSign: Waiting, toFetch: Waiting }),
})

export const readDocument = endpoint('customer', 'GET /api/documents/:id', {
  summary: 'A case, with the report on its confirmed upload',
  description: 'For the details of one row of the list.',
  reply: z.extend(DocumentCase, { upload: z.nullable(StoredUpload) }),
  errors: ['not-found'],
})

/** POST, because the first download changes the case and sends the access code: no link or prefetch may do that (R62). */
export const downloadDocument = endpoint('customer', 'POST /api/documents/:id/file', {
  summary: 'The encrypted PDF; the first download sends its access code by e-mail', // DOC-3
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
  /** A confirmation of this upload has to name `version` and `sha256`. */
  reply: z.extend(StoredUpload, { version: z.int() }),
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

/** Not encrypted: that would destroy the signatures. */
export const downloadSigned = endpoint('customer', 'GET /api/documents/:id/signed', {
  summary: 'The document with the signatures of both sides',
  description: 'Available once the provider has countersigned.',
  download: ['application/pdf'],
  errors: ['not-found', 'state-passed', 'document-not-ready', 'document-content-missing'],
})

/** A certificate that fits the case and whose key the signing service has. */
export const DocumentSigner = z.strictObject({
  /** The signature, as in the list of signatures. */
  id: Uuid,
  name: z.string(),
  organisation: z.nullable(z.string()),
  /** Hexadecimal, upper case. */
  serialNumber: z.string(),
  validTo: Instant,
  /** What the signing service requires after the portal's code; null where nothing is entered or confirmed on its page. */
  requirement: z.nullable(ServiceRequirement),
  /** The signing service also asks the customer in another app or at another device, and the portal waits (SGN-4). */
  asksElsewhere: z.boolean(),
})
export type DocumentSigner = z.infer<typeof DocumentSigner>

export const listSigners = endpoint('customer', 'GET /api/documents/:id/signers', {
  summary: 'The customer’s cloud signatures that can sign a case in the portal', // DOC-9
  description: 'They belong to the signer whom the case names.',
  reply: z.strictObject({ signers: z.array(DocumentSigner) }),
  errors: ['not-found', 'state-passed', 'unavailable'],
})

/** The code is bound to the document’s bytes, to the version of its case, and to the certificate (R33). */
export const startSigning = endpoint('customer', 'POST /api/documents/:id/signing', {
  summary: 'Prepares a signature in the portal and sends its SMS code; the message names the document’s hash',
  description: 'The code can be entered until `expiresAt`.',
  body: z.strictObject({ signer: Uuid }),
  reply: z.strictObject({
    /** Of the unencrypted document; the message has its first eight digits. */
    sha256: Sha256,
    code: CodeSent,
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

export const resendSigningCode = endpoint('customer', 'POST /api/documents/:id/signing/code/resend', {
  summary: 'Sends a new SMS code for the signature and voids the previous one',
  description: 'The message names the hash of the same document.',
  reply: CodeSent,
  errors: ['not-found', 'signing-changed', 'resend-too-early', 'code-expired', 'code-void', ...smsNotSent],
})

/** A code makes at most one signature, and a signature one upload. */
export const finishSigning = endpoint('customer', 'POST /api/documents/:id/signing/code', {
  summary: 'Signs with the cloud signature and submits the signed document to the provider, finally',
  description: 'The code belongs to exactly this document and certificate.',
  ...entersCode,
  awaitsCustomer: true,
  /** `authorisation`: the signing service asks the customer for more, and the document is signed after that (SGN-10). */
  reply: z.extend(DocumentCase, { authorisation: z.nullable(ServiceAuthorisation) }),
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
