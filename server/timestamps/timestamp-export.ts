import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import {
  exportedList,
  labels,
  type ExportData,
  type ExportedRow,
  type ExportSource,
} from '../platform/exported-data.ts'
import { packageColumns, type AccountRow, type PackageRow } from './timestamp-store.ts'

/** The timestamp accounts in the copy of all data, with every package and the usage of each day; the passwords are the timestamp server's. */
export const exportTimestamps: ExportData = async (source) =>
  exportedList(
    'timestampAccounts',
    { pl: 'Znaczniki czasu', en: 'Timestamps' },
    await readTimestampAccounts(source),
    ({ login, authentication, serverUrl, active, packages, usage }) => [
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
  )

async function readTimestampAccounts({ db, accountId }: ExportSource) {
  const { rows: accounts } = await sql<Account>`
    select id, provider_id, login, authentication, server_url, active, created_at as stored_at
    from timestamp_accounts where account_id = ${accountId} order by login`.execute(db)
  const ids = accounts.map(({ id }) => id)
  const packages = await sql<PackageRow & { account: string; providerId: string; storedAt: Date }>`
    select ${packageColumns}, p.timestamp_account_id as account, p.provider_id, p.created_at as stored_at
    from timestamp_packages p where p.timestamp_account_id = any(${ids}::uuid[]) order by p.starts_at, p.id`.execute(db)
  const usage = await sql<{ account: string; day: string; spent: number }>`
    select timestamp_account_id as account, day::text, spent from timestamp_usage
    where timestamp_account_id = any(${ids}::uuid[]) order by day`.execute(db)
  const notices = await sql<{ account: string; package: string; notice: string; about: Date; at: Date }>`
    select p.timestamp_account_id as account, n.package_id as package, n.notice, n.about, n.at from timestamp_notices n join timestamp_packages p on p.id = n.package_id
    where p.timestamp_account_id = any(${ids}::uuid[]) order by n.at`.execute(db)
  return accounts.map((account) => ({
    ...account,
    packages: ofAccount(account.id, packages.rows).map(({ timestampAccountId: _, ...row }) => row),
    usage: ofAccount(account.id, usage.rows),
    notices: ofAccount(account.id, notices.rows),
  }))
}

type Account = Pick<AccountRow, 'id' | 'providerId' | 'login' | 'authentication' | 'serverUrl' | 'active'> & {
  storedAt: Date
}

const ofAccount = <Row extends { account: string }>(id: string, rows: readonly Row[]) =>
  rows.filter(({ account }) => account === id).map(({ account: _, ...row }) => row)

const authenticationText: Record<AccountRow['authentication'], Text> = {
  basic: { pl: 'login i\u00a0hasło (Basic)', en: 'username and password (Basic)' },
  cms: { pl: 'certyfikat (PKCS#7/CMS)', en: 'certificate (PKCS#7/CMS)' },
}

const packageText: Record<PackageRow['kind'], Text> = {
  recurring: { pl: 'miesięczny', en: 'monthly' },
  'one-time': { pl: 'jednorazowy', en: 'one-time' },
  unlimited: { pl: 'bez limitu', en: 'unlimited' },
}
