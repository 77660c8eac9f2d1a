import { passkeysOf } from './passkey-store.ts'
import { exportedList, type ExportData } from '../platform/exported-data.ts'

/** The passkeys in the copy of all data. */
export const exportPasskeys: ExportData = async ({ db, keys, accountId }) =>
  exportedList(
    'passkeys',
    { pl: 'Klucze dostępu', en: 'Passkeys' },
    await passkeysOf(db, keys, accountId),
    ({ name, addedAt, usedAt }) => ({
      name,
      rows: [
        [{ pl: 'Dodany', en: 'Added' }, addedAt],
        [{ pl: 'Ostatnio użyty', en: 'Last used' }, usedAt],
      ],
    }),
  )
