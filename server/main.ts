import { readConfiguration } from './platform/configuration/configuration.ts'
import { ConfigurationError, StartupError } from './platform/configuration/startup-error.ts'
import { databaseFault } from './platform/database/database-fault.ts'
import { closeHttpClients } from './platform/http-clients.ts'
import { runPortal } from './run-portal.ts'

let running: ReturnType<typeof runPortal> | undefined
const skipDrain = new AbortController()
let stopping: Promise<never> | undefined

/**
 * Opens the output. If standard output fails, because its disk is full or its reader is gone, lines are lost and the portal continues
 * (R96).
 */
function openOutput() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    out: (text: string) => void process.stdout.write(text),
    error: (text: string) => void process.stderr.write(text),
  }
}

function stop(exitCode: number): Promise<never> {
  return (stopping ??= (async () => {
    // After a failed start there are no requests to wait for.
    if (exitCode !== 0) skipDrain.abort()
    await running?.stop({ skipDrain: skipDrain.signal })
    process.exit(exitCode)
  })())
}

/** Returns the message that tells the operator why the portal cannot start. */
function messageFor(error: unknown): string {
  if (error instanceof StartupError) return error.message
  return databaseFault(error)?.text ?? `Sygnet cannot start: ${withCauses(error)}`
}

/** Joins the messages of an error and its causes: a failed call names its fault only in its cause. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${withCauses(error.cause)}`
}

/** Checks whether only an operator can repair the error. */
const isLasting = (error: unknown) => error instanceof ConfigurationError || databaseFault(error)?.kind === 'unusable'

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    // A second signal skips the wait.
    if (stopping) skipDrain.abort()
    void stop(0)
  })

try {
  const configuration = readConfiguration(process.env)
  // The provider of the demonstration calls the portal from the same process.
  if (!configuration.demonstration) closeHttpClients()
  running = runPortal(configuration, openOutput())
  await running.started
} catch (error) {
  // Errors caused by stopping are not reported.
  if (!stopping) process.stderr.write(`${messageFor(error)}\n`)
  // With exit code 2 a supervisor does not restart the portal.
  await stop(isLasting(error) ? 2 : 1)
}
