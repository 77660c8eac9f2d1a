import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { exportPasskeys } from './passkey-export.ts'
import { servePasskeys } from './passkeys.ts'

export const passkeysFeature: ServerFeature = {
  serve: [servePasskeys],
  stepUpObjects: {
    'add-passkey': (accountId, id) => sql`select where ${id}::uuid = ${accountId}::uuid`,
    'remove-passkey': (accountId, id) => sql`select from passkeys where id = ${id} and account_id = ${accountId}`,
  },
  exportData: exportPasskeys,
  erasure: { remove: (id) => [sql`delete from passkeys where account_id = ${id}`] },
}
