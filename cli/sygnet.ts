import { runCommand } from './run-command.ts'

// The first Ctrl+C stops the command at the next safe point, the second one at once.
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  print: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
  stopped: stopping.signal,
})
