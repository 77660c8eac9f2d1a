import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import { sortedForSpending, refillAfter, remainingOf } from '../../contract/rules/timestamp-packages.ts'
import type { AccountPackage } from '../../contract/timestamps.ts'
import { type Db, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { searchCondition, type Searched } from '../platform/database/text-search.ts'

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

const accountRows = describeRows({
  id: column<string>`a.id`,
  providerId: column<string>`a.provider_id`,
  login: column<string>`a.login`,
  authentication: column<'basic' | 'cms'>`a.authentication`,
  serverUrl: column<string>`a.server_url`,
  active: column<boolean>`a.active`,
  packages: column<number>`(select count(*)::int from timestamp_packages p where p.timestamp_account_id = a.id)`,
  /** Whether a package of it was valid within the last month. */
  recentlyValid: column<boolean>`
    exists (select from timestamp_packages p where p.timestamp_account_id = a.id and p.active and p.starts_at <= t.now
      and (p.ends_at is null or p.ends_at > t.now - interval '30 days'))`,
  /** Start of the next package that is not valid yet. */
  nextPackageAt: column<Date | null>`
    (select min(p.starts_at) from timestamp_packages p where p.timestamp_account_id = a.id and p.active and p.starts_at > t.now)`,
})
export type AccountRow = RowOf<typeof accountRows>

/** Returns a subquery with the request's own time, so that the statement and the code that reads its rows use the same instant. */
const timeOf = (now: Date) => sql`(select ${now.toISOString()}::timestamptz as now) t`

/** Lists, by login, all accounts of an owner that match the search, because only their packages show which of them is urgent. */
export const listAccounts = (db: Db, accountId: string, now: Date, searched: Searched = {}): Promise<AccountRow[]> =>
  accountRows(db).all(sql`
    select ${accountRows.columns} from timestamp_accounts a, ${timeOf(now)}
    where a.account_id = ${accountId} and ${searchCondition(searched, sql`a.id`, sql`a.login`)} order by a.login, a.id`)

/** Finds an account; undefined for another owner's account too (R34). */
export const findTimestampAccount = (
  db: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<AccountRow | undefined> =>
  accountRows(db).first(sql`
    select ${accountRows.columns} from timestamp_accounts a, ${timeOf(now)} where a.id = ${id} and a.account_id = ${accountId}`)

const activeCondition = sql`(p.active and p.starts_at <= t.now and (p.ends_at is null or p.ends_at > t.now) and not (p.kind = 'one-time' and p.spent >= p.size))`

export const listActivePackages = (db: Db, accounts: readonly string[], now: Date): Promise<PackageRow[]> =>
  query(db).all(sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p, ${timeOf(now)}
    where p.timestamp_account_id = any(${accounts}::uuid[]) and ${activeCondition}`)

export type PackagePosition = { startsAt: string; id: string }

/** Returns a page of inactive packages, newest first; one more than `size` if there is a next page. */
export async function listInactivePackages(
  db: Db,
  timestampAccountId: string,
  now: Date,
  { after, size }: { after: PackagePosition | undefined; size: number },
): Promise<PackageRow[]> {
  const beyond = after ? sql`(p.starts_at, p.id) < (${after.startsAt}::timestamptz, ${after.id}::uuid)` : sql`true`
  return query(db).all(sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p, ${timeOf(now)}
    where p.timestamp_account_id = ${timestampAccountId} and not ${activeCondition} and ${beyond}
    order by p.starts_at desc, p.id desc limit ${size + 1}`)
}

/**
 * Returns the timestamps spent on each day from `first` to `last`; days without any have no entry. `hasEarlier`: whether some were spent
 * before.
 */
export async function readUsage(
  db: Db,
  timestampAccountId: string,
  { first, last }: { first: string; last: string },
): Promise<{ spent: Map<string, number>; hasEarlier: boolean }> {
  const rows = await query(db).all(sql<{ day: string; spent: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, spent from timestamp_usage
    where timestamp_account_id = ${timestampAccountId} and day between ${first}::date and ${last}::date`)
  const hasEarlier = await query(db).finds(sql`
    select from timestamp_usage where timestamp_account_id = ${timestampAccountId} and day < ${first}::date and spent > 0 limit 1`)
  return { spent: new Map(rows.map(({ day, spent }) => [day, spent])), hasEarlier }
}

/** Returns how many timestamps are left; null without a limit. */
export const remainingIn = (row: PackageRow, now: Date): number | null =>
  row.kind === 'unlimited' ? null : remainingOf(row, now)

export function packageOf(row: PackageRow, now: Date): Given<typeof AccountPackage> {
  const reason = packageReasonOf(row, now)
  return {
    id: row.id,
    kind: row.kind,
    status: reason ? 'inactive' : 'active',
    reason,
    size: row.size,
    remaining: remainingIn(row, now),
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    refillsAt: row.kind === 'recurring' ? refillAfter(row.refillDay, now) : null,
  }
}

function packageReasonOf(row: PackageRow, now: Date): AccountPackage['reason'] {
  if (!row.active) return 'withdrawn'
  if (row.endsAt && now >= row.endsAt) return 'expired'
  if (now < row.startsAt) return 'not-yet-valid'
  return row.kind === 'one-time' && remainingIn(row, now) === 0 ? 'used-up' : null
}

/** Returns the active packages in the order in which they are spent (TSP-2). */
export const activeInSpendingOrder = (rows: readonly PackageRow[], now: Date): Given<typeof AccountPackage>[] =>
  sortedForSpending(rows, now)
    .map((row) => packageOf(row, now))
    .filter(({ status }) => status === 'active')

/** Returns the number of timestamps that remain in all packages together; null as soon as one has no limit. */
export const totalRemaining = (packages: readonly { remaining: number | null }[]): number | null =>
  packages.reduce<number | null>(
    (sum, { remaining }) => (sum === null || remaining === null ? null : sum + remaining),
    0,
  )
