import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { isInCalendar } from '../platform/messages/calendar-ends.ts'
import type { EndingPackage } from './package-end.ts'

/** The ends of the packages of an account’s active timestamp accounts that are not used up, earliest first. */
export const listPackageEnds = (db: Db, accountId: string): Promise<(EndingPackage & { validFrom: Date })[]> =>
  query(db).all(sql<EndingPackage & { validFrom: Date }>`
    select p.id, p.kind, p.starts_at as valid_from, p.ends_at as valid_to
    from timestamp_accounts t join timestamp_packages p on p.timestamp_account_id = t.id
    where t.account_id = ${accountId} and t.active and p.active and not (p.kind = 'one-time' and p.spent >= p.size)
      and ${isInCalendar(sql`p.starts_at`, sql`p.ends_at`)}
    order by p.ends_at, p.id limit ${limits.calendar.entries}`)
