import { remindOfEnds, endReminderMail } from '../platform/messages/end-reminders.ts'
import { claimReminder, listDueReminders, type DueReminder } from './reminder-store.ts'
import { productText } from '../../contract/product-text.ts'
import { momentIn } from '../platform/messages/mail-dates.ts'
import type { Settings } from '../platform/settings.ts'
import { signatureEnd } from './signature-end.ts'

type Reminder = Pick<DueReminder, 'id' | 'validTo' | 'now' | 'locale' | 'product' | 'renewal'>

/** When the certificate ends and how it is renewed, with the end as a calendar file. */
function reminderMail(settings: Settings, reminder: Reminder) {
  const { now, locale, product, validTo } = reminder
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const { kind, advice, after, ...end } = signatureEnd(settings, locale, reminder)
  const moment = momentIn(locale, validTo)
  return endReminderMail(settings, {
    locale,
    now,
    subject: say('Twój podpis', 'your signature'),
    paragraphs: [
      say(
        `Certyfikat Twojego podpisu ${productText[product].pl} jest ważny do ${moment}.`,
        `The certificate of your signature ${productText[product].en} is valid until ${moment}.`,
      ),
      advice,
      after,
    ],
    label:
      kind === 'begun'
        ? say('Dokończ odnowienie', 'Finish renewal')
        : kind === 'elsewhere'
          ? say('Zobacz podpis', 'View signature')
          : say('Odnów podpis', 'Renew signature'),
    end,
    fileName: say('koniec-podpisu.ics', 'signature-end.ics'),
  })
}

/** SIG-5: mails to the holder before the end of a certificate. */
export const remindOfSignatures = remindOfEnds({
  feature: 'signatures',
  listDue: listDueReminders,
  claim: claimReminder,
  mailOf: reminderMail,
  entryOf: ({ id, step }) => ({ action: 'signature-reminder-sent', details: { signature: id, step } }),
})
