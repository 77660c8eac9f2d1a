import { sql, type RawBuilder } from 'kysely'
import type { Keys } from '../encryption/keys.ts'
import type { Db } from './database.ts'

/** Rows that are described once: which columns they have, their types, and which of them are encrypted or form a group. */

type Decrypt<T> = (keys: Keys, id: string, encrypted: Buffer) => T
type Expression = [text: TemplateStringsArray, ...values: unknown[]]

class Column<T> {
  readonly expression: Expression
  /** Only for the compiler. */
  declare readonly type: T
  constructor(expression: Expression) {
    this.expression = expression
  }
}

class EncryptedColumn<T> extends Column<T> {
  readonly decrypt: Decrypt<T>
  readonly boundTo: string
  constructor(expression: Expression, decrypt: Decrypt<T>, boundTo: string) {
    super(expression)
    this.decrypt = decrypt
    this.boundTo = boundTo
  }
}

class OptionalGroup<F> {
  readonly fields: F
  constructor(fields: F) {
    this.fields = fields
  }
}

type Fields = { [name: string]: Column<unknown> | OptionalGroup<Fields> | Fields }

type Decoded<F> =
  F extends Column<infer T>
    ? T
    : F extends OptionalGroup<infer G>
      ? Decoded<G> | null
      : { [N in keyof F]: Decoded<F[N]> }

type IsEncrypted<F> =
  F extends EncryptedColumn<unknown>
    ? true
    : F extends Column<unknown>
      ? false
      : F extends OptionalGroup<infer G>
        ? IsEncrypted<G>
        : IsEncrypted<F[keyof F]>

/** A column of any SQL expression. */
export const column = <T>(...expression: Expression): Column<T> => new Column(expression)

/**
 * A column that is encrypted for the id in the column `boundTo`, by its name in the database's row: `signatureId` for the id of a group
 * `signature`.
 */
export const decrypted =
  <T>(decrypt: Decrypt<T>, boundTo = 'id') =>
  (...expression: Expression): EncryptedColumn<T> =>
    new EncryptedColumn(expression, decrypt, boundTo)

/** The same for a column that may be null. */
export const decryptedOrNull = <T>(decrypt: Decrypt<T>, boundTo?: string) =>
  decrypted<T | null>((keys, id, encrypted: Buffer | null) => encrypted && decrypt(keys, id, encrypted), boundTo)

/** A group that is null if its first column is null. */
export const optional = <F extends Fields>(fields: F): OptionalGroup<F> => new OptionalGroup(fields)

/** A row as the database returns it. */
type RawRow = { [name: string]: unknown }
type Decode = (row: RawRow, keys: Keys | undefined) => unknown
type Columns = Map<string, Column<unknown>>

/** How a field is made from a row, whose columns are collected by their names. */
function decoderOf(field: Fields[string], name: string, columns: Columns): Decode {
  if (field instanceof Column) {
    columns.set(name, field)
    if (!(field instanceof EncryptedColumn)) return (row) => row[name]
    return (row, keys) => field.decrypt(keys!, row[field.boundTo] as string, row[name] as Buffer)
  }
  const inRow = (part: string) => name + part[0]!.toUpperCase() + part.slice(1)
  const isOptional = field instanceof OptionalGroup
  const fields = Object.entries(isOptional ? field.fields : field)
  const parts = fields.map(([part, inner]) => [part, decoderOf(inner, inRow(part), columns)] as const)
  const [first] = isOptional ? fields.map(([part]) => inRow(part)) : []
  return (row, keys) => {
    if (first !== undefined && row[first] === null) return null
    const group: RawRow = {}
    for (const [part, decode] of parts) group[part] = decode(row, keys)
    return group
  }
}

/** The select list as one fragment: a fragment for each column would take longer in every statement. */
function selectList(columns: Columns): RawBuilder<unknown> {
  const text: string[] = []
  const values: unknown[] = []
  for (const [name, { expression }] of columns) {
    const [fragments, ...embedded] = expression
    const [start, ...others] = [...fragments.slice(0, -1), `${fragments.at(-1)} as "${name}"`]
    text.push(text.length ? `${text.pop()}, ${start}` : start!, ...others)
    values.push(...embedded)
  }
  return sql(Object.assign(text, { raw: text }), ...values)
}

/**
 * Describes the rows of statements that select `columns`. `rows(db, keys).first(statement)` and `.all(statement)` read them, with the columns
 * `More` that the statement has besides, as the database returns these.
 */
export function rowsOf<F extends Fields>(fields: F) {
  const columns: Columns = new Map()
  const decoders = Object.entries(fields)
    .map(([name, field]) => [name, field, decoderOf(field, name, columns)] as const)
    .filter(([, field]) => !(field instanceof Column) || field instanceof EncryptedColumn)
  const grouped = new Set([...columns.keys()].filter((name) => !(name in fields)))
  for (const field of columns.values())
    if (field instanceof EncryptedColumn && !columns.has(field.boundTo))
      throw new Error(`An encrypted column is bound to ${field.boundTo}, which is not selected.`)

  function decode(raw: RawRow, keys: Keys | undefined): RawRow {
    let row = raw
    if (grouped.size) {
      row = {}
      for (const name in raw) if (!grouped.has(name)) row[name] = raw[name]
    }
    for (const [name, , decodeField] of decoders) row[name] = decodeField(raw, keys)
    return row
  }

  const read = (db: Db, ...[keys]: true extends IsEncrypted<F> ? [keys: Keys] : []) => {
    const all = async <More = unknown>(statement: RawBuilder<unknown>) => {
      const rows = (await statement.execute(db)).rows as (RawRow & Decoded<F> & More)[]
      if (decoders.length) for (const [i, row] of rows.entries()) rows[i] = decode(row, keys) as (typeof rows)[number]
      return rows
    }
    const first = async <More = unknown>(statement: RawBuilder<unknown>) => (await all<More>(statement))[0]
    return { all, first }
  }
  return Object.assign(read, { fields, columns: selectList(columns) })
}

/** The type of rows that were described. */
export type RowOf<R extends { fields: unknown }> = Decoded<R['fields']>
