import { readSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { deserialize } from 'node:v8'
import { confine } from './pdf-confinement.ts'
import type { PdfTask } from './pdf-work.ts'

// Requests go before the reading of files on a busy machine.
setPriority(10)
// Whoever stops the portal means the portal: what is being read is read to its end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

/** The reply as JSON, whose schema is in `pdf-work.ts`, and a file where the task makes one. */
export type PdfTaskResult = { said: object; file?: Uint8Array }

type Run<Kind extends PdfTask['kind']> = (
  task: Extract<PdfTask, { kind: Kind }>,
  files: Uint8Array[],
) => Promise<PdfTaskResult>

/** Each task is in a file of its own, `pdf-….ts`. All are loaded with what they need before the process is confined. */
const tasks: { [Kind in PdfTask['kind']]: () => Promise<Run<Kind>> } = {
  lock: async () => (await import('./pdf-lock.ts')).lockFile,
  check: async () => (await import('./pdf-check.ts')).checkFile,
  compare: async () => (await import('./pdf-compare.ts')).compareFiles,
  prepare: async () => (await import('./pdf-prepare.ts')).prepareFile,
  chains: async () => (await import('./pdf-long-term.ts')).listChains,
  extend: async () => (await import('./pdf-long-term.ts')).extendFile,
}

async function run(task: PdfTask, files: Uint8Array[]): Promise<PdfTaskResult> {
  try {
    const act = (await tasks[task.kind]()) as Run<PdfTask['kind']>
    return await act(task, files)
  } catch (error) {
    // Where, but not what: the message may hold some of the file (R86).
    const { name, stack = '' } = error as Error
    return { said: { fault: [name, ...stack.split('\n').filter((line) => /^ {4}at /.test(line))].join('\n') } }
  }
}

/** Kept from task to task: new memory of this size costs more than to fill it. */
let room = new Uint8Array()

/** Waits for so many bytes; the portal that has gone leaves nothing to do. */
function take(bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length;) {
    const count = readSync(0, bytes, at, bytes.length - at, null)
    if (count === 0) process.exit()
    at += count
  }
  return bytes
}

function takeFiles(sizes: number[]): Uint8Array[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (room.length < total) room = new Uint8Array(total)
  let at = 0
  return sizes.map((size) => take(room.subarray(at, (at += size))))
}

function give({ said, file = new Uint8Array() }: PdfTaskResult) {
  const words = Buffer.from(JSON.stringify(said))
  for (const bytes of [lengths(words.length, file.length), words, file])
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at)
}

function lengths(...sizes: number[]) {
  const bytes = Buffer.alloc(sizes.length * 4)
  for (const [i, size] of sizes.entries()) bytes.writeUInt32BE(size, i * 4)
  return bytes
}

// No file can be opened later, and the time of the first one begins only then.
await Promise.all(Object.values(tasks).map((load) => load()))
flushCompileCache()
give({ said: await confine() })
for (;;) {
  const { task, sizes } = deserialize(take(Buffer.alloc(Buffer.from(take(Buffer.alloc(4))).readUInt32BE()))) as {
    task: PdfTask
    sizes: number[]
  }
  give(await run(task, takeFiles(sizes)))
  // The answer is given, so nobody waits for this.
  globalThis.gc!({ type: 'major', execution: 'sync' })
}
