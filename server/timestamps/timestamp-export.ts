import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import { labels, type ExportedList, type ExportedRow } from '../platform/exported-data.ts'
import type { AccountRow, PackageRow } from './timestamp-store.ts'

/** The timestamp accounts in the copy of all data, with every package and the usage of each day; the passwords are the timestamp server's. */
export const exportedTimestamps: ExportedList<
  Omit<AccountRow, 'packages'> & { packages: PackageRow[]; usage: { spent: number }[] }
> = {
  table: 'timestamp_accounts',
  columns: 'id provider_id login authentication server_url active created_at=storedAt',
  order: 'login',
  lists: {
    packages: {
      table: 'timestamp_packages',
      parent: 'timestamp_account_id',
      columns: 'id kind active size refill_day starts_at ends_at spent counted_from provider_id created_at=storedAt',
      order: 'starts_at id',
    },
    usage: { table: 'timestamp_usage', parent: 'timestamp_account_id', columns: 'day::text spent', order: 'day' },
    notices: {
      table: 'timestamp_notices',
      join: sql`join timestamp_packages on id = package_id`,
      parent: 'timestamp_packages.timestamp_account_id',
      columns: 'package_id=package notice about at',
      order: 'at',
    },
  },
  title: { pl: 'Znaczniki czasu', en: 'Timestamps' },
  describe: ({ login, authentication, serverUrl, active, packages, usage }) => [
    {
      name: login,
      rows: [
        [{ pl: 'Uwierzytelnianie', en: 'Authentication' }, authenticationText[authentication]],
        [{ pl: 'Adres serwera', en: 'Server address' }, serverUrl],
        [labels.status, active ? { pl: 'aktywne', en: 'active' } : { pl: 'nieaktywne', en: 'inactive' }],
        [{ pl: 'Zużyte znaczniki', en: 'Timestamps used' }, usage.reduce((sum, { spent }) => sum + spent, 0)],
      ],
    },
    ...packages.map(({ kind, size, spent, startsAt, endsAt }) => ({
      name: { pl: `Pakiet konta ${login}`, en: `Package of the account ${login}` },
      rows: [
        [{ pl: 'Rodzaj', en: 'Type' }, packageText[kind]],
        [{ pl: 'Wielkość', en: 'Size' }, size],
        [{ pl: 'Zużyte', en: 'Used' }, spent],
        [labels.validFrom, startsAt],
        [labels.validTo, endsAt],
      ] satisfies ExportedRow[],
    })),
  ],
}

const authenticationText: Record<AccountRow['authentication'], Text> = {
  basic: { pl: 'login i\u00a0hasło (Basic)', en: 'username and password (Basic)' },
  cms: { pl: 'certyfikat (PKCS#7/CMS)', en: 'certificate (PKCS#7/CMS)' },
}

const packageText: Record<PackageRow['kind'], Text> = {
  recurring: { pl: 'miesięczny', en: 'monthly' },
  'one-time': { pl: 'jednorazowy', en: 'one-time' },
  unlimited: { pl: 'bez limitu', en: 'unlimited' },
}
