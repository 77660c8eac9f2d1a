import { digest } from '#runtime'
import { findPath, type TrustPurpose, type TrustDoubt } from '../asn1/certificate-path.ts'
import { readCertificate, type CertificateContent } from '../asn1/certificate.ts'
import { claimedCertificate, CmsError, verifyDetached, type VerifiedSignature } from '../asn1/cms-read.ts'
import { berLength, isFuture } from '../asn1/der.ts'
import { certificatePool, type PathCertificate } from '../asn1/path-certificate.ts'
import {
  needsNewerEvidence,
  satisfiesLongTerm,
  revocationStatus,
  type RevocationEvidence,
  type RevocationStatus,
} from '../asn1/revocation-status.ts'
import { isSuspended } from '../asn1/suspended-status.ts'
import { fromHex } from '../bytes.ts'
import type { Pdf } from '../pdf/pdf-read.ts'
import { repairDifference } from '../pdf/pdf-reader-differences.ts'
import type { Change } from '../pdf/pdf-revision-comparison.ts'
import type { FoundSignature } from '../pdf/pdf-signature-fields.ts'
import { nameOf, readPdfDate } from '../pdf/pdf-value.ts'
import { verifyTimestamp, type VerifiedTimestamp } from '../timestamps/timestamp-token.ts'
import { zip } from '../zip.ts'
import { findCoverage, type Coverage, type FileDigests } from './pades-coverage.ts'
import type {
  DocumentReport,
  SignatureProblem,
  SignatureReport,
  ValidationPolicy,
  CodedProblem,
} from './pades-report.ts'
import type { ValidationData } from './pades-validation-data.ts'

/** The result of the cryptographic checks of a signature, before trust is checked. */
export type CheckedSignature = {
  found: FoundSignature
  report: SignatureReport
  coverage: Coverage | undefined
  signature: VerifiedSignature | undefined
  /** The token of a document timestamp, or the tokens over the signature value. */
  tokens: VerifiedTimestamp[]
  /** The path from the signer to an anchor; empty until found. */
  path: PathCertificate[]
}

const formats = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached', 'ETSI.RFC3161'])

/** Checks the coverage, message, tokens and later changes of one signature. Throws PdfError for a damaged file. */
export function checkSignatureField(
  pdf: Pdf,
  found: FoundSignature,
  digests: FileDigests,
  changesSince: (revision: number) => Change[],
): CheckedSignature {
  const { dictionary } = found
  const format = nameOf(pdf.resolve(dictionary?.get('SubFilter')))
  const report = freshReport(found, format, readPdfDate(pdf.resolve(dictionary?.get('M'))))
  const { problems } = report
  const none = { found, report, coverage: undefined, signature: undefined, tokens: [], path: [] }
  const refuse = (code: SignatureProblem, detail: string) => problems.push({ code, severity: 'refuse', detail })
  const remark = (code: SignatureProblem, detail: string) => problems.push({ code, severity: 'remark', detail })

  const coverage = findCoverage(pdf, found)
  if (found.fields.length > 1) refuse('shared-field', 'two fields lead to one signature')
  if ('problem' in coverage) {
    refuse(coverage.problem, coverage.detail)
    return none
  }
  if (!format || !formats.has(format)) {
    refuse('signature-format', `signatures of the format ${format ?? '(none)'} are not supported`)
    return none
  }
  const newest = pdf.revisions.length - 1
  report.revision = coverage.revision
  report.end = coverage.end
  report.coversWholeDocument = coverage.revision === newest
  if (!coverage.padded) remark('padding', 'there are bytes after the message')

  const digestOf = digests.ofCoverage(coverage)
  let signature: VerifiedSignature | undefined
  const tokens: VerifiedTimestamp[] = []
  try {
    if (report.kind === 'document-timestamp') {
      const token = verifyTimestamp(coverage.message, digestOf)
      tokens.push(token)
      report.signer = contentOf(token.certificate)
      report.digest = token.digest
    } else {
      signature = verifyDetached(coverage.message, digestOf, () => digests.dataOf(coverage))
      report.signer = contentOf(signature.certificate)
      report.digest = signature.digest
      for (const token of signature.timestamps.slice(0, maxTokens))
        tokens.push(...tokenOver(token, signature.signature, remark))
    }
    report.intact = problems.every(({ severity }) => severity !== 'refuse')
    if (signature?.isBare) refuse('cms-bare', 'there are no signed attributes')
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    refuse(error.code, error.message)
  }
  report.changes = changesSince(coverage.revision)
  // Whether a form could be filled in, pades-permissions.ts judges.
  const forbidden = report.changes.find(({ isAllowed, kind }) => !isAllowed && kind !== 'filling')
  // A reader that repairs the file would show what nobody has signed (R98).
  const difference = forbidden?.detail ?? repairDifference(pdf, coverage.revision + 1)
  if (difference) refuse('changed-after-signing', difference)
  return { found, report, coverage, signature, tokens, path: [] }
}

