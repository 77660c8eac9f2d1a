import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { limits } from '../contract/limits.ts'
import type { SignatureField } from '../pki/pades-sign.ts'
import type { ValidationPolicy } from '../pki/pades-report.ts'
import type { Verification } from './ports/ports.ts'
import type { PreparedSignature } from './remote-signing.ts'

/** Whom the check believes, and what it knows of revocations. */
export type Trust = Pick<ValidationPolicy, 'anchors' | 'intermediates' | 'ocsps' | 'crls' | 'responders'>

export type LockTask = { kind: 'lock'; bytes: Uint8Array; password: string; owner: string }
export type CheckTask = {
  kind: 'check'
  bytes: Uint8Array
  issued: Uint8Array
  password: string
  signer: string
  receivedAt: Date
  trust: Trust
}

/** `password` opens an encrypted file, whose clear form is signed then. */
export type PrepareTask = { kind: 'prepare'; bytes: Uint8Array; password?: string; field: SignatureField }

type Task = LockTask | CheckTask | PrepareTask

/**
 * Whatever reads a PDF from outside does it here: in threads of their own with caps of time and memory, so that a hostile
 * file costs no request anything (R46). A few files at a time, whose bytes are asked for when their turn has come: others
 * wait in the store and not in memory (R42).
 */
export type PdfWork = {
  /** Encrypted with the password; undefined for a file that cannot be. Throws `PdfWorkBusy`. */
  lock(bytes: Uint8Array, secrets: { password: string; owner: string }): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** The bytes that are read go to the thread and are gone here. Throws `PdfWorkBusy`. */
  check(read: () => Promise<Omit<CheckTask, 'kind'>>): Promise<Verification>
  /** The file with an open signature (server/remote-signing.ts); undefined for one that cannot be signed. Throws `PdfWorkBusy`. */
  prepare(
    read: () => Promise<Pick<PrepareTask, 'bytes' | 'password'>>,
    field: SignatureField,
  ): Promise<PreparedSignature | undefined>
  close(): Promise<void>
}

export class PdfWorkBusy extends Error {}

/** So many wait for each thread; what would wait longer than a request may last is refused. */
const waitingPerThread = 20

export function openPdfWork({ seconds }: { seconds: number } = { seconds: limits.documents.check }): PdfWork {
  const threads = Math.max(1, availableParallelism() - 1)
  const pool = new Piscina<Task, unknown>({
    filename: new URL('./pdf-worker.ts', import.meta.url).href,
    name: 'work',
    minThreads: 0,
    maxThreads: threads,
    // A portal without documents has no such thread.
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 384 },
  })
  const waiting: (() => void)[] = []
  let free = threads

  /** Runs one after another for each thread; a free place goes to whoever has waited longest. */
  async function inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else if (waiting.length >= waitingPerThread * threads) throw new PdfWorkBusy()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  /** Undefined for what was stopped at a cap: its thread is gone with all that it held, and the next one has another. */
  async function run(task: Task, handedOver: Uint8Array[] = []): Promise<unknown> {
    try {
      // The pool takes a list, whatever its types have read from Node's.
      const transferList = handedOver.map(({ buffer }) => buffer) as never
      return await pool.run(task, { signal: AbortSignal.timeout(seconds * 1000), transferList })
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY') return undefined
      throw error
    }
  }

  return {
    lock: (bytes, secrets) =>
      inTurn(() => run({ kind: 'lock', bytes, ...secrets })) as Promise<Uint8Array<ArrayBuffer> | undefined>,
    check: (read) =>
      inTurn(async () => {
        const task = await read()
        const answer = (await run({ kind: 'check', ...task }, [task.bytes, task.issued])) as Verification | undefined
        return answer ?? { readable: false, why: 'too-costly' }
      }),
    prepare: (read, field) =>
      inTurn(async () => {
        const task = await read()
        return (await run({ kind: 'prepare', ...task, field }, [task.bytes])) as PreparedSignature | undefined
      }),
    close: () => pool.close({ force: true }),
  }
}
