import { hash } from 'node:crypto'
import { readCertificate } from './certificate.ts'
import { findPath, type TrustPurpose } from './certificate-path.ts'
import { CmsError, verifyDetached, type VerifiedSignature } from './cms-read.ts'
import { coverageOf, type Coverage } from './pades-coverage.ts'
import type { FileDigests } from './pades-digest.ts'
import type { CertificateChain, Problem, SignatureProblem, SignatureReport, ValidationPolicy } from './pades-report.ts'
import { signerProblems } from './pades-signer.ts'
import type { ValidationData } from './pades-validation-data.ts'
import { certificatePool, type PathCertificate } from './path-certificate.ts'
import type { Change } from './pdf-changes.ts'
import type { Pdf } from './pdf-read.ts'
import { nameOf, readPdfDate } from './pdf-value.ts'
import type { FoundSignature } from './pdf-signature-fields.ts'
import { revocationStatus, type RevocationStatus } from './revocation-status.ts'
import { verifyTimestamp, type VerifiedTimestamp } from './timestamp-token.ts'

/** What the cryptography of a signature gave, before anybody is trusted. */
export type CheckedSignature = {
  found: FoundSignature
  report: SignatureReport
  coverage: Coverage | undefined
  signature: VerifiedSignature | undefined
  /** A document timestamp's own token, or the tokens over the signature value. */
  tokens: VerifiedTimestamp[]
  /** From the signer to an anchor; empty until one is found. */
  path: PathCertificate[]
}

const formats = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached', 'ETSI.RFC3161'])

/** Steps 6 to 8: coverage, message, tokens and later changes of one signature. Throws PdfError for a file that is damaged. */
export function checkSignatureField(
  pdf: Pdf,
  found: FoundSignature,
  digests: FileDigests,
  changesSince: (revision: number) => Change[],
): CheckedSignature {
  const { dictionary } = found
  const format = nameOf(pdf.resolve(dictionary?.get('SubFilter')))
  const problems: Problem<SignatureProblem>[] = []
  const report: SignatureReport = {
    kind: format === 'ETSI.RFC3161' ? 'document-timestamp' : 'signature',
    fields: found.fields.map(({ name }) => name),
    intact: false,
    coversWholeDocument: false,
    revision: undefined,
    changes: [],
    signer: undefined,
    trusted: false,
    path: [],
    revocation: { status: 'unknown' },
    claimedAt: readPdfDate(pdf.resolve(dictionary?.get('M'))),
    provenAt: undefined,
    level: undefined,
    problems,
  }
  const none = { found, report, coverage: undefined, signature: undefined, tokens: [], path: [] }
  const refuse = (code: SignatureProblem, detail: string) => problems.push({ code, severity: 'refuse', detail })
  const remark = (code: SignatureProblem, detail: string) => problems.push({ code, severity: 'remark', detail })

  const coverage = coverageOf(pdf, found)
  if (found.fields.length > 1) refuse('shared-field', 'two fields lead to one signature')
  if ('problem' in coverage) {
    refuse(coverage.problem, coverage.detail)
    return none
  }
  if (!format || !formats.has(format)) {
    refuse('signature-format', `signatures of the kind ${format ?? '(none)'} are not known`)
    return none
  }
  const newest = pdf.revisions.length - 1
  report.revision = coverage.revision
  report.coversWholeDocument = coverage.revision === newest
  if (!coverage.padded) remark('padding', 'there are bytes behind the message')

  const digestOf = digests.ofCoverage(coverage)
  let signature: VerifiedSignature | undefined
  const tokens: VerifiedTimestamp[] = []
  try {
    if (report.kind === 'document-timestamp') tokens.push(verifyTimestamp(coverage.message, digestOf))
    else signature = verifyDetached(coverage.message, digestOf)
    report.intact = problems.every(({ severity }) => severity !== 'refuse')
    report.signer = contentOf((signature ?? tokens[0])!.certificate)
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    refuse(error.code, error.message)
  }
  for (const token of signature?.timestamps.slice(0, mostTokens) ?? [])
    tokens.push(...tokenOver(token, signature!.signature, remark))
  report.changes = changesSince(coverage.revision)
  const bad = report.changes.find(({ allowed }) => !allowed)
  if (bad) refuse('changed-after-signing', bad.detail)
  return { found, report, coverage, signature, tokens, path: [] }
}

const mostTokens = 5

function tokenOver(der: Uint8Array, signature: Uint8Array, remark: (code: SignatureProblem, detail: string) => void) {
  try {
    return [verifyTimestamp(der, digestOfBytes(signature))]
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    remark('timestamp-invalid', error.message)
    return []
  }
}