function freshReport(
  { fields }: FoundSignature,
  format: string | undefined,
  claimedAt: SignatureReport['claimedAt'],
): SignatureReport {
  return {
    kind: format === 'ETSI.RFC3161' ? 'document-timestamp' : 'signature',
    fields: fields.map(({ name }) => name),
    intact: false,
    coversWholeDocument: false,
    revision: undefined,
    end: undefined,
    changes: [],
    signer: undefined,
    claimedSigner: undefined,
    trusted: false,
    path: [],
    doubts: [],
    revocation: { status: 'unknown' },
    revocations: [],
    digest: undefined,
    claimedAt,
    provenAt: undefined,
    timestamps: [],
    level: undefined,
    problems: [],
  }
}

/** Reads the certificate of an unverified signature from its message, wherever that is. */
export function claimedSignerOf({ bytes }: Pdf, { contents }: FoundSignature): SignatureReport['claimedSigner'] {
  const message = contents && fromHex(bytes.subarray(contents.start + 1, contents.end - 1))
  const certificate = message && claimedCertificate(message.subarray(0, Math.max(0, berLength(message))))
  return certificate && contentOf(certificate)
}

const maxTokens = 5

function tokenOver(der: Uint8Array, signature: Uint8Array, remark: (code: SignatureProblem, detail: string) => void) {
  try {
    return [verifyTimestamp(der, digestOfBytes(signature))]
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    remark('timestamp-invalid', error.message)
    return []
  }
}

export function contentOf({ der }: PathCertificate) {
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
} & Pick<DocumentReport, 'unproven' | 'outdated'>

/** Collects the certificates for path building, which are trusted only through their issuers. */
export function trustMaterial(policy: ValidationPolicy, data: ValidationData): TrustMaterial {
  const pool = certificatePool([...(policy.intermediates ?? []), ...data.certificates])
  return { policy, data, pool, unproven: [], outdated: [] }
}

/**
 * A time that a trusted timestamp proves, with the path of its authority, and what is known of each certificate that
 * has an issuer in it.
 */
export type ProvenTime = { at: Date; path: PathCertificate[]; revocations: RevocationStatus[] }

/** Returns the time that a token proves, if its authority is trusted and was not revoked. */
export function provenTime(token: VerifiedTimestamp, material: TrustMaterial): ProvenTime | undefined {
  const { at } = token
  if (isFuture(at, material.policy.receivedAt)) return undefined
  const { path } = pathOf(token, 'timestamps', at, material)
  if (!path) return undefined
  const revocations = statusesIn(path, at, material, undefined)
  return worstOf(revocations).status === 'revoked' ? undefined : { at, path, revocations }
}

type FoundProblem = CodedProblem<SignatureProblem>

