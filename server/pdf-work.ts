import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { UploadReport } from '../contract/document-report.ts'
import { limits } from '../contract/limits.ts'
import type { ValidationPolicy } from '../pki/pades-report.ts'
import { startPdfProcess, type Answer, type Caps, type FileInTransit, type PdfProcess } from './pdf-process.ts'
import type { Verification } from './ports/ports.ts'

/** Whom the check believes, and what it knows of revocations. */
export type Trust = Pick<ValidationPolicy, 'anchors' | 'intermediates' | 'ocsps' | 'crls' | 'responders'>

export type LockTask = { kind: 'lock'; password: string; owner: string }
export type CheckTask = { kind: 'check'; password: string; signer: string; receivedAt: Date; trust: Trust }

/** What a check needs, opened when its turn has come: the signed file, and the one that was issued. */
export type CheckRequest = Omit<CheckTask, 'kind'> & { file: FileInTransit; issued: FileInTransit }

/**
 * Whatever reads a PDF from outside does it here: in processes of their own with caps of time and memory, so that a hostile
 * file costs no request anything and reaches nothing (R46). A few files at a time; others wait in the store (R42).
 */
export type PdfWork = {
  /** Encrypted with the password; undefined for a file that cannot be. Throws `PdfWorkBusy`. */
  lock(bytes: Uint8Array, secrets: { password: string; owner: string }): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Throws `PdfWorkBusy`. */
  check(open: () => Promise<CheckRequest>): Promise<Verification>
  close(): Promise<void>
}

export class PdfWorkBusy extends Error {}

/** So many wait for each process; what would wait longer than a request may last is refused. */
const waitingPerProcess = 20
/** A portal without documents has no such process. */
const idleMs = 60_000

const usualCaps: Caps = { seconds: limits.documents.check, megabytes: 640 }

export function openPdfWork(caps: Caps = usualCaps): PdfWork {
  const most = Math.max(1, availableParallelism() - 1)
  const waiting: (() => void)[] = []
  const idle = new Map<PdfProcess, NodeJS.Timeout>()
  const busy = new Set<PdfProcess>()
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
    return startPdfProcess(caps)
  }

  function keep(one: PdfProcess) {
    if (isClosed) return one.end()
    if (one.isGone()) return
    const ending = setTimeout(() => {
      idle.delete(one)
      void one.end()
    }, idleMs)
    idle.set(one, ending.unref())
  }

  /** Undefined for what was stopped at a cap, or broke its process, which is gone with all that it held. */
  async function run(task: LockTask | CheckTask, files: FileInTransit[]): Promise<Answer | undefined> {
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
        const file = { content: Readable.from([bytes]), bytes: bytes.length }
        const answer = await run({ kind: 'lock', ...secrets }, [file])
        return Locked.safeParse(answer?.said).data?.locked ? answer!.bytes : undefined
      }),
    check: (open) =>
      inTurn(async () => {
        const { file, issued, ...task } = await open()
        const answer = await run({ kind: 'check', ...task }, [file, issued])
        return Judged.safeParse(answer?.said).data ?? { readable: false, why: 'too-costly' }
      }),
    async close() {
      isClosed = true
      for (const ending of idle.values()) clearTimeout(ending)
      await Promise.all([...idle.keys(), ...busy].map((one) => one.end()))
    },
  }
}

// A process that has read a hostile file is not believed to be ours any more: its words are checked.
const Fault = z.strictObject({ fault: z.string() })
const Locked = z.strictObject({ locked: z.boolean() })
const Judged = z.discriminatedUnion('readable', [
  z.strictObject({ readable: z.literal(true), report: UploadReport }),
  z.strictObject({ readable: z.literal(false), why: z.enum(['damaged', 'encrypted', 'too-costly']) }),
])
