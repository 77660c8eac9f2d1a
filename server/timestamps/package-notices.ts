import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { sortedForSpending } from '../../contract/rules/timestamp-packages.ts'
import { isLow, type AccountPackage, type TimestampPackageKind } from '../../contract/timestamps.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { type Tx, type Db, query } from '../platform/database/database.ts'
import { renderMail, dayIn, momentIn } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { packageColumns, type PackageRow, packageOf, remainingIn, totalRemaining } from './timestamp-store.ts'

// Notices of timestamp packages (defaults.md): at a tenth, at nothing and before the end, once each, by mail.

/** Checks whether timestamps are off, because the mail would link to a page that is off (ERR-5). */
const isOff = ({ settings }: Portal) => settings.featuresOff.includes('timestamps')

/** A package with its account's login and its owner, at the time of the statement. */
type OwnedPackage = PackageRow & { owner: string; email: string; locale: Locale; login: string; now: Date }

const ownedPackages = sql`${packageColumns}, a.id as owner, a.email, a.locale, t.login, portal_now() as now
  from timestamp_packages p join timestamp_accounts t on t.id = p.timestamp_account_id join accounts a on a.id = t.account_id`

const listOwnedPackages = (tx: Tx, ids: readonly string[]): Promise<OwnedPackage[]> =>
  query(tx).all(sql<OwnedPackage>`
    select ${ownedPackages} where p.id = any(${ids}::uuid[]) and p.active and t.active order by p.id`)

/** A package that will end. */
type EndingPackage = OwnedPackage & {
  endsAt: Date
  /** The numbers of days before the end for which a notice is due. */
  days: number[]
}

/**
 * Finds the packages within so many days of their end (`endNoticeDays`) whose owners have not been notified of that. If a package was
 * created with fewer days left, its owner knows already.
 */
