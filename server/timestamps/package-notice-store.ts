import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { packageColumns, type PackageRow } from './timestamp-store.ts'

/** A package with its account's login and its owner, at the time of the statement. */
export type OwnedPackage = PackageRow & { owner: string; email: string; locale: Locale; login: string; now: Date }

const ownedPackages = sql`${packageColumns}, a.id as owner, a.email, a.locale, t.login, portal_now() as now
  from timestamp_packages p join timestamp_accounts t on t.id = p.timestamp_account_id join accounts a on a.id = t.account_id`

export const findOwnedPackages = (tx: Tx, ids: readonly string[]): Promise<OwnedPackage[]> =>
  query(tx).all(sql<OwnedPackage>`
    select ${ownedPackages} where p.id = any(${ids}::uuid[]) and p.active and t.active order by p.id`)

/** A package that will end, with the numbers of days before the end that are due for a notice. */
type EndingPackage = OwnedPackage & { endsAt: Date; days: number[] }

/**
 * Packages within so many days of their end whose owners have not been notified of that. If a package was created with fewer
 * days than that left, its owner knows already.
 */
export async function dueEndNotices(db: Db): Promise<EndingPackage[]> {
  const days = [...limits.timestamps.endNoticeDays]
  return query(db).all(sql<EndingPackage>`
    select due.days, ${ownedPackages}, lateral (
      select array_agg(d) as days from unnest(${days}::int[]) d
      where portal_now() >= p.ends_at - make_interval(days => d) and p.created_at < p.ends_at - make_interval(days => d)
        and not exists (select from timestamp_notices n where n.package_id = p.id and n.notice = 'end-' || d and n.about = p.ends_at)
    ) due
    where p.active and t.active and p.ends_at > portal_now() and p.ends_at <= portal_now() + make_interval(days => ${Math.max(...days)}::int)
      and not (p.kind = 'one-time' and p.spent >= p.size) and due.days is not null
    order by p.ends_at limit 1000`)
}

/** False if the notice was recorded before, so that one transaction alone sends it. */
export const recordNotice = (tx: Tx, packageId: string, notice: string, about: Date): Promise<boolean> =>
  query(tx).changesOne(sql`
    insert into timestamp_notices (package_id, notice, about) values (${packageId}, ${notice}, ${about.toISOString()}::timestamptz) on conflict do nothing`)

/** The active packages of the same account, without this one. */
export const otherActivePackages = (tx: Tx, { id, timestampAccountId }: PackageRow): Promise<PackageRow[]> =>
  query(tx).all(sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p
    where p.timestamp_account_id = ${timestampAccountId} and p.id <> ${id} and p.active`)
