import { AsyncLocalStorage } from 'node:async_hooks'
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  sql,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryExecutorProvider,
  type RawBuilder,
  type Transaction,
  type TransactionBuilder,
} from 'kysely'
import pg from 'pg'
import { openAuditChains, type Chains, type ChainLink } from '../encryption/audit-chain.ts'
import { backgroundFailed, statements } from '../observability/events.ts'

/**
 * The database, without Kysely's other ways to take a connection, which would escape the check that nothing in a transaction takes a second
 * one (R114).
 */
export type Db = QueryExecutorProvider & { transaction(): Pick<TransactionBuilder<unknown>, 'execute'> }
/** A transaction. Functions that must run in that of their caller take this type, so they cannot be called outside of one. */
export type Tx = Transaction<unknown>

/** The role of requests. It owns no table, so it can neither drop nor alter one (R73). */
export const appRole = 'sygnet_app'

/**
 * The names of the statements with parameters by their texts. Each is prepared once per connection, because planning costs the database
 * more than execution. The texts come from the code (values are always bound), so their number is bounded.
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
 * Checks whether a new connection has to replace the one of an error. The SQLSTATE shows this, because PostgreSQL translates the severity:
 * 57P0, 08, 25P03, 25P04 and XX are about the connection or the server. With 25006 the server does not accept writes, and a new connection
 * may lead to another server, or to one that accepts them again (R91). With 26000 a prepared statement is gone; with 0A000 a migration
 * changed its result.
 */
const endsConnection = (error: unknown) =>
  !(error instanceof pg.DatabaseError) || /^(?:57P0|08|25P0[34]|XX|25006|26000|0A000)/.test(error.code ?? '')

/** Checks whether the server accepts no writes now, or none from this connection. */
const refusesWrites = (error: unknown) => error instanceof pg.DatabaseError && error.code === '25006'

/** Closes the idle connections: they were opened before and have the same server, and each would fail a write of its own. */
function closeIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) pool.connect((error, client, release) => client && release(true))
}

/** The state of one transaction. */
type Progress = {
  /** Whether the transaction has ended: work that was not awaited may continue after it. */
  isOver: boolean
  chains: Chains | undefined
  /** The last link of its audit chain before the transaction, and its last one now. */
  links: { before: ChainLink; last: ChainLink } | undefined
  /** The audit entries so far, one after the other. */
  written: Promise<void>
  notices: Set<string>
}

const transactions = new WeakMap<Tx, Progress>()

function progressOf(tx: Tx): Progress {
  const progress = transactions.get(tx)
  if (!progress) throw new Error('Transactions are run by transaction().execute().')
  return progress
}

/**
 * Creates the pool for Kysely, which checks out a connection for each statement or transaction. If code inside a transaction waited for
 * another one, enough such callers at once would wait for each other forever (R114). Only an error of the connection itself closes it.
 * `isPooled`: the next statement may run on another connection of the database, which has prepared nothing.
 */
function openForKysely(pool: pg.Pool, scope: AsyncLocalStorage<Progress>, isPooled: boolean): PostgresPool {
  // One object for each, so that Kysely reuses its own, too.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const wrap = (client: pg.PoolClient) => {
    let fault: Error | undefined
    const query = async (text: string, values: readonly unknown[]) => {
      const name = values.length && !isPooled ? statementName(text) : undefined
      try {
        return await statements.do({ text }, () =>
          client.query({ text, values: values as unknown[], ...(name && { name }) }),
        )
      } catch (error) {
        if (endsConnection(error)) fault = error instanceof Error ? error : new Error(String(error))
        throw error
      }
    }
    const release = (isDiscarded?: boolean) => client.release(fault ?? isDiscarded)
    // Without cursors, which no list needs.
    const wrapped = { query, release } as unknown as PostgresPoolClient
    clients.set(client, wrapped)
    return wrapped
  }
  return {
    options: pool.options,
    async connect() {
      if (scope.getStore()?.isOver === false)
        throw new Error('Inside a transaction every statement must use its tx, not the pool (R114).')
      const client = await pool.connect()
      return clients.get(client) ?? wrap(client)
    },
    end: () => pool.end(),
  }
}

