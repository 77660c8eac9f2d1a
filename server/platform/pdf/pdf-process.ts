import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { serialize } from 'node:v8'
import { chunksOf } from '../files/byte-streams.ts'
import { StorageUnreachable } from '../ports.ts'
import type { Confinement } from './pdf-confinement.ts'

/** A file as a stream, which is never in memory as a whole (R42). */
export type FileInTransit = { content: Readable; bytes: number }

/** The limits of a process for one file. */
export type Caps = {
  /** The processor time, or the elapsed time where the system does not report that of other processes. */
  seconds: number
  /** The memory of the whole process, as Linux reports it; the heap is limited on every system. */
  megabytes: number
}

/** A process's answer: JSON, because a process that read a hostile file is not trusted, and bytes. */
export type ProcessAnswer = { message: unknown; bytes: Uint8Array<ArrayBuffer> }

/** One process that reads PDFs, one after another. */
export type PdfProcess = {
  confinement: Confinement
  /** Runs a task and returns its answer; undefined if the process hit a cap or crashed, after which it is gone. */
  run(task: object, files: FileInTransit[]): Promise<ProcessAnswer | undefined>
  isGone(): boolean
  end(): Promise<void>
}

const heapMegabytes = 384
/** Limits of an answer: a report on fifty signatures, and an encrypted file. */
const maxJsonBytes = 4 * 1024 * 1024
const maxFileBytes = 64 * 1024 * 1024

const root = join(import.meta.dirname, '../../..')
/** The files that the process may read: its own program, but not `.data` or anything else. */
const program = [
  'package.json',
  'contract',
  'pki',
  'server/platform/pdf',
  'server/platform/jobs/background-priority.ts',
  'node_modules',
]
/** The cache of its compiled program, which it writes before it reads the first file. */
const compiled = join(root, 'node_modules/.cache/sygnet/compiled')
/** glibc keeps freed memory for the next file and uses large pages: getting memory from the system takes longer than using it. */
const memory = {
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=134217728',
}

/**
 * Starts a confined process (R46): no network, no files except its own program, no child processes, no secrets in its environment (Node's
 * permission model), a limited heap. When the portal ends, the pipe closes and the process ends too.
 */
