import { remindOfEnds } from '../platform/messages/end-reminders.ts'
import { momentIn } from '../platform/messages/mail-dates.ts'
import { productText } from '../../contract/product-text.ts'
import type { Settings } from '../platform/settings.ts'
import { sealEndMail } from './seal-end.ts'
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
  const { locale, validTo, product } = due
  const moment = momentIn(locale, validTo)
  const sentence = {
    pl: `Pieczęć ${productText[product].pl}, której jesteś administratorem, jest ważna do ${moment}.`,
    en: `The seal ${productText[product].en} that you manage is valid until ${moment}.`,
  }[locale]
  return sealEndMail(settings, due, { sentence })
}