/** Checks whether the certificate is suitable and identifies the required signer (EN 319 412-1 §5, 412-5 §4). */
export function signerProblems(
  signer: CertificateContent,
  { qualified, signer: required }: Pick<ValidationPolicy, 'qualified' | 'signer'>,
  doubts: readonly TrustDoubt[] = [],
): FoundProblem[] {
  const problems: FoundProblem[] = []
  const refuse = (code: SignatureProblem, detail: string) => problems.push({ code, severity: 'refuse', detail })
  if (qualified) {
    // EN 319 412-2 §4.3.2: keys for binding signatures have nonRepudiation, possibly with other usages.
    if (!signer.keyUsage.includes('nonRepudiation')) refuse('key-usage', 'the key is not for binding signatures')
    const { compliance, types } = signer.qualified
    // EN 319 412-5 §4.2.3: a qualified certificate without a type is for signatures, unless its trust list may say otherwise.
    const isForSignatures = types.length ? types.includes('esign') : !doubts.includes('signatures')
    if (!compliance || !isForSignatures)
      refuse('not-qualified', 'the certificate is not a qualified one for electronic signatures')
  }
  if (required && identifierOf(signer) !== requiredIdentifier(required.identifier))
    refuse('other-signer', 'the certificate does not identify the person who should sign')
  return problems
}

/** Returns the identifier of a certificate's holder; undefined if the certificate identifies nobody or several people (R101). */
function identifierOf({ subject }: CertificateContent): string | undefined {
  const valuesOf = (attribute: string) => subject.filter(({ name }) => name === attribute).map(({ value }) => value)
  // A signer under a pseudonym must not be identified by other attributes.
  if (valuesOf('pseudonym').length > 0) return undefined
  const [number, secondNumber] = valuesOf('serialNumber')
  if (number === undefined || secondNumber !== undefined || number.length > longestNumber) return undefined
  const [country, secondCountry] = valuesOf('C')
  const isPolish = country?.toUpperCase() === 'PL' && secondCountry === undefined
  return personIdentifier(number, isPolish)
}

/** X.520 (10/2019) ub-serial-number. */
const longestNumber = 64

/** Normalises the identifier of the required signer: the portal identifies its customers by PESEL in any spelling. */
const requiredIdentifier = (text: string) => personIdentifier(text, true)

/**
 * Normalises the identifier of a person: `PNOPL-90010112345` (EN 319 412-1 §5.1.3), and in certificates with C=PL `PESEL: 90010112345`,
 * `PESEL 90010112345` or only the digits, as in older ones. Eleven digits of another country are not a PESEL (R101).
 */
export function personIdentifier(text: string, isPolish: boolean) {
  const compact = text.normalize('NFC').trim().toUpperCase()
  const pesel = isPolish ? /^(?:PESEL[: ]{0,2})?(\d{11})$/.exec(compact)?.[1] : undefined
  return pesel === undefined ? compact : `PNOPL-${pesel}`
}

/** Validates the path, the revocation statuses and the signer of a signature at its validation time; adds the problems to its report. */
export function judgeSignature(checked: CheckedSignature, at: Date, material: TrustMaterial, isNew: boolean) {
  const { report, signature } = checked
  if (!signature) return
  const { policy } = material
  const refuse = (code: SignatureProblem, detail: string) => report.problems.push({ code, severity: 'refuse', detail })
  const { path, doubts, problem } = pathOf(signature, purposeOf(checked, policy, isNew), at, material)
  if (problem) refuse(problem, 'no path leads to a trusted certificate')
  if (path) {
    report.trusted = true
    checked.path = path
    report.path = path.map(({ der }) => der)
    report.doubts = doubts
    report.revocations = statusesIn(path, at, material, report.revision)
    report.revocation = worstOf(report.revocations)
    if (report.revocation.status === 'revoked')
      refuse('revoked', 'a certificate was revoked before the validation time')
    else if (report.revocation.status === 'unknown')
      report.problems.push({
        code: 'revocation-unknown',
        severity: policy.revocation === 'required' ? 'wait' : 'remark',
        detail: 'there is no evidence whether the certificates were good',
      })
  }
  const version = signature.signingCertificate
  if (version === undefined)
    report.problems.push({
      code: 'signing-certificate-missing',
      severity: policy.signingCertificate === 'any' ? 'remark' : 'refuse',
      detail: 'there is no signing certificate reference',
    })
  else if (version === 1)
    report.problems.push({
      code: 'signing-certificate-weak',
      severity: policy.signingCertificate === 'v2' ? 'refuse' : 'remark',
      detail: 'the signing certificate reference uses SHA-1',
    })
  if (isNew && report.signer) report.problems.push(...signerProblems(report.signer, policy, report.doubts))
}

