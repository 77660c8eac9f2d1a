import { sql } from 'kysely'
import type {
  ProviderTimestampAccount,
  ProviderTimestampPackage,
  TimestampUsage,
} from '../../contract/provider/provider-timestamps.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { PageFilters } from '../platform/http/cursor.ts'
import type { Removal } from '../platform/http/object-removal.ts'
import { packageColumns, type PackageRow } from './timestamp-store.ts'

/** Creates or updates the row of the provider's id; undefined if there is no such customer, or it belongs to another one. */
export const putAccountOf = (
  tx: Tx,
  providerId: string,
  { customer, login, authentication, serverUrl, status }: ProviderTimestampAccount,
): Promise<{ id: string; owner: string } | undefined> =>
  query(tx).first(sql<{ id: string; owner: string }>`
    insert into timestamp_accounts as t (provider_id, account_id, login, authentication, server_url, active)
    select ${providerId}, a.id, ${login}, ${authentication}, ${serverUrl}, ${status === 'active'}::boolean
    from accounts a where a.provider_id = ${customer}
    on conflict (provider_id) do update set login = excluded.login, authentication = excluded.authentication,
      server_url = excluded.server_url, active = excluded.active
      where t.account_id = excluded.account_id
    returning t.id, t.account_id as owner`)

export const findAccountState = (db: Db, providerId: string): Promise<ProviderTimestampAccount | undefined> =>
  query(db).first(sql<ProviderTimestampAccount>`
    select a.provider_id as customer, t.login, t.authentication, t.server_url,
      case when t.active then 'active' else 'inactive' end as status
    from timestamp_accounts t join accounts a on a.id = t.account_id where t.provider_id = ${providerId}`)

/**
 * Creates or updates the row of the provider's id; undefined if there is no such account, or it belongs to another one.
 * A count that is older than the stored one (of an earlier refill, or a lower count) does not change it.
 */
export const putPackageOf = (
  tx: Tx,
  providerId: string,
  given: ProviderTimestampPackage,
): Promise<{ id: string; owner: string; isNew: boolean } | undefined> =>
  query(tx).first(sql<{ id: string; owner: string; isNew: boolean }>`
    insert into timestamp_packages as p (provider_id, timestamp_account_id, kind, active, size, refill_day, starts_at, ends_at, spent, counted_from)
    select ${providerId}, t.id, ${given.kind}, ${given.status === 'active'}::boolean, ${given.size}::int, ${given.refillDay}::int, ${given.startsAt}::timestamptz,
      ${given.endsAt}::timestamptz, ${given.spent}::int, ${given.countedFrom}::timestamptz
    from timestamp_accounts t where t.provider_id = ${given.account}
    on conflict (provider_id) do update set kind = excluded.kind, active = excluded.active, size = excluded.size, refill_day = excluded.refill_day,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      (spent, counted_from) = (select newest.spent, newest.counted_from from (values (excluded.spent, excluded.counted_from), (p.spent, p.counted_from)) newest (spent, counted_from)
        where (newest.counted_from is null) = (excluded.counted_from is null)
        order by newest.counted_from desc, newest.spent desc limit 1)
      where p.timestamp_account_id = excluded.timestamp_account_id
    returning p.id, (select account_id from timestamp_accounts where id = p.timestamp_account_id) as owner, p.xmax = 0 as is_new`)

export type PackageState = PackageRow & { account: string; owner: string; now: Date }

export const findPackageState = (db: Db, providerId: string): Promise<PackageState | undefined> =>
  query(db).first(sql<PackageState>`
    select ${packageColumns}, t.provider_id as account, t.account_id as owner, portal_now() as now from timestamp_packages p
    join timestamp_accounts t on t.id = p.timestamp_account_id where p.provider_id = ${providerId}`)

