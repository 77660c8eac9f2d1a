import type { PathProblem, TrustAnchor, TrustDoubt } from '../asn1/certificate-path.ts'
import type { CertificateContent } from '../asn1/certificate.ts'
import type { CmsProblem } from '../asn1/cms-read.ts'
import type { RevocationStatus } from '../asn1/revocation-status.ts'
import { base64Of } from '../bytes.ts'
import type { PdfErrorCode } from '../pdf/pdf-parser.ts'
import type { Change } from '../pdf/pdf-revision-comparison.ts'

/** Problems of the file as a whole. The codes are stable, because the portal has texts for them. */
export type DocumentProblem =
  /** The file has no `%PDF-` at its beginning. */
  | 'not-pdf'
  /** `damaged`, `stray-bytes`, `encrypted`, `wrong-password`, `too-costly`: it cannot be read. */
  | PdfErrorCode
  /** The file is larger than the policy allows. */
  | 'too-large'
  /** The file has no signature other than the issued ones. */
  | 'no-signature'
  /** The file has more than one new signature. */
  | 'several-signatures'
  /** The file is not the document that was issued. */
  | 'other-document'
  /** The file is the issued document, but something else was changed before it was signed. */
  | 'changed-before-signing'
  /** The file is not exactly the one that was issued, and it runs, opens, sends or embeds something. */
  | 'active-content'
  /** The appearance of the new signatures covers page content, or may do so: a person has to check. */
  | 'covers-content'

export type SignatureProblem =
  | CmsProblem
  /** The signature is over the bytes of the file alone: no attribute ties it to its certificate, as PAdES requires. */
  | 'cms-bare'
  | PathProblem
  /** The field has no signature dictionary, or an incomplete one. */
  | 'signature-damaged'
  /** The signature format is not supported (/SubFilter). */
  | 'signature-format'
  /** /ByteRange is not four numbers within the file, beginning with its first byte. */
  | 'byte-range-malformed'
  /** The gap is not exactly the /Contents of this signature. */
  | 'byte-range-gap'
  /** The covered bytes do not end with a revision of the file. */
  | 'byte-range-partial'
  /** The signed object was replaced by another one. */
  | 'signature-replaced'
  /** Something that is or may be shown was changed after signing; see `changes`. */
  | 'changed-after-signing'
  /** A timestamp is not over this signature, or its authority is not trusted. */
  | 'timestamp-invalid'
  /** There is no signing certificate reference of version 2. */
  | 'signing-certificate-missing'
  | 'signing-certificate-weak'
  /** A certificate of the path was revoked before the validation time. */
  | 'revoked'
  /** No evidence shows whether the certificates of the path were good. */
  | 'revocation-unknown'
  /** The certificate is not a qualified one for electronic signatures. */
  | 'not-qualified'
  /** The certificate's key usage is not nonRepudiation. */
  | 'key-usage'
  /** The certificate does not identify the person who should sign. */
  | 'other-signer'
  /** The bytes after the message in /Contents are not zeros, as some products write them. */
  | 'padding'
  /** Two fields share one signature. */
  | 'shared-field'
  /** The new signatures together cover more than a quarter of a page and may look like a part of the document. */
  | 'large-field'

/** `refuse` makes the document refused, `wait` pending; `remark` is only information. */
export type Severity = 'refuse' | 'wait' | 'remark'

export type CodedProblem<Code extends string> = { code: Code; severity: Severity; detail: string }

export type FoundProblem = CodedProblem<SignatureProblem>

export const refusal = (code: SignatureProblem, detail: string): FoundProblem => ({ code, severity: 'refuse', detail })
export const remark = (code: SignatureProblem, detail: string): FoundProblem => ({ code, severity: 'remark', detail })

/** The levels of EN 319 142-1 §6, considering only valid timestamps and validation data. */
export type SignatureLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA'

export type TimestampReport = {
  at: Date
  authority: CertificateContent | undefined
  /** Whether its authority is, so that it proves the time. */
  trusted: boolean
}

export type SignatureReport = {
  kind: 'signature' | 'document-timestamp'
  /** The full names of its fields, normally one. */
  fields: string[]
  /** Whether digest, signature value and coverage are correct; independent of trust. */
  intact: boolean
  /** Whether nothing follows it in the file. */
  coversWholeDocument: boolean
  /** The revision that it covers, counted from 0; undefined if none. */
  revision: number | undefined
  /** The length of the file up to the end of what it covers: those bytes are the file as it was signed. */
  end: number | undefined
  /** The changes by later revisions. */
  changes: Change[]
  /** The verified signer; undefined where the signature could not be verified. */
  signer: CertificateContent | undefined
  /** The certificate in the file that an unverified signature names as its signer's, which proves nothing. */
  claimedSigner: CertificateContent | undefined
  /** Whether a path leads from the signer to an anchor; the path in DER, from the signer to the anchor. */
  trusted: boolean
  path: Uint8Array[]
  /** Statements about the signer's certificate that the anchor's trust list may deny. */
  doubts: TrustDoubt[]
  /** The worst status of the path, and that of each of its certificates below the anchor. */
  revocation: RevocationStatus
  revocations: RevocationStatus[]
  /** The name of the digest that was signed, such as `sha256`. */
  digest: string | undefined
  /** The claimed signing time (/M), which is not a proof. */
  claimedAt: Date | undefined
  /** The earliest time that a trusted timestamp proves. */
  provenAt: Date | undefined
  /** The timestamps in the signature itself. */
  timestamps: TimestampReport[]
  level: SignatureLevel | undefined
  problems: FoundProblem[]
}

