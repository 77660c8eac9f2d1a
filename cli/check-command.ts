import { Email, PhoneNumber } from '../contract/fields.ts'
import { failed, findingOf, ok, warning, type Check, type Finding } from '../server/checks/check.ts'
import { readConfiguration, type Configuration } from '../server/platform/configuration/configuration.ts'
import { ConfigurationError } from '../server/platform/configuration/startup-error.ts'
import { configurationNames, type Environment } from '../server/platform/configuration/configuration-sources.ts'
import { CliError, exitCodes } from './cli-error.ts'
import type { Command, CommandContext } from './command.ts'

/** The configuration, or what is wrong with it: each of its warnings and errors. */
function configurationOf(environment: Environment): Configuration | Finding[] {
  try {
    return readConfiguration(environment)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return [...error.warnings.map(warning), ...error.errors.map(failed)]
  }
}

const ofConfiguration = (findings: Finding[]): Check[] =>
  findings.map((finding) => ({ name: 'configuration', run: async () => finding }))

/** The checks of a configuration that is valid, and of what it names. */
async function checksFor(configuration: Configuration, recipients: { mail?: string; sms?: string }): Promise<Check[]> {
  // With every adapter, which other commands do not need.
  const { checksOf } = await import('../server/checks/checks.ts')
  return [
    ...ofConfiguration([ok('Every value is valid.'), ...configuration.warnings.map(warning)]),
    ...checksOf(configuration, recipients),
  ]
}

function recipientsOf({ valuesOf }: CommandContext) {
  const [[mail], [sms]] = [valuesOf('mail'), valuesOf('sms')]
  if (mail !== undefined && !Email.safeParse(mail).success)
    throw new CliError('--mail takes an e-mail address.', exitCodes.misused)
  if (sms !== undefined && !PhoneNumber.safeParse(sms).success)
    throw new CliError('--sms takes a number such as +48600100200.', exitCodes.misused)
  return { ...(mail === undefined ? {} : { mail }), ...(sms === undefined ? {} : { sms }) }
}

/** The settings that a sentence names. */
const keysIn = (text: string) =>
  [...new Set(text.match(/[A-Z][A-Z0-9_]+/g))].filter((word) => configurationNames.has(word))

async function check(context: CommandContext): Promise<number> {
  const recipients = recipientsOf(context)
  const stopped = context.stopSignal()
  const configuration = configurationOf(context.environment)
  const isReadable = !Array.isArray(configuration)
  const checks = isReadable ? await checksFor(configuration, recipients) : ofConfiguration(configuration)
  const width = Math.max(...checks.map(({ name }) => name.length))
  const all: (Finding & { name: string; keys: string[] })[] = []
  for (const each of checks) {
    const { name } = each
    const { status, text } = await findingOf(each)
    all.push({ name, status, text, keys: keysIn(text) })
    if (!context.has('json')) context.print(`${name.padEnd(width)}  ${status.padEnd(10)}  ${text}\n`)
    if (stopped.aborted) return exitCodes.interrupted
  }
  context.printResult('', all)
  if (!isReadable) return exitCodes.misused
  return all.some(({ status }) => status === 'failed') ? exitCodes.refused : exitCodes.done
}

export const checkCommand: Command = {
  name: 'check',
  summary: 'test the configuration and the services that it names',
  details: `Prints a line for each: ok, warning, failed or not tested, and what to do. It changes nothing, and leaves no object in the store of documents.
Exits with 0 if nothing failed, with 1 if a service failed, and with 2 if the configuration has errors; then nothing else is tested.`,
  options: {
    mail: { valueName: 'ADDRESS', summary: 'send a test mail' },
    sms: { valueName: 'NUMBER', summary: 'send a test message' },
  },
  needs: 'configuration',
  run: check,
}
