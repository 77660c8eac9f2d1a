import { endReminderMail, remindOfEnds } from '../platform/messages/end-reminders.ts'
import { momentIn } from '../platform/messages/mail-dates.ts'
import { productText } from '../../contract/product-text.ts'
import type { Settings } from '../platform/settings.ts'
import { sealEnd } from './seal-end.ts'
import { claimSealReminder, listDueSealReminders, type DueSealReminder } from './seal-reminder-store.ts'

/** SEA-11: mails to each active Administrator before the end of a seal, like those of signatures (SIG-5). */
export const remindOfSeals = remindOfEnds({
  feature: 'seals',
  listDue: listDueSealReminders,
  claim: claimSealReminder,
  mailOf: sealReminderMail,
  entryOf: ({ id, seal, step }) => ({ action: 'seal-reminder-sent', details: { seal, user: id, step } }),
})

/** Names the seal by its product and organisation: an Administrator may have several. */
function sealReminderMail(settings: Settings, due: DueSealReminder) {
  const { locale, validTo, now, product, organisation } = due
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const moment = momentIn(locale, validTo)
  const end = sealEnd(settings, locale, { ...due, role: 'admin' })
  return endReminderMail(settings, {
    locale,
    now,
    subject: say('pieczęć', 'a seal'),
    paragraphs: [
      say(
        `Pieczęć ${productText[product].pl}, której jesteś administratorem, jest ważna do ${moment}.`,
        `The seal ${productText[product].en} that you manage is valid until ${moment}.`,
      ),
      say(`Organizacja: ${organisation}`, `Organisation: ${organisation}`),
      end.description,
    ],
    label: say('Zobacz pieczęć', 'View seal'),
    end,
    fileName: say('koniec-pieczeci.ics', 'seal-end.ics'),
  })
}
