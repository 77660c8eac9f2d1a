import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { exportedPasskeys } from './passkey-export.ts'
import { servePasskeys } from './passkeys.ts'

export const passkeysFeature: ServerFeature = {
  serve: [servePasskeys],
  stepUpObjects: {
    'add-passkey': (accountId, id) => sql`select where ${id}::uuid = ${accountId}::uuid`,
    'remove-passkey': (accountId, id) => sql`select from passkeys where id = ${id} and account_id = ${accountId}`,
  },
  exportData: [exportedPasskeys],
  erasure: { remove: (id) => [sql`delete from passkeys where account_id = ${id}`] },
}
