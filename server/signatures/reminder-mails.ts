import { inLocale, pages } from '../../contract/pages.ts'
import { endReminderMail } from '../platform/messages/end-reminders.ts'
import { momentIn } from '../platform/messages/mail-dates.ts'
import { productText } from '../../contract/product-text.ts'
import type { Settings } from '../platform/settings.ts'
import type { DueReminder } from './reminder-store.ts'

type Reminder = Pick<DueReminder, 'id' | 'validTo' | 'now' | 'locale' | 'product' | 'renewal'>

/** When the certificate ends and how it is renewed, with the end as a calendar file. It names nobody, because mails are forwarded. */
export function reminderMail(settings: Settings, { id, validTo, now, locale, product, ...reminder }: Reminder) {
  const { publicUrl, featuresOff } = settings
  const renews = !featuresOff.includes('renewal')
  const renewal = renews ? reminder.renewal : null
  const kind = renewal ? 'begun' : product === 'app' && !renews ? 'elsewhere' : product
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const end = momentIn(locale, validTo)
  const url =
    publicUrl + inLocale(locale, renewal ? pages.renewal.path.replace(':uid', renewal) : pages.signatures.path)
  const after = say(
    'Po tym terminie nie można go odnowić: trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
    'After that you can’t renew it: you’d have to buy a new signature and confirm your identity again.',
  )
  return endReminderMail(settings, {
    locale,
    validTo,
    now,
    uid: `signature-${id}`,
    what: { subject: say('Twój podpis', 'your signature'), summary: say('podpis', 'your signature') },
    paragraphs: [
      say(
        `Certyfikat Twojego podpisu ${productText[product].pl} jest ważny do ${end}.`,
        `The certificate of your signature ${productText[product].en} is valid until ${end}.`,
      ),
      advice(kind)[locale],
      after,
    ],
    action: renewal
      ? { label: say('Dokończ odnowienie', 'Finish renewal'), url }
      : kind === 'elsewhere'
        ? { label: say('Zobacz podpis', 'View signature'), url }
        : { label: say('Odnów podpis', 'Renew signature'), url },
    description: `${advice(kind)[locale]} ${after}`,
    fileName: say('koniec-podpisu.ics', 'signature-end.ics'),
  })
}

const advice = (kind: Reminder['product'] | 'begun' | 'elsewhere') =>
  ({
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
      pl: 'Odnowisz go u\u00a0nas: zadzwoń, a\u00a0powiemy, jak go zamówić.',
      en: 'You can renew it with us: call, and we’ll tell you how to order it.',
    },
  })[kind]
