import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { UploadReport } from '../contract/document-report.ts'
import { limits } from '../contract/limits.ts'
import type { PageComparison, PageReaderName } from '../pki/page-comparison.ts'
import type { SignerChains } from '../pki/pades-long-term.ts'
import type { PreparedPdf, SignatureField } from '../pki/pades-sign.ts'
import type { CertificateChain, KnownForm, ValidationPolicy } from '../pki/pades-report.ts'
import type { ValidationData } from '../pki/pades-validation-data.ts'
import type { Confinement } from './pdf-confinement.ts'
import { startPdfProcess, type Answer, type Caps, type FileInTransit, type PdfProcess } from './pdf-process.ts'
import type { Verification } from './ports/ports.ts'
import type { PreparedSignature } from './remote-signing.ts'

/** Whom the check believes, and what it knows of revocations. */
export type Trust = Pick<ValidationPolicy, 'anchors' | 'intermediates' | 'ocsps' | 'crls' | 'responders'>

export type LockTask = { kind: 'lock'; password: string; owner: string }
/** `forms`: by which the issued document is recognised where it does not come along. */
export type CheckTask = {
  kind: 'check'
  password: string
  signer: string
  receivedAt: Date
  trust: Trust
  forms: KnownForm[]
}

/** The signed file, opened when its turn has come; and the one that was issued, opened only if it is needed. */
export type CheckRequest = Omit<CheckTask, 'kind'> & Record<'file' | 'issued', () => Promise<FileInTransit>>

/** `unproven`: certificates of which nothing says whether they were good. */
export type Checked = Verification & { unproven?: CertificateChain[] }

/** `password` opens an encrypted file, whose clear form is signed then. */
export type PrepareTask = { kind: 'prepare'; password?: string; field: SignatureField }

/** Whether one reader shows the same pages of both files (R107). */
export type CompareTask = { kind: 'compare'; password: string; reader: PageReaderName }

export type CompareRequest = Pick<CheckRequest, 'file' | 'issued' | 'password'>

/** Tells whose certificates prove the signatures of a file, for its long-term validity (R105). */
export type ChainsTask = { kind: 'chains' }
/** Appends validation data; `isArchived`: and an open archive timestamp. */
export type ExtendTask = { kind: 'extend'; data: ValidationData; isArchived: boolean }

export type PdfTask = LockTask | CheckTask | PrepareTask | CompareTask | ChainsTask | ExtendTask

/**
 * Whatever reads a PDF from outside does it here: in processes of their own with caps of time and memory, so that a hostile
 * file costs no request anything and reaches nothing (R46). A few files at a time; others wait in the store (R42).
 */
export type PdfWork = {
  /** Encrypted with the password, or why it cannot be, or could not be signed then. Throws `PdfWorkBusy`. */
  lock(bytes: Uint8Array, secrets: { password: string; owner: string }): Promise<LockedFile | Unlockable>
  /** With the certificates of which nothing is known, a few of them. Throws `PdfWorkBusy`. */
  check(request: CheckRequest): Promise<Checked>
  /** Whether every reader shows the same pages; `incomparable` at a cap. The files are opened anew for each. Throws `PdfWorkBusy`. */
  compare(request: CompareRequest): Promise<PageComparison>
  /** The file with an open signature (server/remote-signing.ts); undefined for one that cannot be signed. Throws `PdfWorkBusy`. */
  prepare(
    read: () => Promise<{ bytes: Uint8Array; password?: string }>,
    field: SignatureField,
  ): Promise<PreparedSignature | undefined>
  /** Undefined for a file that cannot be read, or has no timestamp. Throws `PdfWorkBusy`. */
  chains(bytes: Uint8Array): Promise<SignerChains | undefined>
  /** The file with the validation data. Undefined where they have no place. Throws `PdfWorkBusy`. */
  extend(bytes: Uint8Array, data: ValidationData): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** The same with an open archive timestamp, and what it covers. Throws `PdfWorkBusy`. */
  prepareArchive(bytes: Uint8Array, data: ValidationData): Promise<PreparedArchive | undefined>
  /** Starts a process ahead of the first file, and tells how it is confined. */
  start(): Promise<Confinement>
  close(): Promise<void>
}

/** `clear`: what decrypting it gives. */
export type LockedFile = { file: Uint8Array<ArrayBuffer>; clear: KnownForm }

/** `digest`: SHA-256 of all that the archive timestamp covers. */
export type PreparedArchive = PreparedPdf & { digest: Uint8Array<ArrayBuffer> }

export class PdfWorkBusy extends Error {}

/** So many wait for each process; what would wait longer than a request may last is refused. */
const waitingPerProcess = 20
/** Then a process makes room for one that has read nothing, or for none where others wait. */
const idleMs = 60_000

/** Each has the whole time of a check for itself. */
const readers: PageReaderName[] = ['pixels', 'displayList']

const usualCaps: Caps = { seconds: limits.documents.check, megabytes: 640 }

