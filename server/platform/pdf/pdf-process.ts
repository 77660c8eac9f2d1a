import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { serialize } from 'node:v8'
import type { Confinement } from './pdf-confinement.ts'
import { StorageUnreachable } from './ports/ports.ts'

/** A file on its way: it passes through in pieces and is never held here as a whole (R42). */
export type FileInTransit = { content: Readable; bytes: number }

/**
 * `seconds`: of the processor, or of the clock where nobody tells of another process. `megabytes`: the process as a whole,
 * as Linux tells it; its heap is bounded everywhere.
 */
export type Caps = { seconds: number; megabytes: number }

/** What a process says of its task: JSON, since nothing else is believed of one that read a hostile file, and some bytes. */
export type Answer = { said: unknown; bytes: Uint8Array<ArrayBuffer> }

/** One process that reads PDFs, one after another. */
export type PdfProcess = {
  confinement: Confinement
  /** Undefined for a task at which the process met a cap or broke: it is gone then. */
  ask(task: object, files: FileInTransit[]): Promise<Answer | undefined>
  isGone(): boolean
  end(): Promise<void>
}

const heapMegabytes = 384
/** More is no answer: a report of fifty signatures, and a file that was encrypted. */
const longestWords = 4 * 1024 * 1024
const longestFile = 64 * 1024 * 1024

const root = join(import.meta.dirname, '..')
/** Its own program; `.data` and everything else of the machine are out of its reach. */
const program = ['package.json', 'contract', 'pki', 'node_modules']
const tasks = 'pdf-*'
/** Spares it the compiling of its program; it writes there before it reads its first file. */
const compiled = join(root, 'node_modules/.cache/sygnet/compiled')
/** glibc keeps freed memory for the next file, and takes it in large pages: to get it from the system costs more than to use it. */
const memory = {
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=134217728',
}

/**
 * R46: no network, no file but its own program, no further process, no secret of ours in its environment (Node's
 * permission model), a bounded heap. It ends by itself when the portal does, since the pipe is closed then.
 */
