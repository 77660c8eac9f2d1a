import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import {
  CamelCasePlugin,
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
import { openChains, type Chains, type Link } from '../encryption/audit-chain.ts'
import { statements } from '../observability/events.ts'

export type Db = Kysely<unknown>
/** Functions that must run in their caller's transaction take this type, so they cannot be called outside of one. */
export type Tx = Transaction<unknown>

/** The role of requests. It owns no table, so it can neither drop nor alter one (R73). */
export const appRole = 'sygnet_app'

/**
 * Every statement with parameters is prepared once per connection, because planning costs the database more than execution.
 * The texts come from the code (values are always bound), so their number is bounded.
 */
const statementNames = new Map<string, string>()

function statementName(text: string): string {
  const known = statementNames.get(text)
  if (known) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/**
 * Whether a new connection has to replace the one of an error. The SQLSTATE says so, because PostgreSQL translates the severity: 57P0, 08,
 * 25P03, 25P04 and XX are about the connection or the server. The server does not accept writes (25006), and a new connection may lead to
 * another server, or to one that accepts them again (R91). A prepared statement is gone (26000), or a migration changed its result (0A000).
 */
const endsConnection = (error: unknown) =>
  !(error instanceof pg.DatabaseError) || /^(?:57P0|08|25P0[34]|XX|25006|26000|0A000)/.test(error.code ?? '')

/** What is written to a connection in one turn of the event loop is sent at once, because each sending costs more than its statement. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  if (stream.writableCorked) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** `isPooled`: the next statement may run on another connection of the database, which has prepared nothing. */
type Queries = {
  isPooled: boolean
  query: (query: { name?: string; text: string; values: unknown[] }) => Promise<pg.QueryResult>
}

async function runQuery(queries: Queries, { sql: text, parameters }: CompiledQuery): Promise<QueryResult<never>> {
  const { rows, rowCount } = await statements.do({ text }, () =>
    queries.query({
      ...(parameters.length && !queries.isPooled ? { name: statementName(text) } : {}),
      text,
      values: parameters as unknown[],
    }),
  )
  return { rows: rows as never[], ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) }
}

/** The server accepts no writes now, or does not from this connection on. */
const refusesWrites = (error: unknown) => error instanceof pg.DatabaseError && error.code === '25006'

/** The connections that were opened before have the same server, and each would fail a write of its own. */
function closeIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) pool.connect((error, client, release) => client && release(true))
}

type Waiting = {
  query: Parameters<Queries['query']>[0]
  succeed: (result: pg.QueryResult) => void
  fail: (error: Error) => void
}

/** So that a slow read holds up few others. */
const mostTogether = 4

/** It waits for no row lock, unlike a count of a rate limit, which begins with `with`. */
const isRead = (text: string) => text.trimStart().startsWith('select')

/**
 * Runs statements on free connections. Reads that start together, such as those of a page, share a connection and a packet. If only
 * a statement fails, the connection stays open; `pool.query` would close it.
 */
