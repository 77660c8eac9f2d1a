import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { packageEnd } from './package-end.ts'
import { listPackageEnds } from './package-end-store.ts'
import { notifyOfEnds } from './package-notices.ts'
import { serveProviderTimestamps } from './provider-timestamps.ts'
import { exportedTimestamps } from './timestamp-export.ts'
import { serveTimestampPassword } from './timestamp-password.ts'
import { serveTimestamps } from './timestamps.ts'

export const timestampsFeature: ServerFeature = {
  serve: [serveTimestamps, serveTimestampPassword, serveProviderTimestamps],
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