export function openPdfWork(caps: Caps = usualCaps): PdfWork {
  const most = Math.max(1, availableParallelism() - 1)
  const waiting: (() => void)[] = []
  const idle = new Map<PdfProcess, NodeJS.Timeout>()
  const busy = new Set<PdfProcess>()
  /** Started before it is asked for. */
  let ahead: Promise<PdfProcess> | undefined
  let free = most
  let isClosed = false

  /** Runs one after another for each process; a free place goes to whoever has waited longest. */
  async function inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else if (waiting.length >= waitingPerProcess * most) throw new PdfWorkBusy()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  async function takeProcess(): Promise<PdfProcess> {
    for (const [one, ending] of idle) {
      clearTimeout(ending)
      idle.delete(one)
      if (!one.isGone()) return one
    }
    const started = startAhead()
    ahead = undefined
    const one = await started
    return one.isGone() ? startPdfProcess(caps) : one
  }

  function startAhead(): Promise<PdfProcess> {
    ahead ??= startPdfProcess(caps)
    // Whoever takes it meets the error.
    ahead.catch(() => {})
    return ahead
  }

  function keep(one: PdfProcess) {
    if (isClosed) return one.end()
    if (one.isGone()) return restock()
    const ending = setTimeout(() => {
      idle.delete(one)
      void one.end()
      restock()
    }, idleMs)
    idle.set(one, ending.unref())
  }

  /** The next file need not wait for a process to start. */
  function restock() {
    if (!isClosed && !idle.size) void startAhead()
  }

  /** Undefined for what was stopped at a cap, or broke its process, which is gone with all that it held. */
  async function run(task: PdfTask, files: FileInTransit[]): Promise<Answer | undefined> {
    const reader = await takeProcess()
    busy.add(reader)
    try {
      const answer = await reader.ask(task, files)
      const fault = Fault.safeParse(answer?.said)
      if (fault.success) throw new Error(`The reading of a PDF failed: ${fault.data.fault}`)
      if (!answer && isClosed) throw new Error('The reading of PDFs was stopped.')
      return answer
    } finally {
      busy.delete(reader)
      await keep(reader)
    }
  }

  return {
    lock: (bytes, secrets) =>
      inTurn(async () => {
        const answer = await run({ kind: 'lock', ...secrets }, [inTransit(bytes)])
        const said = Locked.safeParse(answer?.said).data ?? { locked: false, why: 'too-costly' }
        return said.locked ? { file: answer!.bytes, clear: said.clear } : said.why
      }),
    check: ({ file, issued, ...request }) =>
      inTurn(async () => {
        const task = { kind: 'check' as const, ...request }
        const first = await run(task, [await file()])
        const isUndecided = Undecided.safeParse(first?.said).success
        const answer = isUndecided ? await run(task, [await file(), await issued()]) : first
        return Judged.safeParse(answer?.said).data ?? { readable: false, why: 'too-costly' }
      }),
    compare: ({ file, issued, password }) =>
      inTurn(async () => {
        for (const reader of readers) {
          const answer = await run({ kind: 'compare', password, reader }, [await file(), await issued()])
          const { compared } = Compared.safeParse(answer?.said).data ?? { compared: 'incomparable' }
          if (compared !== 'same') return compared
        }
        return 'same'
      }),
    prepare: (read, field) =>
      inTurn(async () => {
        const { bytes, ...task } = await read()
        const answer = await run({ kind: 'prepare', ...task, field }, [inTransit(bytes)])
        const said = Prepared.safeParse(answer?.said).data
        if (!said?.prepared) return undefined
        const { gap, sha256, digest } = said
        return { bytes: answer!.bytes, gap, sha256, digest: new Uint8Array(Buffer.from(digest, 'hex')) }
      }),
    chains: (bytes) =>
      inTurn(async () => {
        const answer = await run({ kind: 'chains' }, [inTransit(bytes)])
        const said = Chains.safeParse(answer?.said).data
        return said && { newest: said.newest, earlier: said.earlier }
      }),
    extend: (bytes, data) =>
      inTurn(async () => {
        const answer = await run({ kind: 'extend', data, isArchived: false }, [inTransit(bytes)])
        return Extended.safeParse(answer?.said).data?.extended ? answer!.bytes : undefined
      }),
    prepareArchive: (bytes, data) =>
      inTurn(async () => {
        const answer = await run({ kind: 'extend', data, isArchived: true }, [inTransit(bytes)])
        const said = Extended.safeParse(answer?.said).data
        if (!said?.extended || !said.gap) return undefined
        return { bytes: answer!.bytes, gap: said.gap, digest: new Uint8Array(Buffer.from(said.digest, 'hex')) }
      }),
    start: async () => (await startAhead()).confinement,
    async close() {
      isClosed = true
      for (const ending of idle.values()) clearTimeout(ending)
      const started = await ahead?.catch(() => undefined)
      await Promise.all([...idle.keys(), ...busy, ...(started ? [started] : [])].map((one) => one.end()))
    },
  }
}

const inTransit = (bytes: Uint8Array): FileInTransit => ({ content: Readable.from([bytes]), bytes: bytes.length })

// A process that has read a hostile file is not believed to be ours any more: its words are checked.
const Fault = z.strictObject({ fault: z.string() })
const Unlockable = z.enum(['signed', 'encrypted', 'damaged', 'too-costly', 'not-signable'])
export type Unlockable = z.infer<typeof Unlockable>
const hex = z.string().check(z.regex(/^[0-9a-f]{64}$/))
/** As large as its column takes. */
const length = z.int().check(z.positive(), z.maximum(2 ** 31 - 1))
const Locked = z.discriminatedUnion('locked', [
  z.strictObject({ locked: z.literal(true), clear: z.strictObject({ length, sha256: hex }) }),
  z.strictObject({ locked: z.literal(false), why: Unlockable }),
])
const gap = z.strictObject({ start: z.int(), end: z.int() })
const Prepared = z.discriminatedUnion('prepared', [
  z.strictObject({ prepared: z.literal(false) }),
  z.strictObject({
    prepared: z.literal(true),
    gap,
    sha256: hex,
    digest: hex,
  }),
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
/** The file has other bytes than the known forms. */
const Undecided = z.strictObject({ undecided: z.literal(true) })
const Judged = z.discriminatedUnion('readable', [
  z.strictObject({ readable: z.literal(true), report: UploadReport, unproven: chains }),
  z.strictObject({ readable: z.literal(false), why: z.enum(['damaged', 'encrypted', 'too-costly']) }),
])