export function spawnConfined(main: string, ...further: string[]) {
  const real = (path: string) => [join(root, path), realpathSync(join(root, path))]
  const paths = [...[...program, main, ...further].flatMap(real), ...real('server').map((path) => join(path, tasks))]
  const confinement = [
    '--permission',
    ...[...new Set(paths)].map((path) => `--allow-fs-read=${path}`),
    // Until it is confined (pdf-confinement.ts), for which it calls the system.
    '--allow-ffi',
    `--allow-fs-write=${compiled}`,
    // Databases are files that Node's permissions do not count as such.
    '--no-experimental-sqlite',
    '--disable-sigusr1',
    `--max-old-space-size=${heapMegabytes}`,
    '--disallow-code-generation-from-strings',
    // Garbage is collected between files (pdf-child.ts): marking during a check makes it a quarter slower.
    '--expose-gc',
    '--no-incremental-marking',
    '--no-warnings',
  ]
  // What it says when it breaks may be of the file's making (R86).
  const env = { NODE_COMPILE_CACHE: compiled, ...memory }
  const options = { env, stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'], windowsHide: true }
  const command = [...confinement, join(root, main), ...(mayStopOthers() ? ['own-user'] : [])]
  return spawn(process.execPath, command, options)
}

/** Whether a process of another user's could be stopped: root in a container may lack that right (CAP_KILL). */
function mayStopOthers(): boolean {
  const rights = /CapEff:\s+([0-9a-f]+)/.exec(toldBySystem('self', 'status'))?.[1] ?? '0'
  return process.getuid?.() === 0 && (BigInt(`0x${rights}`) & 32n) !== 0n
}

export async function startPdfProcess({ seconds, megabytes }: Caps): Promise<PdfProcess> {
  const child = spawnConfined('server/pdf-child.ts')
  const { stdin, stdout } = child
  let isGone = false
  /** The file of which the next piece has not come yet: while there is one, it is the store that takes the time. */
  let awaited: Readable | undefined
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  // The reading and the writing meet these too; without a listener they would end the portal.
  stdin.on('error', () => {})
  stdout.on('error', () => {})
  const take = bytesFrom(stdout)
  const end = () => {
    child.kill('SIGKILL')
    return gone
  }
  const late = () => {
    awaited?.destroy(new StorageUnreachable('a file did not come in time'))
    void end()
  }
  const demand = async (until: number, most: number) => {
    if (residentMegabytes(child.pid!) > most || processorSeconds(child.pid!) > until) await end()
  }

  async function converse(task: object, files: FileInTransit[]): Promise<Answer | undefined> {
    const head = serialize({ task, sizes: files.map(({ bytes }) => bytes) })
    stdin.write(Buffer.concat([lengthOf(head), head]))
    for (const file of files) {
      awaited = file.content
      for await (const part of exactly(file)) {
        awaited = undefined
        if (isGone) return undefined
        if (!stdin.write(part)) await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), gone])
        awaited = file.content
      }
      awaited = undefined
    }
    return takeAnswer()
  }

  async function takeAnswer(): Promise<Answer | undefined> {
    const lengths = await take(8)
    if (!lengths) return undefined
    const view = new DataView(lengths.buffer)
    const [words, bytes] = [view.getUint32(0), view.getUint32(4)]
    if (words > longestWords || bytes > longestFile) return undefined
    const said = await take(words)
    const file = said && (await take(bytes))
    return file && { said: JSON.parse(Buffer.from(said).toString('utf8')), bytes: file }
  }

  // Its first words, before it has read any file: its program is loaded, and it is confined.
  const ready = await takeAnswer()
  if (!ready) throw new Error('The process that reads PDFs does not start.')
  return {
    confinement: ready.said as Confinement,
    async ask(task, files) {
      const until = processorSeconds(child.pid!) + seconds
      const clock = setTimeout(late, seconds * patience * 1000)
      const watching = setInterval(() => void demand(until, megabytes), 50)
      try {
        const answer = await converse(task, files)
        await demand(until, answer ? megabytes : 0)
        if (isGone) return undefined
        // What one file has left behind is not to be the next one's.
        await demand(until, megabytes / 2)
        return answer
      } catch (error) {
        await end()
        if (error instanceof FileLost) throw error.cause instanceof StorageUnreachable ? error.cause : error
        return undefined
      } finally {
        clearTimeout(clock)
        clearInterval(watching)
        for (const { content } of files) content.destroy()
      }
    },
    isGone: () => isGone,
    end,
  }
}

/** What befell a file on its way is no fault of its content. */
class FileLost extends Error {}

/** Any other length would be read as part of the next task. */
async function* exactly({ content, bytes }: FileInTransit): AsyncGenerator<Buffer> {
  let left = bytes
  try {
    for await (const part of content as AsyncIterable<Buffer>) {
      left -= part.length
      if (left < 0) break
      yield part
    }
  } catch (cause) {
    throw new FileLost('A file cannot be read.', { cause })
  }
  if (left !== 0) throw new FileLost('A file has another length than it says.')
}

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return length
}

/** Takes so many bytes after each other from a stream; undefined once it has ended. */
function bytesFrom(stream: Readable) {
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
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

/** On a busy machine an honest file waits for the processor; there its own seconds are counted, and these are more. */
const patience = process.platform === 'linux' ? 6 : 1

/** What a process has had of the processor, in hundredths of a second (proc_pid_stat(5)); 0 where nobody tells. */
function processorSeconds(pid: number): number {
  const stat = toldBySystem(pid, 'stat')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

/** What lies outside of the heap is counted where the system tells of another process: on Linux. */
function residentMegabytes(pid: number): number {
  const status = toldBySystem(pid, 'status')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

/** From memory, at once. */
function toldBySystem(pid: number | 'self', name: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
