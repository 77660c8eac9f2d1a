import { sql, type RawBuilder } from 'kysely'
import type { Keys } from '../encryption/keys.ts'
import { query, type Db } from './database.ts'

// Rows that are described once: which columns they have, their types, and which of them are encrypted or form a group.

/** A row as the database returns it. */
type RawRow = { [name: string]: unknown }
type Expression = [text: TemplateStringsArray, ...values: unknown[]]

class Column<T, IsEncrypted extends boolean = boolean> {
  /** The types of the column, for the compiler only. */
  declare readonly types: [T, IsEncrypted]
  readonly expression: Expression
  readonly decode: ((value: unknown, row: RawRow, keys: Keys) => T) | undefined
  constructor(expression: Expression, decode?: Column<T>['decode']) {
    this.expression = expression
    this.decode = decode
  }
}

const optionalFields = Symbol('optional')
type OptionalGroup<F> = { [optionalFields]: F }
type Fields = { [name: string]: Column<unknown> | OptionalGroup<Fields> | Fields }

type Decoded<F> =
  F extends Column<infer T>
    ? T
    : F extends OptionalGroup<infer G>
      ? Decoded<G> | null
      : { [N in keyof F]: Decoded<F[N]> }

type HasEncrypted<F> =
  F extends Column<unknown, infer IsEncrypted>
    ? IsEncrypted
    : HasEncrypted<F extends OptionalGroup<infer G> ? G[keyof G] : F[keyof F]>

/** Describes a column of any SQL expression. */
export const column = <T>(...expression: Expression) => new Column<T, false>(expression)

/**
 * Describes a column that is encrypted for the id in the column `boundTo`, by its name in the database's row: `signatureId` for the id of a
 * group `signature`. It may be null if `decrypt` takes null.
 */
export const decrypted =
  <V extends Buffer | null, T>(decrypt: (keys: Keys, id: string, encrypted: V) => T, boundTo = 'id') =>
  (...expression: Expression) =>
    new Column<T, true>(expression, (value, row, keys) => decrypt(keys, row[boundTo] as string, value as V))

/** Describes a group that is null if its first column is null. */
export const optional = <F extends Fields>(fields: F): OptionalGroup<F> => ({ [optionalFields]: fields })

/** Returns how a field is made from a row, and adds its columns to `columns` by their names in the row. */
function decoderOf(
  field: Fields[string],
  name: string,
  columns: Map<string, Column<unknown>>,
): (row: RawRow, keys: Keys) => unknown {
  if (field instanceof Column) {
    columns.set(name, field)
    const { decode } = field
    return decode ? (row, keys) => decode(row[name], row, keys) : (row) => row[name]
  }
  const inRow = (part: string) => name + part[0]!.toUpperCase() + part.slice(1)
  const isOptional = optionalFields in field
  const fields = Object.entries(isOptional ? field[optionalFields] : field)
  const parts = fields.map(([part, inner]) => [part, decoderOf(inner, inRow(part), columns)] as const)
  const [first] = isOptional ? fields.map(([part]) => inRow(part)) : []
  return (row, keys) => {
    if (first !== undefined && row[first] === null) return null
    const group: RawRow = {}
    for (const [part, decode] of parts) group[part] = decode(row, keys)
    return group
  }
}

/** Returns the select list as one fragment: one for each column would take longer in every statement. */
function selectList(columns: ReadonlyMap<string, Column<unknown>>): RawBuilder<unknown> {
  const text: string[] = []
  const values: unknown[] = []
  for (const [name, { expression }] of columns) {
    const [[first, ...others], ...embedded] = expression
    text.push(text.length ? `${text.pop()}, ${first}` : first!, ...others)
    text.push(`${text.pop()} as "${name}"`)
    values.push(...embedded)
  }
  return sql(Object.assign(text, { raw: text }), ...values)
}

/**
 * Describes the rows of statements that select `columns`. `rows(db, keys).first(statement)` and `.all(statement)` read
 * them, with the columns `More` that the statement has besides, as the database returns these.
 */
export function describeRows<F extends Fields>(fields: F) {
  const columns = new Map<string, Column<unknown>>()
  const decoders = Object.entries(fields).map(([name, field]) => [name, decoderOf(field, name, columns)] as const)
  const changed = decoders.filter(([name]) => !columns.has(name) || columns.get(name)!.decode)
  const inGroups = new Set([...columns.keys()].filter((name) => !(name in fields)))

  function decode(raw: RawRow, keys: Keys): RawRow {
    let row = raw
    if (inGroups.size) {
      row = {}
      for (const name in raw) if (!inGroups.has(name)) row[name] = raw[name]
    }
    for (const [name, decodeField] of changed) row[name] = decodeField(raw, keys)
    return row
  }

  const read = (db: Db, ...[keys]: true extends HasEncrypted<F> ? [keys: Keys] : []) => {
    const all = async <More = unknown>(statement: RawBuilder<unknown>) => {
      const rows = (await query(db).all(statement)) as RawRow[]
      return (changed.length ? rows.map((row) => decode(row, keys!)) : rows) as (Decoded<F> & More)[]
    }
    const first = async <More = unknown>(statement: RawBuilder<unknown>) => (await all<More>(statement))[0]
    return { all, first }
  }

  return Object.assign(read, { fields, columns: selectList(columns) })
}

export type RowOf<R extends { fields: unknown }> = Decoded<R['fields']>

/** Converts `valid_to` to `validTo`. */
export const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