/** An instance of Kysely that knows which code runs inside a transaction. */
class PortalDatabase extends Kysely<unknown> {
  readonly scope: AsyncLocalStorage<Progress>
  readonly chains: Chains | undefined
  readonly committed = new EventTarget()

  constructor(pool: PostgresPool, scope: AsyncLocalStorage<Progress>, chains: Chains | undefined) {
    // The database has snake_case names and the code has camelCase ones; JSON columns keep their keys.
    super({
      dialect: new PostgresDialect({ pool }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    })
    this.scope = scope
    this.chains = chains
  }

  override transaction(): TransactionBuilder<unknown> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = (work) => this.#run(execute, work)
    return builder
  }

  async #run<T>(execute: TransactionBuilder<unknown>['execute'], work: (tx: Tx) => Promise<T>): Promise<T> {
    const progress: Progress = {
      isOver: false,
      chains: this.chains,
      links: undefined,
      written: Promise.resolve(),
      notices: new Set(),
    }
    let failure: unknown
    try {
      const result = await execute(async (tx) => {
        transactions.set(tx, progress)
        try {
          return await this.scope.run(progress, () => work(tx))
        } catch (error) {
          failure = error
          throw error
        } finally {
          progress.isOver = true
        }
      })
      if (progress.links) this.chains?.release(progress.links.last)
      for (const notice of progress.notices) this.committed.dispatchEvent(new Event(notice))
      return result
    } catch (error) {
      // After an error of the commit or the rollback it is unknown which link is the last one.
      if (progress.links && error === failure) this.chains?.release(progress.links.before)
      throw error
    }
  }
}

/** Starts work on the database from inside a transaction, which does not wait for it. */
export const inBackground = <T>(db: Db, work: () => T): T =>
  db instanceof PortalDatabase ? db.scope.exit(work) : work()

/**
 * Calls `listener` after each commit by this node of a transaction that was marked with `notice`. PostgreSQL's own
 * NOTIFY would make all such transactions of all nodes commit one after the other, each with its write to the disk.
 */
export function onCommit(db: Db, notice: string, listener: () => void): () => void {
  if (!(db instanceof PortalDatabase)) throw new Error('A transaction has no listeners of its own.')
  const listen = () => {
    try {
      listener()
    } catch {
      // The transaction has succeeded, and an event's error would end the process.
      backgroundFailed.publish({})
    }
  }
  db.committed.addEventListener(notice, listen)
  return () => db.committed.removeEventListener(notice, listen)
}

/** Marks a transaction, for the listeners of `onCommit`. */
export const noticeAtCommit = (tx: Tx, notice: string): void => void progressOf(tx).notices.add(notice)

/** Adds the next entries of the transaction's audit chain, one statement after another. After a failure the chain is not used again. */
export function writeNextLinks(
  tx: Tx,
  statement: (key: Buffer, last: ChainLink, operator?: string) => RawBuilder<{ mac: Buffer }>,
): Promise<void> {
  const progress = progressOf(tx)
  return (progress.written = progress.written.then(async () => {
    const { chains } = progress
    if (!chains) throw new Error('This database was opened without the key of the audit trail.')
    const before = progress.links?.before ?? chains.take()
    const last = progress.links?.last ?? before
    progress.links = undefined
    const rows = await query(tx).all(statement(chains.key, last, chains.operator))
    const { mac } = single(rows.slice(-1))
    progress.links = { before, last: { chain: last.chain, seq: last.seq + rows.length, mac } }
  }))
}

