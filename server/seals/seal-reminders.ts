import { inLocale, pages } from '../../contract/pages.ts'
import { endReminderMail, remindOfEnds } from '../platform/messages/end-reminders.ts'
import { momentIn } from '../platform/messages/mail-dates.ts'
import { productText } from '../../contract/product-text.ts'
import type { Settings } from '../platform/settings.ts'
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
function sealReminderMail(settings: Settings, { seal, locale, validTo, now, product, organisation }: DueSealReminder) {
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const end = momentIn(locale, validTo)
  const advice = say(
    'Zamów nową pieczęć wcześniej, aby uniknąć przerwy: po tym terminie nie opatrzysz już dokumentu obecną pieczęcią.',
    'Order a new seal before then to avoid a gap: afterwards you can’t seal documents with this one.',
  )
  return endReminderMail(settings, {
    locale,
    validTo,
    now,
    uid: `seal-${seal}`,
    what: { subject: say('pieczęć', 'a seal'), summary: say(`pieczęć (${organisation})`, `seal (${organisation})`) },
    paragraphs: [
      say(
        `Pieczęć ${productText[product].pl}, której jesteś administratorem, jest ważna do ${end}.`,
        `The seal ${productText[product].en} that you manage is valid until ${end}.`,
      ),
      say(`Organizacja: ${organisation}`, `Organisation: ${organisation}`),
      advice,
    ],
    action: {
      label: say('Zobacz pieczęć', 'View seal'),
      url: settings.publicUrl + inLocale(locale, pages.seals.path),
    },
    description: advice,
    fileName: say('koniec-pieczeci.ics', 'seal-end.ics'),
  })
}
