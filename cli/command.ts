import { InvalidArgumentError, type Command } from 'commander'
import type { Environment } from '../server/platform/configuration/configuration-sources.ts'
import { readCredentials } from './environment.ts'
import { portalCalls, type PortalCalls } from './portal-calls.ts'

/** The process of a command, which tests replace. */
export type CommandProcess = {
  /** The environment, the only source of secrets: other users of the machine can read a command's arguments. */
  environment: Environment
  /** Writes to standard output. */
  print: (text: string) => void
  /** Writes a remark for people to standard error. */
  note: (text: string) => void
  isTerminal: boolean
  /** Returns a signal that Ctrl+C aborts from this call on, instead of ending the command, which checks the signal between its steps. */
  stopSignal: () => AbortSignal
}

/** What the commands share while one of them runs. */
export type CommandContext = CommandProcess & {
  isJson: boolean
  /** The code with which the command ends, unless it throws. */
  exitCode: number
  /** Returns the portal's API. Throws if the settings for it are wrong, which commands that work on the database do not need. */
  portal: () => PortalCalls
  /** Prints a result as JSON with --json, otherwise as `text` for people. */
  printResult: (json: object, text?: string) => void
}

/** Formats an object as lines for people, with a name and a value each. Empty values are left out. */
export function plainText(object: object): string {
  const rows = Object.entries(object).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, shown(value)]],
  )
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export function createContext(process: CommandProcess): CommandContext {
  let calls: PortalCalls | undefined
  const context: CommandContext = {
    ...process,
    isJson: false,
    exitCode: 0,
    portal: () => (calls ??= portalCalls(readCredentials(process.environment))),
    printResult: (json, text = plainText(json)) => process.print(context.isJson ? `${JSON.stringify(json)}\n` : text),
  }
  return context
}

export type AddCommands = (program: Command, context: CommandContext) => void

/** The settings that commands need, as the headings of their groups in the help. */
export const needs = {
  portal: `Needs SYGNET_URL, the portal’s address, and SYGNET_KEY_FILE, a file with a client key (or SYGNET_KEY, the key itself).`,
  database: `Needs the portal’s own configuration: SYGNET_CONFIG, or DATABASE_URL, DATA_DIR and MASTER_KEY (each secret also as
NAME_FILE). Without DATABASE_URL the command uses the database in DATA_DIR, while the portal runs.`,
  brand: 'Needs the portal’s own configuration: SYGNET_CONFIG, or BRAND_FILE.',
  configuration: 'Needs the portal’s own configuration: SYGNET_CONFIG, or the environment of the portal, and its user.',
}

/** The names of an object's texts. */
type TextKey<Item> = { [K in keyof Item]: Item[K] extends string | null ? K : never }[keyof Item]
type ListPage<Item, Cursor> = { items: readonly Item[]; next: Cursor | null }

/** Prints each item of a list, page by page, as a line: these values for people, or JSON with --json. Returns how many there were. */
export async function printList<Item extends object, Cursor extends string | number = string>(
  { isJson, print }: CommandContext,
  readPage: (after?: Cursor) => Promise<ListPage<Item, Cursor>>,
  columns: readonly TextKey<Item>[] | ((item: Item) => readonly (string | null)[]),
): Promise<number> {
  const valuesOf = (item: Item) =>
    typeof columns === 'function' ? columns(item) : columns.map((name) => item[name] as string | null)
  const textOf = (item: Item) => Array.from(valuesOf(item), (value) => value ?? '-').join('  ')
  let count = 0
  for (let after: Cursor | null | undefined; after !== null;) {
    const page: ListPage<Item, Cursor> = await readPage(after)
    for (const item of page.items) print(`${isJson ? JSON.stringify(item) : textOf(item)}\n`)
    count += page.items.length
    after = page.next
  }
  return count
}

/** Reads a value that passes a test; `what` says in the message what it has to be. */
export const checked =
  <V extends string>(isValid: ((text: string) => text is V) | ((text: string) => boolean), what: string) =>
  (text: string): V => {
    if (!isValid(text)) throw new InvalidArgumentError(`It must be ${what}.`)
    return text as V
  }

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  if (!/^\d{1,9}$/.test(text) || number < least || number > most)
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  return number
}

/** Reads an option that can be repeated. */
export const repeated =
  <V extends string>(read: (text: string) => V = (text) => text as V) =>
  (text: string, earlier: readonly V[] | undefined): readonly V[] => [...(earlier ?? []), read(text)]

export const counted = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`
