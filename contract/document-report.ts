import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { Instant } from './fields.ts'

// Findings of the check of an uploaded PDF (DOC-8). Codes are stable; the browser has the texts.

const Severity = component(
  'Severity',
  '`refuse` refuses the upload, `wait` leaves the decision to the provider, `remark` is additional information.',
  z.enum(['refuse', 'wait', 'remark']),
)

export const FileProblem = component(
  'FileProblem',
  'A problem of the file as a whole.',
  z.enum([
    'no-signature',
    'several-signatures',
    'other-document',
    'changed-before-signing',
    'active-content',
    'covers-content',
    /** PDF readers show other pages than those of the issued document, or cannot show them (R107). */
    'looks-different',
    'not-comparable',
  ]),
)
export type FileProblem = z.infer<typeof FileProblem>

export const SignatureProblem = component(
  'SignatureProblem',
  'A problem of a signature.',
  z.enum([
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
    'path-not-granted',
    'path-not-authority',
    'path-constrained',
    'path-weak',
    'cms-unreadable',
    'cms-signers',
    'cms-content',
    'cms-no-certificate',
    'cms-attributes',
    'cms-bare',
    'cms-digest',
    'cms-algorithm',
    'cms-signature',
    'cms-signing-certificate',
  ]),
)
export type SignatureProblem = z.infer<typeof SignatureProblem>

export const SignatureFound = component(
  'SignatureFound',
  'A signature or timestamp in the file.',
  z.strictObject({
    kind: described(
      'A signature of a person or organisation, or a timestamp over the document.',
      z.enum(['signature', 'document-timestamp']),
    ),
    signer: described('The common name of the signer; null if the certificate has none.', z.nullable(z.string())),
    issuer: described(
      'The common name of the authority that certified the signer; null if there is none.',
      z.nullable(z.string()),
    ),
    intact: described('Whether the signed bytes are unchanged.', z.boolean()),
    coversWholeDocument: described(
      'Whether the signature covers the whole file as it was when it was made.',
      z.boolean(),
    ),
    trusted: described('Whether its certificate leads to an authority that the portal trusts.', z.boolean()),
    revocation: described('What is known of a revocation of the certificate.', z.enum(['good', 'revoked', 'unknown'])),
    claimedAt: described(
      'The time that the signer claims, which proves nothing; null if there is none.',
      z.nullable(Instant),
    ),
    provenAt: described('The earliest time that a timestamp proves; null if none does.', z.nullable(Instant)),
    level: described(
      'The level of PAdES (ETSI EN 319 142-1); null if it is none.',
      z.nullable(z.enum(['B-B', 'B-T', 'B-LT', 'B-LTA'])),
    ),
    problems: described(
      'What is wrong with the signature.',
      z.array(z.strictObject({ code: SignatureProblem, severity: Severity })),
    ),
  }),
)
export type SignatureFound = z.infer<typeof SignatureFound>

export const UploadReport = component(
  'UploadReport',
  'What the check of an uploaded PDF has found. Codes are stable.',
  z.strictObject({
    verdict: described(
      '`pending`: there is no reason to refuse it, but the provider has to look at it.',
      z.enum(['accepted', 'pending', 'refused']),
    ),
    document: described(
      'Whether it is the document of the case: the same bytes, the same pages in another file, or another document.',
      z.enum(['same-bytes', 'same-content', 'other']),
    ),
    problems: described(
      'What is wrong with the file as a whole.',
      z.array(z.strictObject({ code: FileProblem, severity: Severity })),
    ),
    signatures: described('The signatures and timestamps in it, in their order.', z.array(SignatureFound)),
  }),
)
export type UploadReport = z.infer<typeof UploadReport>
