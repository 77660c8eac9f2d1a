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
import {
  refusal,
  remark,
  type DocumentReport,
  type FoundProblem,
  type SignatureReport,
  type ValidationPolicy,
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
  const format = formatOf(pdf, found)
  const shared = found.fields.length > 1 ? [refusal('shared-field', 'two fields lead to one signature')] : []
  const coverage = findCoverage(pdf, found)
  if ('problem' in coverage) return unread(pdf, found, [...shared, refusal(coverage.problem, coverage.detail)])
  if (!format || !formats.has(format)) {
    const detail = `signatures of the format ${format ?? '(none)'} are not supported`
    return unread(pdf, found, [...shared, refusal('signature-format', detail)])
  }
  const { isVerified, signature, tokens, problems } = checkMessage(format, coverage, digests)
  const signed = signature ?? tokens[0]
  const signer = signed && contentOf(signed.certificate)
  const changes = changesSince(coverage.revision)
  const report: SignatureReport = {
    ...emptyReport(pdf, found),
    revision: coverage.revision,
    end: coverage.end,
    coversWholeDocument: coverage.revision === pdf.revisions.length - 1,
    signer,
    claimedSigner: signer ? undefined : claimedSignerOf(pdf, found),
    digest: signed?.digest,
    intact: isVerified && shared.length === 0,
    changes,
    problems: [
      ...shared,
      ...(coverage.isPadded ? [] : [remark('padding', 'there are bytes after the message')]),
      ...problems,
      ...changedAfter(pdf, coverage.revision, changes),
    ],
  }
  return { found, report, coverage, signature, tokens, path: [] }
}

/** Returns the result for a signature whose message cannot be found or has a format of others. */
const unread = (pdf: Pdf, found: FoundSignature, problems: FoundProblem[]): CheckedSignature => ({
  found,
  report: { ...emptyReport(pdf, found), claimedSigner: claimedSignerOf(pdf, found), problems },
  coverage: undefined,
  signature: undefined,
  tokens: [],
  path: [],
})

const formatOf = (pdf: Pdf, { dictionary }: FoundSignature) => nameOf(pdf.resolve(dictionary?.get('SubFilter')))

function emptyReport(pdf: Pdf, found: FoundSignature): SignatureReport {
  const { fields, dictionary } = found
  return {
    kind: formatOf(pdf, found) === 'ETSI.RFC3161' ? 'document-timestamp' : 'signature',
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
    claimedAt: readPdfDate(pdf.resolve(dictionary?.get('M'))),
    provenAt: undefined,
    timestamps: [],
    level: undefined,
    problems: [],
  }
}

type CheckedMessage = Pick<CheckedSignature, 'signature' | 'tokens'> & {
  isVerified: boolean
  problems: FoundProblem[]
}

/** Verifies the message of a signature and the tokens over its value, or the token of a document timestamp. */
function checkMessage(format: string, coverage: Coverage, digests: FileDigests): CheckedMessage {
  const digestOf = digests.ofCoverage(coverage)
  try {
    if (format === 'ETSI.RFC3161') {
      const token = verifyTimestamp(coverage.message, digestOf)
      return { isVerified: true, signature: undefined, tokens: [token], problems: [] }
    }
    const signature = verifyDetached(coverage.message, digestOf, () => digests.dataOf(coverage))
    const over = signature.timestamps.slice(0, maxTokens).map((token) => tokenOver(token, signature.signature))
    const problems = over.flatMap((result) => ('problem' in result ? result.problem : []))
    return {
      isVerified: true,
      signature,
      tokens: over.flatMap((result) => ('token' in result ? result.token : [])),
      problems: signature.isBare ? [...problems, refusal('cms-bare', 'there are no signed attributes')] : problems,
    }
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    return { isVerified: false, signature: undefined, tokens: [], problems: [refusal(error.code, error.message)] }
  }
}

const maxTokens = 5

function tokenOver(der: Uint8Array, signature: Uint8Array): { token: VerifiedTimestamp } | { problem: FoundProblem } {
  try {
    return { token: verifyTimestamp(der, (name) => digest(name, signature)) }
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    return { problem: remark('timestamp-invalid', error.message) }
  }
}

/** Refuses changes after a signature; whether a form could be filled in, pades-permissions.ts judges. */
function changedAfter(pdf: Pdf, revision: number, changes: Change[]): FoundProblem[] {
  const forbidden = changes.find(({ isAllowed, kind }) => !isAllowed && kind !== 'filling')
  // A reader that repairs the file would show what nobody has signed (R98).
  const difference = forbidden?.detail ?? repairDifference(pdf, revision + 1)
  return difference ? [refusal('changed-after-signing', difference)] : []
}

