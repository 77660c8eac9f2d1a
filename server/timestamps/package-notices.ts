import { inTurn } from '../../contract/rules/timestamp-packages.ts'
import { isLow } from '../../contract/timestamps.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import { packageMail, type PackageNotice } from './package-mails.ts'
import type { Portal } from '../platform/portal.ts'
import {
  dueEndNotices,
  findOwnedPackages,
  otherActivePackages,
  recordNotice,
  type OwnedPackage,
} from './package-notice-store.ts'
import { packageOf, remainingIn, totalRemaining } from './timestamp-packages.ts'

/** Notices of timestamp packages (defaults.md): at a tenth, at nothing and before the end, once each, by mail. */

/** The mail would link to a page that is off (ERR-5). */
const isOff = ({ settings }: Portal) => settings.featuresOff.includes('timestamps')

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
