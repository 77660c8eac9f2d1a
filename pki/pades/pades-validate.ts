import { changesBetween } from '../pdf/pdf-changes.ts'
import { openAnyPdf } from '../pdf/pdf-encryption.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { startOfPdf, type Pdf } from '../pdf/pdf-read.ts'
import type { Change } from '../pdf/pdf-revision-comparison.ts'
import { signatureAppearance } from '../pdf/pdf-signature-appearance.ts'
import { numbersOf, findSignatures } from '../pdf/pdf-signature-fields.ts'
import { zip } from '../zip.ts'
import { fileDigests, type FileDigests } from './pades-coverage.ts'
import { matchIssued } from './pades-issued.ts'
import { fillingProblems, permissionProblems } from './pades-permissions.ts'
import {
  remark,
  type CodedProblem,
  type DocumentProblem,
  type DocumentReport,
  type FoundProblem,
  type SignatureLevel,
  type SignatureReport,
  type ValidationPolicy,
} from './pades-report.ts'
import {
  checkSignatureField,
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
import { readValidationData } from './pades-validation-data.ts'

type FileProblem = CodedProblem<DocumentProblem>

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
  const result = resultOf([refusedFile(code, detail)], [])
  return { ...result, issued: 'not-asked', revisions: 0, unproven: [], outdated: [] }
}

function reportOn(pdf: Pdf, policy: ValidationPolicy): DocumentReport {
  const changesSince = changesOnce(pdf)
  const digests = fileDigests(pdf)
  const { match, revision: issuedRevision, problem } = matchIssued(pdf, policy.issued, digests, changesSince)
  const issuedProblems = problem ? [refusedFile(problem.code, problem.detail)] : []
  const file = { issued: match, revisions: pdf.revisions.length }
  if (match === 'undecided') return { ...file, ...resultOf(issuedProblems, []), unproven: [], outdated: [] }
  const checked = checkSignatures(pdf, policy, digests, changesSince)
  const { judged, unproven, outdated } = judge(checked, pdf, policy, issuedRevision)
  const added = judged.filter((each) => isAdded(each, issuedRevision))
  const problems = [...issuedProblems, ...numberProblems(added, policy)]
  // The appearance of a refused file need not be checked.
  const isRefused = resultOf(problems, judged).verdict === 'refused'
  const { covering, large } = isRefused ? { covering: [], large: [] } : appearanceProblems(pdf, policy, added)
  const shown = judged.map((each) => (added.includes(each) ? withProblems(each, large) : each))
  const result = resultOf([...problems, ...covering], policy.issued ? shown : noteCovering(pdf, shown))
  return { ...file, ...result, unproven, outdated }
}

const refusedFile = (code: DocumentProblem, detail: string): FileProblem => ({ code, severity: 'refuse', detail })

/** Returns the verdict on a file: the worst of all problems decides. */
function resultOf(problems: FileProblem[], checked: CheckedSignature[]) {
  const signatures = checked.map(({ report }) => report)
  const severities = new Set(
    [problems, ...signatures.map((each) => each.problems)].flat().map(({ severity }) => severity),
  )
  const verdict: DocumentReport['verdict'] = severities.has('refuse')
    ? 'refused'
    : severities.has('wait')
      ? 'pending'
      : 'accepted'
  return { verdict, problems, signatures }
}

/** Checks all signatures, in the order of their coverage, and what each of them permits. */
function checkSignatures(
  pdf: Pdf,
  policy: ValidationPolicy,
  digests: FileDigests,
  changesSince: (revision: number) => Change[],
): CheckedSignature[] {
  const found = findSignatures(pdf)
  if (found.length > maxSignatures) throw new PdfError('There are too many signatures', 'too-costly')
  const checked = found
    .toSorted((a, b) => coveredEnd(a) - coveredEnd(b))
    .map((signature) => checkSignatureField(pdf, signature, digests, changesSince))
  return checked.map((each) =>
    withProblems(each, [...permissionProblems(pdf, each, checked), ...fillingProblems(pdf, each, policy)]),
  )
}

const withProblems = (checked: CheckedSignature, problems: FoundProblem[]) =>
  withReport(checked, { problems: [...checked.report.problems, ...problems] })

const withReport = (checked: CheckedSignature, more: Partial<SignatureReport>): CheckedSignature => ({
  ...checked,
  report: { ...checked.report, ...more },
})

const isAdded = ({ report: { revision } }: CheckedSignature, issuedRevision: number) =>
  revision === undefined || revision > issuedRevision

function numberProblems(added: CheckedSignature[], policy: ValidationPolicy): FileProblem[] {
  const count = added.filter(({ report }) => report.kind === 'signature').length
  if (count === 0) return [refusedFile('no-signature', 'there is no new signature')]
  return policy.issued && count > 1 ? [refusedFile('several-signatures', 'there is more than one new signature')] : []
}

/** Share of a page's area. */
const largeShare = 0.25

/** Judges the appearance of all new signatures, timestamps included (R99). Without an issued document a finding is only a remark. */
function appearanceProblems(pdf: Pdf, policy: ValidationPolicy, added: CheckedSignature[]) {
  const { covers, share } = appearanceOf(pdf, added)
  const severity = policy.issued ? 'wait' : 'remark'
  const covering: FileProblem = { code: 'covers-content', severity, detail: 'a signature covers page content' }
  const large: FoundProblem = { code: 'large-field', severity, detail: 'the signatures cover a large part of a page' }
  return { covering: covers ? [covering] : [], large: share > largeShare ? [large] : [] }
}

