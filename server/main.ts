import pg from 'pg'
import { readConfiguration } from './configuration.ts'
import { DatabaseUnfit } from './migrate.ts'
import { runPortal } from './run-portal.ts'
import { Misconfigured, Unstartable } from './unstartable.ts'

let running: ReturnType<typeof runPortal> | undefined
const hurry = new AbortController()
let stopping: Promise<never> | undefined

/** Lines that standard output does not take, because its disk is full or nobody reads it, are lost, and the portal goes on (R96). */
function openOutput() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    out: (text: string) => void process.stdout.write(text),
    error: (text: string) => void process.stderr.write(text),
  }
}

function stop(exitCode: number): Promise<never> {
  return (stopping ??= (async () => {
    // Who cannot start has served nobody.
    if (exitCode !== 0) hurry.abort()
    await running?.stop({ hurry: hurry.signal })
    process.exit(exitCode)
  })())
}

/** What keeps the portal from starting, as a sentence. */
function sentenceFor(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof Unstartable || error instanceof DatabaseUnfit) return message
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT' || code === 'EAI_AGAIN')
    return `The database cannot be reached (${code}). Check DATABASE_URL.`
  if (error instanceof pg.DatabaseError) return `The database refuses: ${message}. Check DATABASE_URL.`
  return `Sygnet cannot start: ${message}`
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    // Who asks a second time does not want to wait.
    if (stopping) hurry.abort()
    void stop(0)
  })

try {
  running = runPortal(readConfiguration(process.env), openOutput())
  await running.started
} catch (error) {
  // What breaks because we stop is no fault.
  if (!stopping) process.stderr.write(`${sentenceFor(error)}\n`)
  // 2 tells whoever starts it that starting it again is no use.
  await stop(error instanceof Misconfigured ? 2 : 1)
}
