import { accountCommands } from './account-command.ts'
import { ConfigurationError } from '../server/platform/configuration/startup-error.ts'
import { version } from '../server/platform/observability/version.ts'
import { auditCommands } from './audit-command.ts'
import { checkCommand } from './check-command.ts'
import { certificateCommands } from './certificate-commands.ts'
import { clientKeyCommands } from './client-key-commands.ts'
import { parseCommandLine, usageText, type Command, type CommandContext } from './command.ts'
import { customerCommands } from './customer-commands.ts'
import { documentationCommands } from './documentation-commands.ts'
import { keyCommands } from './keys-command.ts'
import { messageCommands } from './message-commands.ts'
import { nginxCommands } from './nginx-command.ts'
import { portalCalls } from './portal-calls.ts'
import { readCredentials } from './environment.ts'
import { CliError, errorMessage, exitCodes } from './cli-error.ts'
import { voucherCommands } from './voucher-commands.ts'
import { webhookCommands } from './webhook-commands.ts'

const commands: readonly Command[] = [
  ...clientKeyCommands,
  ...customerCommands,
  ...certificateCommands,
  ...voucherCommands,
  ...webhookCommands,
  ...accountCommands,
  ...messageCommands,
  ...auditCommands,
  ...keyCommands,
  ...nginxCommands,
  checkCommand,
  ...documentationCommands(() => commands),
]

type RunOptions = Pick<CommandContext, 'environment' | 'print' | 'note' | 'isTerminal' | 'stopSignal'>

/** Runs a command line and returns the exit code. Every failure is reported by a message, never by a stack. */
export async function runCommand(argv: readonly string[], options: RunOptions): Promise<number> {
  try {
    return await run(argv, options)
  } catch (error) {
    options.note(`${errorMessage(error).trimEnd()}\n`)
    if (error instanceof ConfigurationError) return exitCodes.misused
    return error instanceof CliError ? error.exitCode : exitCodes.refused
  }
}

async function run(argv: readonly string[], options: RunOptions): Promise<number> {
  if (!argv.length) throw new CliError(usageText(commands), exitCodes.misused)
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === 'version')) {
    options.print(`sygnet ${version}\n`)
    return exitCodes.done
  }
  const parsed = parseCommandLine(commands, argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv)
  if ('help' in parsed) {
    options.print(parsed.help)
    return exitCodes.done
  }
  const { command, given } = parsed
  return command.run({
    ...options,
    ...given,
    portal: () => portalCalls(readCredentials(options.environment)),
    printResult: (text, json) => options.print(given.has('json') ? `${JSON.stringify(json)}\n` : text),
  })
}
