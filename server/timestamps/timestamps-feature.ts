import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { packageEnd, type EndingPackage } from './package-end.ts'
import { notifyOfEnds } from './package-notices.ts'
import {
  putTimestampAccount,
  getTimestampAccount,
  removeTimestampAccount,
  removeTimestampPackage,
  listTimestampAccounts as listAllTimestampAccounts,
  putTimestampPackage,
  getTimestampPackage,
  reportTimestampUsage,
} from './provider-timestamps.ts'
import { exportedTimestamps } from './timestamp-export.ts'
import { changeTimestampPassword } from './timestamp-password.ts'
import { listTimestampAccounts, summariseTimestamps, listTimestampPackages, readTimestampUsage } from './timestamps.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { isInCalendar } from '../platform/messages/calendar-ends.ts'

/** The ends of the packages of an account’s active timestamp accounts that are not used up, earliest first. */
const listPackageEnds = (db: Db, accountId: string): Promise<(EndingPackage & { validFrom: Date })[]> =>
  query(db).all(sql<EndingPackage & { validFrom: Date }>`
    select p.id, p.kind, p.starts_at as valid_from, p.ends_at as valid_to
    from timestamp_accounts t join timestamp_packages p on p.timestamp_account_id = t.id
    where t.account_id = ${accountId} and t.active and p.active and not (p.kind = 'one-time' and p.spent >= p.size)
      and ${isInCalendar(sql`p.starts_at`, sql`p.ends_at`)}
    order by p.ends_at, p.id limit ${limits.calendar.entries}`)

export const timestampsFeature: ServerFeature = {
  calls: [
    listTimestampAccounts,
    summariseTimestamps,
    listTimestampPackages,
    readTimestampUsage,
    changeTimestampPassword,
    putTimestampAccount,
    getTimestampAccount,
    removeTimestampAccount,
    removeTimestampPackage,
    listAllTimestampAccounts,
    putTimestampPackage,
    getTimestampPackage,
    reportTimestampUsage,
  ],
  stepUpObjects: {
    'timestamp-password': (accountId, id) =>
      sql`select from timestamp_accounts where id = ${id} and account_id = ${accountId}`,
  },
  jobs: [{ name: 'notify-of-package-ends', everySeconds: 600, atStart: true, run: notifyOfEnds }],
  ends: {
    of: 'timestamps',
    list: async ({ db, settings }, { accountId, locale }) =>
      (await listPackageEnds(db, accountId)).map((row) => ({
        ...packageEnd(settings, locale, row),
        validFrom: row.validFrom,
      })),
  },
  exportData: [exportedTimestamps],
  erasure: {
    inUse: (id) => [sql`exists (select from timestamp_accounts where account_id = ${id} and active)`],
    remove: (id) => [sql`delete from timestamp_accounts where account_id = ${id}`],
  },
}
