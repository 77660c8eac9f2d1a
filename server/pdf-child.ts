import { readSync, writeSync } from 'node:fs'
import { setPriority } from 'node:os'
import { deserialize } from 'node:v8'
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

/** Each task is in a file of its own, `pdf-….ts`, which is loaded when it is first asked for. */
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

// Loaded before the first file's time begins; the others share most of it.
await tasks.check()
give(Buffer.from([1]))
for (;;) {
  const { task, sizes } = deserialize(take(Buffer.from(take(4)).readUInt32BE())) as { task: PdfTask; sizes: number[] }
  const { said, file = new Uint8Array() } = await run(task, sizes.map(take))
  const words = Buffer.from(JSON.stringify(said))
  give(lengths(words.length, file.length))
  give(words)
  give(file)
}
