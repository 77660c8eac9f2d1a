import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { spendOne, type TimestampPackage } from '../contract/timestamp-packages.ts'
import { warsawDay } from '../contract/warsaw-time.ts'

/** How an account shows who it is: by a password (its hash), or by the SHA-256 of a certificate, hexadecimal, upper case. */
export type TimestampAccess = { login: string; passwordHash: string } | { fingerprint: string }

export type TimestampAccount = { id: string; active: boolean; access: TimestampAccess }

/** `late`: the clock stands before the newest token, so that no time can be told. */
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
-- In the order in which they were taken, and so added at the end: an index of random numbers would cost more with each token.
create table if not exists tokens (
  serial text not null,
  account text not null references accounts,
  package text not null,
  at integer not null
) strict;
create index if not exists tokens_in_time on tokens (at);
-- What the portal is told: one row an account and day, so that the millionth token costs what the first one does.
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
const shared = { id: z.string(), startsAt: instant, endsAt: z.nullable(instant), spent: z.int() }
const StoredPackage = z.discriminatedUnion('kind', [
  z.strictObject({ ...shared, kind: z.literal('recurring'), size: z.int(), refillDay: z.int(), countedFrom: instant }),
  z.strictObject({ ...shared, kind: z.literal('one-time'), size: z.int() }),
  z.strictObject({ ...shared, kind: z.literal('unlimited') }),
])

/** What an account has spent on a day in Warsaw. */
export type SpentDay = { account: string; day: string; spent: number }

const SpentDay = z.object({ account: z.string(), day: z.string(), spent: z.number() })

/** Tokens have whole seconds and an accuracy of one, so a clock may stand back this far before its time is wrong. */
const toleratedMs = 1000

/**
 * Timestamp accounts, their packages and the tokens that were taken from them, in one file. A token's serial number and
 * its package's new count are one transaction. One process opens the file at a time.
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
    // What a power cut took back would be spent twice, so every commit reaches the disk.
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    this.#db.exec(tables)
    this.#newest = Number(this.#row('select max(at) as at from tokens')?.at ?? 0)
  }

  close() {
    this.#db.close()
  }

  putAccount({ id, active, access }: TimestampAccount) {
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

  /** What was spent of a package that is there already is the store's own knowledge, and stays. */
  putPackage(account: string, given: TimestampPackage) {
    this.#inTransaction(() => {
      const held = this.packagesOf(account).find(({ id }) => id === given.id)
      this.#savePackage(account, held ? withCountOf(given, held) : given)
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

  /** False for an account that is not there, or has no password. */
  setPassword(account: string, passwordHash: string): boolean {
    const { changes } = this.#run(
      'update accounts set password_hash = ? where id = ? and login is not null',
      passwordHash,
      account,
    )
    return changes === 1
  }

  /** States what was spent on a past day, unless the store knows of that day itself. */
  putUsage({ account, day, spent }: SpentDay) {
    this.#run('insert into usage (account, day, spent) values (?, ?, ?) on conflict do nothing', account, day, spent)
  }

  /** Days whose count the portal has not been told yet, leaving out some accounts. */
  unreported(most: number, except: readonly string[] = []): SpentDay[] {
    return this.#statement(
      `select account, day, spent from usage
       where spent > reported and account not in (select value from json_each(?)) order by account, day limit ?`,
    )
      .all(JSON.stringify(except), most)
      .map((row) => SpentDay.parse(row))
  }

  /** What was spent since the counts were read is still to be told. */
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

  /** Takes one timestamp from the right package. Those who ask in one turn of the event loop share one transaction, and one wait for the disk. */
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
      waiting.forEach(({ resolve }, index) => resolve(taken[index]!))
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  /** Everything is to be told again, to a portal that is another one. */
  forgetReports() {
    this.#run('update usage set reported = 0')
  }

  /** Each account's packages are read and written once, however many of its tokens are in the batch. */
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
      purse.held = purse.held.map((one) => (one.id === spent.id ? spent : one))
      purse.changed.set(spent.id, spent)
      const day = warsawDay(at)
      purse.days.set(day, (purse.days.get(day) ?? 0) + 1)
      const serial = newSerial()
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
      for (const one of changed.values()) this.#savePackage(account, one)
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

function withCountOf(given: TimestampPackage, { spent, ...held }: TimestampPackage) {
  const counts = given.kind === 'recurring' && held.kind === 'recurring'
  return counts ? { ...given, spent, countedFrom: held.countedFrom } : { ...given, spent }
}

function accountOf(row: unknown): TimestampAccount | undefined {
  if (row === undefined) return undefined
  const { id, active, login, password_hash: passwordHash, fingerprint } = AccountRow.parse(row)
  const access = login !== null && passwordHash !== null ? { login, passwordHash } : { fingerprint: fingerprint! }
  return { id, active: active === 1, access }
}

/** 126 random bits: they do not come again, not even from a file that was restored. Positive, and always of 16 octets. */
function newSerial() {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes.toString('hex').toUpperCase()
}
