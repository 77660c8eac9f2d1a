import { reasons, type ExportedList } from '../platform/exported-data.ts'

/** The passkeys in the copy of all data. */
export const exportedPasskeys: ExportedList = {
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
