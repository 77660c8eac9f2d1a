import { Command, CommanderError, type CommandUnknownOpts } from 'commander'
import { ConfigurationError } from '../server/platform/configuration/startup-error.ts'
import { errorMessage } from '../server/platform/observability/skipped-causes.ts'
import { version } from '../server/platform/observability/version.ts'
import { addAuditCommands } from './audit-command.ts'
import { addCertificateCommands } from './certificate-commands.ts'
import { addCheckCommand } from './check-command.ts'
import { addClientKeyCommands } from './client-key-commands.ts'
import { createContext, type CommandContext, type CommandProcess } from './command.ts'
import { addCustomerCommands } from './customer-commands.ts'
import { CliError, exitCodes, usageError } from './environment.ts'
import { addOperatorCommands } from './operator-commands.ts'
import { addVoucherCommands } from './voucher-commands.ts'
import { addWebhookCommands } from './webhook-commands.ts'

const exitTexts = `Exit codes: 0 done · 1 not done, or only in part · 2 wrong arguments or settings ·
3 the portal or its database cannot be reached, try again · 130 stopped by Ctrl+C`

const nameOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

function createProgram(context: CommandContext) {
  const program = new Command('sygnet')
    .description('The command line of the portal’s operator and provider.')
    .option('--json', 'print the result as JSON')
    .version(`sygnet ${version}`, '--version', 'print the version')
    .helpOption('-h, --help', 'print the help of a command')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('See the same command with --help.')
    .configureOutput({
      writeOut: context.print,
      writeErr: context.note,
      outputError: (text, write) => write(text.replace(/^error: ./, (begin) => begin.slice(-1).toUpperCase())),
    })
    .configureHelp({
      showGlobalOptions: true,
      // Every command of every group.
      visibleCommands: ({ commands }) =>
        commands.flatMap((command) => (command.commands.length ? command.commands : [command])),
      subcommandTerm: (command) =>
        [nameOf(command), ...command.registeredArguments.map((argument) => `<${argument.name()}>`)].join(' '),
    })
    .addHelpText('afterAll', ({ command }) => ['', ...[command.helpGroup()].filter(Boolean), exitTexts].join('\n'))
    .hook('preAction', (root, command) => {
      context.isJson = root.opts().json ?? false
      requireValues(command)
    })
  for (const add of [
    addClientKeyCommands,
    addCustomerCommands,
    addCertificateCommands,
    addVoucherCommands,
    addWebhookCommands,
    addOperatorCommands,
    addAuditCommands,
    addCheckCommand,
  ])
    add(program, context)
  return program
}

/** Refuses an empty value, such as of a variable that is not set, and an option in place of another one's value. */
function requireValues(command: CommandUnknownOpts) {
  if (command.args.includes('')) throw usageError(`An argument of ${nameOf(command)} has an empty value.`)
  for (const [name, value] of Object.entries(command.opts()))
    for (const each of [value].flat())
      if (typeof each === 'string' && /^(?:-|$)/.test(each))
        throw usageError(`--${name} has ${each ? `the option ${each} as its` : 'an empty'} value.`)
}

/** Refuses words that name no command, in place of whose help Commander would print that of the group. */
function requireCommand(group: CommandUnknownOpts, [name, ...others]: readonly string[]) {
  if (name === undefined) return
  const command = group.commands.find((each) => each.name() === name)
  if (!command) return group.error(`error: unknown command '${name}'`)
  requireCommand(command, others)
}

/** Runs a command line and returns the exit code. Every failure is reported by a message, never by a stack. */
export async function runCommand(argv: readonly string[], process: CommandProcess): Promise<number> {
  const context = createContext(process)
  const isWord = (argument: string) => !argument.startsWith('-')
  const first = argv.find(isWord)
  const others = argv.toSpliced(argv.findIndex(isWord), 1)
  try {
    const program = createProgram(context)
    if (first === 'help') requireCommand(program, others.filter(isWord))
    const words = first === 'help' ? [...others, '--help'] : first === 'version' ? ['--version', ...others] : argv
    await program.parseAsync(words, { from: 'user' })
    return context.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode ? exitCodes.misused : exitCodes.done
    process.note(`${errorMessage(error).trimEnd()}\n`)
    if (error instanceof ConfigurationError) return exitCodes.misused
    return error instanceof CliError ? error.exitCode : exitCodes.refused
  }
}
