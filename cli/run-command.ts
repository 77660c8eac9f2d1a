import { accountCommands } from './account-command.ts'
import { version } from '../server/version.ts'
import { auditCommands } from './audit-command.ts'
import { clientKeyCommands } from './client-key-commands.ts'
import { readWords, usageOf, type Asked } from './command.ts'
import { customerCommands } from './customer-commands.ts'
import { keyCommands } from './keys-command.ts'
import { messageCommands } from './message-commands.ts'
import { portalCalls } from './portal-calls.ts'
import { entranceOf } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'
import { voucherCommands } from './voucher-commands.ts'
import { webhookCommands } from './webhook-commands.ts'

const commands = [
  ...clientKeyCommands,
  ...customerCommands,
  ...voucherCommands,
  ...webhookCommands,
  ...accountCommands,
  ...messageCommands,
  ...auditCommands,
  ...keyCommands,
]

/** PostgreSQL, appendix A. */
const insufficientPrivilege = '42501'
const ownerNeeded = { message: 'The database login may not do this. Set DATABASE_OWNER_URL to that of the owner.' }

type Around = Pick<Asked, 'surroundings' | 'print' | 'note' | 'isTerminal' | 'stopped'>

/** Runs what was typed, and returns the exit code. Whatever goes wrong is told in a sentence, never by a stack. */
export async function runCommand(argv: readonly string[], around: Around): Promise<number> {
  try {
    return await run(argv, around)
  } catch (error) {
    const { message } = (error as { code?: unknown }).code === insufficientPrivilege ? ownerNeeded : (error as Error)
    around.note(`${message.trimEnd()}\n`)
    return error instanceof Told ? error.exitCode : exitCodes.refused
  }
}

async function run(argv: readonly string[], around: Around): Promise<number> {
  if (!argv.length) throw new Told(usageOf(commands), exitCodes.misused)
  if (argv.length === 1 && argv[0] === '--version') {
    around.print(`sygnet ${version}\n`)
    return exitCodes.done
  }
  const read = readWords(commands, argv)
  if ('help' in read) {
    around.print(read.help)
    return exitCodes.done
  }
  const { command, given } = read
  return command.run({
    ...around,
    ...given,
    portal: () => portalCalls(entranceOf(around.surroundings)),
    say: (text, json) => around.print(given.has('json') ? `${JSON.stringify(json)}\n` : text),
  })
}
