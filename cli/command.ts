import { parseArgs } from 'node:util'
import type { PortalCalls } from './portal-calls.ts'
import { keysOf } from '../contract/keys-of.ts'
import type { Environment } from '../server/platform/configuration/configuration-sources.ts'
import { CliError, errorMessage, exitCodes } from './cli-error.ts'

type Option = {
  summary: string
  /** Shown in the help text; a switch takes no value. */
  valueName?: string
  multiple?: true
}

/** Everything that a command gets when it runs. */
export type CommandContext = {
  operands: string[]
  /** The values of an option, none if it is absent. */
  valuesOf: (name: string) => string[]
  has: (name: string) => boolean
  /** One of some values; undefined if the option is absent. */
  oneOf: <V extends string>(name: string, values: readonly V[]) => V | undefined
  /** A whole number from `least` to `most`; undefined if the option is absent. */
  wholeNumber: (name: string, least: number, most: number) => number | undefined
  /** Secrets come from here only: other users of the machine can read a command's arguments. */
  environment: Environment
  /** The portal's API. Throws if the settings are wrong, so commands that work on the database do not need them. */
  portal: () => PortalCalls
  /** Prints a result: `text` for people, or `json` with --json. */
  printResult: (text: string, json: unknown) => void
  /** Writes to standard output. */
  print: (text: string) => void
  /** Writes a remark for people to standard error. */
  note: (text: string) => void
  isTerminal: boolean
  /** From this call on, Ctrl+C does not end the command but aborts the signal, which it checks between its steps. */
  stopSignal: () => AbortSignal
}

/** Whether a text is an id of the portal, a UUID. */
export const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Prints each item of a list as a line: `wordsOf` it for people, or JSON with --json. Returns how many there were. */
export async function printItems<Item>(
  { has, print }: Pick<CommandContext, 'has' | 'print'>,
  items: AsyncIterable<Item>,
  wordsOf: (item: Item) => readonly string[],
): Promise<number> {
  let count = 0
  for await (const item of items) {
    print(`${has('json') ? JSON.stringify(item) : wordsOf(item).join('  ')}\n`)
    count++
  }
  return count
}

export type Command = {
  /** For example `customers show`. */
  name: string
  /** For example `CUSTOMER`. */
  operands?: readonly string[]
  /** The values that the operand can have, for completion. */
  operandValues?: readonly string[]
  summary: string
  /** Further text for the command's own help. */
  details?: string
  options?: Record<string, Option>
  needs: keyof typeof needs
  run: (context: CommandContext) => Promise<number>
}

export const needs = {
  nothing: 'Needs no settings.',
  portal: `Needs SYGNET_URL, the portal’s address, and SYGNET_KEY_FILE, a file with a client key (or SYGNET_KEY, the key itself).`,
  database: `Needs the portal’s own configuration: SYGNET_CONFIG, or DATABASE_URL, DATA_DIR and MASTER_KEY (each secret also as
  NAME_FILE). Without DATABASE_URL the command uses the database in DATA_DIR, while the portal runs.`,
  brand: 'Needs the portal’s own configuration: SYGNET_CONFIG, or BRAND_FILE.',
  configuration: 'Needs the portal’s own configuration: SYGNET_CONFIG, or the environment of the portal, and its user.',
}
export const exitTexts = {
  0: 'done',
  1: 'not done, or only in part',
  2: 'wrong arguments or settings',
  3: 'the portal or its database cannot be reached, try again',
  130: 'stopped by Ctrl+C',
}
const codes = `Exit codes: ${Object.entries(exitTexts)
  .map(([code, text]) => `${code} ${text}`)
  .join(' · ')}`

const common: Record<string, Option> = {
  json: { summary: 'print the result as JSON' },
  help: { summary: 'print this help' },
}

export const optionsOf = ({ options }: Command): Record<string, Option> => ({ ...options, ...common })

export const lineOf = ({ name, operands = [], options = {} }: Command) =>
  [
    'sygnet',
    name,
    ...operands,
    ...Object.entries(options).map(
      ([option, { valueName, multiple }]) => `[--${option}${valueName ? ` ${valueName}` : ''}]${multiple ? '…' : ''}`,
    ),
  ].join(' ')

