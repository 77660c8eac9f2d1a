import type { CertificateContent } from './certificate.ts'
import type { PathProblem, TrustAnchor } from './certificate-path.ts'
import type { CmsProblem } from './cms-read.ts'
import type { Change } from './pdf-changes.ts'
import type { PdfErrorCode } from './pdf-parser.ts'
import type { RevocationStatus } from './revocation-status.ts'

/** What may be wrong with the file as a whole. The codes are stable: the portal words them. */
export type DocumentProblem =
  /** It does not begin with `%PDF-`. */
  | 'not-pdf'
  /** `damaged`, `encrypted`, `wrong-password`, `too-costly`: it cannot be read. */
  | PdfErrorCode
  /** It is larger than the policy allows. */
  | 'too-large'
  /** There is no signature, or none besides those that were issued with the file. */
  | 'no-signature'
  /** There are more new signatures than one. */
  | 'several-signatures'
  /** It is not the document that was issued. */
  | 'other-document'
  /** It is the issued document, and something besides signatures was changed before it was signed. */
  | 'changed-before-signing'
  /** It is not the very file that was issued, and runs, opens, sends or carries something. */
  | 'active-content'
  /** What the new signatures look like lies over a page's content, or may do so: a person has to look. */
  | 'covers-content'

/** What may be wrong with one signature. */
export type SignatureProblem =
  | CmsProblem
  | PathProblem
  /** The field leads to no signature dictionary, or to one that lacks what it needs. */
  | 'signature-damaged'
  /** A kind of signature that is not known here (/SubFilter). */
  | 'signature-format'
  /** /ByteRange is not four numbers within the file, beginning with its first byte. */
  | 'byte-range-malformed'
  /** What is left out is not exactly the /Contents of this signature. */
  | 'byte-range-gap'
  /** What is covered does not end where a revision of the file ends. */
  | 'byte-range-partial'
  /** Another object has taken the place of the one that was signed. */
  | 'signature-replaced'
  /** Something that is seen, or may be, was changed after signing; `changes` say what. */
  | 'changed-after-signing'
  /** A timestamp that is carried is not one over this signature, or its authority is not believed. */
  | 'timestamp-invalid'
  /** No signed attribute of version 2 ties the signature to its certificate. */
  | 'signing-certificate-missing'
  | 'signing-certificate-weak'
  /** A certificate of the path was revoked before the time that counts. */
  | 'revoked'
  /** Nothing says whether the certificates of the path were good. */
  | 'revocation-unknown'
  /** The certificate is not a qualified one for electronic signatures. */
  | 'not-qualified'
  /** The certificate's key is not for signatures that bind (nonRepudiation). */
  | 'key-usage'
  /** The certificate is of another person than the one who should sign, or does not say of whom. */
  | 'other-signer'
  /** Bytes behind the signature value in /Contents are not zeros; some products leave them so. */
  | 'padding'
  /** Two fields share one signature. */
  | 'shared-field'
  /** The new signatures together show more than a quarter of a page: it may be read as a part of the document. */
  | 'large-field'

/** `refuse` makes the document refused, `wait` pending, `remark` is for whoever looks closer. */
export type Severity = 'refuse' | 'wait' | 'remark'

export type Problem<Code extends string> = { code: Code; severity: Severity; detail: string }

/** Levels of EN 319 142-1 §6, as far as what makes them is valid. */
export type SignatureLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA'

export type SignatureReport = {
  kind: 'signature' | 'document-timestamp'
  /** The full names of its fields; one, as a rule. */
  fields: string[]
  /** Whether digest and signature value are right and cover what they should; nothing is said of trust. */
  intact: boolean
  /** Whether nothing follows it in the file. */
  coversWholeDocument: boolean
  /** The revision that it closes, counted from 0; undefined if it closes none. */
  revision: number | undefined
  /** What later revisions have changed. */
  changes: Change[]
  signer: CertificateContent | undefined
  /** Whether a path leads from the signer to an anchor; the path in DER, from the signer to the anchor. */
  trusted: boolean
  path: Uint8Array[]
  revocation: RevocationStatus
  /** What the signer claims (/M), which proves nothing. */
  claimedAt: Date | undefined
  /** The earliest time that a believed timestamp proves. */
  provenAt: Date | undefined
  level: SignatureLevel | undefined
  problems: Problem<SignatureProblem>[]
}

/**
 * How the file relates to what was issued: it continues its very bytes, or has the same pages, or neither. `undecided`:
 * it has other bytes, and no content was given to compare it with; it is refused, and nothing else of it was judged.
 */
export type IssuedMatch = 'same-bytes' | 'same-content' | 'other' | 'undecided' | 'not-asked'

/** Bytes that are recognised without being here; `sha256` in hexadecimal digits. */
export type KnownForm = { length: number; sha256: string }

/** One form in which the document was issued; `content` is needed only for files in other bytes, which may show the same. */
export type IssuedFile = KnownForm & { content?: Uint8Array }

/** A certificate and those above it, in DER, and the time that counts for it. */
export type CertificateChain = { path: Uint8Array[]; at: Date }

export type DocumentReport = {
  verdict: 'accepted' | 'refused' | 'pending'
  issued: IssuedMatch
  /** How many revisions the file has. */
  revisions: number
  problems: Problem<DocumentProblem>[]
  /** In the order of what they cover; those that were issued with the file among them. */
  signatures: SignatureReport[]
  /** Certificates of believed paths, each with those above it, of which nothing says whether they were good. */
  unproven: CertificateChain[]
}

/** What is asked of a file; every time is given, no clock is read. */
export type ValidationPolicy = {
  anchors: TrustAnchor[]
  /** When the file was received: the time that counts where no timestamp proves an earlier one. */
  receivedAt: Date
  /** Opens an encrypted file. */
  password?: string
  /** Certificates, OCSP answers and revocation lists in DER, besides those in the file; believed responders. */
  intermediates?: Uint8Array[]
  ocsps?: Uint8Array[]
  crls?: Uint8Array[]
  responders?: Uint8Array[]
  /** `required`: without an answer the verdict is `pending`. */
  revocation: 'required' | 'not-required'
  /** Which version of the signing-certificate attribute is asked for; `any` takes signatures without one. */
  signingCertificate: 'v2' | 'v1' | 'any'
  /** Whether signers need a qualified certificate for signatures whose key is in a device or not, and nonRepudiation. */
  qualified: boolean
  /** Who is to sign, by an identifier such as `PNOPL-90010112345` or `90010112345`. */
  signer?: { identifier: string }
  /** The forms in which the document was issued, any of which may come back signed. */
  issued?: IssuedFile[]
  /** In bytes; R42. */
  largest?: number
}
