import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { UploadReport } from '../../../contract/document-report.ts'
import { limits } from '../../../contract/limits.ts'
import type { SignerChains } from '../../../pki/pades/pades-long-term.ts'
import type { CertificateChain, KnownForm, ValidationPolicy } from '../../../pki/pades/pades-report.ts'
import type { PreparedPdf, SignatureField } from '../../../pki/pades/pades-sign.ts'
import type { ValidationData } from '../../../pki/pades/pades-validation-data.ts'
import type { PageComparison } from '../../../pki/pdf/page-comparison.ts'
import { ApiError } from '../api-error.ts'
import type { AlarmContext } from '../audit/alarms.ts'
import { readUpload } from '../files/stored-pdfs.ts'
import type { Verification } from '../ports.ts'
import type { Confinement } from './pdf-confinement.ts'
import { startPdfProcess, type ProcessAnswer, type Caps, type FileInTransit, type PdfProcess } from './pdf-process.ts'
import type { PreparedSignature } from './remote-signing.ts'

/** The trust anchors of the check, and known revocation data. */
export type Trust = Pick<ValidationPolicy, 'anchors' | 'intermediates' | 'ocsps' | 'crls' | 'responders'>

export type OpenTask = { kind: 'open' }

export type LockTask = { kind: 'lock'; password: string; owner: string }
export type CheckTask = {
  kind: 'check'
  password: string
  signer: string
  receivedAt: Date
  trust: Trust
  /** The hashes that identify the issued document if it is not passed along. */
  forms: KnownForm[]
}

/** A check with its files: the signed one, opened when the task starts, and the issued one, opened only if it is needed. */
export type CheckRequest = Omit<CheckTask, 'kind'> & Record<'file' | 'issued', () => Promise<FileInTransit>>

export type Checked = Verification & {
  /** Certificates without evidence of their revocation status, or with evidence from before the signature alone. */
  unproven?: CertificateChain[]
}

/** The task that adds an open signature to a file. */
export type PrepareTask = {
  kind: 'prepare'
  /** The password of an encrypted file, whose decrypted form is signed. */
  password?: string
  field: SignatureField
}

/** The task that checks whether an independent reader shows the same pages for both files (R107). */
export type CompareTask = { kind: 'compare'; password: string }

export type CompareRequest = Pick<CheckRequest, 'file' | 'issued' | 'password'>

/** The task that lists the certificate chains that prove a file's signatures, for long-term validation (R105). */
export type ChainsTask = { kind: 'chains' }
/** The task that appends validation data, and with `isArchived` an open archive timestamp. */
export type ExtendTask = { kind: 'extend'; data: ValidationData; isArchived: boolean }

/** The files of a task; all tasks have at least one. */
export type TaskFiles = [Uint8Array, ...Uint8Array[]]

/** The result of a task: the reply as JSON, whose schema is in this file, and a file if the task creates one. */
export type PdfTaskResult = { message: object; file?: Uint8Array }

export type PdfTask = OpenTask | LockTask | CheckTask | PrepareTask | CompareTask | ChainsTask | ExtendTask

/**
 * The work on PDFs from outside, in processes of their own with caps on time and memory, so that a hostile file affects no request
 * and has access to nothing (R46). A few files are read at a time; the others wait in the store (R42).
 */
export type PdfWork = {
  /** Returns the reason why a file cannot be opened; undefined if it can. Throws `PdfWorkBusy`. */
  open(bytes: Uint8Array): Promise<Unopenable | undefined>
  /** Encrypts a file with the password, or returns why it cannot be encrypted and signed later. Throws `PdfWorkBusy`. */
  lock(bytes: Uint8Array, secrets: { password: string; owner: string }): Promise<LockedFile | Unlockable>
  /** Checks a signed file. The result has some of the certificates without revocation data. Throws `PdfWorkBusy`. */
  check(request: CheckRequest): Promise<Checked>
  /** Checks whether an independent reader shows the same pages; `incomparable` at a cap. Throws `PdfWorkBusy`. */
  compare(request: CompareRequest): Promise<PageComparison>
  /** Adds an open signature (server/platform/pdf/remote-signing.ts); undefined if the file cannot be signed. Throws `PdfWorkBusy`. */
  prepare(
    read: () => Promise<{ bytes: Uint8Array; password?: string }>,
    field: SignatureField,
  ): Promise<PreparedSignature | undefined>
  /**
   * Reads the certificate chains of the signatures and timestamps; undefined if the file cannot be read or has no
   * timestamp. Throws `PdfWorkBusy`.
   */
  readChains(bytes: Uint8Array): Promise<SignerChains | undefined>
  /** Adds the validation data; undefined if that is not possible. Throws `PdfWorkBusy`. */
  extend(bytes: Uint8Array, data: ValidationData): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Adds the validation data and an open archive timestamp, and returns the digest of what it covers. Throws `PdfWorkBusy`. */
  prepareArchive(bytes: Uint8Array, data: ValidationData): Promise<PreparedArchive | undefined>
  /** Starts a process before the first file, and returns how it is confined. */
  start(): Promise<Confinement>
  close(): Promise<void>
}