function onFreeConnections(pool: pg.Pool, isPooled: boolean, limitMs: number): Queries {
  let openBatch: Waiting[] | undefined
  const close = (batch: Waiting[]) => {
    if (openBatch === batch) openBatch = undefined
  }
  const run = (batch: Waiting[]) => {
    const failAll = (error: Error) => {
      for (const { fail } of batch) fail(error)
    }
    try {
      pool.connect((error, client, release) => {
        close(batch)
        if (client) runBatch(batch, limitMs, client, release)
        else failAll(error ?? new Error('There is no connection.'))
      })
    } catch (error) {
      // Such as a certificate of the server that cannot be read.
      close(batch)
      failAll(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const joinBatch = (read: Waiting) => {
    if (openBatch && openBatch.length < mostTogether) return openBatch.push(read)
    const batch = (openBatch = [read])
    process.nextTick(close, batch)
    run(batch)
  }
  return {
    isPooled,
    query: (query) =>
      new Promise((succeed, fail) => {
        if (isRead(query.text)) joinBatch({ query, succeed, fail })
        else run([{ query, succeed, fail }])
      }),
  }
}

/** Each statement waits for those before it, so it has their time too. `limitMs`: for the answer to one. */
function runBatch(batch: readonly Waiting[], limitMs: number, client: pg.PoolClient, release: (fault?: Error) => void) {
  let running = batch.length
  let fault: Error | undefined
  /** The statement is prepared with its first use of a batch; if that fails, the others fail as unprepared. */
  const failures = new Map<string | undefined, Error>()
  sendTogether(client)
  for (const [i, { query, succeed, fail }] of batch.entries()) {
    const limited = { ...query, query_timeout: limitMs * (i + 1) }
    client.query(limited, (error, result) => {
      const cause = (error && failures.get(query.name)) ?? error
      if (error && query.name) failures.set(query.name, cause)
      if (cause && endsConnection(cause)) fault ??= cause
      if (--running === 0) release(fault)
      if (cause) fail(cause)
      else succeed(result)
    })
  }
}

/**
 * Code inside a transaction has a connection and row locks. If it waited for a second connection of the same pool, enough such
 * callers at once would wait for each other forever (R114). So a second connection is refused.
 */
class TransactionScope {
  readonly #scopes = new AsyncLocalStorage<{ isOver: boolean }>()

  async run<T>(work: () => Promise<T>): Promise<T> {
    const scope = { isOver: false }
    try {
      return await this.#scopes.run(scope, work)
    } finally {
      // Work that was not awaited continues after the transaction.
      scope.isOver = true
    }
  }

  /** Runs work that the transaction does not wait for. */
  leave<T>(work: () => T): T {
    return this.#scopes.exit(work)
  }

  requireOutside(): void {
    if (this.#scopes.getStore()?.isOver === false)
      throw new Error('Inside a transaction every statement must use its tx, not the pool (R114).')
  }
}

/** Kysely that knows which code runs inside a transaction. */
class PortalDatabase extends Kysely<unknown> {
  readonly scope: TransactionScope
  readonly committed: EventTarget

  constructor(dialect: Dialect, scope: TransactionScope, committed: EventTarget) {
    // The database has snake_case names and the code has camelCase ones; JSON columns keep their keys.
    super({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] })
    this.scope = scope
    this.committed = committed
  }

  override transaction(): TransactionBuilder<unknown> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    return Object.assign(builder, {
      execute: <T>(work: (tx: Tx) => Promise<T>) => execute((tx) => this.scope.run(() => work(tx))),
      setIsolationLevel: refuseOption,
      setAccessMode: refuseOption,
    })
  }

  override startTransaction = refuseOption
}

/** The scope does not notice Kysely's other ways to start a transaction, and its isolation levels do not reach the database. */
const refuseOption = (): never => {
  throw new Error('Transactions are run by transaction().execute().')
}

/** Starts work on the database from inside a transaction, which does not wait for it. */
export const inBackground = <T>(db: Db, work: () => T): T =>
  db instanceof PortalDatabase ? db.scope.leave(work) : work()

/**
 * Calls `listener` after each commit by this node of a transaction that was marked with `notice`. PostgreSQL's own NOTIFY would make all such
 * transactions of all nodes commit one after the other, each with its write to the disk.
 */
export function onCommit(db: Db, notice: string, listener: () => void): () => void {
  if (!(db instanceof PortalDatabase)) throw new Error('A transaction has no listeners of its own.')
  db.committed.addEventListener(notice, listener)
  return () => db.committed.removeEventListener(notice, listener)
}

/** Marks a transaction, for the listeners of `onCommit`. */
export const noticeAtCommit = (tx: Tx, notice: string): Promise<void> =>
  tx.getExecutor().provideConnection(async (connection) => pooled(connection).noticeAtCommit(notice))

/**
 * A connection for Kysely that only a transaction takes from the pool: a single statement goes to the pool itself. (Kysely's own
 * driver checks out a connection for each statement. The objects of a request then survive the collection of young garbage,
 * which costs more than the statement.)
 */
class PooledConnection implements DatabaseConnection {
  readonly #pool: pg.Pool
  readonly #queries: Queries
  readonly #chains: Chains | undefined
  readonly #scope: TransactionScope
  readonly #committed: EventTarget
  readonly #notices = new Set<string>()
  /** The last link of the transaction's chain before the transaction, and its last one now. */
  #links: { before: Link; last: Link } | undefined
  /** The answer to the statement that added it. */
  #linked: Promise<void> = Promise.resolve()
  #client: pg.PoolClient | undefined
  #isEnded = false
  /** Answers that the next statement waits for. */
  #ahead: Promise<unknown>[] = []
  #broken: Error | undefined

  constructor(
    pool: pg.Pool,
    queries: Queries,
    chains: Chains | undefined,
    scope: TransactionScope,
    committed: EventTarget,
  ) {
    this.#pool = pool
    this.#queries = queries
    this.#chains = chains
    this.#scope = scope
    this.#committed = committed
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#client) return this.#withAhead(this.#send(this.#client, query))
    this.#scope.requireOutside()
    return runQuery(this.#queries, query)
  }

  /**
   * Sends a statement of a transaction without waiting for its answer. The next statement or the commit waits for both, and fails if
   * this one does.
   */
  sendAhead(query: CompiledQuery): void {
    if (!this.#client) throw new Error('Only a transaction can send a statement ahead.')
    this.#addAhead(this.#send(this.#client, query))
  }

  noticeAtCommit(notice: string): void {
    this.#notices.add(notice)
  }

  #addAhead(answer: Promise<unknown>): void {
    answer.catch(() => {})
    this.#ahead.push(answer)
  }

  /** The answer to a statement, after those to the statements before it, of which the first failure is the cause of the others. */
  async #withAhead<T>(answer: Promise<T>): Promise<T> {
    const ahead = this.#ahead
    this.#ahead = []
    for (const each of await Promise.allSettled([...ahead, answer])) if (each.status === 'rejected') throw each.reason
    return answer
  }

  async #send(client: pg.PoolClient, query: CompiledQuery): Promise<QueryResult<never>> {
    // Work that was not awaited would otherwise be committed on its own.
    if (this.#isEnded) throw new Error('The transaction has ended.')
    sendTogether(client)
    try {
      return await runQuery({ isPooled: this.#queries.isPooled, query: (each) => client.query(each) }, query)
    } catch (error) {
      this.#noteBroken(error)
      throw error
    }
  }

  async begin(): Promise<void> {
    this.#scope.requireOutside()
    this.#client = await this.#pool.connect()
    sendTogether(this.#client)
    const beginning = this.#client.query('begin')
    beginning.catch((error: Error) => (this.#broken = error))
    this.#addAhead(beginning)
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    const client = this.#client
    if (!client) throw new Error('There is no transaction to end.')
    this.#isEnded = true
    try {
      sendTogether(client)
      const ended = statements.do({ text: statement }, () => client.query(statement))
      // A rollback does not fail with the statements that it undoes.
      if (statement === 'rollback') await Promise.allSettled(this.#ahead.splice(0))
      const { command } = await this.#withAhead(ended)
      // PostgreSQL answers a COMMIT after a failed statement by ROLLBACK.
      if (statement === 'commit' && command !== 'COMMIT')
        throw new Error('The transaction had failed and was rolled back.')
      if (this.#links) this.#chains?.release(statement === 'commit' ? this.#links.last : this.#links.before)
      if (statement === 'commit') for (const notice of this.#notices) this.#committed.dispatchEvent(new Event(notice))
    } catch (error) {
      // Whether the last entry was committed is unknown.
      this.#links = undefined
      this.#noteBroken(error)
      throw error
    }
  }

  #noteBroken(error: unknown): void {
    if (endsConnection(error)) this.#broken = error instanceof Error ? error : new Error(String(error))
  }

  /** Adds entries after the last one of the transaction's chain. After a failure the chain is not used again. */
  async writeNextLinks(
    statement: (key: Buffer, last: Link, operator?: string) => CompiledQuery<{ mac: Buffer }>,
  ): Promise<void> {
    if (!this.#chains) throw new Error('This database was opened without the key of the audit trail.')
    if (!this.#client) throw new Error('Audit entries are written in the transaction of their action.')
    // If a statement before that entry failed, that is the cause.
    await this.#linked.catch((error: unknown) => this.#withAhead(Promise.reject(error)))
    const links = this.#links ?? { before: this.#chains.take(), last: undefined }
    this.#links = undefined
    const { chain, seq } = links.last ?? links.before
    const written = this.#send(
      this.#client,
      statement(this.#chains.key, links.last ?? links.before, this.#chains.operator),
    )
    this.#linked = written.then(({ rows }) => {
      const { mac } = single((rows as { mac: Buffer }[]).slice(-1))
      this.#links = { before: links.before, last: { chain, seq: seq + rows.length, mac } }
    })
    this.#addAhead(this.#linked)
  }

  release(): void {
    this.#client?.release(this.#broken)
  }

  streamQuery(): never {
    throw new Error('Lists are read by pages.')
  }
}

function pooled(connection: DatabaseConnection): PooledConnection {
  if (connection instanceof PooledConnection) return connection
  throw new Error('The connection does not belong to this pool.')
}

/** Kysely's dialect for a pool of pg. The isolation level is PostgreSQL's default, read committed. */
const poolDialect = (
  pool: pg.Pool,
  queries: Queries,
  chains: Chains | undefined,
  scope: TransactionScope,
  committed: EventTarget,
): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createDriver: () => ({
    init: async () => {},
    acquireConnection: async () => new PooledConnection(pool, queries, chains, scope, committed),
    beginTransaction: (connection) => pooled(connection).begin(),
    commitTransaction: (connection) => pooled(connection).end('commit'),
    rollbackTransaction: (connection) => pooled(connection).end('rollback'),
    releaseConnection: async (connection) => pooled(connection).release(),
    destroy: () => pool.end(),
  }),
})

/**
 * Reads instants by the built-in parser of Date, because lists have many instants. pg's own parser handles every time zone and
 * style; our connections use UTC. Years without four digits are left to pg.
 */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format: 'text' | 'binary') => {
  const read = pg.types.getTypeParser(oid, format) as (text: string) => unknown
  if (oid !== pg.types.builtins.TIMESTAMPTZ || format === 'binary') return read
  return (text: string) =>
    text[4] === '-' && text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`) : read(text)
}) as typeof pg.types.getTypeParser

/** Converts the database's text of an instant to ISO 8601, for lists, which only pass it on. */
export const isoInstant = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`

/** Adds the next entries of the audit trail, one statement after another. */
export const writeNextLinks = (
  tx: Tx,
  statement: (key: Buffer, last: Link, operator?: string) => RawBuilder<{ mac: Buffer }>,
): Promise<void> =>
  tx
    .getExecutor()
    .provideConnection((connection) => pooled(connection).writeNextLinks((...link) => statement(...link).compile(tx)))

/**
 * Runs a statement of a transaction without waiting for its answer, which is not needed: the next statement or the commit waits for
 * both, and fails if this one does. Outside of a transaction it is run as usual.
 */
export async function runAhead(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  if (!db.isTransaction) return void (await statement.execute(db))
  await db.getExecutor().provideConnection(async (connection) => pooled(connection).sendAhead(statement.compile(db)))
}

/** How many connections a pool has, how many of them are idle, and how many changes, transactions and groups of reads wait for one. */
export type Connections = { open: number; idle: number; waiting: number }

/**
 * Every statement has an index, so one plan fits all values and table sizes. By default the database would plan many statements
 * again each time, or keep a plan from when a table was empty. With enable_seqscan=off, PostgreSQL before 18 estimates necessary
 * scans as so expensive that it would compile their plans, which takes longer than running them.
 */
export const planSettings = {
  timezone: 'UTC',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
}

/** All statements take milliseconds; a longer time is a fault. */
export const statementLimitMs = 15_000

/** The settings of a connection, which are sent when it is opened. */
const sessionSettings = (timeoutMs: number, asOwner = false) => ({
  statement_timeout: timeoutMs,
  idle_in_transaction_session_timeout: timeoutMs,
  options: Object.entries({ ...(asOwner ? {} : { role: appRole }), ...planSettings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
})

/**
 * Opens a pool. A broken connection is replaced; the request that used it gets the error. Transactions can add audit entries
 * only with the audit key, those of an operator with the login `operator`. `statementTimeoutMs` limits a statement, `queueTimeoutMs` the wait for a connection. `asOwner` keeps
 * the login's own rights, for the operator's command and the demonstration's client keys; never for requests (R123). `isPooled`: the address is a pooler in
 * transaction mode, which makes the settings itself (`pooler.ts`) and has no prepared statements.
 */
export function connect(
  url: string,
  options: {
    connections?: number
    auditKey?: Buffer
    operator?: string
    statementTimeoutMs?: number
    queueTimeoutMs?: number
    asOwner?: boolean
    isPooled?: boolean
  } = {},
): { db: Db; connections: () => Connections; close: () => Promise<void> } {
  const { statementTimeoutMs = statementLimitMs, queueTimeoutMs = 5_000 } = options
  const answerLimitMs = statementTimeoutMs + 2000
  const pool = new pg.Pool({
    connectionString: url,
    pipeline: true,
    max: options.connections ?? 10,
    // Without traffic they stay open too, for their lifetime, because a new connection plans every statement again.
    min: 2,
    // So that a node leaves a server that is the primary no longer, and still answers reads.
    maxLifetimeSeconds: 600,
    connectionTimeoutMillis: queueTimeoutMs,
    ...(options.isPooled ? {} : sessionSettings(statementTimeoutMs, options.asOwner)),
    // A server that is gone, or a network that drops packets, keeps to none of these timeouts: the client closes the connection (R91).
    query_timeout: answerLimitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    types: { getTypeParser },
  })
  const scope = new TransactionScope()
  // Without these listeners a server that stops would end our process, by its idle connections and by those in use (57P01).
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('release', (fault) => {
    if (refusesWrites(fault)) closeIdle(pool)
  })
  const queries = onFreeConnections(pool, options.isPooled === true, answerLimitMs)
  const committed = new EventTarget()
  const chains = options.auditKey && openChains(options.auditKey, options.operator)
  const db = new PortalDatabase(poolDialect(pool, queries, chains, scope, committed), scope, committed)
  return {
    db,
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}

/**
 * A condition that is true. The commit of its statement does not wait for the disk, which costs more than the statement: after a crash of
 * the database its last changes may be undone. For single statements whose loss does no harm, never in a transaction.
 */
export const commitsLater: RawBuilder<boolean> = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`

/** The database's time, which is the only one that rules use. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(db)
  return single(rows).now
}

/** The same for a database that has no functions of the portal yet. */
export async function serverTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  return single(rows).now
}

/** Executes a statement, for its first row, or for whether it has changed exactly one. */
export const query = (db: Db) => ({
  first: async <Row>(statement: RawBuilder<Row>): Promise<Row | undefined> => (await statement.execute(db)).rows[0],
  changesOne: async (statement: RawBuilder<unknown>) => (await statement.execute(db)).numAffectedRows === 1n,
})

type Texts<Row> = { [K in keyof Row]: Row[K] extends Date | null ? Exclude<Row[K], Date> | string : Row[K] }

/** A row with its instants as texts, as replies have them. */
export const withIsoInstants = <Row extends object>(row: Row): Texts<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as Texts<Row>

/** The row of a statement that always returns exactly one. */
export function single<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}
