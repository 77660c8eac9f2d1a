import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { spendOne, type TimestampPackage } from '../../contract/rules/timestamp-packages.ts'
import { warsawDay } from '../../contract/rules/warsaw-time.ts'
import { zip } from '../../pki/zip.ts'
import { newSerialNumber } from '../authority/authority-keys.ts'

/** Credentials of an account: a password (its hash), or a certificate (SHA-256, hexadecimal, upper case). */
export type TimestampAccess = { login: string; passwordHash: string } | { fingerprint: string }

export type StoredTimestampAccount = { id: string; active: boolean; access: TimestampAccess }

/** `late`: the clock is behind the newest token, so the time is unreliable. */
export type Taken = { serialNumber: bigint; at: Date } | 'nothing-left' | 'late'

const tables = `
create table if not exists accounts (
  id text primary key,
  active integer not null,
  login text unique,
  password_hash text,
  fingerprint text unique
) strict;
create table if not exists packages (
  account text not null references accounts,
  id text not null,
  content text not null,
  primary key (account, id)
) strict, without rowid;
-- In order of creation, so rows are appended: an index of random numbers would get slower with each token.
create table if not exists tokens (
  serial text not null,
  account text not null references accounts,
  package text not null,
  at integer not null
) strict;
create index if not exists tokens_in_time on tokens (at);
-- Usage for the portal: one row per account and day, so that the cost of a token does not grow.
create table if not exists usage (
  account text not null references accounts,
  day text not null,
  spent integer not null,
  reported integer not null default 0,
  primary key (account, day)
) strict, without rowid;
create index if not exists usage_unreported on usage (account, day) where spent > reported;`

const AccountRow = z.object({
  id: z.string(),
  active: z.number(),
  login: z.nullable(z.string()),
  password_hash: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
})

const instant = z.pipe(
  z.iso.datetime(),
  z.transform((text: string) => new Date(text)),
)
const commonFields = { id: z.string(), startsAt: instant, endsAt: z.nullable(instant), spent: z.int() }
const StoredPackage = z.discriminatedUnion('kind', [
  z.strictObject({
    ...commonFields,
    kind: z.literal('recurring'),
    size: z.int(),
    refillDay: z.int(),
    countedFrom: instant,
  }),
  z.strictObject({ ...commonFields, kind: z.literal('one-time'), size: z.int() }),
  z.strictObject({ ...commonFields, kind: z.literal('unlimited') }),
])

/** The usage of an account on a day in Warsaw. */
export type SpentDay = { account: string; day: string; spent: number }

const SpentDay = z.object({ account: z.string(), day: z.string(), spent: z.number() })

/** Tokens have an accuracy of one second, so the clock may be behind by this much. */
const toleratedMs = 1000

/**
 * Timestamp accounts, their packages and issued tokens in one file. A token's serial number and its package's new count are
 * one transaction. Only one process may open the file.
 */
export class TimestampStore {
  readonly #db: DatabaseSync
  readonly #now: () => Date
  readonly #statements = new Map<string, StatementSync>()
  #newest: number
  #waiting: { account: string; resolve: (taken: Taken) => void; reject: (error: unknown) => void }[] = []

  constructor(path: string, now: () => Date) {
    this.#db = new DatabaseSync(path)
    this.#now = now
    // Usage lost in a power cut would be spent twice, so every commit is synced.
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    this.#db.exec(tables)
    this.#newest = Number(this.#row('select max(at) as at from tokens')?.at ?? 0)
  }

  close() {
    this.#db.close()
  }