/** Keeps the higher count of a day. Returns the accounts that are not known. */
export async function putDays(tx: Tx, days: TimestampUsage['days']): Promise<string[]> {
  const accounts = [...new Set(days.map(({ account }) => account))]
  const known = await query(tx).all(sql<{ account: string }>`
    select provider_id as account from timestamp_accounts where provider_id = any(${accounts}::text[])`)
  // In one order, so that two reports never wait for each other's rows.
  await query(tx).run(sql`
    insert into timestamp_usage as u (timestamp_account_id, day, spent)
    select t.id, given.day, max(given.spent)
    from unnest(${days.map(({ account }) => account)}::text[], ${days.map(({ day }) => day)}::date[], ${days.map(({ spent }) => spent)}::int[]) given (account, day, spent)
      join timestamp_accounts t on t.provider_id = given.account
    group by t.id, given.day order by t.id, given.day
    on conflict (timestamp_account_id, day) do update set spent = excluded.spent where u.spent < excluded.spent`)
  const found = new Set(known.map(({ account }) => account))
  return accounts.filter((account) => !found.has(account))
}

/** Keeps the newer count of a package. Returns the packages whose count has changed, and those that are not known. */
export async function putCounts(
  tx: Tx,
  counts: TimestampUsage['packages'],
): Promise<{ changed: string[]; unknown: string[] }> {
  const names = [...new Set(counts.map((count) => count.package))]
  // Locked in one order before they are changed, so that two reports never wait for each other's rows.
  const known = await query(tx).all(sql<{ name: string }>`
    select provider_id as name from timestamp_packages where provider_id = any(${names}::text[]) order by id for no key update`)
  const rows = await query(tx).all(sql<{ id: string }>`
    update timestamp_packages p set spent = given.spent, counted_from = given.counted_from
    from (
      select distinct on (name) * from unnest(${counts.map((count) => count.package)}::text[], ${counts.map(({ spent }) => spent)}::int[],
        ${counts.map(({ countedFrom }) => countedFrom)}::timestamptz[]) counts (name, spent, counted_from)
      order by name, counted_from desc nulls last, spent desc
    ) given
    where p.provider_id = given.name and (p.counted_from is null) = (given.counted_from is null)
      and (coalesce(given.counted_from, '-infinity'), given.spent) > (coalesce(p.counted_from, '-infinity'), p.spent)
    returning p.id`)
  const found = new Set(known.map(({ name }) => name))
  return { changed: rows.map(({ id }) => id), unknown: names.filter((name) => !found.has(name)) }
}

/** Removes an account with its packages and usage, or a package. */
export async function removeRow(
  tx: Tx,
  table: 'timestamp_accounts' | 'timestamp_packages',
  providerId: string,
): Promise<Removal> {
  const owner =
    table === 'timestamp_accounts'
      ? sql`account_id`
      : sql`(select account_id from timestamp_accounts where id = timestamp_account_id)`
  return query(tx).first(sql<{ owner: string }>`
    delete from ${sql.table(table)} where provider_id = ${providerId} returning ${owner} as owner`)
}

type ListedAccount = ProviderTimestampAccount & { id: string; account: string }

/** Lists accounts by id, so that one that changes meanwhile stays on its page. */
export const listAllAccounts = (
  db: Db,
  { customer, status, after, size }: PageFilters<'customer' | 'status'>,
): Promise<ListedAccount[]> =>
  query(db).all(sql<ListedAccount>`
    select t.id, t.provider_id as account, a.provider_id as customer, t.login, t.authentication, t.server_url,
      case when t.active then 'active' else 'inactive' end as status
    from timestamp_accounts t join accounts a on a.id = t.account_id
    where a.provider_id is not null and ${customer ? sql`t.account_id = (select id from accounts where provider_id = ${customer})` : sql`true`}
      and ${status ? sql`t.active = ${status === 'active'}` : sql`true`} and ${after ? sql`t.id > ${after}::uuid` : sql`true`}
    order by t.id limit ${size + 1}`)
