import { setPriority } from 'node:os'
import type { UploadReport } from '../contract/document-report.ts'
import type { CertificateContent } from '../pki/certificate.ts'
import { coveredDigest, prepareSignature } from '../pki/pades-sign.ts'
import { validatePdf } from '../pki/pades-validate.ts'
import type { DocumentReport, SignatureReport } from '../pki/pades-report.ts'
import { nodeCipher, nodeInflate } from '../pki/pdf-cipher-node.ts'
import { openPdf } from '../pki/pdf-read.ts'
import { PdfError } from '../pki/pdf-parser.ts'
import { decryptPdf, encryptPdf } from '../pki/pdf-rewrite.ts'
import { signaturesOf } from '../pki/pdf-signature-fields.ts'
import { sha256 } from '../pki/signature-algorithm.ts'
import type { CheckTask, LockTask, PrepareTask } from './pdf-work.ts'
import type { Verification } from './ports/ports.ts'
import type { PreparedSignature } from './remote-signing.ts'

// Requests go before the reading of files on a busy machine; on Linux a priority is a thread's own.
if (process.platform === 'linux') setPriority(10)

const tools = { cipher: nodeCipher, inflate: nodeInflate }

/** The work on PDFs from outside, in a thread of its own (R46). A file is never thrown at the caller: it is answered for. */
export function work(
  task: LockTask | CheckTask | PrepareTask,
): Promise<Uint8Array | undefined | Verification | PreparedSignature> {
  if (task.kind === 'lock') return lock(task)
  return task.kind === 'check' ? check(task) : prepare(task)
}

/** Undefined for a file that cannot be locked: encrypted, damaged, or signed, for its signatures would not stay whole. */
async function lock({ bytes, password, owner }: LockTask): Promise<Uint8Array | undefined> {
  try {
    if (signaturesOf(openPdf(bytes, { inflate: nodeInflate })).length) return undefined
    return await encryptPdf(bytes, { password, owner }, tools)
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Undefined for a file that cannot be signed: damaged, or with a form that has no place for it. */
async function prepare({ bytes, password, field }: PrepareTask): Promise<PreparedSignature | undefined> {
  try {
    const plain = password === undefined ? bytes : await decryptPdf(bytes, { password }, tools)
    const prepared = prepareSignature(plain, field)
    return { ...prepared, sha256: Buffer.from(sha256(plain)).toString('hex'), digest: coveredDigest(prepared) }
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return undefined
    throw error
  }
}

async function check({ bytes, issued, password, signer, receivedAt, trust }: CheckTask): Promise<Verification> {
  const plain = await decryptPdf(issued, { password }, tools)
  const report = await validatePdf(bytes, {
    ...trust,
    receivedAt,
    password,
    signer: { identifier: signer },
    issued: [issued, plain],
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
  const unread = report.problems.map(({ code }) => unreadable[code as keyof typeof unreadable]).find(Boolean)
  return unread ? { readable: false, why: unread } : { readable: true, report: reportOf(report) }
}

type Unreadable = Extract<Verification, { readable: false }>['why']

const unreadable = {
  'not-pdf': 'damaged',
  damaged: 'damaged',
  'too-large': 'damaged',
  encrypted: 'encrypted',
  'wrong-password': 'encrypted',
  'too-costly': 'too-costly',
} satisfies Record<string, Unreadable>

type ReadProblem = Exclude<DocumentReport['problems'][number]['code'], keyof typeof unreadable>

function reportOf({ verdict, issued, problems, signatures }: DocumentReport): UploadReport {
  return {
    verdict,
    document: issued === 'not-asked' ? 'other' : issued,
    problems: problems.map(({ code, severity }) => ({ code: code as ReadProblem, severity })),
    signatures: signatures.map(foundOf),
  }
}

const commonName = (attributes: CertificateContent['subject'] | undefined) =>
  attributes?.find(({ name }) => name === 'CN')?.value ?? null

function foundOf(one: SignatureReport): UploadReport['signatures'][number] {
  return {
    kind: one.kind,
    signer: commonName(one.signer?.subject),
    issuer: commonName(one.signer?.issuer),
    intact: one.intact,
    coversWholeDocument: one.coversWholeDocument,
    trusted: one.trusted,
    revocation: one.revocation.status,
    claimedAt: instant(one.claimedAt),
    provenAt: instant(one.provenAt),
    level: one.level ?? null,
    problems: one.problems.map(({ code, severity }) => ({ code, severity })),
  }
}

/** A claimed time may be any, and one that no instant can be is none. */
function instant(at: Date | undefined): string | null {
  const year = at?.getUTCFullYear()
  return year !== undefined && year >= 1 && year <= 9999 ? at!.toISOString() : null
}