const appearanceOf = (pdf: Pdf, checked: CheckedSignature[]) =>
  signatureAppearance(pdf, new Set(checked.flatMap(({ found }) => found.fields.flatMap(numbersOf))))

/**
 * Notes with each signature before the last covering one that a later signature covers page content: later signers choose a look, and may
 * put it over what others have signed (R99).
 */
function noteCovering(pdf: Pdf, checked: CheckedSignature[]): CheckedSignature[] {
  const last = checked.findLastIndex((each, index) => index > 0 && isCovering(pdf, each))
  const change: Change = { kind: 'covering', isAllowed: true, detail: 'a later signature covers page content' }
  return checked.map((each, index) =>
    index < last ? withReport(each, { changes: [...each.report.changes, change] }) : each,
  )
}

/** Checks whether a signature covers content; one that cannot be read might cover anything. */
function isCovering(pdf: Pdf, checked: CheckedSignature) {
  try {
    const { covers, share } = appearanceOf(pdf, [checked])
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
  const stamped = checked.map((each) => (isStamp(each) ? judgeStamp(each, material) : { signature: each }))
  const archive = stamped.flatMap(({ archived }) => archived ?? [])
  // The last one covers all the evidence that an earlier one covers.
  const last = archive.reduce<ArchiveTime | undefined>((a, b) => (a && a.revision > b.revision ? a : b), undefined)
  const evidence = last && { ...material, data: readValidationData(pdf.at(last.revision)) }
  const judged = stamped.map(({ signature }) => {
    const { coverage } = signature
    if (isStamp(signature) || !coverage) return signature
    const later = archive.filter(({ revision }) => revision > coverage.revision)
    const covered = last && later.includes(last) ? evidence : undefined
    return judgeTimed(signature, { later, covered, isNew: coverage.revision > issuedRevision }, material)
  })
  return { judged, unproven: material.unproven, outdated: material.outdated }
}

const isStamp = ({ report }: CheckedSignature) => report.kind === 'document-timestamp'

/** The time that a trusted document timestamp proves, with the revision up to which it proves it. */
type ArchiveTime = ProvenTime & { revision: number }

function judgeStamp(
  signature: CheckedSignature,
  material: TrustMaterial,
): { signature: CheckedSignature; archived?: ArchiveTime } {
  const { report, coverage } = signature
  const [token] = signature.tokens
  if (!token || !coverage) return { signature }
  const proof = provenTime(token, material)
  if (!proof) return { signature: withProblems(signature, [untrustedTime('the timestamp')]) }
  const { at: provenAt, path, revocations } = proof
  const trusted = withReport(signature, { trusted: true, provenAt, path: path.map(({ der }) => der), revocations })
  return { signature: trusted, ...(report.intact && { archived: { ...proof, revision: coverage.revision } }) }
}

const untrustedTime = (subject: string) =>
  remark('timestamp-invalid', `${subject} is of the future, or of an authority that is not trusted`)

/** `later`: the document timestamps after a signature; `covered`: the evidence that these cover. */
type LaterTimes = { later: ArchiveTime[]; covered: TrustMaterial | undefined }

/** Judges a signature at the earliest time that its own timestamps or later ones prove, or else at the time of receipt. */
function judgeTimed(
  signature: CheckedSignature,
  { later, covered, isNew }: LaterTimes & { isNew: boolean },
  material: TrustMaterial,
): CheckedSignature {
  const proofs = signature.tokens.map((token) => provenTime(token, material))
  const own = proofs.flatMap((proof) => proof ?? [])
  const [provenAt] = [...own, ...later].map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime())
  const timestamps = zip(signature.tokens, proofs).map(([{ at, certificate }, proof]) => ({
    at,
    authority: contentOf(certificate),
    trusted: proof !== undefined,
  }))
  const invalid = proofs.includes(undefined) ? [untrustedTime('a timestamp')] : []
  const timed = withProblems(withReport(signature, { provenAt, timestamps }), invalid)
  const judged = judgeSignature(timed, earlierOf(provenAt, material.policy.receivedAt), material, isNew)
  return withReport(judged, { level: decideLevel(judged, own, { later, covered }, material) })
}

/** Returns the earlier of the proven time and the time of receipt: the clock of a timestamp authority may be ahead. */
const earlierOf = (proven: Date | undefined, receivedAt: Date) => (proven && proven < receivedAt ? proven : receivedAt)

/** Determines the level of a signature. Without timestamps of its own, the first later one takes their place. */
function decideLevel(
  { report, path, signature }: CheckedSignature,
  own: ProvenTime[],
  { later, covered }: LaterTimes,
  material: TrustMaterial,
): SignatureLevel | undefined {
  const { intact, trusted, provenAt } = report
  // EN 319 142-1 §6.3: no level is without the reference to the certificate.
  if (!intact || signature?.signingCertificate === undefined) return undefined
  if (!provenAt) return 'B-B'
  const stamps = own.length ? own : later.slice(0, 1)
  const signed = { at: provenAt, path }
  if (!trusted || ![signed, ...stamps].every((each) => isProvenByItself(each, material))) return 'B-T'
  return covered && isProvenByItself(signed, covered) ? 'B-LTA' : 'B-LT'
}
