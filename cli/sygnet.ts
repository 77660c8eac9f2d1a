import { runCommand } from './run-command.ts'

// The first Ctrl+C asks for an end at the next good place, the second one does not ask.
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())

process.exitCode = await runCommand(process.argv.slice(2), {
  surroundings: process.env,
  print: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
  stopped: stopping.signal,
})
