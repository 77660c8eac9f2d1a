import { changesBetween } from '../pdf/pdf-changes.ts'
import { openAnyPdf } from '../pdf/pdf-encryption.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { startOfPdf, type Pdf } from '../pdf/pdf-read.ts'
import type { Change } from '../pdf/pdf-revision-comparison.ts'
import { signatureAppearance } from '../pdf/pdf-signature-appearance.ts'
import { numbersOf, findSignatures } from '../pdf/pdf-signature-fields.ts'
import { fileDigests } from './pades-coverage.ts'
import { matchIssued } from './pades-issued.ts'
import { judgeFilling, judgePermissions } from './pades-permissions.ts'
import type { SignatureLevel, DocumentProblem, DocumentReport, IssuedMatch, ValidationPolicy } from './pades-report.ts'
import {
  checkSignatureField,
  claimedSignerOf,
  contentOf,
  coveredEnd,
  isProvenByItself,
  judgeSignature,
  provenTime,
  trustMaterial,
  type CheckedSignature,
  type ProvenTime,
  type TrustMaterial,
} from './pades-signature.ts'
import { readValidationData, type ValidationData } from './pades-validation-data.ts'

/** R42: the largest file that the portal accepts. */
const usualLargest = 10_485_760
/** Each may require a digest of the whole file. */
export const maxSignatures = 50

/**
 * Validates a signed PDF: which document it is, who signed it and when, whether it is intact and covers the whole document,
 * and its problems (EN 319 102-1 §5, EN 319 142-1). Nothing is fetched and no clock is read, so the report is
 * reproducible. Never throws because of a file's content: an unreadable file is refused with a problem.
 */
export async function validatePdf(bytes: Uint8Array, policy: ValidationPolicy): Promise<DocumentReport> {
  if (bytes.length > (policy.largest ?? usualLargest)) return unread('too-large', 'the file is too large')
  if (startOfPdf(bytes) < 0) return unread('not-pdf', 'the file is not a PDF')
  try {
    const pdf = openAnyPdf(bytes, policy.password)
    return reportOn(pdf, policy)
  } catch (error) {
    if (error instanceof PdfError) return unread(error.code, error.message)
    // The file can exhaust the stack; any other error is a defect.
    if (error instanceof RangeError) return unread('too-costly', 'the file is nested too deeply')
    throw error
  }
}

function unread(code: DocumentProblem, detail: string): DocumentReport {
  const problems = [{ code, severity: 'refuse' as const, detail }]
  return { verdict: 'refused', issued: 'not-asked', revisions: 0, problems, signatures: [], unproven: [], outdated: [] }
}

function reportOn(pdf: Pdf, policy: ValidationPolicy): DocumentReport {
  const problems: DocumentReport['problems'] = []
  const refuse = (code: DocumentProblem, detail: string) => problems.push({ code, severity: 'refuse', detail })
  const changesSince = changesOnce(pdf)
  const digests = fileDigests(pdf)
  const { match, revision: issuedRevision, problem } = matchIssued(pdf, policy.issued, digests, changesSince)
  if (problem) refuse(problem.code, problem.detail)
  if (match === 'undecided') return { ...decideVerdict(match, pdf, problems, []), unproven: [], outdated: [] }
  const found = findSignatures(pdf)
  if (found.length > maxSignatures) throw new PdfError('There are too many signatures', 'too-costly')
  const checked = found
    .toSorted((a, b) => coveredEnd(a) - coveredEnd(b))
    .map((signature) => checkSignatureField(pdf, signature, digests, changesSince))
  for (const { found: signature, report } of checked)
    if (!report.signer) report.claimedSigner = claimedSignerOf(pdf, signature)
  judgePermissions(pdf, checked)
  judgeFilling(pdf, checked, policy)
  const { unproven, outdated } = judge(checked, pdf, policy, issuedRevision)

  const isNew = ({ report }: CheckedSignature) =>
    report.kind === 'signature' && (report.revision === undefined || report.revision > issuedRevision)
  const added = checked.filter(isNew)
  if (added.length === 0) refuse('no-signature', 'there is no new signature')
  if (policy.issued && added.length > 1) refuse('several-signatures', 'there is more than one new signature')
  // A refused file need not be checked further.
  if (decideVerdict(match, pdf, problems, checked).verdict !== 'refused')
    judgeAppearance(pdf, policy, checked, issuedRevision, problems)
  if (!policy.issued) noteCovering(pdf, checked)
  return { ...decideVerdict(match, pdf, problems, checked), unproven, outdated }
}

/** Share of a page's area. */
const largeShare = 0.25

/** Judges the appearance of all new signatures, timestamps included (R99). Without an issued document a finding is only a remark. */
function judgeAppearance(
  pdf: Pdf,
  policy: ValidationPolicy,
  checked: CheckedSignature[],
  issuedRevision: number,
  problems: DocumentReport['problems'],
) {
  const added = checked.filter(({ report: { revision } }) => revision === undefined || revision > issuedRevision)
  const { covers, share } = signatureAppearance(
    pdf,
    new Set(added.flatMap(({ found }) => found.fields.flatMap(numbersOf))),
  )
  const severity = policy.issued ? 'wait' : 'remark'
  if (covers) problems.push({ code: 'covers-content', severity, detail: 'a signature covers page content' })
  if (share <= largeShare) return
  for (const { report } of added)
    report.problems.push({ code: 'large-field', severity, detail: 'the signatures cover a large part of a page' })
}

/**
 * Notes with each signature before the last covering one that a later signature covers page content: later signers choose a look, and may
 * put it over what others have signed (R99).
 */
