import { Email, PhoneNumber } from '../contract/fields.ts'
import { failed, runCheck, ok, warning, type Check, type CheckFinding } from '../server/checks/check.ts'
import { configurationNames, type Environment } from '../server/platform/configuration/configuration-sources.ts'
import { readConfiguration, type Configuration } from '../server/platform/configuration/configuration.ts'
import { ConfigurationError } from '../server/platform/configuration/startup-error.ts'
import { checked, needs, type AddCommands, type CommandContext } from './command.ts'
import { exitCodes } from './environment.ts'

/** Reads the configuration; if it is invalid, returns each of its warnings and errors as a finding. */
function readConfigurationOrFindings(environment: Environment): Configuration | CheckFinding[] {
  try {
    return readConfiguration(environment)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return [...error.warnings.map(warning), ...error.errors.map(failed)]
  }
}

const ofConfiguration = (findings: CheckFinding[]): Check[] =>
  findings.map((finding) => ({ name: 'configuration', run: async () => finding }))

/** Returns the checks of a valid configuration and of everything it names. */
async function loadChecks(configuration: Configuration, recipients: { mail?: string; sms?: string }): Promise<Check[]> {
  // With every adapter, which other commands do not need.
  const { createChecks } = await import('../server/checks/checks.ts')
  return [
    ...ofConfiguration([ok('Every value is valid.'), ...configuration.warnings.map(warning)]),
    ...createChecks(configuration, recipients),
  ]
}

/** Finds the settings that a sentence names. */
const keysIn = (text: string) =>
  [...new Set(text.match(/[A-Z][A-Z0-9_]+/g))].filter((word) => configurationNames.has(word))

async function check(context: CommandContext, recipients: { mail?: string; sms?: string }) {
  const stopped = context.stopSignal()
  const configuration = readConfigurationOrFindings(context.environment)
  const isReadable = !Array.isArray(configuration)
  const checks = isReadable ? await loadChecks(configuration, recipients) : ofConfiguration(configuration)
  const width = Math.max(...checks.map(({ name }) => name.length))
  const all: (CheckFinding & { name: string; keys: string[] })[] = []
  for (const each of checks) {
    const { name } = each
    const { status, text } = await runCheck(each)
    all.push({ name, status, text, keys: keysIn(text) })
    if (!context.isJson) context.print(`${name.padEnd(width)}  ${status.padEnd(10)}  ${text}\n`)
    if (stopped.aborted) {
      context.exitCode = exitCodes.interrupted
      return
    }
  }
  context.printResult(all, '')
  if (!isReadable) context.exitCode = exitCodes.misused
  else if (all.some(({ status }) => status === 'failed')) context.exitCode = exitCodes.refused
}

export const addCheckCommand: AddCommands = (program, context) => {
  program
    .command('check')
    .helpGroup(needs.configuration)
    .description('test the configuration and the services that it names')
    .option(
      '--mail <address>',
      'send a test mail',
      checked((text) => Email.safeParse(text).success, 'an e-mail address'),
    )
    .option(
      '--sms <number>',
      'send a test message',
      checked((text) => PhoneNumber.safeParse(text).success, 'a number such as +48600100200'),
    )
    .addHelpText(
      'after',
      `\nPrints a line for each: ok, warning, failed or not tested, and what to do. It changes nothing, and leaves no object in
the store of documents. Exits with 0 if nothing failed, with 1 if a service failed, and with 2 if the configuration
has errors; then nothing else is tested.`,
    )
    .action((recipients) => check(context, recipients))
}