export type LockedFile = {
  file: Uint8Array<ArrayBuffer>
  /** The decrypted form. */
  clear: KnownForm
}

export type PreparedArchive = PreparedPdf & {
  /** SHA-256 of everything that the archive timestamp covers. */
  digest: Uint8Array<ArrayBuffer>
}

class PdfWorkBusy extends Error {}

/** Waits for work on a file; returns `busy` if it was refused, because too many files wait. */
export const unlessBusy = <T, const B>(work: Promise<T>, busy: B): Promise<T | B> =>
  work.catch((error: unknown) => {
    if (error instanceof PdfWorkBusy) return busy
    throw error
  })

const parallelFiles = Math.max(1, availableParallelism() - 1)
/** The queue per process. Further files are refused, since they would wait longer than a request may last. */
const waitingPerProcess = 20
/** Time after which an idle process ends and is replaced, unless others are idle. */
const idleMs = 60_000

const usualCaps: Caps = { seconds: limits.documents.checkTimeout, megabytes: 640 }

export function openPdfWork(caps: Caps = usualCaps): PdfWork {
  const { run, start, close } = openProcesses(caps)
  const enqueue = openQueue()
  return {
    open: (bytes) =>
      enqueue(async () => {
        const message = Opened.safeParse((await run({ kind: 'open' }, [inTransit(bytes)]))?.message).data
        return message ? message.reason : 'too-costly'
      }),
    lock: (bytes, secrets) =>
      enqueue(async () => {
        const answer = await run({ kind: 'lock', ...secrets }, [inTransit(bytes)])
        const message = Locked.safeParse(answer?.message).data
        if (!answer || !message) return 'too-costly'
        return message.locked ? { file: answer.bytes, clear: message.clear } : message.reason
      }),
    check: ({ file, issued, ...request }) =>
      enqueue(async () => {
        const task = { kind: 'check' as const, ...request }
        const first = await run(task, [await file()])
        const isUndecided = Undecided.safeParse(first?.message).success
        const answer = isUndecided ? await run(task, [await file(), await issued()]) : first
        return Judged.safeParse(answer?.message).data ?? { readable: false, reason: 'too-costly' }
      }),
    compare: ({ file, issued, password }) =>
      enqueue(async () => {
        const answer = await run({ kind: 'compare', password }, [await file(), await issued()])
        return Compared.safeParse(answer?.message).data?.compared ?? 'incomparable'
      }),
    prepare: (read, field) =>
      enqueue(async () => {
        const { bytes, ...task } = await read()
        const answer = await run({ kind: 'prepare', ...task, field }, [inTransit(bytes)])
        const message = Prepared.safeParse(answer?.message).data
        if (!answer || !message?.prepared) return undefined
        const { gap, sha256, digest } = message
        return { bytes: answer.bytes, gap, sha256, digest: new Uint8Array(Buffer.from(digest, 'hex')) }
      }),
    readChains: (bytes) =>
      enqueue(async () => {
        const answer = await run({ kind: 'chains' }, [inTransit(bytes)])
        const message = Chains.safeParse(answer?.message).data
        return message && { newest: message.newest, earlier: message.earlier }
      }),
    extend: (bytes, data) =>
      enqueue(async () => {
        const answer = await run({ kind: 'extend', data, isArchived: false }, [inTransit(bytes)])
        return answer && Extended.safeParse(answer.message).data?.extended ? answer.bytes : undefined
      }),
    prepareArchive: (bytes, data) =>
      enqueue(async () => {
        const answer = await run({ kind: 'extend', data, isArchived: true }, [inTransit(bytes)])
        const message = Extended.safeParse(answer?.message).data
        if (!answer || !message?.extended || !message.gap) return undefined
        return { bytes: answer.bytes, gap: message.gap, digest: new Uint8Array(Buffer.from(message.digest, 'hex')) }
      }),
    start,
    close,
  }
}

