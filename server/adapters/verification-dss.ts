import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import type { SignatureFound, SignatureProblem, UploadReport } from '../../contract/document-report.ts'
import { chunksOf } from '../platform/files/byte-streams.ts'
import type { VerificationPort, VerificationRequest } from '../platform/ports.ts'
import { callOut } from './outgoing.ts'

const targetOf = (url: string) => new URL(`${url.replace(/\/$/, '')}/services/rest/validation/validateSignature`)

/**
 * Adds EU DSS to our own validator (DSS cookbook, REST validation service). DSS decides about trust, by its trusted lists, and about
 * revocation. Our validator checks the document, its bytes, the signer and the rest of the file; DSS does not get files that it refuses.
 */
export function verificationByDss(
  own: VerificationPort,
  { url, timeoutMs = 20_000 }: { url: string; timeoutMs?: number },
): VerificationPort {
  const target = targetOf(url)
  return {
    async verify(request) {
      const judged = await own.verify(request)
      if (typeof judged === 'string' || !judged.readable) return judged
      const rest = withoutTrust(judged.report)
      if (rest.verdict === 'refused') return { readable: true, report: judged.report }
      // DSS accepts no password for files that were signed encrypted, so the provider decides.
      if (await mentionsEncrypt(request)) return { readable: true, report: withVerdicts(rest, [undetermined]) }
      const verdicts = await requestVerdicts(target, request, timeoutMs).catch(() => undefined)
      // Without one verdict per signature, DSS has checked another file.
      if (verdicts?.length !== rest.signatures.filter(({ kind }) => kind === 'signature').length) return 'unreachable'
      return { readable: true, report: withVerdicts(rest, verdicts) }
    },
  }
}

/** Checks whether DSS judges a document; it gets an empty page without a signature. */
export async function pingDss(url: string, timeoutMs = 20_000): Promise<boolean> {
  const file = async () => ({ content: Readable.from([emptyPage]), bytes: emptyPage.length })
  return requestVerdicts(targetOf(url), { file }, timeoutMs).then(
    (verdicts) => verdicts.length === 0,
    () => false,
  )
}

