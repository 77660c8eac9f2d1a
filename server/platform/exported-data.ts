import { sql, type RawBuilder } from 'kysely'
import type { IdentifierType, Locale, Text } from '../../contract/enums.ts'
import type { Db } from './database/database.ts'
import { decryptValue, encryptedColumn } from './encrypted-data/encrypted-columns.ts'
import type { Keys } from './encryption/keys.ts'

/** What the copy of all data has of a table. exported-columns.check.test.ts finds a column that is neither exported nor omitted. */
export type ExportedRows = {
  table: string
  /** Joins further tables, whose columns are named `table.column`. */
  join?: RawBuilder<unknown>
  /**
   * Its columns, decrypted, under their names in camelCase, or another name (`column=name`, `column=object.name`); `column=...` is an object
   * whose fields are those of the row. `column::type` is cast.
   */
  columns: string
  /** Columns that are not exported, with the reason. */
  omitted?: Record<string, string>
  order: string
}

/** A feature's list in the copy of all data (DAT-6, R87): instants are `Date`, and secrets are left out. */
export type ExportedList<Row = Record<string, unknown>> = ExportedRows & {
  /** Its key in the JSON file. */
  key: string
  /** The file has the only row, or null, instead of a list. */
  isSingle?: true
  /** The rows of an account; by default those with its `account_id`. */
  where?: (accountId: string) => RawBuilder<unknown>
  /** Lists inside each row, whose `parent` is the row's `id`. */
  lists?: Record<string, ExportedRows & { parent: string; where?: RawBuilder<unknown> }>
  /** Changes what the columns alone do not say. */
  complete?(row: Row): object
  /** Its heading in the PDF, which successive lists can share. */
  title: Text
  /** Without a row, there is no heading. */
  isRare?: true
  /** A row in the PDF; what is longer than a page is in the JSON only. */
  describe(row: Row): ExportedThing | ExportedThing[]
}

/** A heading and its things, each a table of its own; `name` is left out where there is only one. */
export type ExportedSection = { title: Text; things: ExportedThing[] }
type ExportedThing = { name?: ExportedValue; rows: ExportedRow[] }
export type ExportedRow = readonly [label: Text, value: ExportedValue]
export type ExportedValue = Text | string | number | Date | null

type Source = { db: Db; keys: Keys; accountId: string }
type Row = Record<string, unknown>

/** Columns by their names, which are followed by their types and their places in the row. */
export const columnsIn = (table: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((text) => {
      const [, of = table, column = '', type, place = camelCase(column)] =
        /^(?:(\w+)\.)?(\w+)(?:::(\w+))?(?:=(.+))?$/.exec(text) ?? []
      return { table: of, column, type, place, ref: sql.ref(`${of}.${column}`), encrypted: encryptedColumn(of, column) }
    })

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

async function readRows({ db, keys }: Omit<Source, 'accountId'>, list: ExportedRows, condition: RawBuilder<unknown>) {
  const { table, join = sql``, order } = list
  const columns = columnsIn(table, list.columns)
  const values = columns.flatMap(({ table: of, type, ref, encrypted }, i) => [
    sql`${type ? sql`cast(${ref} as ${sql.id(type)})` : ref} as ${sql.id(`value${i}`)}`,
    ...(encrypted
      ? [sql`array[${sql.join(encrypted.ids.map((id) => sql.ref(`${of}.${id}`)))}]::text[] as ${sql.id(`ids${i}`)}`]
      : []),
  ])
  const { rows } = await sql<Row>`
    select ${sql.join(values)} from ${sql.table(table)} ${join} where ${condition}
    order by ${sql.join(columnsIn(table, order).map(({ ref }) => ref))}`.execute(db)
  return rows.map((found) => {
    const row: Row = {}
    for (const [i, { place, encrypted }] of columns.entries()) {
      const stored = found[`value${i}`]
      const value =
        encrypted && stored ? decryptValue(keys, encrypted, found[`ids${i}`] as string[], stored as Buffer) : stored
      const [name = '', part] = place.split('.')
      if (place === '...') Object.assign(row, value)
      else row[name] = part ? { ...(row[name] as Row), [part]: value } : value
    }
    return row
  })
}

/** The rows of an account. */
export async function readExportedList(source: Source, list: ExportedList): Promise<Row[]> {
  const { where = (id) => sql`${sql.ref(`${list.table}.account_id`)} = ${id}`, lists = {} } = list
  const rows = await readRows(source, list, where(source.accountId))
  const ids = rows.map(({ id }) => id)
  for (const [name, { parent, where: only = sql`true`, ...inner }] of Object.entries(lists)) {
    const columns = `${parent}=parent ${inner.columns}`
    const condition = sql`${columnsIn(inner.table, parent)[0]!.ref} = any(${ids}::uuid[]) and ${only}`
    const all = await readRows(source, { ...inner, columns }, condition)
    const byParent = Map.groupBy(all, (row) => row['parent'])
    for (const row of rows) row[name] = (byParent.get(row['id']) ?? []).map(({ parent: _, ...rest }) => rest)
  }
  return rows.map((row) => list.complete?.(row) ?? row) as Row[]
}

/** The reminders of ends, in days before them. */
export const exportedReminders = (table: string, parent: string) => ({
  table,
  parent,
  columns: 'step valid_to at',
  order: 'at',
})

/** Names the columns of a joined table. */
export const ofTable = (table: string) => (names: string) => names.replace(/[^\s]+/g, (name) => `${table}.${name}`)

/** Reasons why columns are not exported. */
export const reasons = {
  canonical: 'the same value in the form for comparisons',
  secret: 'gives access, or is a hash of what does',
  stored: 'a random name in the document store',
  internal: 'a counter or flag of the portal',
  inHistory: 'it is in the history',
  joined: 'the key by which the row is part of an exported object',
}

/** Labels that several sections have. */
export const labels = {
  validFrom: { pl: 'Ważność od', en: 'Valid from' },
  validTo: { pl: 'Ważność do', en: 'Valid until' },
  status: { pl: 'Status', en: 'Status' },
  organisation: { pl: 'Organizacja', en: 'Organisation' },
  paired: { pl: 'Aplikacja połączona', en: 'App connected' },
  created: { pl: 'Utworzono', en: 'Created' },
  changed: { pl: 'Zmieniono', en: 'Changed' },
  note: { pl: 'Uwaga dostawcy', en: 'Provider’s note' },
} as const satisfies Record<string, Text>

/** The parts that there are, with a blank between them. */
export const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ')

/** By the clocks of Poland, as on every page of the portal. */
export const momentOf = (locale: Locale, at: Date): string =>
  new Intl.DateTimeFormat(locale === 'pl' ? 'pl-PL' : 'en-GB', {
    timeZone: 'Europe/Warsaw',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)

export const identifierText: Record<IdentifierType, Text> = {
  PNO: { pl: 'numer osobisty (PESEL)', en: 'personal number (PESEL)' },
  TIN: { pl: 'numer podatkowy', en: 'tax number' },
  PAS: { pl: 'paszport', en: 'passport' },
  IDC: { pl: 'dowód osobisty', en: 'identity card' },
  ECN: { pl: 'numer od dostawcy', en: 'provider’s number' },
}

export const languageText: Record<Locale, Text> = {
  pl: { pl: 'polski', en: 'Polish' },
  en: { pl: 'angielski', en: 'English' },
}