/** Returns a function that runs work, one task at a time per process, in the order of arrival. It throws `PdfWorkBusy`. */
function openQueue() {
  const waiting: (() => void)[] = []
  let free = parallelFiles
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else if (waiting.length >= waitingPerProcess * parallelFiles) throw new PdfWorkBusy()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

function openProcesses(caps: Caps) {
  const idle = new Map<PdfProcess, NodeJS.Timeout>()
  const busy = new Set<PdfProcess>()
  /** A process started in advance. */
  let ahead: Promise<PdfProcess> | undefined
  let isClosed = false

  async function takeProcess(): Promise<PdfProcess> {
    for (const [process, timer] of idle) {
      clearTimeout(timer)
      idle.delete(process)
      if (!process.isGone()) return process
    }
    const started = startAhead()
    ahead = undefined
    const process = await started
    return process.isGone() ? startPdfProcess(caps) : process
  }

  function startAhead(): Promise<PdfProcess> {
    ahead ??= startPdfProcess(caps)
    // The caller that takes the process gets the error.
    ahead.catch(() => {})
    return ahead
  }

  function keep(process: PdfProcess) {
    if (isClosed) return process.end()
    if (process.isGone()) return restock()
    const timer = setTimeout(() => {
      idle.delete(process)
      void process.end()
      restock()
    }, idleMs)
    idle.set(process, timer.unref())
  }

  /** Starts a process in advance, so that the next file does not wait for it. */
  function restock() {
    if (!isClosed && !idle.size) void startAhead()
  }

  /** Runs a task in a process; undefined if the task hit a cap or crashed its process, which is gone then. */
  async function run(task: PdfTask, files: FileInTransit[]): Promise<ProcessAnswer | undefined> {
    const reader = await takeProcess()
    busy.add(reader)
    try {
      const answer = await reader.run(task, files)
      const fault = Fault.safeParse(answer?.message)
      if (fault.success) throw new Error(`The reading of a PDF failed: ${fault.data.fault}`)
      if (!answer && isClosed) throw new Error('The reading of PDFs was stopped.')
      return answer
    } finally {
      busy.delete(reader)
      await keep(reader)
    }
  }

  return {
    run,
    start: async () => (await startAhead()).confinement,
    async close() {
      isClosed = true
      for (const timer of idle.values()) clearTimeout(timer)
      const started = await ahead?.catch(() => undefined)
      await Promise.all([...idle.keys(), ...busy, ...(started ? [started] : [])].map((process) => process.end()))
    },
  }
}

const inTransit = (bytes: Uint8Array): FileInTransit => ({ content: Readable.from([bytes]), bytes: bytes.length })

// A process that has read a hostile file is not trusted: schemas check its answers.
const Fault = z.strictObject({ fault: z.string() })
const Unopenable = z.enum(['encrypted', 'damaged', 'too-costly'])
export type Unopenable = z.infer<typeof Unopenable>
const Opened = z.union([
  z.strictObject({ opened: z.literal(true), reason: z.optional(z.undefined()) }),
  z.strictObject({ opened: z.literal(false), reason: Unopenable }),
])
const Unlockable = z.enum([...Unopenable.options, 'signed', 'not-signable'])
export type Unlockable = z.infer<typeof Unlockable>
const hex = z.string().check(z.regex(/^[0-9a-f]{64}$/))
/** Length of a file, at most the largest integer of its database column. */
const length = z.int().check(z.positive(), z.maximum(2 ** 31 - 1))
const Locked = z.discriminatedUnion('locked', [
  z.strictObject({ locked: z.literal(true), clear: z.strictObject({ length, sha256: hex }) }),
  z.strictObject({ locked: z.literal(false), reason: Unlockable }),
])
const gap = z.strictObject({ start: z.int(), end: z.int() })
const Prepared = z.discriminatedUnion('prepared', [
  z.strictObject({ prepared: z.literal(false) }),
  z.strictObject({ prepared: z.literal(true), gap, sha256: hex, digest: hex }),
])
const der = z.pipe(
  z.base64().check(z.maxLength(16_384)),
  z.transform((base64) => new Uint8Array(Buffer.from(base64, 'base64'))),
)
const chains = z
  .array(
    z.strictObject({
      path: z.array(der).check(z.minLength(1), z.maxLength(limits.revocation.pathLength)),
      at: z.pipe(
        z.iso.datetime(),
        z.transform((at) => new Date(at)),
      ),
    }),
  )
  .check(z.maxLength(limits.revocation.certificates))
const Chains = z.strictObject({ newest: chains, earlier: chains })
const Extended = z.union([
  z.strictObject({ extended: z.literal(true), gap, digest: hex }),
  z.strictObject({ extended: z.boolean(), gap: z.optional(z.undefined()) }),
])
const Compared = z.strictObject({ compared: z.enum(['same', 'different', 'incomparable']) })
/** The file matches none of the known forms. */
const Undecided = z.strictObject({ isUndecided: z.literal(true) })
const Judged = z.discriminatedUnion('readable', [
  z.strictObject({ readable: z.literal(true), report: UploadReport, unproven: chains }),
  z.strictObject({ readable: z.literal(false), reason: Unopenable }),
])

/** Reads the provider's PDF into memory, and refuses it if it cannot be opened. */
export async function readUsablePdf(portal: AlarmContext & { pdfWork: PdfWork }, upload: Readable) {
  const bytes = await readUpload(portal, upload)
  const reason = await unlessBusy(portal.pdfWork.open(bytes), 'busy')
  if (reason === 'busy') throw new ApiError('busy')
  if (reason) throw new ApiError('pdf-unusable', { reason })
  return bytes
}
