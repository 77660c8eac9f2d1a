import { AsyncLocalStorage } from 'node:async_hooks'
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type RawBuilder,
  type Transaction,
  type TransactionBuilder,
} from 'kysely'
import pg from 'pg'
import { openChains, type Chains, type Link } from './audit-chain.ts'
import { statements } from './observed.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** Inside a transaction. Functions that must be part of their caller's act take this type, so they cannot be called outside of one. */
export type Tx = Transaction<Tables>

/** The role that requests run under: it owns no table, so it can neither drop nor alter one (R73). */
export const appRole = 'sygnet_app'

/**
 * Every statement with parameters is prepared once for a connection: planning costs the database more than running
 * them. Texts are the code's own (values are always bound), so their number is bounded.
 */
const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  const known = statementNames.get(text)
  if (known) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

type Queries = { query: (query: { name?: string; text: string; values: unknown[] }) => Promise<pg.QueryResult> }

async function run(queries: Queries, { sql: text, parameters }: CompiledQuery): Promise<QueryResult<never>> {
  const { rows, rowCount } = await statements.do({ text }, () =>
    queries.query({
      ...(parameters.length ? { name: nameOf(text) } : {}),
      text,
      values: parameters as unknown[],
    }),
  )
  return { rows: rows as never[], ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) }
}

/** What was prepared is gone (26000), or has a result of another shape since a migration (0A000): a new connection prepares it anew. */
const outdated = (error: unknown) => error instanceof pg.DatabaseError && /^(?:26000|0A000)$/.test(error.code ?? '')

/** One statement at whichever connection is free. A failure of its own leaves that as good as it was; `pool.query` would close it. */
const single = (pool: pg.Pool): Queries => ({
  query: (query) =>
    new Promise((resolve, reject) =>
      pool.connect((unconnected, client, release) => {
        if (!client) return reject(unconnected!)
        client.query(query, (error, result) => {
          const isItsOwn = error instanceof pg.DatabaseError && error.severity === 'ERROR'
          release(isItsOwn && !outdated(error) ? undefined : error)
          if (error) reject(error)
          else resolve(result)
        })
      }),
    ),
})

/**
 * Code inside a transaction holds a connection, and rows that others wait for. If it waits for a second connection of the
 * same pool, enough callers at once each hold one and wait for ever for another (R114). So that second one is refused.
 */
class TransactionScope {
  readonly #scopes = new AsyncLocalStorage<{ isOver: boolean }>()

  async run<T>(work: () => Promise<T>): Promise<T> {
    const scope = { isOver: false }
    try {
      return await this.#scopes.run(scope, work)
    } finally {
      // Work that nobody waited for goes on after the transaction.
      scope.isOver = true
    }
  }

  /** Runs work that no transaction waits for. */
  leave<T>(work: () => T): T {
    return this.#scopes.exit(work)
  }

  requireOutside(): void {
    if (this.#scopes.getStore()?.isOver === false)
      throw new Error('Inside a transaction every statement must use its tx, not the pool (R114).')
  }
}

/** Kysely, but it knows which code runs inside a transaction. */
class PortalDatabase extends Kysely<Tables> {
  readonly scope: TransactionScope

  constructor(dialect: Dialect, scope: TransactionScope) {
    super({ dialect })
    this.scope = scope
  }

  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    return Object.assign(builder, {
      execute: <T>(work: (tx: Tx) => Promise<T>) => execute((tx) => this.scope.run(() => work(tx))),
      setIsolationLevel: onlyPlain,
      setAccessMode: onlyPlain,
    })
  }

  override startTransaction = onlyPlain
}

/** Kysely's other ways to a transaction would go unnoticed here, and its levels are not passed on to the database. */
const onlyPlain = (): never => {
  throw new Error('Transactions are run by transaction().execute().')
}

/** Starts work on the database that may be asked for inside a transaction and that the transaction does not wait for. */
export const inBackground = <T>(db: Db, work: () => T): T => (db as PortalDatabase).scope.leave(work)

/**
 * A connection as kysely asks for it, but taken from the pool only by a transaction: a single statement goes to the
 * pool itself. (Kysely's own driver checks a connection out for each statement; every request's objects then outlive
 * a collection of young garbage, which cost more than the statement.)
 */
class PooledConnection implements DatabaseConnection {
  readonly #pool: pg.Pool
  readonly #chains: Chains | undefined
  readonly #scope: TransactionScope
  /** The end of the transaction's chain as it was before, and as it is for the transaction itself. */
  #links: { before: Link; last: Link } | undefined
  #client: pg.PoolClient | undefined
  #begun: Promise<unknown> | undefined
  #broken: Error | undefined