function contentOf({ der }: PathCertificate) {
  try {
    return readCertificate(der)
  } catch {
    return undefined
  }
}

export type TrustMaterial = {
  policy: ValidationPolicy
  pool: PathCertificate[]
  data: ValidationData
  /** What was looked for and not found. */
  unproven: CertificateChain[]
}

/** All certificates that paths may be built of; each is believed only because of who has signed it. */
export function trustMaterial(policy: ValidationPolicy, data: ValidationData): TrustMaterial {
  return { policy, data, pool: certificatePool([...(policy.intermediates ?? []), ...data.certificates]), unproven: [] }
}

/** Step 8: the time that a token proves, if its authority is believed and was not revoked. */
export function provenTime(token: VerifiedTimestamp, material: TrustMaterial) {
  const { path } = pathOf(token.certificate, token.certificates, 'timestamps', token.at, material)
  if (!path || statusOf(path, token.at, material).status === 'revoked') return undefined
  return token.at
}

/** Steps 9, 10 and 13 for a signature at the time that counts for it; the findings go into its report. */
export function judgeSignature(checked: CheckedSignature, at: Date, material: TrustMaterial, isNew: boolean) {
  const { report, signature } = checked
  if (!signature) return
  const { policy } = material
  const refuse = (code: SignatureProblem, detail: string) => report.problems.push({ code, severity: 'refuse', detail })
  const { path, problem } = pathOf(
    signature.certificate,
    signature.certificates,
    isNew ? 'signatures' : 'seals',
    at,
    material,
  )
  if (problem) refuse(problem, 'no path leads to a trusted certificate')
  if (path) {
    report.trusted = true
    checked.path = path
    report.path = path.map(({ der }) => der)
    report.revocation = statusOf(path, at, material)
    if (report.revocation.status === 'revoked')
      refuse('revoked', 'a certificate was revoked before the time that counts')
    else if (report.revocation.status === 'unknown')
      report.problems.push({
        code: 'revocation-unknown',
        severity: policy.revocation === 'required' ? 'wait' : 'remark',
        detail: 'nothing says whether the certificates were good',
      })
  }
  const version = signature.signingCertificate
  if (version === undefined)
    report.problems.push({
      code: 'signing-certificate-missing',
      severity: policy.signingCertificate === 'any' ? 'remark' : 'refuse',
      detail: 'no signed attribute names the certificate',
    })
  else if (version === 1)
    report.problems.push({
      code: 'signing-certificate-weak',
      severity: policy.signingCertificate === 'v2' ? 'refuse' : 'remark',
      detail: 'the certificate is named by SHA-1',
    })
  if (isNew && report.signer) report.problems.push(...signerProblems(report.signer, policy))
}

function pathOf(
  certificate: PathCertificate,
  carried: PathCertificate[],
  purpose: TrustPurpose,
  at: Date,
  { policy, pool }: TrustMaterial,
) {
  return findPath(certificate, { pool: [...carried, ...pool], anchors: policy.anchors, purpose, at })
}

/** The worst status of the path's certificates; the anchor's own comes from whoever has made it one. */
function statusOf(path: PathCertificate[], at: Date, { policy, data, unproven }: TrustMaterial): RevocationStatus {
  const evidence = {
    ocsps: [...data.ocsps, ...(policy.ocsps ?? [])],
    crls: [...data.crls, ...(policy.crls ?? [])],
    ...(policy.responders && { responders: policy.responders }),
  }
  const all = path.slice(0, -1).map((one, index) => revocationStatus(one, path[index + 1]!, at, evidence))
  for (const [index, { status }] of all.entries())
    if (status === 'unknown') unproven.push({ path: path.slice(index).map(({ der }) => der), at })
  return (
    all.find(({ status }) => status === 'revoked') ??
    all.find(({ status }) => status === 'unknown') ?? { status: 'good' }
  )
}

/** Whether what the file itself holds is enough to know that its signer was good, which is level B-LT. */
export function isProvenByItself(path: PathCertificate[], at: Date, { policy, data }: TrustMaterial) {
  const alone = { ocsps: data.ocsps, crls: data.crls, ...(policy.responders && { responders: policy.responders }) }
  return path.slice(0, -1).every((one, index) => revocationStatus(one, path[index + 1]!, at, alone).status === 'good')
}

function digestOfBytes(bytes: Uint8Array) {
  return (name: string) => hash(name, bytes, 'buffer')
}

/** For the order of signatures: those that cover less come first. */
export const coveredEnd = ({ dictionary }: FoundSignature) => {
  const range = dictionary?.get('ByteRange')
  const [, , next, rest] = Array.isArray(range) ? range : []
  return typeof next === 'number' && typeof rest === 'number' ? next + rest : Infinity
}