/** Converts the database's text of an instant to ISO 8601, for lists, which only pass it on. */
export const isoInstant = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`

/** The state of a pool, in numbers of its connections. */
export type Connections = {
  open: number
  idle: number
  /** The statements and transactions that wait for a connection. */
  waiting: number
}

/**
 * The settings for plans. Every statement has an index, so one plan fits all values and table sizes. By default the database would plan
 * many statements again each time, or keep a plan from when a table was empty. With enable_seqscan=off, PostgreSQL before 18 estimates
 * necessary scans as so expensive that it would compile their plans, which takes longer than running them.
 */
export const planSettings = {
  timezone: 'UTC',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
}

/** The time limit of a statement: all take milliseconds, so a longer time is a fault. */
export const statementLimitMs = 15_000

/** Returns the settings of a connection, which are sent when it is opened. */
const sessionSettings = (timeoutMs: number, asOwner = false) => ({
  statement_timeout: timeoutMs,
  idle_in_transaction_session_timeout: timeoutMs,
  options: Object.entries({ ...(asOwner ? {} : { role: appRole }), ...planSettings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
})

type PoolOptions = {
  connections?: number
  /** The key with which transactions can add audit entries. */
  auditKey?: Buffer
  /** The login of the operator whose audit entries these are. */
  operator?: string
  /** The limit of a statement. */
  statementTimeoutMs?: number
  /** The limit of the wait for a connection. */
  queueTimeoutMs?: number
  /** Whether the login keeps its own rights: for the operator's command and the demonstration's client keys, never for requests (R123). */
  asOwner?: boolean
  /** Whether the address is a pooler in transaction mode, which makes the settings itself and has no prepared statements. */
  isPooled?: boolean
}

/** Opens a pool. A broken connection is replaced; the request that used it gets the error. */
export function connect(
  url: string,
  options: PoolOptions = {},
): { db: Db; connections: () => Connections; close: () => Promise<void> } {
  const { statementTimeoutMs = statementLimitMs, queueTimeoutMs = 5_000 } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    // Without traffic they stay open too, for their lifetime, because a new connection plans every statement again.
    min: 2,
    // So that a node leaves a server that is the primary no longer, and still answers reads.
    maxLifetimeSeconds: 600,
    connectionTimeoutMillis: queueTimeoutMs,
    ...(options.isPooled ? {} : sessionSettings(statementTimeoutMs, options.asOwner)),
    // A server that is gone, or a network that drops packets, keeps to none of these timeouts: the client closes the connection (R91).
    query_timeout: statementTimeoutMs + 2000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  })
  // Without these listeners a server that stops would end our process, by its idle connections and by those in use (57P01).
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('release', (fault) => {
    if (refusesWrites(fault)) closeIdle(pool)
  })
  const scope = new AsyncLocalStorage<Progress>()
  const chains = options.auditKey && openAuditChains(options.auditKey, options.operator)
  const db = new PortalDatabase(openForKysely(pool, scope, options.isPooled === true), scope, chains)
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

/** Reads the database's time, which is the only one that rules use. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { now } = await query(db).one(sql<{ now: Date }>`select portal_now() as now`)
  return now
}

/** Reads the time of a database that has no functions of the portal yet. */
export async function readServerTime(db: Db): Promise<Date> {
  const { now } = await query(db).one(sql<{ now: Date }>`select now() as now`)
  return now
}

/** Returns the row of a statement that always returns exactly one. */
export function single<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}

/**
 * Runs statements, and returns the part of the result that the caller needs. The statement itself says which rows it has:
 * ``query(db).first(sql<Row>`select …`)``.
 */
export const query = (db: Db) => ({
  run: async (statement: RawBuilder<unknown>): Promise<void> => void (await statement.execute(db)),
  all: async <Row>(statement: RawBuilder<Row>): Promise<Row[]> => (await statement.execute(db)).rows,
  first: async <Row>(statement: RawBuilder<Row>): Promise<Row | undefined> => (await statement.execute(db)).rows[0],
  /** Returns the row of a statement that always has one. */
  one: async <Row>(statement: RawBuilder<Row>): Promise<Row> => single((await statement.execute(db)).rows),
  finds: async (statement: RawBuilder<unknown>): Promise<boolean> => (await statement.execute(db)).rows.length > 0,
  /** Returns the number of rows that a statement has changed. */
  changes: async (statement: RawBuilder<unknown>): Promise<number> =>
    Number((await statement.execute(db)).numAffectedRows),
  changesOne: async (statement: RawBuilder<unknown>): Promise<boolean> =>
    (await statement.execute(db)).numAffectedRows === 1n,
})