/**
 * Returns the purpose for which a signer must be trusted. Issued documents have seals; a new signature may be a seal only in a file of
 * anybody, without a required signer.
 */
const purposeOf = ({ report: { signer } }: CheckedSignature, policy: ValidationPolicy, isNew: boolean): TrustPurpose =>
  !isNew || (!policy.signer && signer?.qualified.types.includes('eseal')) ? 'seals' : 'signatures'

function pathOf(
  { certificate, certificates }: { certificate: PathCertificate; certificates: PathCertificate[] },
  purpose: TrustPurpose,
  at: Date,
  { policy, pool }: TrustMaterial,
) {
  return findPath(certificate, { pool: [...certificates, ...pool], anchors: policy.anchors, purpose, at })
}

/**
 * Returns the status of each certificate of the path except the anchor, which is trusted by configuration; records chains that need more
 * evidence.
 */
function statusesIn(
  path: PathCertificate[],
  at: Date,
  material: TrustMaterial,
  revision: number | undefined,
): RevocationStatus[] {
  const { policy, data, unproven, outdated } = material
  const evidence = {
    ocsps: [...data.ocsps, ...(policy.ocsps ?? [])],
    crls: [...data.crls, ...(policy.crls ?? [])],
    now: policy.receivedAt,
    ...(policy.responders && { responders: policy.responders }),
  }
  const statuses = statusesOf(path, at, evidence)
  for (const [index, status] of statuses.entries())
    if (needsNewerEvidence(status))
      (status.status === 'unknown' ? unproven : outdated).push({
        path: path.slice(index).map(({ der }) => der),
        at,
        revision,
      })
  return statuses
}

const worstOf = (statuses: RevocationStatus[]): RevocationStatus =>
  statuses.find((each) => each.status === 'revoked' && !isSuspended(each)) ??
  statuses.find(isSuspended) ??
  statuses.find(({ status }) => status === 'unknown') ?? { status: 'good' }

/** Returns the status of each certificate below the anchor. */
const statusesOf = (path: PathCertificate[], at: Date, evidence: RevocationEvidence) =>
  zip(path, path.slice(1)).map(([certificate, issuer]) => revocationStatus(certificate, issuer, at, evidence))

/** Checks whether the evidence in the file itself proves the certificates of a path good, which level B-LT needs for each path. */
export function isProvenByItself({ path, at }: Pick<ProvenTime, 'at' | 'path'>, { policy, data }: TrustMaterial) {
  const { responders, receivedAt: now } = policy
  const alone = { ocsps: data.ocsps, crls: data.crls, now, ...(responders && { responders }) }
  return zip(path, statusesOf(path, at, alone)).every(([certificate, status]) => satisfiesLongTerm(status, certificate))
}

const digestOfBytes = (bytes: Uint8Array) => (name: string) => digest(name, bytes)

/** Returns the end of the covered bytes, by which signatures are sorted. */
export const coveredEnd = ({ dictionary }: FoundSignature) => {
  const range = dictionary?.get('ByteRange')
  const [, , next, rest] = Array.isArray(range) ? range : []
  return typeof next === 'number' && typeof rest === 'number' ? next + rest : Infinity
}
