import { readSync, writeSync } from 'node:fs'
import { setPriority } from 'node:os'
import { deserialize } from 'node:v8'
import type { UploadReport } from '../contract/document-report.ts'
import type { CertificateContent } from '../pki/certificate.ts'
import { coveredDigest, prepareSignature } from '../pki/pades-sign.ts'
import { validatePdf } from '../pki/pades-validate.ts'
import type { DocumentReport, SignatureReport } from '../pki/pades-report.ts'
import type { PageComparison } from '../pki/page-comparison.ts'
import { nodeCipher, nodeInflate } from '../pki/pdf-cipher-node.ts'
import { openPdf } from '../pki/pdf-read.ts'
import { PdfError } from '../pki/pdf-parser.ts'
import { decryptPdf, encryptPdf } from '../pki/pdf-rewrite.ts'
import { signaturesOf } from '../pki/pdf-signature-fields.ts'
import { sha256 } from '../pki/signature-algorithm.ts'
import type { CheckTask, CompareTask, LockTask, PrepareTask, Task, Unlockable } from './pdf-work.ts'
import type { Verification } from './ports/ports.ts'

// Requests go before the reading of files on a busy machine.
setPriority(10)
// Whoever stops the portal means the portal: what is being read is read to its end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const tools = { cipher: nodeCipher, inflate: nodeInflate }
type Prepared = { prepared: true; gap: { start: number; end: number }; sha256: string; digest: string }
type Said = {
  said:
    | { locked: true }
    | { locked: false; why: Unlockable }
    | Verification
    | Prepared
    | { prepared: false }
    | { compared: PageComparison }
    | { fault: string }
  file?: Uint8Array
}

async function work(task: Task, [first, second]: Uint8Array[]): Promise<Said> {
  try {
    if (task.kind === 'check') return { said: await check(task, first!, second!) }
    if (task.kind === 'compare') return { said: await compare(task, first!, second!) }
    if (task.kind === 'prepare') return await prepare(task, first!)
    const file = await lock(task, first!)
    return typeof file === 'string' ? { said: { locked: false, why: file } } : { said: { locked: true }, file }
  } catch (error) {
    // Where, but not what: the message may hold some of the file (R86).
    const { name, stack = '' } = error as Error
    return { said: { fault: [name, ...stack.split('\n').filter((line) => /^ {4}at /.test(line))].join('\n') } }
  }
}

/** Says why of a file that cannot be locked: of one that is signed the signatures would not stay whole. */
async function lock({ password, owner }: LockTask, bytes: Uint8Array): Promise<Uint8Array | Unlockable> {
  try {
    if (signaturesOf(openPdf(bytes, { inflate: nodeInflate })).length) return 'signed'
    const file = await encryptPdf(bytes, { password, owner }, tools)
    return (await canBeSigned(await decryptPdf(file, { password }, tools))) ? file : 'not-signable'
  } catch (error) {
    if (error instanceof RangeError) return 'too-costly'
    if (!(error instanceof PdfError)) throw error
    return error.code === 'wrong-password' ? 'encrypted' : error.code
  }
}

/** Whether a signature finds its place and is then all that a check sees: else it would fail in the customer's hands (DOC-9). */
async function canBeSigned(plain: Uint8Array): Promise<boolean> {
  const { bytes } = prepareSignature(plain, { field: 'Sygnet 00000000', signer: '', reason: '', at: new Date(0) })
  const { issued, problems } = await validatePdf(bytes, {
    issued: [plain],
    anchors: [],
    receivedAt: new Date(0),
    revocation: 'not-required',
    signingCertificate: 'any',
    qualified: false,
  })
  return issued === 'same-bytes' && problems.length === 0
}

/** Not prepared: a file that cannot be signed, damaged or with a form that has no place for it. */
async function prepare({ password, field }: PrepareTask, bytes: Uint8Array): Promise<Said> {
  try {
    const plain = password === undefined ? bytes : await decryptPdf(bytes, { password }, tools)
    const prepared = prepareSignature(plain, field)
    const digest = hex(coveredDigest(prepared))
    return { said: { prepared: true, gap: prepared.gap, sha256: hex(sha256(plain)), digest }, file: prepared.bytes }
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return { said: { prepared: false } }
    throw error
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function check(
  { password, signer, receivedAt, trust }: CheckTask,
  bytes: Uint8Array,
  issued: Uint8Array,
): Promise<Verification> {
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

/** The readers of others are loaded with the first file that is compared. */
async function compare({ password, reader }: CompareTask, received: Uint8Array, issued: Uint8Array) {
  const { comparePages } = await import('../pki/page-comparison.ts')
  return { compared: await comparePages({ issued, received, password }, reader) }
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

/** Waits for so many bytes; the portal that has gone leaves nothing to do. */
function take(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length;) {
    const count = readSync(0, bytes, at, length - at, null)
    if (count === 0) process.exit()
    at += count
  }
  return bytes
}

function give(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at)
}

function lengths(...sizes: number[]) {
  const bytes = Buffer.alloc(sizes.length * 4)
  for (const [i, size] of sizes.entries()) bytes.writeUInt32BE(size, i * 4)
  return bytes
}

give(Buffer.from([1]))
for (;;) {
  const { task, sizes } = deserialize(take(Buffer.from(take(4)).readUInt32BE())) as {
    task: Task
    sizes: number[]
  }
  const { said, file = new Uint8Array() } = await work(task, sizes.map(take))
  const words = Buffer.from(JSON.stringify(said))
  give(lengths(words.length, file.length))
  give(words)
  give(file)
}