/**
 * Relation of the file to the issued one: it continues its exact bytes, has the same pages, or neither. `undecided`: the file has other
 * bytes, and no content was given for the comparison; it is refused without further validation.
 */
export type IssuedMatch = 'same-bytes' | 'same-content' | 'other' | 'undecided' | 'not-asked'

/** Identifies bytes without their content; `sha256` is hexadecimal. */
export type KnownForm = { length: number; sha256: string }

/** A form in which the document was issued; `content` is needed only to compare files in other bytes. */
export type IssuedFile = KnownForm & { content?: Uint8Array }

/** A certificate with its issuers, in DER, and its validation time. */
export type CertificateChain = { path: Uint8Array[]; at: Date }

export type OpenChain = CertificateChain & {
  /** The revision that its signature covers; undefined for a timestamp. */
  revision: number | undefined
}

export type DocumentReport = {
  verdict: 'accepted' | 'refused' | 'pending'
  issued: IssuedMatch
  /** Number of revisions of the file. */
  revisions: number
  problems: CodedProblem<DocumentProblem>[]
  /** Signatures in the order of their coverage, issued ones included. */
  signatures: SignatureReport[]
  /** Certificates of trusted paths, each with its issuers, without evidence that they were good. */
  unproven: OpenChain[]
  /** The same, where the evidence is from before the time in question: the authorities may know something newer (R256). */
  outdated: OpenChain[]
}

/** The requirements for a file; all times are given, no clock is read. */
export type ValidationPolicy = {
  anchors: TrustAnchor[]
  /** Time at which the file was received: the validation time if no timestamp proves an earlier one. */
  receivedAt: Date
  /** Opens an encrypted file. */
  password?: string
  /** Certificates, OCSP answers and revocation lists in DER, in addition to those in the file; trusted responders. */
  intermediates?: Uint8Array[]
  ocsps?: Uint8Array[]
  crls?: Uint8Array[]
  responders?: Uint8Array[]
  /** `required`: without evidence the verdict is `pending`. */
  revocation: 'required' | 'not-required'
  /** The required version of the signing certificate reference; `any` accepts signatures without one. */
  signingCertificate: 'v2' | 'v1' | 'any'
  /** Whether signers need a qualified certificate for signatures, with or without a device, and nonRepudiation. */
  qualified: boolean
  /** The required signer, by an identifier such as `PNOPL-90010112345` or `90010112345`. */
  signer?: { identifier: string }
  /** The forms in which the document was issued, any of which may be signed. */
  issued?: IssuedFile[]
  /** Largest accepted file in bytes (R42). */
  largest?: number
}

/**
 * Returns the chains to ask the authorities about, the most important ones first, because a call takes few: the signers, beginning with
 * that of the newest signature, and then the authorities of timestamps.
 */
export const openChains = ({ unproven, outdated }: Pick<DocumentReport, 'unproven' | 'outdated'>): CertificateChain[] =>
  distinctChains([...unproven, ...outdated].toSorted((a, b) => (b.revision ?? -1) - (a.revision ?? -1)))

/** Returns each certificate once, at the latest time in question and with its longest path; chains that others contain are left out. */
export function distinctChains(chains: readonly CertificateChain[]): CertificateChain[] {
  const byLeaf = new Map<string, CertificateChain>()
  for (const { path, at } of chains) {
    const leaf = path[0] ? base64Of(path[0]) : ''
    const known = byLeaf.get(leaf) ?? { path, at }
    byLeaf.set(leaf, { path: known.path.length < path.length ? path : known.path, at: known.at < at ? at : known.at })
  }
  const distinct = [...byLeaf].map(([leaf, chain]) => ({
    leaf,
    chain,
    above: new Set(chain.path.slice(1).map(base64Of)),
  }))
  const isIn = (one: (typeof distinct)[number], other: (typeof distinct)[number]) =>
    other.chain.path.length > one.chain.path.length && other.chain.at >= one.chain.at && other.above.has(one.leaf)
  return distinct.filter((each) => !distinct.some((other) => isIn(each, other))).map(({ chain }) => chain)
}
