import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { inTurn } from '../../contract/rules/timestamp-packages.ts'
import { isLow } from '../../contract/timestamps.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { type Tx, type Db, query } from '../platform/database/database.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { packageMail, type PackageNotice } from './package-mails.ts'
import { packageOf, remainingIn, totalRemaining } from './timestamp-packages.ts'
import { packageColumns, type PackageRow } from './timestamp-store.ts'

/** Notices of timestamp packages (defaults.md): at a tenth, at nothing and before the end, once each, by mail. */

/** The mail would link to a page that is off (ERR-5). */
const isOff = ({ settings }: Portal) => settings.featuresOff.includes('timestamps')

/** A package with its account's login and its owner, at the time of the statement. */
type OwnedPackage = PackageRow & { owner: string; email: string; locale: Locale; login: string; now: Date }

const ownedPackages = sql`${packageColumns}, a.id as owner, a.email, a.locale, t.login, portal_now() as now
  from timestamp_packages p join timestamp_accounts t on t.id = p.timestamp_account_id join accounts a on a.id = t.account_id`

const findOwnedPackages = (tx: Tx, ids: readonly string[]): Promise<OwnedPackage[]> =>
  query(tx).all(sql<OwnedPackage>`
    select ${ownedPackages} where p.id = any(${ids}::uuid[]) and p.active and t.active order by p.id`)

/** A package that will end, with the numbers of days before the end that are due for a notice. */
type EndingPackage = OwnedPackage & { endsAt: Date; days: number[] }

/**
 * Packages within so many days of their end whose owners have not been notified of that. If a package was created with fewer
 * days than that left, its owner knows already.
 */
async function dueEndNotices(db: Db): Promise<EndingPackage[]> {
  const days = [...limits.timestamps.endNoticeDays]
  return query(db).all(sql<EndingPackage>`
    select due.days, ${ownedPackages}, lateral (
      select array_agg(d) as days from unnest(${days}::int[]) d
      where portal_now() >= p.ends_at - make_interval(days => d) and p.created_at < p.ends_at - make_interval(days => d)
        and not exists (select from timestamp_notices n where n.package_id = p.id and n.notice = 'end-' || d and n.about = p.ends_at)
    ) due
    where p.active and t.active and p.ends_at > portal_now() and p.ends_at <= portal_now() + make_interval(days => ${Math.max(...days)}::int)
      and not (p.kind = 'one-time' and p.spent >= p.size) and due.days is not null
    order by p.ends_at limit 1000`)
}

/** False if the notice was recorded before, so that one transaction alone sends it. */
const recordNotice = (tx: Tx, packageId: string, notice: string, about: Date): Promise<boolean> =>
  query(tx).changesOne(sql`
    insert into timestamp_notices (package_id, notice, about) values (${packageId}, ${notice}, ${about.toISOString()}::timestamptz) on conflict do nothing`)

/** The active packages of the same account, without this one. */
const otherActivePackages = (tx: Tx, { id, timestampAccountId }: PackageRow): Promise<PackageRow[]> =>
  query(tx).all(sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p
    where p.timestamp_account_id = ${timestampAccountId} and p.id <> ${id} and p.active`)

/** Notifies the owners of packages whose count has just changed, in the transaction that changed it. */
export async function notifyOfSpending(tx: Tx, portal: Portal, ids: readonly string[]): Promise<void> {
  if (!ids.length || isOff(portal)) return
  for (const row of await findOwnedPackages(tx, ids)) {
    const remaining = remainingIn(row, row.now)
    const notice = remaining === 0 ? 'empty' : isLow({ size: row.size, remaining }) ? 'low' : undefined
    if (!notice || !inTurn([row], row.now).length) continue
    if (await recordNotice(tx, row.id, notice, row.countedFrom ?? row.startsAt))
      await sendNotice(tx, portal, row, notice)
  }
}

/** Sends the notices that are due before an end, a package at a time; what fails is reported and tried again by the next run. */
export async function notifyOfEnds(portal: Portal, report: (error: unknown) => void): Promise<void> {
  if (isOff(portal)) return
  for (const row of await dueEndNotices(portal.db))
    await portal.db
      .transaction()
      .execute(async (tx) => {
        let isNew = false
        for (const days of row.days) if (await recordNotice(tx, row.id, `end-${days}`, row.endsAt)) isNew = true
        // One mail if two notices are due at once, after an outage for example.
        if (isNew) await sendNotice(tx, portal, row, 'ending')
      })
      .catch(report)
}

async function sendNotice(tx: Tx, { keys, settings }: Portal, row: OwnedPackage, notice: PackageNotice): Promise<void> {
  const otherPackages = inTurn(await otherActivePackages(tx, row), row.now)
  const mail = packageMail(settings, row.locale, {
    notice,
    login: row.login,
    accountPackage: packageOf(row, row.now),
    remainingElsewhere: totalRemaining(otherPackages.map((each) => packageOf(each, row.now))),
  })
  await enqueue(tx, keys, { channel: 'mail', to: row.email, ...mail })
  await addAuditEntry(tx, {
    action: 'timestamp-notice-sent',
    accountId: row.owner,
    actor: 'system',
    details: { timestampPackage: row.id, notice },
  })
}
