import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { isFound, type Searched } from '../platform/database/text-search.ts'

export type PackageRow = {
  id: string
  timestampAccountId: string
  active: boolean
  startsAt: Date
  endsAt: Date | null
  spent: number
} & (
  | { kind: 'recurring'; size: number; refillDay: number; countedFrom: Date }
  | { kind: 'one-time'; size: number; refillDay: null; countedFrom: null }
  | { kind: 'unlimited'; size: null; refillDay: null; countedFrom: null }
)

export const packageColumns = sql`p.id, p.timestamp_account_id, p.kind, p.active, p.size, p.refill_day, p.starts_at, p.ends_at, p.spent,
  p.counted_from`

export type AccountRow = {
  id: string
  providerId: string
  login: string
  authentication: 'basic' | 'cms'
  serverUrl: string
  active: boolean
  packages: number
  /** Whether a package of it was valid within the last month. */
  recentlyValid: boolean
  /** When the next package begins that is not valid yet. */
  nextPackageAt: Date | null
}

const columns = sql`a.id, a.provider_id, a.login, a.authentication, a.server_url, a.active,
  (select count(*)::int from timestamp_packages p where p.timestamp_account_id = a.id) as packages,
  exists (select from timestamp_packages p where p.timestamp_account_id = a.id and p.active and p.starts_at <= t.now
    and (p.ends_at is null or p.ends_at > t.now - interval '30 days')) as recently_valid,
  (select min(p.starts_at) from timestamp_packages p where p.timestamp_account_id = a.id and p.active and p.starts_at > t.now) as next_package_at`

/** The request's own time, so that the statement and the code that reads its rows use the same instant. */
const timeOf = (now: Date) => sql`(select ${now.toISOString()}::timestamptz as now) t`

/** All accounts of an owner that are searched for, by login, because only their packages show which of them is urgent. */
export async function listAccounts(db: Db, owner: string, now: Date, searched: Searched = {}): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${columns} from timestamp_accounts a, ${timeOf(now)}
    where a.account_id = ${owner} and ${isFound(searched, sql`a.id`, sql`a.login`)} order by a.login, a.id`.execute(db)
  return rows
}

/** Undefined for another owner's account too (R34). */
export async function findAccount(db: Db, owner: string, id: string, now: Date): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${columns} from timestamp_accounts a, ${timeOf(now)} where a.id = ${id} and a.account_id = ${owner}`.execute(
    db,
  )
  return rows[0]
}

const isActive = sql`(p.active and p.starts_at <= t.now and (p.ends_at is null or p.ends_at > t.now) and not (p.kind = 'one-time' and p.spent >= p.size))`

export async function activePackages(db: Db, accounts: readonly string[], now: Date): Promise<PackageRow[]> {
  const { rows } = await sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p, ${timeOf(now)}
    where p.timestamp_account_id = any(${accounts}::uuid[]) and ${isActive}`.execute(db)
  return rows
}

export type PackagePosition = { startsAt: string; id: string }

/** The newest first; one more than `size` if there is a next page. */
export async function inactivePackages(
  db: Db,
  account: string,
  now: Date,
  { after, size }: { after: PackagePosition | undefined; size: number },
): Promise<PackageRow[]> {
  const beyond = after ? sql`(p.starts_at, p.id) < (${after.startsAt}::timestamptz, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p, ${timeOf(now)}
    where p.timestamp_account_id = ${account} and not ${isActive} and ${beyond}
    order by p.starts_at desc, p.id desc limit ${size + 1}`.execute(db)
  return rows
}

/** The timestamps spent on each day from `first` to `last`; days without any have no row. `earlier`: some were spent before. */
export async function usageBetween(
  db: Db,
  account: string,
  { first, last }: { first: string; last: string },
): Promise<{ spent: Map<string, number>; earlier: boolean }> {
  const { rows } = await sql<{ day: string; spent: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, spent from timestamp_usage
    where timestamp_account_id = ${account} and day between ${first}::date and ${last}::date`.execute(db)
  const before = await sql`
    select from timestamp_usage where timestamp_account_id = ${account} and day < ${first}::date and spent > 0 limit 1`.execute(
    db,
  )
  return { spent: new Map(rows.map(({ day, spent }) => [day, spent])), earlier: before.rows.length > 0 }
}