/** Reads the certificate of an unverified signature from its message, wherever that is. */
function claimedSignerOf({ bytes }: Pdf, { contents }: FoundSignature): SignatureReport['claimedSigner'] {
  const message = contents && fromHex(bytes.subarray(contents.start + 1, contents.end - 1))
  const certificate = message && claimedCertificate(message.subarray(0, Math.max(0, berLength(message))))
  return certificate && contentOf(certificate)
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

/** Checks whether the certificate is suitable and identifies the required signer (EN 319 412-1 §5, 412-5 §4). */
export function signerProblems(
  signer: CertificateContent,
  { qualified, signer: required }: Pick<ValidationPolicy, 'qualified' | 'signer'>,
  doubts: readonly TrustDoubt[] = [],
): FoundProblem[] {
  const problems: FoundProblem[] = []
  if (qualified) {
    // EN 319 412-2 §4.3.2: keys for binding signatures have nonRepudiation, possibly with other usages.
    if (!signer.keyUsage.includes('nonRepudiation'))
      problems.push(refusal('key-usage', 'the key is not for binding signatures'))
    const { compliance, types } = signer.qualified
    // EN 319 412-5 §4.2.3: a qualified certificate without a type is for signatures, unless its trust list may say otherwise.
    const isForSignatures = types.length ? types.includes('esign') : !doubts.includes('signatures')
    if (!compliance || !isForSignatures)
      problems.push(refusal('not-qualified', 'the certificate is not a qualified one for electronic signatures'))
  }
  if (required && identifierOf(signer) !== requiredIdentifier(required.identifier))
    problems.push(refusal('other-signer', 'the certificate does not identify the person who should sign'))
  return problems
}

/** Returns the identifier of a certificate's holder; undefined if the certificate identifies nobody or several people (R101). */
function identifierOf({ subject }: CertificateContent): string | undefined {
  const valuesOf = (attribute: string) => subject.filter(({ name }) => name === attribute).map(({ value }) => value)
  // A signer under a pseudonym must not be identified by other attributes.
  if (valuesOf('pseudonym').length > 0) return undefined
  const [number, secondNumber] = valuesOf('serialNumber')
  if (number === undefined || secondNumber !== undefined || number.length > maxNumberLength) return undefined
  const [country, secondCountry] = valuesOf('C')
  const isPolish = country?.toUpperCase() === 'PL' && secondCountry === undefined
  return personIdentifier(number, isPolish)
}

/** X.520 (10/2019) ub-serial-number. */
const maxNumberLength = 64

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

/** Validates the path, the revocation statuses and the signer of a signature at its validation time. */
export function judgeSignature(
  checked: CheckedSignature,
  at: Date,
  material: TrustMaterial,
  isNew: boolean,
): CheckedSignature {
  const { report, signature } = checked
  if (!signature) return checked
  const { policy } = material
  const { path, doubts = [], problem } = pathOf(signature, purposeOf(checked, policy, isNew), at, material)
  const revocations = path ? statusesIn(path, at, material, report.revision) : []
  const revocation = path ? worstOf(revocations) : report.revocation
  const problems = [
    ...report.problems,
    ...(problem ? [refusal(problem, 'no path leads to a trusted certificate')] : []),
    ...(path ? revocationProblems(revocation, policy) : []),
    ...referenceProblems(signature, policy),
    ...(isNew && report.signer ? signerProblems(report.signer, policy, doubts) : []),
  ]
  const trust = { trusted: path !== undefined, path: path?.map(({ der }) => der) ?? [], doubts }
  return { ...checked, path: path ?? [], report: { ...report, ...trust, revocations, revocation, problems } }
}

function revocationProblems({ status }: RevocationStatus, policy: ValidationPolicy): FoundProblem[] {
  if (status === 'revoked') return [refusal('revoked', 'a certificate was revoked before the validation time')]
  if (status !== 'unknown') return []
  const severity = policy.revocation === 'required' ? 'wait' : 'remark'
  return [{ code: 'revocation-unknown', severity, detail: 'there is no evidence whether the certificates were good' }]
}

function referenceProblems({ signingCertificate }: VerifiedSignature, policy: ValidationPolicy): FoundProblem[] {
  if (signingCertificate === undefined) {
    const found = policy.signingCertificate === 'any' ? remark : refusal
    return [found('signing-certificate-missing', 'there is no signing certificate reference')]
  }
  if (signingCertificate !== 1) return []
  const found = policy.signingCertificate === 'v2' ? refusal : remark
  return [found('signing-certificate-weak', 'the signing certificate reference uses SHA-1')]
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

/** Returns the end of the covered bytes, by which signatures are sorted. */
export const coveredEnd = ({ dictionary }: FoundSignature) => {
  const range = dictionary?.get('ByteRange')
  const [, , next, rest] = Array.isArray(range) ? range : []
  return typeof next === 'number' && typeof rest === 'number' ? next + rest : Infinity
}
