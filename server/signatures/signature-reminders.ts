import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { reminderMail } from './reminder-mails.ts'
import { claimReminder, listDueReminders, type DueReminder } from './reminder-store.ts'

/**
 * SIG-5: mails before the end of a certificate, once for each step; only for the newest step, even if earlier ones were missed. A
 * failure is reported, and that reminder is retried by the next run.
 */
export async function remind(portal: Portal, report: (error: unknown) => void): Promise<void> {
  // The mail would link to a page that is off (ERR-5).
  if (portal.settings.featuresOff.includes('signatures')) return
  for (const id of await listDueReminders(portal.db))
    await portal.db
      .transaction()
      .execute(async (tx) => {
        const reminder = await claimReminder(tx, id)
        if (reminder) await send(tx, portal, reminder)
      })
      .catch(report)
}

async function send(
  tx: Tx,
  { keys, settings }: Portal,
  { step, owner, email, ...reminder }: DueReminder,
): Promise<void> {
  const mail = reminderMail(settings, reminder)
  // After the end the mail would be wrong.
  await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, reminder.validTo)
  await addAuditEntry(tx, {
    action: 'signature-reminder-sent',
    accountId: owner,
    actor: 'system',
    details: { signature: reminder.id, step },
  })
}
