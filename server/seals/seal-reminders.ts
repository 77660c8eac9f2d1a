import { inLocale, pages } from '../../contract/pages.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import { endReminderMail } from '../platform/messages/end-reminders.ts'
import { momentIn } from '../platform/messages/mail-dates.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { claimSealReminder, listDueSealReminders, type DueSealReminder } from './seal-reminder-store.ts'

/** SEA-11: mails to each active Administrator before the end of a seal, like those of signatures (SIG-5). */
export async function remindOfSeals(portal: Portal, report: (error: unknown) => void): Promise<void> {
  // The mail would link to a page that is off (ERR-5).
  if (portal.settings.featuresOff.includes('seals')) return
  for (const id of await listDueSealReminders(portal.db))
    await portal.db
      .transaction()
      .execute(async (tx) => {
        const reminder = await claimSealReminder(tx, id)
        if (reminder) await send(tx, portal, reminder)
      })
      .catch(report)
}

async function send(tx: Tx, { keys, settings }: Portal, reminder: DueSealReminder): Promise<void> {
  const { email, owner, seal, step, validTo } = reminder
  // After the end the mail would be wrong.
  await enqueue(tx, keys, { channel: 'mail', to: email, ...sealReminderMail(settings, reminder) }, validTo)
  await addAuditEntry(tx, {
    action: 'seal-reminder-sent',
    accountId: owner,
    actor: 'system',
    details: { seal, user: reminder.id, step },
  })
}

/** Names the seal by its product and organisation: an Administrator may have several. */
function sealReminderMail(settings: Settings, { seal, locale, validTo, now, product, organisation }: DueSealReminder) {
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const kind = kinds[product][locale]
  const end = momentIn(locale, validTo)
  const advice = say(
    'Zamów nową pieczęć wcześniej, żeby nie było przerwy: po tym terminie nie opieczętujesz nią już dokumentu.',
    'Order a new seal before, so that there is no gap: after that no document can be sealed with it any more.',
  )
  return endReminderMail(settings, {
    locale,
    validTo,
    now,
    uid: `seal-${seal}`,
    what: { subject: say('pieczęć', 'a seal'), summary: say(`pieczęć (${organisation})`, `seal (${organisation})`) },
    paragraphs: [
      say(
        `Pieczęć ${kind}, której jesteś administratorem, jest ważna do ${end}.`,
        `The seal ${kind} that you administer is valid until ${end}.`,
      ),
      say(`Organizacja: ${organisation}`, `Organisation: ${organisation}`),
      advice,
    ],
    action: {
      label: say('Zobacz pieczęć', 'See the seal'),
      url: settings.publicUrl + inLocale(locale, pages.seals.path),
    },
    description: advice,
    fileName: say('koniec-pieczeci.ics', 'seal-end.ics'),
  })
}

const kinds = {
  app: { pl: 'w\u00a0aplikacji mobilnej', en: 'in the mobile app' },
  card: { pl: 'na karcie lub tokenie', en: 'on a card or token' },
  'psd2-card': { pl: 'PSD2 na karcie', en: 'for PSD2 on a card' },
  file: { pl: 'w\u00a0pliku', en: 'in a file' },
}