const table = (rows: (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}\n`).join('')
}

/** The help text of all commands, or of those of one group. */
export function usageText(commands: readonly Command[], group = ''): string {
  const shown = commands.filter(({ name }) => !group || name.split(' ')[0] === group)
  const parts = keysOf(needs).flatMap((need) => {
    const rows = shown
      .filter((command) => command.needs === need)
      .map(({ name, operands = [], summary }) => [`sygnet ${[name, ...operands].join(' ')}`, summary] as const)
    return rows.length ? `${table(rows)}\n  ${needs[need]}\n` : []
  })
  const title = group ? '' : `sygnet: the command line of the portal’s operator and provider.\n\n`
  return `${title}${parts.join('\n')}\nAdd --help or -h to a command for its options, and --json for JSON output; sygnet --version prints the version.\n${codes}\n`
}

/** A paragraph in lines that fit a terminal. */
const wrapped = (text: string) =>
  text
    .split(/\s+/)
    .reduce<string[]>((lines, word) => {
      const last = lines.at(-1)
      if (last === undefined || last.length + word.length > 117) return [...lines, word]
      return [...lines.slice(0, -1), `${last} ${word}`]
    }, [])
    .join('\n')

function helpOf(command: Command): string {
  const rows = Object.entries(optionsOf(command)).map(
    ([name, { valueName, summary }]) => [`--${name}${valueName ? ` ${valueName}` : ''}`, summary] as const,
  )
  return `${lineOf(command)}\n\n${command.summary}.\n${command.details ? `${wrapped(command.details)}\n` : ''}\n${table(rows)}\n${wrapped(needs[command.needs])}\n${codes}\n`
}

const misused = (sentence: string) => new CliError(sentence, exitCodes.misused)

/** Finds the command and reads its operands and options, or returns the help text for --help. */
export function parseCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
):
  | { help: string }
  | { command: Command; given: Pick<CommandContext, 'operands' | 'valuesOf' | 'has' | 'oneOf' | 'wholeNumber'> } {
  const [noun, verb] = argv.filter((word) => !word.startsWith('-'))
  const command = commands.find(({ name }) => name === `${noun} ${verb}` || name === noun)
  if (!command) {
    const isKnown = commands.some(({ name }) => name.split(' ')[0] === noun)
    if (argv.includes('--help') || argv.includes('-h')) return { help: usageText(commands, isKnown ? noun : '') }
    // A word after an option may be its value, or the command.
    const isOptionFirst = argv
      .slice(argv.findIndex((word) => word.startsWith('-')))
      .some((word) => !word.startsWith('-'))
    if (isOptionFirst && argv.slice(0, 2).some((word) => word.startsWith('-')))
      throw misused('Options follow the command, such as in sygnet messages list --json. See sygnet --help')
    throw misused(
      `${noun ? `There is no command ${[noun, verb].filter(Boolean).join(' ')}.\n\n` : ''}${usageText(commands, isKnown ? noun : '')}`,
    )
  }
  const known = optionsOf(command)
  const parsed = parse(command, argv, known)
  if (parsed.values['help']) return { help: helpOf(command) }
  const operands = parsed.positionals.slice(command.name.split(' ').length)
  const wanted = command.operands ?? []
  // Such as of a variable that is not set.
  const empty = Object.keys(known).find((name) => [parsed.values[name]].flat().includes(''))
  if (empty !== undefined) throw misused(`--${empty} has an empty value.`)
  if (operands.length !== wanted.length || operands.includes(''))
    throw misused(`Expected ${wanted.length ? wanted.join(' ') : 'no operands'}: ${lineOf(command)}`)
  const valuesOf = (name: string) => [parsed.values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    command,
    given: {
      operands,
      valuesOf,
      has: (name) => parsed.values[name] !== undefined,
      oneOf(name, values) {
        const [text] = valuesOf(name)
        const value = values.find((each) => each === text)
        if (text !== undefined && value === undefined) throw misused(`--${name} is one of ${values.join(', ')}.`)
        return value
      },
      wholeNumber(name, least, most) {
        const [text] = valuesOf(name)
        if (text === undefined) return undefined
        const number = Number(text)
        if (!/^\d{1,9}$/.test(text) || number < least || number > most)
          throw misused(`--${name} takes a whole number from ${least} to ${most}.`)
        return number
      },
    },
  }
}

function parse({ name }: Command, argv: readonly string[], known: Record<string, Option>) {
  const options = Object.fromEntries(
    Object.entries(known).map(([option, { valueName, multiple }]) => [
      option,
      {
        type: valueName ? ('string' as const) : ('boolean' as const),
        multiple: multiple ?? false,
        ...(option === 'help' ? { short: 'h' } : {}),
      },
    ]),
  )
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options })
  } catch (error) {
    // Node's first sentence describes the error; the others are advice on quoting.
    const [sentence = ''] = errorMessage(error).split(/\.\s/)
    throw misused(`${sentence.replace(/\.$/, '')}. See sygnet ${name} --help`)
  }
}
