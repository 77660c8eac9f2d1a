import type { UploadReport } from '../../../contract/document-report.ts'
import { limits } from '../../../contract/limits.ts'
import type { CertificateContent } from '../../../pki/asn1/certificate.ts'
import { issuedFile } from '../../../pki/pades/pades-issued.ts'
import { prepareArchiveTimestamp, signerChains } from '../../../pki/pades/pades-long-term.ts'
import {
  type CertificateChain,
  type DocumentReport,
  type SignatureReport,
  distinctChains,
  openChains,
} from '../../../pki/pades/pades-report.ts'
import { coveredDigest } from '../../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../../pki/pades/pades-validate.ts'
import { appendValidationData } from '../../../pki/pades/pades-validation-data.ts'
import { PdfError } from '../../../pki/pdf/pdf-parser.ts'
import { decryptPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import type { Verification } from '../ports.ts'
import type { CheckTask, PdfTaskResult, TaskFiles, ChainsTask, ExtendTask } from './pdf-work.ts'

export async function checkFile(task: CheckTask, [file, issued]: TaskFiles): Promise<PdfTaskResult> {
  return { message: await check(task, file, issued) }
}

async function check(
  { password, signer, receivedAt, trust, forms }: CheckTask,
  bytes: Uint8Array,
  issued: Uint8Array | undefined,
): Promise<(Verification & { unproven?: ChainReply[] }) | { isUndecided: true }> {
  const report = await validatePdf(bytes, {
    ...trust,
    receivedAt,
    password,
    signer: { identifier: signer },
    issued: issued ? [issued, decryptPdf(issued, { password })].map(issuedFile) : forms,
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
  const reason = report.problems.map(({ code }) => unreadableReason(code)).find((found) => found !== undefined)
  if (reason) return { readable: false, reason }
  if (report.issued === 'undecided') return { isUndecided: true }
  return { readable: true, report: reportOf(report), unproven: chainReplies(openChains(report)) }
}

/** A path of certificates in base64, and the time at which they must have been valid. */
export type ChainReply = { path: string[]; at: string }

/** Returns one chain for each certificate, up to the number that the portal accepts. */
export const chainReplies = (all: CertificateChain[]): ChainReply[] =>
  distinctChains(all)
    .slice(0, limits.revocation.certificates)
    .map(({ path, at }) => ({ path: path.map((der) => Buffer.from(der).toString('base64')), at: at.toISOString() }))

type Unreadable = Extract<Verification, { readable: false }>['reason']

const unreadable = {
  'not-pdf': 'damaged',
  damaged: 'damaged',
  'stray-bytes': 'damaged',
  'too-large': 'damaged',
  encrypted: 'encrypted',
  'wrong-password': 'encrypted',
  'too-costly': 'too-costly',
} satisfies Record<string, Unreadable>

type ProblemCode = DocumentReport['problems'][number]['code']

const isUnreadable = (code: ProblemCode): code is keyof typeof unreadable => code in unreadable
const unreadableReason = (code: ProblemCode) => (isUnreadable(code) ? unreadable[code] : undefined)

function reportOf({ verdict, issued, problems, signatures }: DocumentReport): UploadReport {
  return {
    verdict,
    document: issued === 'same-bytes' || issued === 'same-content' ? issued : 'other',
    problems: problems.flatMap(({ code, severity }) => (isUnreadable(code) ? [] : [{ code, severity }])),
    signatures: signatures.map(foundOf),
  }
}

const commonName = (attributes: CertificateContent['subject'] | undefined) =>
  attributes?.find(({ name }) => name === 'CN')?.value ?? null

function foundOf(signature: SignatureReport): UploadReport['signatures'][number] {
  return {
    kind: signature.kind,
    signer: commonName(signature.signer?.subject),
    issuer: commonName(signature.signer?.issuer),
    intact: signature.intact,
    coversWholeDocument: signature.coversWholeDocument,
    trusted: signature.trusted,
    revocation: signature.revocation.status,
    claimedAt: instant(signature.claimedAt),
    provenAt: instant(signature.provenAt),
    level: signature.level ?? null,
    problems: signature.problems.map(({ code, severity }) => ({ code, severity })),
  }
}

/** Returns the instant in ISO 8601; null for a claimed time outside of the years 1 to 9999. */
function instant(at: Date | undefined): string | null {
  const year = at?.getUTCFullYear() ?? 0
  return at && year >= 1 && year <= 9999 ? at.toISOString() : null
}

/** Lists the certificate chains that prove the signatures of a file (R105). */
export async function listChains(_: ChainsTask, [bytes]: TaskFiles): Promise<PdfTaskResult> {
  return refusedWhenUnreadable(() => {
    const { newest, earlier } = signerChains(bytes)
    return { message: { newest: chainReplies(newest), earlier: chainReplies(earlier) } }
  })
}

/** Appends validation data and, if requested, an open archive timestamp (R105, R106). */
export async function extendFile({ data, isArchived }: ExtendTask, [bytes]: TaskFiles): Promise<PdfTaskResult> {
  return refusedWhenUnreadable(() => {
    if (!isArchived) return { message: { extended: true }, file: appendValidationData(bytes, data) }
    const prepared = prepareArchiveTimestamp(bytes, data)
    const digest = Buffer.from(coveredDigest(prepared)).toString('hex')
    return { message: { extended: true, gap: prepared.gap, digest }, file: prepared.bytes }
  })
}

function refusedWhenUnreadable(work: () => PdfTaskResult): PdfTaskResult {
  try {
    return work()
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return { message: { extended: false } }
    throw error
  }
}
