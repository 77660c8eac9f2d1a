import { accountCommands } from './account-command.ts'
import { auditCommands } from './audit-command.ts'
import { clientKeyCommands } from './client-key-commands.ts'
import { readWords, usageOf } from './command.ts'
import { customerCommands } from './customer-commands.ts'
import { keyCommands } from './keys-command.ts'
import { portalCalls } from './portal-calls.ts'
import { entranceOf, type Surroundings } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'
import { voucherCommands } from './voucher-commands.ts'

const commands = [
  ...clientKeyCommands,
  ...customerCommands,
  ...voucherCommands,
  ...accountCommands,
  ...auditCommands,
  ...keyCommands,
]

const { SYGNET_URL, SYGNET_KEY, SYGNET_KEY_FILE, DATABASE_URL, DATA_DIR, MASTER_KEY, MASTER_KEY_FILE } = process.env
const surroundings: Surroundings = {
  SYGNET_URL,
  SYGNET_KEY,
  SYGNET_KEY_FILE,
  DATABASE_URL,
  DATA_DIR,
  MASTER_KEY,
  MASTER_KEY_FILE,
}

const print = (text: string) => void process.stdout.write(text)
const note = (text: string) => void process.stderr.write(text)

/** The first Ctrl+C asks for an end at the next good place, the second one does not ask. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller.signal
}

async function run(argv: readonly string[]): Promise<number> {
  if (!argv.length)
    throw new Told(`sygnet: the command of the portal's operator and provider.\n\n${usageOf(commands)}`, 2)
  const read = readWords(commands, argv)
  if ('help' in read) {
    print(read.help)
    return exitCodes.done
  }
  const { command, given } = read
  return command.run({
    ...given,
    surroundings,
    portal: () => portalCalls(entranceOf(surroundings)),
    say: (text, json) => print(given.has('json') ? `${JSON.stringify(json)}\n` : text),
    print,
    note,
    isTerminal: process.stderr.isTTY,
    stopped: stopSignal(),
  })
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  // Never a stack: whoever types a command is told in a sentence what is the matter.
  note(`${(error as Error).message.trimEnd()}\n`)
  process.exitCode = error instanceof Told ? error.exitCode : exitCodes.refused
}
