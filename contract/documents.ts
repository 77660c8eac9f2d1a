import * as z from 'zod/mini'
import { CodeForm, CodeSent } from './account.ts'
import { UploadReport } from './document-report.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, formed, Instant, Uuid, Version } from './fields.ts'
import { limits } from './limits.ts'
import { LocalText } from './software.ts'

/** DOC-2, in order; `canceled` ends a case early. */
export const documentStatuses = [
  'passed-to-subscriber',
  'subscriber-downloaded',
  'subscriber-uploaded',
  'issuer-uploaded',
  'finished',
  'canceled',
] as const
export const DocumentStatus = z.enum(documentStatuses)
export type DocumentStatus = z.infer<typeof DocumentStatus>

/** Every move that a case can make; the database refuses any other (DOC-2, R55). */
export const documentMoves: Record<DocumentStatus, readonly DocumentStatus[]> = {
  'passed-to-subscriber': ['subscriber-downloaded', 'canceled'],
  'subscriber-downloaded': ['subscriber-uploaded', 'canceled'],
  'subscriber-uploaded': ['issuer-uploaded', 'canceled'],
  'issuer-uploaded': ['finished', 'canceled'],
  finished: [],
  canceled: [],
}

/** Why the provider could not take what was uploaded (DOC-6): the browser and the mail say what to do about each. */
export const RefusalReason = z.enum([
  'signature-invalid',
  'certificate-invalid',
  'other-signer',
  'other-document',
  'changed',
  'other',
])
export type RefusalReason = z.infer<typeof RefusalReason>

/** A case of the list (DOC-1). */
export const DocumentCase = z.strictObject({
  id: Uuid,
  /** The provider's numbers of the application and of the document. */
  application: z.string(),
  document: z.string(),
  process: LocalText,
  status: DocumentStatus,
  /** Counts the moves, and changes of who is to sign; a confirmation names the one it was made for (R51). */
  version: z.int(),
  content: z.enum(['generating', 'ready']),
  /** Whether the document with both signatures can be downloaded. */
  signed: z.boolean(),
  /** Whether the customer holds a cloud signature, so that signing in place can be offered (DOC-9). */
  signHere: z.boolean(),
  /** When the access code went by e-mail the last time, and from when on it can go again. */
  codeSentAt: z.nullable(Instant),
  codeResendAt: z.nullable(Instant),
  /** Of a case that was canceled because the upload was refused; `note` is the provider's own words. */
  refusal: z.nullable(z.strictObject({ reason: RefusalReason, note: z.nullable(LocalText) })),
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
    // Not before the first download: nobody signs what they could not read.
    'sign-here': status === 'subscriber-downloaded' && content === 'ready' && signHere,
    upload: status === 'subscriber-downloaded',
    'download-signed': signed && status !== 'canceled',
  }
  return (Object.keys(can) as DocumentAction[]).filter((action) => can[action])
}

/** SHA-256 in hexadecimal, lower case. */
export const Sha256 = formed(64, /^[0-9a-f]{64}$/)

const caseParams = z.strictObject({ id: Uuid })

