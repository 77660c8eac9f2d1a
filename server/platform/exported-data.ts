import { sql, type RawBuilder } from 'kysely'
import type { Locale, Text } from '../../contract/enums.ts'
import type { IdentifierType } from '../../contract/identification.ts'
import { query, type Db } from './database/database.ts'
import { camelCase } from './database/described-rows.ts'
import { decryptValue, encryptedColumn } from './encrypted-data/encrypted-columns.ts'
import type { Keys } from './encryption/keys.ts'

/** A table in the copy of all data. `exported-columns.check.test.ts` fails if a column is neither exported nor omitted. */
export type ExportedRows = {
  table: string
  /** The joins with further tables. */
  join?: RawBuilder<unknown>
  /**
   * Exported columns, those of a joined table as `table.column`. Encrypted values are decrypted. The name is camelCase,
   * unless the column has another one: `column=name`, `column=object.name`, or `column=...` for an object whose fields
   * belong to the row. `column::type` is a cast.
   */
  columns: string
  /** Columns that are not exported, each with the reason. */
  omitted?: Record<string, string>
  order: string
}

/** A feature's list in the copy of all data (DAT-6, R87): instants are `Date`, and secrets are left out. */
export type ExportedList<Described = Exported> = ExportedRows & {
  /** Key in the JSON file, if that is not the table's name. */
  key?: string
  /** Whether the file has the only row, or null, instead of a list. */
  isSingle?: true
  /** Returns the condition for the rows of an account; by default they have its `account_id`. */
  where?: (accountId: string) => RawBuilder<unknown>
  /** Lists inside each row, whose `parent` is the row's `id`. */
  lists?: Record<string, ExportedRows & { parent: string; where?: RawBuilder<unknown> }>
  /** Adds or changes fields that are more than a column. */
  complete?: (row: Exported) => Exported
  /** The heading in the PDF, which successive lists can share. */
  title: Text
  /** Whether the PDF leaves out the heading if there is no row. */
  isRare?: true
  /** The name of a row in the PDF. */
  name?: Field
  /** The table of a row in the PDF. Content that is longer than a page is in the JSON only. */
  rows?: readonly (readonly [label: Field, value: Field])[]
  /** Returns the name and the table of a row in the PDF, if `name` and `rows` cannot describe them. */
  describe?(row: Described): ExportedThing | ExportedThing[]
}

/** A text, the name of a field or of several (`firstName surname, email`), or a field with the texts for its values. */
type Field = Text | string | readonly [name: string, texts: Record<string, Text>]

/** A heading of the PDF with its things, each a table of its own. */
export type ExportedSection = { title: Text; things: ExportedThing[] }
type ExportedThing = {
  /** The name above the table; undefined where the section has only one thing. */
  name?: ExportedValue
  rows: ExportedRow[]
}
export type ExportedRow = readonly [label: Text, value: ExportedValue]
export type ExportedValue = Text | string | number | Date | null

type Source = { db: Db; keys: Keys; accountId: string }
type Exported = Record<string, unknown>

/** Parses the names of columns, each with its cast and its path in the row. */
export const columnsIn = (table: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((text) => {
      const [, owner = table, column = '', type, path = camelCase(column)] =
        /^(?:(\w+)\.)?(\w+)(?:::(\w+))?(?:=(.+))?$/.exec(text) ?? []
      const encrypted = encryptedColumn(owner, column)
      return { table: owner, column, type, path, ref: sql.ref(`${owner}.${column}`), encrypted }
    })

async function listExportedRows(
  { db, keys }: Omit<Source, 'accountId'>,
  list: ExportedRows,
  condition: RawBuilder<unknown>,
) {
  const { table, join = sql``, order } = list
  const columns = columnsIn(table, list.columns)
  const values = columns.flatMap(({ table: owner, type, ref, encrypted }, i) => [
    sql`${type ? sql`cast(${ref} as ${sql.id(type)})` : ref} as ${sql.id(`value${i}`)}`,
    ...(encrypted
      ? [sql`array[${sql.join(encrypted.ids.map((id) => sql.ref(`${owner}.${id}`)))}]::text[] as ${sql.id(`ids${i}`)}`]
      : []),
  ])
  const rows = await query(db).all(sql<Exported>`
    select ${sql.join(values)} from ${sql.table(table)} ${join} where ${condition}
    order by ${sql.join(columnsIn(table, order).map(({ ref }) => ref))}`)
  return rows.map((found) => {
    const row: Exported = {}
    for (const [i, { path, encrypted }] of columns.entries()) {
      const stored = found[`value${i}`]
      const value =
        encrypted && stored ? decryptValue(keys, encrypted, found[`ids${i}`] as string[], stored as Buffer) : stored
      const [name = '', part] = path.split('.')
      if (path === '...') Object.assign(row, value)
      else row[name] = part ? { ...(row[name] as Exported), [part]: value } : value
    }
    return row
  })
}

export async function readExportedList(source: Source, list: ExportedList): Promise<Exported[]> {
  const { where = (id) => sql`${sql.ref(`${list.table}.account_id`)} = ${id}`, lists = {} } = list
  const rows = await listExportedRows(source, list, where(source.accountId))
  const ids = rows.map(({ id }) => id)
  for (const [name, { parent, where: only = sql`true`, ...inner }] of Object.entries(lists)) {
    const columns = `${parent}=parent ${inner.columns}`
    const condition = sql`${columnsIn(inner.table, parent)[0]!.ref} = any(${ids}::uuid[]) and ${only}`
    const all = await listExportedRows(source, { ...inner, columns }, condition)
    const byParent = Map.groupBy(all, (row) => row['parent'])
    for (const row of rows) row[name] = (byParent.get(row['id']) ?? []).map(({ parent: _, ...rest }) => rest)
  }
  return list.complete ? rows.map(list.complete) : rows
}

function valueAt(row: Exported, path: string): unknown {
  let value: unknown = row
  for (const name of path.split('.')) value = value && (value as Exported)[name]
  if (value === undefined) throw new Error(`An exported row has no ${path}.`)
  return value
}

function valueOf(row: Exported, field: Field): ExportedValue {
  if (typeof field === 'object' && 'pl' in field) return field
  if (typeof field === 'object') return field[1][String(valueAt(row, field[0]))] ?? null
  if (!field.includes(' ')) return valueAt(row, field) as ExportedValue
  return field.replace(/([\w.]+)( ?)/g, (_, path: string, blank: string) => {
    const value = valueAt(row, path) as string | null
    return value ? value + blank : ''
  })
}

export const describeRow = (list: ExportedList, row: Exported): ExportedThing | ExportedThing[] =>
  list.describe?.(row) ?? {
    ...(list.name && { name: valueOf(row, list.name) }),
    rows: (list.rows ?? []).map(([label, value]) => [valueOf(row, label) as Text, valueOf(row, value)]),
  }

/** Describes the reminders of an expiry for the export; `step` is the number of days before it. */
export const exportedReminders = (table: string, parent: string) => {
  return { table, parent, columns: 'step valid_to at', order: 'at' }
}

/** Puts the name of a joined table before the names of its columns. */
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

/** Formats a time by the clocks of Poland, as on every page of the portal. */
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
