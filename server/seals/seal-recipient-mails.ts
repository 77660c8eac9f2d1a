import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { productText } from '../../contract/product-text.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { momentIn } from '../platform/messages/mail-dates.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'
import { sealEndMail } from './seal-end.ts'
import type { DueRecipientReminder } from './seal-recipient-store.ts'

type Question = { organisation: string; product: SealProduct; token: string }

/** Asks whether an address wants the reminders. It contains nothing that the Administrator typed (R216); the token is in no request of the page. */
export function recipientMail(settings: Settings, locale: Locale, { organisation, product, token }: Question) {
  const { brand, publicUrl } = settings
  const texts = {
    pl: {
      subject: 'potwierdź przypomnienia o\u00a0pieczęci',
      paragraphs: [
        `Administrator pieczęci ${productText[product].pl} chce, abyśmy pisali na ten adres, zanim pieczęć wygaśnie. ${endSentence(`Organizacja: ${organisation}`)}`,
        'Potwierdź, że chcesz dostawać te przypomnienia. Na tej samej stronie możesz z\u00a0nich zrezygnować.',
        'Link działa 7\u00a0dni.',
      ],
      label: 'Odpowiedz',
      note: 'Nie znasz tej organizacji? Nie rób nic: bez potwierdzenia nie wyślemy tu nic więcej.',
    },
    en: {
      subject: 'confirm the reminders about a seal',
      paragraphs: [
        `An administrator of a seal ${productText[product].en} would like us to write to this address before the seal expires. ${endSentence(`Organisation: ${organisation}`)}`,
        'Confirm that you’d like these reminders. You can also refuse them on the same page.',
        'The link works for 7\u00a0days.',
      ],
      label: 'Answer',
      note: 'Don’t know this organisation? You don’t need to do anything: we won’t send anything else unless you confirm.',
    },
  }[locale]
  const url = `${publicUrl}${inLocale(locale, pages.reminderRecipient.path)}#${token}`
  return renderMail(locale, brand, { ...texts, action: { label: texts.label, url } })
}

/** Like the reminder of an Administrator (SEA-11), for somebody who may have no account. */
export function recipientReminderMail(settings: Settings, due: DueRecipientReminder) {
  const { locale, validTo, product } = due
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const moment = momentIn(locale, validTo)
  return sealEndMail(settings, due, {
    sentence: say(
      `Pieczęć ${productText[product].pl} jest ważna do ${moment}.`,
      `The seal ${productText[product].en} is valid until ${moment}.`,
    ),
    note: say(
      `Ten adres podał administrator pieczęci i\u00a0został on potwierdzony. Nie chcesz tych przypomnień? Użyj linku z\u00a0wiadomości, która o\u00a0nie pytała, albo zadzwoń: ${settings.brand.phone}.`,
      `An administrator of the seal entered this address, and it was confirmed. Don’t want these reminders? Use the link in the message that asked about them, or call ${settings.brand.phone}.`,
    ),
  })
}
