import { closeHttpClients } from '../server/platform/http-clients.ts'
import { unusableReasonOf, exitCodes } from './environment.ts'
import { runCommand } from './run-command.ts'

closeHttpClients()

process.stderr.on('error', () => {})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` has all that it wants.
  if (error.code !== 'EPIPE') process.stderr.write(`The output cannot be written: ${unusableReasonOf(error)}.\n`)
  process.exit(exitCodes.refused)
})

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  print: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
  stopSignal() {
    const stopping = new AbortController()
    // The second Ctrl+C ends the command at once.
    process.once('SIGINT', () => stopping.abort())
    return stopping.signal
  },
})