export const listDocuments = endpoint({
  method: 'GET',
  path: '/api/documents',
  summary: 'The customer’s document cases by page, newest first',
  access: 'customer',
  query: z.strictObject({
    cursor: z.optional(Cursor),
    size: z.optional(z.enum(limits.list.sizes.map(String) as ['20', '50', '100'])),
    status: z.optional(DocumentStatus),
  }),
  reply: z.strictObject({ items: z.array(DocumentCase), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})

const Waiting = z.strictObject({ count: z.int(), newest: z.nullable(DocumentCase) })

/** What home says of the documents (HOM-3). */
export const summariseDocuments = endpoint({
  method: 'GET',
  path: '/api/documents/summary',
  summary:
    'The documents that wait for the customer’s signature, and those with both signatures that wait to be fetched',
  access: 'customer',
  reply: z.strictObject({ toSign: Waiting, toFetch: Waiting }),
})

export const readDocument = endpoint({
  method: 'GET',
  path: '/api/documents/:id',
  summary: 'One case, and what the check said of the upload that was confirmed',
  access: 'customer',
  params: caseParams,
  reply: z.extend(DocumentCase, {
    upload: z.nullable(z.strictObject({ sha256: Sha256, bytes: z.int(), report: UploadReport })),
  }),
  errors: ['not-found'],
})

/** POST, because the first download moves the case and sends the access code: no link or prefetch may do that (R62). */
export const downloadDocument = endpoint({
  method: 'POST',
  path: '/api/documents/:id/file',
  summary: 'The encrypted PDF; the first download sends its access code by e-mail (DOC-3)',
  access: 'customer',
  params: caseParams,
  download: ['application/pdf'],
  errors: ['not-found', 'state-passed', 'document-not-ready', 'document-content-missing'],
})

export const resendAccessCode = endpoint({
  method: 'POST',
  path: '/api/documents/:id/access-code',
  summary: 'Sends the access code of a downloaded document by e-mail once more',
  access: 'customer',
  params: caseParams,
  reply: DocumentCase,
  errors: ['not-found', 'state-passed', 'resend-too-early', 'sends-spent'],
})

/** The file is kept for `limits.documents.staged` and is nobody's until it is confirmed. */
export const stageUpload = endpoint({
  method: 'POST',
  path: '/api/documents/:id/uploads',
  summary: 'Takes a signed PDF and says what its check found; nothing is decided yet (DOC-8)',
  access: 'customer',
  params: caseParams,
  upload: 'application/pdf',
  reply: z.strictObject({
    sha256: Sha256,
    bytes: z.int(),
    /** What a confirmation of this upload has to name. */
    version: z.int(),
    report: UploadReport,
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

export const confirmUpload = endpoint({
  method: 'POST',
  path: '/api/documents/:id/confirmation',
  summary: 'Hands a staged upload to the provider for good; of several at once one wins (R51)',
  access: 'customer',
  params: caseParams,
  body: ConfirmationForm,
  idempotent: true,
  reply: DocumentCase,
  errors: ['not-found', 'state-passed', 'upload-unknown', 'upload-refused'],
})

/** Not encrypted: that would destroy the signatures. */
export const downloadSigned = endpoint({
  method: 'GET',
  path: '/api/documents/:id/signed',
  summary: 'The document with the signatures of both sides',
  access: 'customer',
  params: caseParams,
  download: ['application/pdf'],
  errors: ['not-found', 'state-passed', 'document-not-ready', 'document-content-missing'],
})

/** A certificate whose key lies at the signing service, and that fits the case. */
export const DocumentSigner = z.strictObject({
  /** The signature, as in the list of signatures. */
  id: Uuid,
  name: z.string(),
  organisation: z.nullable(z.string()),
  /** Hexadecimal, upper case. */
  serialNumber: z.string(),
  validTo: Instant,
})
export type DocumentSigner = z.infer<typeof DocumentSigner>

export const listSigners = endpoint({
  method: 'GET',
  path: '/api/documents/:id/signers',
  summary: 'The customer’s cloud signatures that a case can be signed with in place (DOC-9)',
  access: 'customer',
  params: caseParams,
  reply: z.strictObject({ signers: z.array(DocumentSigner) }),
  errors: ['not-found', 'state-passed', 'unavailable'],
})

const notSent = ['sends-spent', 'too-many-attempts', 'sms-country-refused', 'sms-stopped'] as const

/** The code is bound to the document’s bytes, to the version of its case, and to the certificate (R33). */
export const startSigning = endpoint({
  method: 'POST',
  path: '/api/documents/:id/signing',
  summary: 'Prepares a signature in place and sends its SMS code, which names the document by its hash',
  access: 'customer',
  params: caseParams,
  body: z.strictObject({ signer: Uuid }),
  reply: z.strictObject({
    /** Of the document in clear: the first eight digits stand in the message. */
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
    ...notSent,
  ],
})

export const resendSigningCode = endpoint({
  method: 'POST',
  path: '/api/documents/:id/signing/code/resend',
  summary: 'Sends a new SMS code for the signature; the one before is void',
  access: 'customer',
  params: caseParams,
  reply: CodeSent,
  errors: ['not-found', 'signing-changed', 'resend-too-early', 'code-expired', 'code-void', ...notSent],
})

/** One code makes one signature at most, and one signature one upload. */
export const finishSigning = endpoint({
  method: 'POST',
  path: '/api/documents/:id/signing/code',
  summary: 'Signs with the cloud signature and hands the signed document to the provider for good',
  access: 'customer',
  params: caseParams,
  body: CodeForm,
  reply: DocumentCase,
  errors: [
    'not-found',
    'state-passed',
    'code-wrong',
    'code-expired',
    'code-void',
    'too-many-attempts',
    /** The document, the case or the certificate is no longer what the code was sent for (R33). */
    'signing-changed',
    /** The signing service said no, or what it answered is no signature of this certificate. */
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
  code: 'used-up',
})
