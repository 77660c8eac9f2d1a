import { Kysely, PostgresDialect, sql, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** Inside a transaction. Functions that must be part of their caller's act take this type, so they cannot be called outside of one. */
export type Tx = Transaction<Tables>

/** The role that requests run under: it owns no table, so it can neither drop nor alter one (R73). */
export const appRole = 'sygnet_app'

/**
 * Prepares every statement with parameters once for a connection: planning costs the database more than running
 * them. Texts are the code's own (values are always bound), so their number is bounded.
 */
class PreparingClient extends pg.Client {
  // pg's own signature has a dozen forms; kysely uses this one, and the others pass through untouched.
  override query(...args: never[]): never {
    const [text, values] = args as unknown as [unknown, unknown]
    const query = super.query.bind(this) as (...given: unknown[]) => never
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query(...(args as unknown[]))
    return query({ name: nameOf(text), text, values })
  }
}

const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  const known = statementNames.get(text)
  if (known) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/**
 * Reads instants as the language itself does. pg's own reader allows for every zone and style a server can have; ours
 * is told UTC, and lists have many instants. What lies outside of four-digit years is left to pg.
 */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format: 'text' | 'binary') => {
  const read = pg.types.getTypeParser(oid, format) as (text: string) => unknown
  if (oid !== pg.types.builtins.TIMESTAMPTZ || format === 'binary') return read
  return (text: string) =>
    text[4] === '-' && text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`) : read(text)
}) as typeof pg.types.getTypeParser

/** Opens the pool for requests. A connection that breaks is replaced; the error reaches the request that used it. */
export function openDatabase(
  url: string,
  options: { connections?: number } = {},
): { db: Db; close: () => Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    Client: PreparingClient,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 5_000,
    // Rule refusals and page reads take milliseconds; what takes longer is a fault, not patience.
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    options: `-c role=${appRole} -c timezone=UTC`,
    types: { getTypeParser },
  })
  // Without listeners, a server that stops ends the process: through its idle connections, and through those in use (57P01).
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, close: () => db.destroy() }
}

/** The database's time: the only one that rules use. */
export const now: RawBuilder<Date> = sql<Date>`portal_now()`