async function listDueEndNotices(db: Db): Promise<EndingPackage[]> {
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

/** Records a notice; false if it was recorded before, so that one transaction alone sends it. */
const recordNotice = (tx: Tx, packageId: string, notice: string, about: Date): Promise<boolean> =>
  query(tx).changesOne(sql`
    insert into timestamp_notices (package_id, notice, about) values (${packageId}, ${notice}, ${about.toISOString()}::timestamptz) on conflict do nothing`)

const listOtherActivePackages = (tx: Tx, { id, timestampAccountId }: PackageRow): Promise<PackageRow[]> =>
  query(tx).all(sql<PackageRow>`
    select ${packageColumns} from timestamp_packages p
    where p.timestamp_account_id = ${timestampAccountId} and p.id <> ${id} and p.active`)

/** Notifies the owners of packages whose count has just changed, in the transaction that changed it. */
export async function notifyOfSpending(tx: Tx, portal: Portal, ids: readonly string[]): Promise<void> {
  if (!ids.length || isOff(portal)) return
  for (const row of await listOwnedPackages(tx, ids)) {
    const remaining = remainingIn(row, row.now)
    const notice = remaining === 0 ? 'empty' : isLow({ size: row.size, remaining }) ? 'low' : undefined
    if (!notice || !sortedForSpending([row], row.now).length) continue
    if (await recordNotice(tx, row.id, notice, row.countedFrom ?? row.startsAt))
      await sendNotice(tx, portal, row, notice)
  }
}

/** Sends the notices that are due before an end, a package at a time; what fails is reported and tried again by the next run. */
export async function notifyOfEnds(portal: Portal, report: (error: unknown) => void): Promise<void> {
  if (isOff(portal)) return
  for (const row of await listDueEndNotices(portal.db))
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

/** The notice about a package. `low`: a tenth or less remains; `empty`: nothing remains; `ending`: its validity ends soon. */
type PackageNotice = 'low' | 'empty' | 'ending'

type PackageMail = {
  notice: PackageNotice
  login: string
  accountPackage: Given<typeof AccountPackage>
  /** The number of timestamps that remain in the account's other packages; null without a limit. */
  remainingElsewhere: number | null
}

/** `in`: the Polish locative. */
export const kindText = {
  recurring: { pl: 'miesięczny', in: 'miesięcznym', en: 'monthly' },
  'one-time': { pl: 'jednorazowy', in: 'jednorazowym', en: 'one-time' },
  unlimited: { pl: 'bez limitu', in: 'bez limitu', en: 'unlimited' },
} satisfies Record<TimestampPackageKind, Record<Locale | 'in', string>>

const tags = { pl: 'pl-PL', en: 'en-GB' } as const

function packageMail(
  { brand, publicUrl }: Settings,
  locale: Locale,
  { notice, login, accountPackage, remainingElsewhere }: PackageMail,
) {
  const { phone } = brand
  const count = (value: number) => new Intl.NumberFormat(tags[locale], { useGrouping: 'always' }).format(value)
  const day = (instant: Date | string) => dayIn(locale, new Date(instant))
  const minute = (instant: Date | string) => momentIn(locale, new Date(instant))
  const { endsAt, refillsAt } = accountPackage
  const kind = kindText[accountPackage.kind]
  const left = accountPackage.remaining === null ? undefined : count(accountPackage.remaining)
  const size = accountPackage.size === null ? undefined : count(accountPackage.size)
  const texts = {
    pl: {
      subject: {
        low: 'kończą się znaczniki czasu',
        empty: 'pakiet znaczników czasu jest pusty',
        ending: 'pakiet znaczników wkrótce wygaśnie',
      },
      what: {
        low: `W\u00a0pakiecie ${kind.in} konta ${login} zostało tylko ${left} z\u00a0${size} znaczników.`,
        empty: `W\u00a0pakiecie ${kind.in} konta ${login} nie ma już żadnego z\u00a0${size} znaczników.`,
        ending: `Pakiet ${kind.pl} konta ${login} jest ważny do ${endsAt && minute(endsAt)}. ${left === undefined ? '' : `Niewykorzystane znaczniki przepadną (zostało: ${left}).`}`,
      },
      refill: refillsAt && notice !== 'ending' ? `Pakiet odnowi się ${day(refillsAt)}.` : undefined,
      others:
        remainingElsewhere === null
          ? 'Konto ma też pakiet bez limitu, więc Twoje programy nadal będą dostawać znaczniki.'
          : remainingElsewhere > 0
            ? `W\u00a0innych pakietach tego konta są jeszcze znaczniki: ${count(remainingElsewhere)}. Twoje programy nadal będą je dostawać.`
            : 'Na tym koncie nie ma innych znaczników. Kup kolejny pakiet: bez znaczników serwer odrzuca żądania Twoich programów.',
      label: 'Zobacz pakiety',
      note: `Pytania? Zadzwoń: ${phone}.`,
    },
    en: {
      subject: {
        low: 'your timestamps are running out',
        empty: 'a timestamp package is empty',
        ending: 'a timestamp package is about to expire',
      },
      what: {
        low: `The ${kind.en} package on account ${login} has only ${left} of ${size} timestamps left.`,
        empty: `The ${kind.en} package on account ${login} has none of its ${size} timestamps left.`,
        ending: `The ${kind.en} package on account ${login} is valid until ${endsAt && minute(endsAt)}. ${left === undefined ? '' : `Unused timestamps will be lost (${left} left).`}`,
      },
      refill: refillsAt && notice !== 'ending' ? `It refills on ${day(refillsAt)}.` : undefined,
      others:
        remainingElsewhere === null
          ? 'The account also has an unlimited package, so your software will keep getting timestamps.'
          : remainingElsewhere > 0
            ? `There are more timestamps in this account’s other packages (${count(remainingElsewhere)} left), so your software will keep getting them.`
            : 'This account has no other timestamps. Buy another package: without timestamps, your software’s requests are rejected.',
      label: 'View packages',
      note: `Questions? Call ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: texts.subject[notice],
    paragraphs: [texts.what[notice].trim(), ...(texts.refill ? [texts.refill] : []), texts.others],
    action: { label: texts.label, url: publicUrl + inLocale(locale, pages.timestamps.path) },
    note: texts.note,
  })
}

async function sendNotice(tx: Tx, { keys, settings }: Portal, row: OwnedPackage, notice: PackageNotice): Promise<void> {
  const otherPackages = sortedForSpending(await listOtherActivePackages(tx, row), row.now)
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
