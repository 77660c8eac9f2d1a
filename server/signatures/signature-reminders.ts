import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { productPhrase } from '../../contract/product-text.ts'
import * as calls from '../../contract/signatures.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { handler } from '../platform/http/http.ts'
import type { CalendarEnd } from '../platform/messages/calendar-file.ts'
import { remindOfEnds, endReminderMail } from '../platform/messages/end-reminders.ts'
import { momentIn } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'
import {
  claimReminder,
  listDueReminders,
  type DueReminder,
  switchEarlyReminders,
  wantsEarlyReminders,
} from './reminder-store.ts'

type Reminder = Pick<DueReminder, 'id' | 'validTo' | 'now' | 'locale' | 'product' | 'renewalId'>

export type EndingSignature = {
  id: string
  validTo: Date
  product: SignatureProduct
  /** An open renewal of the signature. */
  renewalId: string | null
}

/**
 * Describes when a signature ends, how it is renewed, and what follows otherwise. It names nobody, because mails are forwarded and
 * calendars shared.
 */
export function signatureEnd(
  { publicUrl, featuresOff }: Settings,
  locale: Locale,
  { id, validTo, product, renewalId: open }: EndingSignature,
): CalendarEnd & { kind: AdviceKind; advice: string; after: string } {
  const renews = !featuresOff.includes('renewal')
  const renewal = renews ? open : null
  const kind = renewal ? 'begun' : product === 'app' && !renews ? 'elsewhere' : product
  const after = {
    pl: 'Po tym terminie nie można go odnowić: trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
    en: 'After that you can’t renew it: you’d have to buy a new signature and confirm your identity again.',
  }[locale]
  const advice = adviceText[kind][locale]
  const path = renewal ? pages.renewal.path.replace(':uid', renewal) : pages.signatures.path
  return {
    uid: `signature-${id}`,
    validTo,
    what: `${{ pl: 'podpis', en: 'your signature' }[locale]} ${productPhrase[product][locale]}`,
    description: `${advice} ${after}`,
    url: publicUrl + inLocale(locale, path),
    kind,
    advice,
    after,
  }
}

type AdviceKind = SignatureProduct | 'begun' | 'elsewhere'

const adviceText = {
  begun: {
    pl: 'Odnowienie jest już rozpoczęte. Wróć do niego i\u00a0podpisz umowę.',
    en: 'You’ve already started the renewal. Go back to it and sign the agreement.',
  },
  app: {
    pl: 'Kup kod odnowienia i\u00a0wpisz go w\u00a0portalu. Zajmie to około 10\u00a0minut. Nie czekaj do ostatniej chwili.',
    en: 'Buy a renewal code and enter it in the portal. It takes about 10\u00a0minutes. Don’t leave it to the last moment.',
  },
  card: {
    pl: 'Podpis na karcie lub tokenie odnowisz u\u00a0nas: w\u00a0portalu zobaczysz, gdzie zamówić odnowienie.',
    en: 'You can renew a signature on a card or token with us: the portal shows where to order the renewal.',
  },
  file: {
    pl: 'Podpis w\u00a0pliku odnowisz u\u00a0nas: w\u00a0portalu zobaczysz, gdzie zamówić odnowienie.',
    en: 'You can renew a signature in a file with us: the portal shows where to order the renewal.',
  },
  elsewhere: {
    pl: 'Odnowisz go u\u00a0nas: w\u00a0portalu zobaczysz, gdzie zamówić odnowienie.',
    en: 'You can renew it with us: the portal shows where to order the renewal.',
  },
} satisfies Record<AdviceKind, Record<Locale, string>>

/** Writes the mail about when the certificate ends and how it is renewed, with the end attached as a calendar file. */
function reminderMail(settings: Settings, reminder: Reminder) {
  const { now, locale, product, validTo } = reminder
  const translate = (pl: string, en: string) => ({ pl, en })[locale]
  const { kind, advice, after, ...end } = signatureEnd(settings, locale, reminder)
  const moment = momentIn(locale, validTo)
  return endReminderMail(settings, {
    locale,
    now,
    subject: translate('Twój podpis', 'your signature'),
    paragraphs: [
      translate(
        `Certyfikat Twojego podpisu ${productPhrase[product].pl} jest ważny do ${moment}.`,
        `The certificate of your signature ${productPhrase[product].en} is valid until ${moment}.`,
      ),
      advice,
      after,
    ],
    label:
      kind === 'begun'
        ? translate('Dokończ odnowienie', 'Finish renewal')
        : kind === 'elsewhere'
          ? translate('Zobacz podpis', 'View signature')
          : translate('Odnów podpis', 'Renew signature'),
    end,
    fileName: translate('koniec-podpisu.ics', 'signature-end.ics'),
  })
}

/** Mails the holder before the end of a certificate (SIG-5). */
export const remindOfSignatures = remindOfEnds({
  feature: 'signatures',
  listDue: listDueReminders,
  claim: claimReminder,
  mailOf: reminderMail,
  entryOf: ({ id, step }) => ({ action: 'signature-reminder-sent', details: { signature: id, step } }),
})

// The customer can switch off all reminders except the last two (SIG-5).

export const readReminders = handler(calls.readReminders, async ({ session }, { db }) => ({
  isEarly: await wantsEarlyReminders(db, session.accountId),
}))

export const changeReminders = handler(
  calls.changeReminders,
  async ({ body: { isEarly }, session: { accountId }, transaction }) => {
    await transaction(async (tx, audit) => {
      if (!(await switchEarlyReminders(tx, accountId, isEarly))) return
      await audit('reminders-switched', { early: isEarly })
    })
  },
)
