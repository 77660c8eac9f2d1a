import { parseArgs } from 'node:util'
import type { PortalCalls } from './portal-calls.ts'
import type { Surroundings } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

type Option = {
  says: string
  /** What it takes, for people; a switch takes nothing. */
  takes?: string
  multiple?: true
}

/** What a command is given when it runs. */
export type Asked = {
  operands: string[]
  /** Values of an option, none when it was not given. */
  values: (name: string) => string[]
  has: (name: string) => boolean
  /** A whole number from `least` to `most`; undefined when it was not given. */
  whole: (name: string, least: number, most: number) => number | undefined
  surroundings: Surroundings
  /** The portal's API; an error in the settings is thrown when it is asked for. */
  portal: () => PortalCalls
  /** Says a result: as text for people, or with --json as it is. */
  say: (text: string, json: unknown) => void
  /** Writes to standard output as it is. */
  print: (text: string) => void
  /** Tells a person something beside the result. */
  note: (text: string) => void
  isTerminal: boolean
  /** Ctrl+C: what can be broken off looks here. */
  stopped: AbortSignal
}

export type Command = {
  /** `customers show` */
  words: string
  /** `CUSTOMER` */
  operands?: readonly string[]
  says: string
  /** More of it, for its own help. */
  more?: string
  options?: Record<string, Option>
  needs: 'portal' | 'database'
  run: (asked: Asked) => Promise<number>
}

const needs = {
  portal: `Needs SYGNET_URL, the portal's address, and SYGNET_KEY_FILE, a file with a client key (or SYGNET_KEY, the key itself).`,
  database: `Needs the portal's own configuration: SYGNET_CONFIG, or DATABASE_URL, DATA_DIR and MASTER_KEY (each secret also as
  NAME_FILE). Without DATABASE_URL it is the database in DATA_DIR, while the portal runs.`,
}
const codes = `Exit codes: 0 done · 1 not done, or not all of it · 2 wrong words or settings · 3 the portal cannot be reached, try again · 130 stopped by Ctrl+C`

const common: Record<string, Option> = {
  json: { says: 'print the result as JSON, for programs' },
  help: { says: 'tell this, and do nothing' },
}

const lineOf = ({ words, operands = [], options = {} }: Command) =>
  [
    'sygnet',
    words,
    ...operands,
    ...Object.entries(options).map(
      ([name, { takes, multiple }]) => `[--${name}${takes ? ` ${takes}` : ''}]${multiple ? '…' : ''}`,
    ),
  ].join(' ')

const table = (rows: (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}\n`).join('')
}

/** Everything there is, or what begins with the words. */
export function usageOf(commands: readonly Command[], begins = ''): string {
  const shown = commands.filter(({ words }) => !begins || words.split(' ')[0] === begins)
  const parts = (['portal', 'database'] as const).flatMap((where) => {
    const rows = shown
      .filter((one) => one.needs === where)
      .map(({ words, operands = [], says }) => [`sygnet ${[words, ...operands].join(' ')}`, says] as const)
    return rows.length ? `${table(rows)}\n  ${needs[where]}\n` : []
  })
  const what = begins ? '' : `sygnet: the command of the portal's operator and provider.\n\n`
  return `${what}${parts.join('\n')}\nAdd --help to a command for its options, and --json for output that programs read; sygnet --version tells the version.\n${codes}\n`
}

/** Breaks lines between words where they are wider than a terminal. */
const wrapped = (text: string) =>
  text.split(/([ \n])/).reduce(
    ({ told, column }, part) => {
      if (part === '\n') return { told: told + part, column: 0 }
      if (part !== ' ' && column + part.length > 118) return { told: `${told.trimEnd()}\n${part}`, column: part.length }
      return { told: told + part, column: column + part.length }
    },
    { told: '', column: 0 },
  ).told

function helpOf(command: Command): string {
  const options = { ...command.options, ...common }
  const rows = Object.entries(options).map(
    ([name, { takes, says }]) => [`--${name}${takes ? ` ${takes}` : ''}`, says] as const,
  )
  return `${lineOf(command)}\n\n${command.says}.\n${command.more ? `${wrapped(command.more)}\n` : ''}\n${table(rows)}\n${needs[command.needs]}\n${codes}\n`
}

const misused = (sentence: string) => new Told(sentence, exitCodes.misused)

/** The command that is meant, and what it was given; or the help that was asked for. */
export function readWords(
  commands: readonly Command[],
  argv: readonly string[],
): { help: string } | { command: Command; given: Pick<Asked, 'operands' | 'values' | 'has' | 'whole'> } {
  const [noun, verb] = argv.filter((word) => !word.startsWith('-'))
  const command = commands.find(({ words }) => words === `${noun} ${verb}` || words === noun)
  if (!command) {
    const isKnown = commands.some(({ words }) => words.split(' ')[0] === noun)
    if (argv.includes('--help')) return { help: usageOf(commands, isKnown ? noun : '') }
    throw misused(
      `${noun ? `There is no command ${[noun, verb].filter(Boolean).join(' ')}.\n\n` : ''}${usageOf(commands, isKnown ? noun : '')}`,
    )
  }
  const known = { ...command.options, ...common }
  const parsed = parse(command, argv, known)
  if (parsed.values['help']) return { help: helpOf(command) }
  const operands = parsed.positionals.slice(command.words.split(' ').length)
  const wanted = command.operands ?? []
  if (operands.length !== wanted.length)
    throw misused(`This takes ${wanted.length ? wanted.join(' ') : 'nothing more'}: ${lineOf(command)}`)
  const values = (name: string) => [parsed.values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    command,
    given: {
      operands,
      values,
      has: (name) => parsed.values[name] !== undefined,
      whole(name, least, most) {
        const [text] = values(name)
        if (text === undefined) return undefined
        const number = Number(text)
        if (!/^\d{1,9}$/.test(text) || number < least || number > most)
          throw misused(`--${name} takes a whole number from ${least} to ${most}.`)
        return number
      },
    },
  }
}

function parse({ words }: Command, argv: readonly string[], known: Record<string, Option>) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { takes, multiple }]) => [
      name,
      { type: takes ? ('string' as const) : ('boolean' as const), multiple: multiple ?? false },
    ]),
  )
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options })
  } catch (error) {
    // Node's first sentence says what is wrong; the others are advice on how to quote.
    const [sentence] = (error as Error).message.split(/\.\s/)
    throw misused(`${sentence!.replace(/\.$/, '')}. See sygnet ${words} --help`)
  }
}
