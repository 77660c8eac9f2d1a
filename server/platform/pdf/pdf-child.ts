import { readSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { deserialize } from 'node:v8'
import { lowerPriority } from '../jobs/background-priority.ts'
import { confine } from './pdf-confinement.ts'
import type { PdfTask, PdfTaskResult, TaskFiles } from './pdf-work.ts'

// On a busy machine requests take precedence over reading files.
lowerPriority()
// Signals are for the portal; the current file is read to its end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

type Run<Kind extends PdfTask['kind']> = (
  task: Extract<PdfTask, { kind: Kind }>,
  files: TaskFiles,
) => Promise<PdfTaskResult>

/** The tasks, each from its own file `pdf-….ts`. All are loaded, with their imports, before the process is confined. */
const tasks: { [Kind in PdfTask['kind']]: () => Promise<Run<Kind>> } = {
  open: async () => (await import('./pdf-open.ts')).openFile,
  lock: async () => (await import('./pdf-lock.ts')).lockFile,
  check: async () => (await import('./pdf-check.ts')).checkFile,
  compare: async () => (await import('./pdf-compare.ts')).compareFiles,
  prepare: async () => (await import('./pdf-prepare.ts')).prepareFile,
  chains: async () => (await import('./pdf-check.ts')).listChains,
  extend: async () => (await import('./pdf-check.ts')).extendFile,
}

async function run(task: PdfTask, files: TaskFiles): Promise<PdfTaskResult> {
  try {
    const runTask = (await tasks[task.kind]()) as Run<PdfTask['kind']>
    return await runTask(task, files)
  } catch (error) {
    // Only the stack: the message may contain parts of the file (R86).
    const { name, stack = '' } = error instanceof Error ? error : new Error()
    return { message: { fault: [name, ...stack.split('\n').filter((line) => /^ {4}at /.test(line))].join('\n') } }
  }
}

/** Reused for all tasks: allocating a buffer of this size takes longer than filling it. */
let buffer = new Uint8Array()

/** Fills `bytes` from standard input; exits if the portal has closed it. */
function take(bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length;) {
    const count = readSync(0, bytes, at, bytes.length - at, null)
    if (count === 0) process.exit()
    at += count
  }
  return bytes
}

function takeFiles([first = 0, ...more]: number[]): TaskFiles {
  const total = more.reduce((sum, size) => sum + size, first)
  if (buffer.length < total) buffer = new Uint8Array(total)
  let at = 0
  const next = (size: number) => take(buffer.subarray(at, (at += size)))
  return [next(first), ...more.map(next)]
}

function give({ message, file = new Uint8Array() }: PdfTaskResult) {
  const json = Buffer.from(JSON.stringify(message))
  for (const bytes of [lengths(json.length, file.length), json, file])
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at)
}

function lengths(...sizes: number[]) {
  const bytes = Buffer.alloc(sizes.length * 4)
  for (const [i, size] of sizes.entries()) bytes.writeUInt32BE(size, i * 4)
  return bytes
}

// Loaded now, because the confined process can open no file; the time limit of a task starts later.
await Promise.all(Object.values(tasks).map((load) => load()))
flushCompileCache()
give({ message: await confine() })
for (;;) {
  const { task, sizes } = deserialize(take(Buffer.alloc(Buffer.from(take(Buffer.alloc(4))).readUInt32BE()))) as {
    task: PdfTask
    sizes: number[]
  }
  give(await run(task, takeFiles(sizes)))
  // Runs after the answer, so no request waits for it.
  globalThis.gc?.({ type: 'major', execution: 'sync' })
}