  putAccount({ id, active, access }: StoredTimestampAccount) {
    const { login, passwordHash, fingerprint } = { login: null, passwordHash: null, fingerprint: null, ...access }
    this.#run(
      `insert into accounts (id, active, login, password_hash, fingerprint) values (?, ?, ?, ?, ?)
       on conflict (id) do update set active = excluded.active, login = excluded.login,
         password_hash = excluded.password_hash, fingerprint = excluded.fingerprint`,
      id,
      Number(active),
      login,
      passwordHash,
      fingerprint,
    )
  }

  /** Adds or replaces a package; the usage of an existing one is kept. */
  putPackage(account: string, given: TimestampPackage) {
    this.#inTransaction(() => {
      const stored = this.packagesOf(account).find(({ id }) => id === given.id)
      this.#savePackage(account, stored ? withCountOf(given, stored) : given)
    })
  }

  packagesOf(account: string): TimestampPackage[] {
    return this.#statement('select content from packages where account = ?')
      .all(account)
      .map(({ content }) => StoredPackage.parse(JSON.parse(String(content))))
  }

  hasAccount(id: string) {
    return this.#row('select 1 from accounts where id = ?', id) !== undefined
  }

  /** Sets the password; false for an account that does not exist or has no password. */
  setPassword(account: string, passwordHash: string): boolean {
    const { changes } = this.#run(
      'update accounts set password_hash = ? where id = ? and login is not null',
      passwordHash,
      account,
    )
    return changes === 1
  }

  /** Sets the usage of a past day, unless the store has its own count. */
  putUsage({ account, day, spent }: SpentDay) {
    this.#run('insert into usage (account, day, spent) values (?, ?, ?) on conflict do nothing', account, day, spent)
  }

  /** Returns days whose count was not yet reported to the portal, except for some accounts. */
  unreported(most: number, except: readonly string[] = []): SpentDay[] {
    return this.#statement(
      `select account, day, spent from usage
       where spent > reported and account not in (select value from json_each(?)) order by account, day limit ?`,
    )
      .all(JSON.stringify(except), most)
      .map((row) => SpentDay.parse(row))
  }

  /** Marks counts as reported; usage added after they were read remains to be reported. */
  markReported(days: readonly SpentDay[]) {
    this.#inTransaction(() => {
      for (const { account, day, spent } of days)
        this.#run('update usage set reported = max(reported, ?) where account = ? and day = ?', spent, account, day)
    })
  }

  accountByLogin(login: string) {
    return accountOf(this.#row('select * from accounts where login = ?', login))
  }

  accountByFingerprint(fingerprint: string) {
    return accountOf(this.#row('select * from accounts where fingerprint = ?', fingerprint))
  }

  /** Takes one timestamp from the right package. Calls in one turn of the event loop share a transaction and a disk sync. */
  take(account: string): Promise<Taken> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ account, resolve, reject }) === 1) setImmediate(() => this.#serveWaiting())
    })
  }

  #serveWaiting() {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const taken = this.#inTransaction(() => this.#takeFor(waiting.map(({ account }) => account)))
      for (const [{ resolve }, result] of zip(waiting, taken)) resolve(result)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  /** Marks everything as unreported, for a new portal. */
  markUnreported() {
    this.#run('update usage set reported = 0')
  }

  /** Reads and writes each account's packages once for a whole batch. */
  #takeFor(accounts: readonly string[]): Taken[] {
    const purses = new Map<
      string,
      { held: TimestampPackage[]; changed: Map<string, TimestampPackage>; days: Map<string, number> }
    >()
    const taken = accounts.map((account): Taken => {
      const at = this.#now()
      if (at.getTime() < this.#newest - toleratedMs) return 'late'
      const purse = purses.get(account) ?? { held: this.packagesOf(account), changed: new Map(), days: new Map() }
      purses.set(account, purse)
      const spent = spendOne(purse.held, at)
      if (!spent) return 'nothing-left'
      purse.held = purse.held.map((held) => (held.id === spent.id ? spent : held))
      purse.changed.set(spent.id, spent)
      const day = warsawDay(at)
      purse.days.set(day, (purse.days.get(day) ?? 0) + 1)
      const serial = Buffer.from(newSerialNumber()).toString('hex').toUpperCase()
      this.#run(
        'insert into tokens (serial, account, package, at) values (?, ?, ?, ?)',
        serial,
        account,
        spent.id,
        at.getTime(),
      )
      this.#newest = Math.max(this.#newest, at.getTime())
      return { serialNumber: BigInt(`0x${serial}`), at }
    })
    for (const [account, { changed, days }] of purses) {
      for (const content of changed.values()) this.#savePackage(account, content)
      for (const [day, spent] of days)
        this.#run(
          `insert into usage (account, day, spent) values (?, ?, ?)
           on conflict (account, day) do update set spent = spent + excluded.spent`,
          account,
          day,
          spent,
        )
    }
    return taken
  }

  #savePackage(account: string, content: TimestampPackage) {
    this.#run(
      `insert into packages (account, id, content) values (?, ?, ?)
       on conflict (account, id) do update set content = excluded.content`,
      account,
      content.id,
      JSON.stringify(content),
    )
  }

  #inTransaction<T>(task: () => T): T {
    this.#db.exec('begin immediate')
    try {
      const result = task()
      this.#db.exec('commit')
      return result
    } catch (error) {
      this.#db.exec('rollback')
      throw error
    }
  }

  #row(text: string, ...values: SQLInputValue[]) {
    return this.#statement(text).get(...values)
  }

  #run(text: string, ...values: SQLInputValue[]) {
    return this.#statement(text).run(...values)
  }

  #statement(text: string) {
    const ready = this.#statements.get(text) ?? this.#db.prepare(text)
    this.#statements.set(text, ready)
    return ready
  }
}

function withCountOf(given: TimestampPackage, { spent, ...stored }: TimestampPackage) {
  const isCounted = given.kind === 'recurring' && stored.kind === 'recurring'
  return isCounted ? { ...given, spent, countedFrom: stored.countedFrom } : { ...given, spent }
}

function accountOf(row: unknown): StoredTimestampAccount | undefined {
  if (row === undefined) return undefined
  const { id, active, login, password_hash: passwordHash, fingerprint } = AccountRow.parse(row)
  const access = login !== null && passwordHash !== null ? { login, passwordHash } : { fingerprint: fingerprint ?? '' }
  return { id, active: active === 1, access }
}
