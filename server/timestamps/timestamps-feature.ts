import { sql } from 'kysely'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import type { TimestampPackageKind } from '../../contract/timestamps.ts'
import { type Db, query } from '../platform/database/database.ts'
import { labels, type ExportedList, type ExportedRow } from '../platform/exported-data.ts'
import { inCalendarCondition, type CalendarEnd } from '../platform/messages/calendar-file.ts'
import type { ServerFeature } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { notifyOfEnds, kindText } from './package-notices.ts'
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
import type { AccountRow, PackageRow } from './timestamp-store.ts'
import {
  listTimestampAccounts,
  summariseTimestamps,
  listTimestampPackages,
  readTimestampUsage,
  changeTimestampPassword,
} from './timestamps.ts'

type EndingPackage = { id: string; kind: TimestampPackageKind; validTo: Date }

/** Describes the end without the login of its account, which is half of what a program needs to use it. */
function packageEnd({ publicUrl }: Settings, locale: Locale, { id, kind, validTo }: EndingPackage): CalendarEnd {
  const text = kindText[kind]
  return {
    uid: `package-${id}`,
    validTo,
    what: {
      pl: `pakiet znaczników czasu (${text.pl})`,
      en: `timestamp package (${text.en})`,
    }[locale],
    description: {
      pl: 'Niewykorzystane znaczniki przepadną. Bez innego pakietu serwer odrzuci żądania Twoich programów.',
      en: 'Unused timestamps will be lost. Without another package, your software’s requests are rejected.',
    }[locale],
    url: publicUrl + inLocale(locale, pages.timestamps.path),
  }
}

/** Lists the ends of the packages that are not used up in an account’s active timestamp accounts, earliest first. */
const listPackageEnds = (db: Db, accountId: string): Promise<(EndingPackage & { validFrom: Date })[]> =>
  query(db).all(sql<EndingPackage & { validFrom: Date }>`
    select p.id, p.kind, p.starts_at as valid_from, p.ends_at as valid_to
    from timestamp_accounts t join timestamp_packages p on p.timestamp_account_id = t.id
    where t.account_id = ${accountId} and t.active and p.active and not (p.kind = 'one-time' and p.spent >= p.size)
      and ${inCalendarCondition(sql`p.starts_at`, sql`p.ends_at`)}
    order by p.ends_at, p.id limit ${limits.calendar.entries}`)

/**
 * The timestamp accounts in the copy of all data, with every package and the usage of each day; the passwords are the
 * timestamp server's.
 */
const exportedTimestamps: ExportedList<
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
  jobs: [{ name: 'notify-of-package-ends', everySeconds: 600, runsAtStart: true, run: notifyOfEnds }],
  ends: {
    feature: 'timestamps',
    list: async ({ db, settings }, { accountId, locale }) =>
      (await listPackageEnds(db, accountId)).map((row) => ({
        ...packageEnd(settings, locale, row),
        validFrom: row.validFrom,
      })),
  },
  historyObjects: {
    'timestamp-account': {
      details: ['timestampAccount', 'timestampPackage'],
      find: (accountId, idIn) => sql`
        select jsonb_build_object('id', id, 'name', login) from timestamp_accounts
        where account_id = ${accountId} and id = coalesce(${idIn('timestampAccount')},
          (select timestamp_account_id from timestamp_packages where id = ${idIn('timestampPackage')}))`,
    },
  },
  exportData: [exportedTimestamps],
  erasure: {
    inUse: (id) => [sql`exists (select from timestamp_accounts where account_id = ${id} and active)`],
    remove: (id) => [sql`delete from timestamp_accounts where account_id = ${id}`],
  },
}
