import * as z from 'zod/mini'
import { Instant } from './fields.ts'

/** What the check of an uploaded PDF found (DOC-8). Codes are stable; the browser has the texts. */

/** `refuse` refuses the upload, `wait` leaves the decision to the provider, `remark` is additional information. */
const Severity = z.enum(['refuse', 'wait', 'remark'])

/** Problems of the file as a whole. */
export const FileProblem = z.enum([
  'no-signature',
  'several-signatures',
  'other-document',
  'changed-before-signing',
  'active-content',
  'covers-content',
  /** PDF readers show other pages than those of the issued document, or cannot show them (R107). */
  'looks-different',
  'not-comparable',
])
export type FileProblem = z.infer<typeof FileProblem>

/** Problems of a signature. */
export const SignatureProblem = z.enum([
  'signature-damaged',
  'signature-format',
  'byte-range-malformed',
  'byte-range-gap',
  'byte-range-partial',
  'signature-replaced',
  'changed-after-signing',
  'timestamp-invalid',
  'signing-certificate-missing',
  'signing-certificate-weak',
  'revoked',
  'revocation-unknown',
  'not-qualified',
  'key-usage',
  'other-signer',
  'padding',
  'shared-field',
  'large-field',
  'path-untrusted',
  'path-expired',
  'path-not-authority',
  'path-constrained',
  'path-weak',
  'cms-unreadable',
  'cms-signers',
  'cms-content',
  'cms-no-certificate',
  'cms-attributes',
  'cms-digest',
  'cms-algorithm',
  'cms-signature',
  'cms-signing-certificate',
])
export type SignatureProblem = z.infer<typeof SignatureProblem>

export const SignatureFound = z.strictObject({
  kind: z.enum(['signature', 'document-timestamp']),
  /** The common names of the signer and of the authority that certified them. */
  signer: z.nullable(z.string()),
  issuer: z.nullable(z.string()),
  intact: z.boolean(),
  coversWholeDocument: z.boolean(),
  trusted: z.boolean(),
  revocation: z.enum(['good', 'revoked', 'unknown']),
  /** The time that the signer claims, which proves nothing; the earliest time that a timestamp proves. */
  claimedAt: z.nullable(Instant),
  provenAt: z.nullable(Instant),
  level: z.nullable(z.enum(['B-B', 'B-T', 'B-LT', 'B-LTA'])),
  problems: z.array(z.strictObject({ code: SignatureProblem, severity: Severity })),
})
export type SignatureFound = z.infer<typeof SignatureFound>

export const UploadReport = z.strictObject({
  /** `pending`: there is no reason to refuse it, but the provider has to look at it. */
  verdict: z.enum(['accepted', 'pending', 'refused']),
  /** Whether it is the document of the case: the same bytes, or the same pages in another file. */
  document: z.enum(['same-bytes', 'same-content', 'other']),
  problems: z.array(z.strictObject({ code: FileProblem, severity: Severity })),
  signatures: z.array(SignatureFound),
})
export type UploadReport = z.infer<typeof UploadReport>