export function spawnConfined(main: string, ...further: string[]) {
  const real = (path: string) => [join(root, path), realpathSync(join(root, path))]
  const paths = [...program, main, ...further].flatMap(real)
  const confinement = [
    '--permission',
    ...[...new Set(paths)].map((path) => `--allow-fs-read=${path}`),
    // Needed until it is confined (pdf-confinement.ts), which calls native functions.
    '--allow-ffi',
    `--allow-fs-write=${compiled}`,
    // Node's permissions do not cover the files of SQLite databases.
    '--no-experimental-sqlite',
    '--disable-sigusr1',
    `--max-old-space-size=${heapMegabytes}`,
    '--disallow-code-generation-from-strings',
    // Garbage is collected between files (pdf-child.ts): incremental marking makes a check a quarter slower.
    '--expose-gc',
    '--no-incremental-marking',
    '--no-warnings',
  ]
  // Standard error is ignored, because a crash may print parts of the file (R86).
  const env = { NODE_COMPILE_CACHE: compiled, ...memory }
  const command = [...confinement, join(root, main), ...(mayStopOthers() ? ['own-user'] : [])]
  return spawn(process.execPath, command, { env, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
}

/** Checks whether we could stop another user's process: in a container root may lack that right (CAP_KILL). */
function mayStopOthers(): boolean {
  const rights = /CapEff:\s+([0-9a-f]+)/.exec(readProcFile('self', 'status'))?.[1] ?? '0'
  return process.getuid?.() === 0 && (BigInt(`0x${rights}`) & 32n) !== 0n
}

export async function startPdfProcess(caps: Caps): Promise<PdfProcess> {
  const confined = new ConfinedProcess(caps)
  // Its first answer, before any file: the program is loaded and the process confined.
  const ready = await confined.takeAnswer()
  if (!ready) throw new Error('The process that reads PDFs does not start.')
  return {
    // Trusted, because the process has not read any file yet.
    confinement: ready.message as Confinement,
    run: (task, files) => confined.run(task, files),
    isGone: () => confined.isGone,
    end: () => confined.end(),
  }
}

class ConfinedProcess {
  isGone = false
  readonly #caps: Caps
  readonly #child = spawnConfined('server/platform/pdf/pdf-child.ts')
  readonly #take = byteReader(this.#child.stdout)
  readonly #gone: Promise<void>
  /** The file whose next chunk has not arrived yet: while it is set, the store causes the delay. */
  #awaited: Readable | undefined

  constructor(caps: Caps) {
    this.#caps = caps
    this.#gone = new Promise((resolve) => {
      const end = () => {
        this.isGone = true
        resolve()
      }
      this.#child.once('exit', end)
      this.#child.once('error', end)
    })
    // Reading and writing report these errors too; without a listener they would end the portal.
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.on('error', () => {})
  }

  end(): Promise<void> {
    this.#child.kill('SIGKILL')
    return this.#gone
  }

  async run(task: object, files: FileInTransit[]): Promise<ProcessAnswer | undefined> {
    const { seconds, megabytes } = this.#caps
    const secondsLimit = processorSeconds(this.#child.pid) + seconds
    const clock = setTimeout(() => this.#endLate(), seconds * elapsedPerProcessorSecond * 1000)
    const watcher = setInterval(() => void this.#enforceCaps(secondsLimit, megabytes), 50)
    try {
      const answer = await this.#converse(task, files)
      await this.#enforceCaps(secondsLimit, answer ? megabytes : 0)
      if (this.isGone) return undefined
      // A process that still uses much memory ends, so that the next file has all of it.
      await this.#enforceCaps(secondsLimit, megabytes / 2)
      return answer
    } catch (error) {
      await this.end()
      if (error instanceof FileReadError) throw error.cause instanceof StorageUnreachable ? error.cause : error
      return undefined
    } finally {
      clearTimeout(clock)
      clearInterval(watcher)
      for (const { content } of files) content.destroy()
    }
  }

  async #converse(task: object, files: FileInTransit[]): Promise<ProcessAnswer | undefined> {
    const { stdin } = this.#child
    const head = serialize({ task, sizes: files.map(({ bytes }) => bytes) })
    stdin.write(Buffer.concat([lengthOf(head), head]))
    for (const file of files) {
      this.#awaited = file.content
      for await (const part of readExactly(file)) {
        this.#awaited = undefined
        if (this.isGone) return undefined
        if (!stdin.write(part)) await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), this.#gone])
        this.#awaited = file.content
      }
      this.#awaited = undefined
    }
    return this.takeAnswer()
  }

  #endLate() {
    this.#awaited?.destroy(new StorageUnreachable('a file did not come in time'))
    void this.end()
  }

  async #enforceCaps(secondsLimit: number, megabytesLimit: number) {
    const { pid } = this.#child
    if (residentMegabytes(pid) > megabytesLimit || processorSeconds(pid) > secondsLimit) await this.end()
  }

  async takeAnswer(): Promise<ProcessAnswer | undefined> {
    const lengths = await this.#take(8)
    if (!lengths) return undefined
    const view = new DataView(lengths.buffer)
    const [jsonBytes, fileBytes] = [view.getUint32(0), view.getUint32(4)]
    if (jsonBytes > maxJsonBytes || fileBytes > maxFileBytes) return undefined
    const message = await this.#take(jsonBytes)
    const file = message && (await this.#take(fileBytes))
    return file && { message: JSON.parse(Buffer.from(message).toString('utf8')), bytes: file }
  }
}

/** The error of a file that could not be read from the store, which says nothing about its content. */
class FileReadError extends Error {}

/** Fails at any other length, since the process would read the difference as part of the next task. */
async function* readExactly({ content, bytes }: FileInTransit): AsyncGenerator<Buffer> {
  let left = bytes
  try {
    for await (const part of chunksOf(content)) {
      left -= part.length
      if (left < 0) break
      yield part
    }
  } catch (cause) {
    throw new FileReadError('A file cannot be read.', { cause })
  }
  if (left !== 0) throw new FileReadError('A file does not have its stated length.')
}

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return length
}

/** Reads a number of bytes at a time from a stream; undefined once it has ended. */
function byteReader(stream: Readable) {
  const parts = chunksOf(stream)[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return async (length: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const bytes = new Uint8Array(length)
    for (let at = 0; at < length;) {
      if (!rest.length) {
        const next = await parts.next().catch(() => ({ done: true as const, value: undefined }))
        if (next.done) return undefined
        rest = next.value
      }
      const part = rest.subarray(0, length - at)
      bytes.set(part, at)
      at += part.length
      rest = rest.subarray(part.length)
    }
    return bytes
  }
}

/**
 * Elapsed seconds allowed for each second of processor time. On a busy machine a process waits for the processor; on Linux processor time
 * is counted, so more elapsed time is allowed.
 */
const elapsedPerProcessorSecond = process.platform === 'linux' ? 6 : 1

/** Returns the processor time of a process, from hundredths of a second (proc_pid_stat(5)); 0 where the system does not report it. */
function processorSeconds(pid: number | undefined): number {
  const stat = readProcFile(pid, 'stat')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

/** Returns the memory of a process, including memory outside of its heap; 0 where the system does not report it. */
function residentMegabytes(pid: number | undefined): number {
  const status = readProcFile(pid, 'status')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

/** Reads a file of /proc; synchronously, because the kernel has these files in memory. */
function readProcFile(pid: number | 'self' | undefined, name: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
