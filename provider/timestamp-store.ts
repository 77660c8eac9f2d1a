import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import * as z from 'zod/mini'
import { spendOne, type TimestampPackage } from '../contract/timestamp-packages.ts'

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
create table if not exists tokens (
  serial text primary key,
  account text not null references accounts,
  package text not null,
  at integer not null
) strict, without rowid;
create index if not exists tokens_in_time on tokens (at);`

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

/** Tokens have whole seconds and an accuracy of one, so a clock may stand back this far before its time is wrong. */
const toleratedMs = 1000

/**
 * Timestamp accounts, their packages and the tokens that were taken from them, in one file. A token's serial number and
 * its package's new count are one transaction. One process opens the file at a time.
 */
export class TimestampStore {
  readonly #db: DatabaseSync
  readonly #now: () => Date
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
    return this.#db
      .prepare('select content from packages where account = ?')
      .all(account)
      .map(({ content }) => StoredPackage.parse(JSON.parse(String(content))))
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
      const taken = this.#inTransaction(() => waiting.map(({ account }) => this.#takeOne(account)))
      waiting.forEach(({ resolve }, index) => resolve(taken[index]!))
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  #takeOne(account: string): Taken {
    const at = this.#now()
    if (at.getTime() < this.#newest - toleratedMs) return 'late'
    const spent = spendOne(this.packagesOf(account), at)
    if (!spent) return 'nothing-left'
    const serial = newSerial()
    this.#savePackage(account, spent)
    this.#run(
      'insert into tokens (serial, account, package, at) values (?, ?, ?, ?)',
      serial,
      account,
      spent.id,
      at.getTime(),
    )
    this.#newest = Math.max(this.#newest, at.getTime())
    return { serialNumber: BigInt(`0x${serial}`), at }
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

  #row(statement: string, ...values: SQLInputValue[]) {
    return this.#db.prepare(statement).get(...values)
  }

  #run(statement: string, ...values: SQLInputValue[]) {
    this.#db.prepare(statement).run(...values)
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
