import type { Readable } from 'node:stream'
import * as z from 'zod/mini'
import type { SignatureFound, SignatureProblem, UploadReport } from '../../contract/document-report.ts'
import { callOut } from './outgoing.ts'
import type { VerificationPort, VerificationRequest } from './ports.ts'

/**
 * EU DSS beside our own validator (DSS cookbook, REST validation service): DSS says whom to believe, by the trusted lists
 * that it keeps, and asks the authorities about revocations. Whose document it is, whether these are our bytes, who signs
 * and what else is in the file is judged by us, and what we refuse for that it is not asked about.
 */
export function verificationByDss(
  own: VerificationPort,
  { url, timeoutMs = 20_000 }: { url: string; timeoutMs?: number },
): VerificationPort {
  const target = new URL(`${url.replace(/\/$/, '')}/services/rest/validation/validateSignature`)
  return {
    async verify(request) {
      const judged = await own.verify(request)
      if (typeof judged === 'string' || !judged.readable) return judged
      const rest = withoutTrust(judged.report)
      if (rest.verdict === 'refused') return { readable: true, report: judged.report }
      // DSS takes no password for what was signed on the encrypted file: the provider looks.
      if (await isLocked(request)) return { readable: true, report: believed(rest, [unasked]) }
      const said = await ask(target, request, timeoutMs).catch(() => undefined)
      // One verdict for each signature, or it is not this file that was judged.
      if (said?.length !== rest.signatures.filter(({ kind }) => kind === 'signature').length) return 'unreachable'
      return { readable: true, report: believed(rest, said) }
    },
  }
}

const unasked: Said = { Indication: 'INDETERMINATE' }

/** What DSS knows better: it has the lists. */
const ofTrust = new Set<SignatureProblem>([
  'path-untrusted',
  'path-expired',
  'path-not-authority',
  'path-constrained',
  'path-weak',
  'revocation-unknown',
  'not-qualified',
])

function withoutTrust(report: UploadReport): UploadReport {
  const signatures = report.signatures.map((one) => ({
    ...one,
    problems: one.problems.filter(({ code }) => !ofTrust.has(code)),
  }))
  return { ...report, signatures, verdict: verdictOf({ ...report, signatures }) }
}

function verdictOf({ problems, signatures }: Pick<UploadReport, 'problems' | 'signatures'>): UploadReport['verdict'] {
  const severities = new Set(
    [...problems, ...signatures.flatMap((one) => one.problems)].map(({ severity }) => severity),
  )
  return severities.has('refuse') ? 'refused' : severities.has('wait') ? 'pending' : 'accepted'
}

type Found = SignatureFound['problems'][number]

/** EN 319 102-1 §5.1.3; undefined for TOTAL-PASSED. Whatever is not known to be for good is left to the provider. */
function problemOf({ Indication, SubIndication }: Said): Found | undefined {
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
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE: 'path-untrusted',
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

/** The worst that was said of one counts for all: DSS and we need not list them in one order. */
function believed(report: UploadReport, said: Said[]): UploadReport {
  const found = said.map(problemOf).filter((one) => one !== undefined)
  const worst = found.find(({ severity }) => severity === 'refuse') ?? found[0]
  // Signatures are in the order of what they cover, and only one is new.
  const newest = report.signatures.findLast(({ kind }) => kind === 'signature')
  const unqualified = qualificationProblem(said)
  const signatures = report.signatures.map((one): SignatureFound => {
    if (one.kind !== 'signature') return one
    const problems = [worst, one === newest ? unqualified : undefined].filter((problem) => problem !== undefined)
    return {
      ...one,
      trusted: !worst || worst.severity === 'wait',
      revocation: worst ? (worst.code === 'revoked' ? 'revoked' : 'unknown') : 'good',
      problems: [...one.problems, ...problems],
    }
  })
  return { ...report, signatures, verdict: verdictOf({ ...report, signatures }) }
}

/**
 * R103: whether a signature is a qualified one is for DSS to say, by the trusted lists (ETSI TS 119 615 §4.6). Where it
 * does not know, or speaks of several, the provider looks.
 */
function qualificationProblem(said: Said[]): Found | undefined {
  const levels = said.map(({ SignatureLevel }) => SignatureLevel?.value ?? 'N/A')
  if (levels.every((level) => level === 'QESig')) return undefined
  const isOpen = levels.length > 1 || /^(?:Indeterminate|N\/A|Unknown)/.test(levels[0]!)
  return { code: 'not-qualified', severity: isOpen ? 'wait' : 'refuse' }
}

const Said = z.object({
  Indication: z.enum(['TOTAL_PASSED', 'TOTAL_FAILED', 'INDETERMINATE']),
  SubIndication: z.nullish(z.string()),
  SignatureLevel: z.nullish(z.object({ value: z.string() })),
})
type Said = z.infer<typeof Said>

/** The part that is needed of WSReportsDTO; DSS from 6 on has given its list another name. */
const tokens = z.array(z.object({ Signature: z.nullish(Said) }))
const Reports = z.object({
  SimpleReport: z.object({
    DocumentName: z.string(),
    SignaturesCount: z.int(),
    signatureOrTimestamp: z.optional(tokens),
    signatureOrTimestampOrEvidenceRecord: z.optional(tokens),
  }),
})

async function ask(target: URL, request: VerificationRequest, timeoutMs: number): Promise<Said[]> {
  const { content, bytes } = await request.file()
  // Not the customer's name for it, and one by which an answer to another question is known.
  const name = `${crypto.randomUUID()}.pdf`
  const [head, tail] = JSON.stringify({
    signedDocument: { bytes: '|', digestAlgorithm: null, name },
    originalDocuments: null,
    policy: null,
    evidenceRecords: null,
    tokenExtractionStrategy: 'NONE',
    signatureId: null,
  }).split('|') as [string, string]
  const { status, body } = await callOut({
    url: target,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: {
      content: base64Between(head, content, tail),
      bytes: head.length + Math.ceil(bytes / 3) * 4 + tail.length,
    },
    timeoutMs,
    maxBytes: 16 * 1024 * 1024,
  })
  if (status !== 200) throw new Error(`DSS answers ${status}`)
  const { SimpleReport: report } = Reports.parse(JSON.parse(body))
  const listed = report.signatureOrTimestampOrEvidenceRecord ?? report.signatureOrTimestamp ?? []
  const said = listed.map(({ Signature }) => Signature).filter((one) => one !== null && one !== undefined)
  if (report.DocumentName !== name || report.SignaturesCount !== said.length) throw new Error('DSS answers otherwise')
  return said
}

/** Whether a trailer says so; a file that only pretends to be is left to the provider as well. */
async function isLocked({ file }: VerificationRequest): Promise<boolean> {
  const { content } = await file()
  const sign = Buffer.from('/Encrypt')
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of content as AsyncIterable<Buffer>) {
    const seen = Buffer.concat([rest, part])
    if (seen.includes(sign)) return true
    rest = seen.subarray(-sign.length)
  }
  return false
}

/** In pieces, so that ten megabytes are never here as a whole (R42). */
async function* base64Between(head: string, content: Readable, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of content as AsyncIterable<Buffer>) {
    const whole = Buffer.concat([rest, part])
    const end = whole.length - (whole.length % 3)
    yield Buffer.from(whole.toString('base64', 0, end))
    rest = whole.subarray(end)
  }
  yield Buffer.from(rest.toString('base64') + tail)
}
