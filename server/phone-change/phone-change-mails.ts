import type { Locale } from '../../contract/enums.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { Settings } from '../platform/settings.ts'

/** Notifies the owner that codes go to another number from now on (DAT-5). */
export function phoneChangedMail({ brand }: Settings, locale: Locale, phone: string) {
  const masked = maskPhone(phone)
  const text = {
    pl: {
      subject: 'numer telefonu został zmieniony',
      paragraphs: [
        `Kody SMS wysyłamy teraz na numer ${masked}. Wylogowaliśmy Cię na innych urządzeniach.`,
        `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
      ],
    },
    en: {
      subject: 'your phone number was changed',
      paragraphs: [
        `We now send text-message codes to ${masked}. We’ve signed you out on your other devices.`,
        `If this wasn’t you, call us right away: ${brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, brand, text)
}
