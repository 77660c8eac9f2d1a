import { sql } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { inTurn } from '../contract/timestamp-packages.ts'
import { isLow } from '../contract/timestamps.ts'
import { record } from './audit.ts'
import { now, type Db, type Tx } from './db.ts'
import { jobs } from './observed.ts'
import { enqueue } from './outbox.ts'
import { packageMail, type PackageNotice } from './package-mails.ts'
import type { Portal } from './portal.ts'
import { leftInAll, leftOf, packageColumns, packageOf, ruleOf, type PackageRow } from './timestamp-packages.ts'

/** Notices of timestamp packages (defaults.md): at a tenth, at nothing and before the end, once each, by mail. */

type Owned = PackageRow & { owner: string; email: string; locale: Locale; login: string }

const owned = sql`${packageColumns}, a.id as owner, a.email, a.locale, t.login
  from timestamp_packages p join timestamp_accounts t on t.id = p.timestamp_account_id join accounts a on a.id = t.account_id`

/** The mail would lead to a page that is off (ERR-5). */
const isOff = ({ settings }: Portal) => settings.featuresOff.includes('timestamps')

/** Tells of packages whose count has just changed, in the transaction that changed it. */
export async function tellOfSpending(tx: Tx, portal: Portal, ids: readonly string[]): Promise<void> {
  if (!ids.length || isOff(portal)) return
  const at = await timeOf(tx)
  const { rows } = await sql<Owned>`
    select ${owned} where p.id = any(${ids}::uuid[]) and p.active and t.active order by p.id`.execute(tx)
  for (const row of rows) {
    const left = leftOf(row, at)
    const notice = left === 0 ? 'empty' : isLow({ size: row.size, remaining: left }) ? 'low' : undefined
    if (!notice || !inTurn([ruleOf(row)], at).length) continue
    if (await claim(tx, row.id, notice, row.countedFrom ?? row.startsAt)) await tell(tx, portal, row, notice, at)
  }
}

/** What is due before an end, a package at a time; what fails is reported and comes up again. */
export async function tellOfEnds(portal: Portal, report: (error: unknown) => void): Promise<void> {
  if (isOff(portal)) return
  for (const due of await dueEnds(portal.db))
    await portal.db
      .transaction()
      .execute(async (tx) => {
        const claimed = []
        for (const days of due.days) if (await claim(tx, due.id, `end-${days}`, due.endsAt!)) claimed.push(days)
        // One mail where two fall due at once, after an outage say.
        if (claimed.length) await tell(tx, portal, due, 'ending', await timeOf(tx))
      })
      .catch(report)
}

/**
 * Packages within so many days of their end, whose owner has not been told so. Who got a package when less than that was
 * left of it knows as much.
 */
async function dueEnds(db: Db): Promise<(Owned & { days: number[] })[]> {
  const days = [...limits.timestamps.endNoticeDays]
  const { rows } = await sql<Owned & { days: number[] }>`
    select due.days, ${owned}, lateral (
      select array_agg(d) as days from unnest(${days}::int[]) d
      where portal_now() >= p.ends_at - make_interval(days => d) and p.created_at < p.ends_at - make_interval(days => d)
        and not exists (select from timestamp_notices n where n.package_id = p.id and n.notice = 'end-' || d and n.about = p.ends_at)
    ) due
    where p.active and t.active and p.ends_at > portal_now() and p.ends_at <= portal_now() + make_interval(days => ${Math.max(...days)}::int)
      and not (p.kind = 'one-time' and p.spent >= p.size) and due.days is not null
    order by p.ends_at limit 1000`.execute(db)
  return rows
}

/** One statement decides who tells of it; nobody does twice. */
async function claim(tx: Tx, packageId: string, notice: string, about: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into timestamp_notices (package_id, notice, about) values (${packageId}, ${notice}, ${about.toISOString()}::timestamptz) on conflict do nothing`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

async function tell(tx: Tx, { keys, settings }: Portal, row: Owned, notice: PackageNotice, at: Date): Promise<void> {
  const { rows: all } = await sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p
    where p.timestamp_account_id = ${row.timestampAccountId} and p.id <> ${row.id} and p.active`.execute(tx)
  const valid = new Set(inTurn(all.map(ruleOf), at).map(({ id }) => id))
  const others = leftInAll(all.filter(({ id }) => valid.has(id)).map((one) => packageOf(one, at)))
  const mail = packageMail(settings, row.locale, { notice, login: row.login, one: packageOf(row, at), others })
  await enqueue(tx, keys, { channel: 'mail', to: row.email, ...mail })
  await record(tx, {
    act: 'timestamp-notice-sent',
    accountId: row.owner,
    actor: 'system',
    details: { timestampPackage: row.id, notice },
  })
}

const timeOf = async (db: Db) => (await db.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()).now

/** Looks every ten minutes; every node does, and each notice has one teller. */
export function startTellingOfEnds(portal: Portal, report: (error: unknown) => void): { stop: () => void } {
  const look = () => void jobs.do({ job: 'tell-of-package-ends' }, () => tellOfEnds(portal, report)).catch(report)
  look()
  const timer = setInterval(look, 600_000)
  return { stop: () => clearInterval(timer) }
}