  constructor(pool: pg.Pool, chains: Chains | undefined, scope: TransactionScope) {
    this.#pool = pool
    this.#chains = chains
    this.#scope = scope
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#client) {
      this.#scope.requireOutside()
      return run(single(this.#pool), query)
    }
    // The first statement does not wait for the answer to BEGIN.
    const begun = this.#begun
    this.#begun = undefined
    try {
      const [result] = await Promise.all([run(this.#client, query), begun])
      return result
    } catch (error) {
      if (outdated(error)) this.#broken = error as Error
      throw error
    }
  }

  async begin(): Promise<void> {
    this.#scope.requireOutside()
    this.#client = await this.#pool.connect()
    this.#begun = this.#client.query('begin')
    // Its failure is the first statement's as well, or the end's.
    this.#begun.catch((error: Error) => (this.#broken = error))
  }

  async end(word: 'commit' | 'rollback'): Promise<void> {
    try {
      const { command } = await statements.do({ text: word }, () => this.#client!.query(word))
      // A COMMIT after a failed statement is answered by a ROLLBACK.
      if (word === 'commit' && command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
      if (this.#links) this.#chains!.giveBack(word === 'commit' ? this.#links.last : this.#links.before)
    } catch (error) {
      this.#broken = error as Error
      throw error
    }
  }

  /** Writes the records that follow the last one of the transaction's chain, told in their order. A chain that refuses them is left for good. */
  async writeNextLinks(statement: (key: Buffer, last: Link) => CompiledQuery<{ mac: Buffer }>): Promise<void> {
    if (!this.#chains) throw new Error('This database was opened without the key of the audit trail.')
    const links = this.#links ?? { before: this.#chains.take(), last: undefined }
    this.#links = undefined
    const { chain, seq } = links.last ?? links.before
    const { rows } = await this.executeQuery<{ mac: Buffer }>(statement(this.#chains.key, links.last ?? links.before))
    this.#links = { before: links.before, last: { chain, seq: seq + rows.length, mac: rows.at(-1)!.mac } }
  }

  release(): void {
    this.#client?.release(this.#broken)
  }

  streamQuery(): never {
    throw new Error('Lists are read by pages.')
  }
}

/** Kysely's dialect for a pool of pg. Isolation is the database's own: read committed. */
const poolDialect = (pool: pg.Pool, chains: Chains | undefined, scope: TransactionScope): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createDriver: () => ({
    init: async () => {},
    acquireConnection: async () => new PooledConnection(pool, chains, scope),
    beginTransaction: (connection) => (connection as PooledConnection).begin(),
    commitTransaction: (connection) => (connection as PooledConnection).end('commit'),
    rollbackTransaction: (connection) => (connection as PooledConnection).end('rollback'),
    releaseConnection: async (connection) => (connection as PooledConnection).release(),
    destroy: () => pool.end(),
  }),
})

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

/** The same instant in ISO 8601, of what the database writes when it is asked for its text: for lists, which only pass it on. */
export const isoOf = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`

/** Writes the next records of the audit trail; one after another, whatever else the transaction has under way. */
export const writeNextLinks = (
  tx: Tx,
  statement: (key: Buffer, last: Link) => RawBuilder<{ mac: Buffer }>,
): Promise<void> =>
  tx
    .getExecutor()
    .provideConnection((connection) =>
      (connection as PooledConnection).writeNextLinks((key, last) => statement(key, last).compile(tx)),
    )

/** How many connections a pool has, how many of them nobody uses, and how many statements wait for one. */
export type Connections = { open: number; idle: number; asked: number }

/**
 * Opens the pool for requests. A connection that breaks is replaced; the error reaches the request that used it. Only
 * with the audit key can its transactions record what they do. `patienceMs` limits a statement, `queueMs` the wait for a
 * connection. `asOwner`: with the login's own rights, for the operator's command and the demonstration's client keys; never
 * for requests (R123).
 */
export function openDatabase(
  url: string,
  options: { connections?: number; auditKey?: Buffer; patienceMs?: number; queueMs?: number; asOwner?: boolean } = {},
): { db: Db; connections: () => Connections; close: () => Promise<void> } {
  // Rule refusals and page reads take milliseconds; what takes longer is a fault, not patience.
  const { patienceMs = 15_000, queueMs = 5_000 } = options
  const pool = new pg.Pool({
    connectionString: url,
    pipeline: true,
    max: options.connections ?? 10,
    connectionTimeoutMillis: queueMs,
    statement_timeout: patienceMs,
    idle_in_transaction_session_timeout: patienceMs,
    // A server that has gone, or a network between that swallows, keeps to none of these: the connection is given up from here (R91).
    query_timeout: patienceMs + 2000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    // Every statement has its index, so one plan fits all values and tables of any size; left alone, the database plans
    // many of them anew each time, or keeps the plan that it made while a table was empty. Before PostgreSQL 18 a plan that
    // cannot do without a scan costs so much by this that it would be compiled, which takes longer than to run it.
    options: `${options.asOwner ? '' : `-c role=${appRole} `}-c timezone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off`,
    types: { getTypeParser },
  })
  // Without listeners, a server that stops ends the process: through its idle connections, and through those in use (57P01).
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const scope = new TransactionScope()
  const dialect = poolDialect(pool, options.auditKey && openChains(options.auditKey), scope)
  const db = new PortalDatabase(dialect, scope)
  return {
    db,
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, asked: pool.waitingCount }),
    close: () => db.destroy(),
  }
}

/** The database's time: the only one that rules use. */
export const now: RawBuilder<Date> = sql<Date>`portal_now()`
