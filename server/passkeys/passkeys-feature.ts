import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { listPasskeys, startPasskey, addPasskey, renamePasskey, removePasskey } from './passkeys.ts'
import { reasons, type ExportedList } from '../platform/exported-data.ts'

/** The passkeys in the copy of all data. */
const exportedPasskeys: ExportedList = {
  table: 'passkeys',
  columns: 'id name transports added_at used_at',
  omitted: { 'credential_id public_key': reasons.secret, counter: reasons.internal },
  order: 'added_at id',
  title: { pl: 'Klucze dostępu', en: 'Passkeys' },
  name: 'name',
  rows: [
    [{ pl: 'Dodany', en: 'Added' }, 'addedAt'],
    [{ pl: 'Ostatnio użyty', en: 'Last used' }, 'usedAt'],
  ],
}

export const passkeysFeature: ServerFeature = {
  calls: [listPasskeys, startPasskey, addPasskey, renamePasskey, removePasskey],
  stepUpObjects: {
    'add-passkey': (accountId, id) => sql`select where ${id}::uuid = ${accountId}::uuid`,
    'remove-passkey': (accountId, id) => sql`select from passkeys where id = ${id} and account_id = ${accountId}`,
  },
  exportData: [exportedPasskeys],
  erasure: { remove: (id) => [sql`delete from passkeys where account_id = ${id}`] },
}