/** The smallest PDF with a page (ISO 32000-1 §7.5). */
const emptyPage = (() => {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = String(text.length).padStart(10, '0')
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${offset} 00000 n \n`
  })
  const size = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
  )
})()

const undetermined: DssVerdict = { Indication: 'INDETERMINATE' }

/** Problems that DSS decides about, by its lists. */
const trustProblems = new Set<SignatureProblem>([
  'path-untrusted',
  'path-expired',
  'path-not-granted',
  'path-not-authority',
  'path-constrained',
  'path-weak',
  'revocation-unknown',
  'not-qualified',
])

function withoutTrust(report: UploadReport): UploadReport {
  const signatures = report.signatures.map((signature) => ({
    ...signature,
    problems: signature.problems.filter(({ code }) => !trustProblems.has(code)),
  }))
  return { ...report, signatures, verdict: verdictOf({ ...report, signatures }) }
}

function verdictOf({ problems, signatures }: Pick<UploadReport, 'problems' | 'signatures'>): UploadReport['verdict'] {
  const severities = new Set(
    [...problems, ...signatures.flatMap((signature) => signature.problems)].map(({ severity }) => severity),
  )
  return severities.has('refuse') ? 'refused' : severities.has('wait') ? 'pending' : 'accepted'
}

type FoundProblem = SignatureFound['problems'][number]

/** Returns the problem of a verdict (EN 319 102-1 §5.1.3); undefined for TOTAL-PASSED. Anything that may change is left to the provider. */
function problemOf({ Indication, SubIndication }: DssVerdict): FoundProblem | undefined {
  if (Indication === 'TOTAL_PASSED') return undefined
  const refused: Record<string, SignatureProblem> = {
    FORMAT_FAILURE: 'signature-format',
    HASH_FAILURE: 'cms-digest',
    SIG_CRYPTO_FAILURE: 'cms-signature',
    SIG_CONSTRAINTS_FAILURE: 'cms-attributes',
    NO_SIGNING_CERTIFICATE_FOUND: 'cms-no-certificate',
    REVOKED: 'revoked',
    REVOKED_NO_POE: 'revoked',
    REVOKED_CA_NO_POE: 'revoked',
    EXPIRED: 'path-expired',
    OUT_OF_BOUNDS_NO_POE: 'path-expired',
    NOT_YET_VALID: 'path-expired',
    NO_CERTIFICATE_CHAIN_FOUND: 'path-untrusted',
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE: 'path-not-granted',
    CERTIFICATE_CHAIN_GENERAL_FAILURE: 'path-untrusted',
    CHAIN_CONSTRAINTS_FAILURE: 'path-constrained',
    CRYPTO_CONSTRAINTS_FAILURE: 'path-weak',
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'path-weak',
  }
  const code = refused[SubIndication ?? '']
  if (code) return { code, severity: 'refuse' }
  return Indication === 'INDETERMINATE'
    ? { code: 'revocation-unknown', severity: 'wait' }
    : { code: 'path-untrusted', severity: 'refuse' }
}

/** Adds the verdicts of DSS to a report. The worst one counts for all signatures, because DSS may list them in another order. */
function withVerdicts(report: UploadReport, verdicts: DssVerdict[]): UploadReport {
  const found = verdicts.map(problemOf).filter((problem) => problem !== undefined)
  const worst = found.find(({ severity }) => severity === 'refuse') ?? found[0]
  // Signatures are in the order of their coverage, and only one is new.
  const newest = report.signatures.findLast(({ kind }) => kind === 'signature')
  const unqualified = qualificationProblem(verdicts)
  const signatures = report.signatures.map((signature): SignatureFound => {
    if (signature.kind !== 'signature') return signature
    const problems = [worst, signature === newest ? unqualified : undefined].filter((problem) => problem !== undefined)
    return {
      ...signature,
      trusted: !worst || worst.severity === 'wait',
      revocation: worst ? (worst.code === 'revoked' ? 'revoked' : 'unknown') : 'good',
      problems: [...signature.problems, ...problems],
    }
  })
  return { ...report, signatures, verdict: verdictOf({ ...report, signatures }) }
}

/**
 * Returns the problem if a signature is not qualified, which DSS decides by the trusted lists (R103, ETSI TS 119 615 §4.6). If DSS does not
 * know, or there are several signatures, the provider decides.
 */
function qualificationProblem(verdicts: DssVerdict[]): FoundProblem | undefined {
  const levels = verdicts.map(({ SignatureLevel }) => SignatureLevel?.value ?? 'N/A')
  if (levels.every((level) => level === 'QESig')) return undefined
  const isOpen = levels.length > 1 || levels.some((level) => /^(?:Indeterminate|N\/A|Unknown)/.test(level))
  return { code: 'not-qualified', severity: isOpen ? 'wait' : 'refuse' }
}

const DssVerdict = z.object({
  Indication: z.enum(['TOTAL_PASSED', 'TOTAL_FAILED', 'INDETERMINATE']),
  SubIndication: z.nullish(z.string()),
  SignatureLevel: z.nullish(z.object({ value: z.string() })),
})
type DssVerdict = z.infer<typeof DssVerdict>

/** The needed part of WSReportsDTO; DSS 6 and later have another name for the list. */
const tokens = z.array(z.object({ Signature: z.nullish(DssVerdict) }))
const Reports = z.object({
  SimpleReport: z.object({
    DocumentName: z.string(),
    SignaturesCount: z.int(),
    signatureOrTimestamp: z.optional(tokens),
    signatureOrTimestampOrEvidenceRecord: z.optional(tokens),
  }),
})

async function requestVerdicts(
  target: URL,
  request: Pick<VerificationRequest, 'file'>,
  timeoutMs: number,
): Promise<DssVerdict[]> {
  const { content, bytes } = await request.file()
  // A random name instead of the customer's, to recognise an answer to another call.
  const name = `${crypto.randomUUID()}.pdf`
  const [head = '', tail = ''] = JSON.stringify({
    signedDocument: { bytes: '|', digestAlgorithm: null, name },
    originalDocuments: null,
    policy: null,
    evidenceRecords: null,
    tokenExtractionStrategy: 'NONE',
    signatureId: null,
  }).split('|')
  const { status, body } = await callOut({
    url: target,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: { content: base64Between(head, content, tail), bytes: head.length + Math.ceil(bytes / 3) * 4 + tail.length },
    timeoutMs,
    maxBytes: 16 * 1024 * 1024,
  })
  if (status !== 200) throw new Error(`DSS answers ${status}`)
  const { SimpleReport: report } = Reports.parse(JSON.parse(body))
  const listed = report.signatureOrTimestampOrEvidenceRecord ?? report.signatureOrTimestamp ?? []
  const verdicts = listed
    .map(({ Signature }) => Signature)
    .filter((verdict) => verdict !== null && verdict !== undefined)
  if (report.DocumentName !== name || report.SignaturesCount !== verdicts.length)
    throw new Error('DSS answered another call')
  return verdicts
}

/** Checks whether the file contains /Encrypt; if it is not really encrypted, the provider decides all the same. */
async function mentionsEncrypt({ file }: VerificationRequest): Promise<boolean> {
  const { content } = await file()
  const sign = Buffer.from('/Encrypt')
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of chunksOf(content)) {
    const seen = Buffer.concat([rest, part])
    if (seen.includes(sign)) return true
    rest = seen.subarray(-sign.length)
  }
  return false
}

/** Encodes chunk by chunk, so that ten megabytes are never in memory as a whole (R42). */
async function* base64Between(head: string, content: Readable, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of chunksOf(content)) {
    const whole = Buffer.concat([rest, part])
    const end = whole.length - (whole.length % 3)
    yield Buffer.from(whole.toString('base64', 0, end))
    rest = whole.subarray(end)
  }
  yield Buffer.from(rest.toString('base64') + tail)
}