function noteCovering(pdf: Pdf, checked: CheckedSignature[]) {
  const last = checked.findLastIndex((each, index) => index > 0 && isCovering(pdf, each))
  for (const { report } of checked.slice(0, Math.max(0, last)))
    report.changes = [
      ...report.changes,
      { kind: 'covering', isAllowed: true, detail: 'a later signature covers page content' },
    ]
}

/** Checks whether a signature covers content; one that cannot be read might cover anything. */
function isCovering(pdf: Pdf, { found }: CheckedSignature) {
  try {
    const { covers, share } = signatureAppearance(pdf, new Set(found.fields.flatMap(numbersOf)))
    return covers || share > largeShare
  } catch (error) {
    if (error instanceof PdfError) return true
    throw error
  }
}

/** Caches changes, which are needed repeatedly for the same revision, usually the issued one. */
function changesOnce(pdf: Pdf) {
  const known = new Map<number, Change[]>()
  return (revision: number) => {
    const changes = known.get(revision) ?? changesBetween(pdf, revision, pdf.revisions.length - 1)
    known.set(revision, changes)
    return changes
  }
}

/**
 * Judges the proven times, paths, revocation statuses and signers of the signatures: a document timestamp proves the
 * time of everything that it covers.
 */
function judge(checked: CheckedSignature[], pdf: Pdf, policy: ValidationPolicy, issuedRevision: number) {
  const material = trustMaterial(policy, readValidationData(pdf))
  const archive = checked.filter(({ report }) => report.kind === 'document-timestamp')
  const proven = new Map(archive.map((stamp) => [stamp, archiveTime(stamp, material)]))
  // The last trusted one covers all the evidence that an earlier one covers.
  const last = archive
    .filter((stamp) => stamp.coverage && proven.get(stamp))
    .reduce<CheckedSignature | undefined>(
      (a, b) => (a && a.coverage!.revision > b.coverage!.revision ? a : b),
      undefined,
    )
  const evidence = last && readValidationData(pdf.at(last.coverage!.revision))
  for (const signature of checked) {
    const { report, tokens, coverage } = signature
    if (report.kind === 'document-timestamp' || !coverage) continue
    const own = tokens.map((token) => provenTime(token, material))
    report.timestamps = tokens.map(({ at, certificate }, index) => ({
      at,
      authority: contentOf(certificate),
      trusted: own[index] !== undefined,
    }))
    if (own.some((proof) => proof === undefined))
      report.problems.push({
        code: 'timestamp-invalid',
        severity: 'remark',
        detail: 'a timestamp is of the future, or of an authority that is not trusted',
      })
    const later = archive.filter((stamp) => (stamp.coverage?.revision ?? -1) > coverage.revision)
    const provenBy = (stamps: CheckedSignature[]) => stamps.flatMap((stamp) => proofsOf(proven.get(stamp)))
    const covered = last && later.includes(last) ? evidence : undefined
    const times = [...own.flatMap(proofsOf), ...provenBy(later)].map(({ at }) => at)
    report.provenAt = times.toSorted((a, b) => a.getTime() - b.getTime())[0]
    const isNew = coverage.revision > issuedRevision
    judgeSignature(signature, earlierOf(report.provenAt, policy.receivedAt), material, isNew)
    report.level = decideLevel(signature, { own: own.flatMap(proofsOf), later: provenBy(later), covered }, material)
  }
  return material
}

/** Returns the earlier of the proven time and the time of receipt: the clock of a timestamp authority may be ahead. */
const earlierOf = (proven: Date | undefined, receivedAt: Date) => (proven && proven < receivedAt ? proven : receivedAt)

const proofsOf = (proof: ProvenTime | undefined) => proof ?? []

function archiveTime(stamp: CheckedSignature, material: TrustMaterial) {
  const { report, tokens } = stamp
  const [token] = tokens
  if (!token) return undefined
  const proof = provenTime(token, material)
  report.trusted = proof !== undefined
  report.provenAt = proof?.at
  if (proof) {
    report.path = proof.path.map(({ der }) => der)
    report.revocations = proof.revocations
  } else
    report.problems.push({
      code: 'timestamp-invalid',
      severity: 'remark',
      detail: 'the timestamp is of the future, or of an authority that is not trusted',
    })
  return report.intact ? proof : undefined
}

/**
 * Determines the level of a signature. `own`: the trusted timestamps in the signature; `later`: those of the document after it; the first
 * one may take the place of `own`; `covered`: the evidence that these cover.
 */
function decideLevel(
  { report, path, signature }: CheckedSignature,
  { own, later, covered }: Record<'own' | 'later', ProvenTime[]> & { covered: ValidationData | undefined },
  material: TrustMaterial,
): SignatureLevel | undefined {
  const { intact, trusted, provenAt } = report
  // EN 319 142-1 §6.3: no level is without the reference to the certificate.
  if (!intact || signature?.signingCertificate === undefined) return undefined
  if (!provenAt) return 'B-B'
  const stamps = own.length ? own : later.slice(0, 1)
  const signed = { at: provenAt, path }
  if (!trusted || ![signed, ...stamps].every((each) => isProvenByItself(each, material))) return 'B-T'
  return covered && isProvenByItself(signed, { ...material, data: covered }) ? 'B-LTA' : 'B-LT'
}

function decideVerdict(
  issued: IssuedMatch,
  pdf: Pdf,
  problems: DocumentReport['problems'],
  checked: CheckedSignature[],
): Omit<DocumentReport, 'unproven' | 'outdated'> {
  const signatures = checked.map(({ report }) => report)
  const severities = new Set(
    [...problems, ...signatures.flatMap((signature) => signature.problems)].map(({ severity }) => severity),
  )
  const verdict = severities.has('refuse') ? 'refused' : severities.has('wait') ? 'pending' : 'accepted'
  return { verdict, issued, revisions: pdf.revisions.length, problems, signatures }
}
