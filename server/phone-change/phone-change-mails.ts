import type { Locale } from '../../contract/enums.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { Settings } from '../platform/settings.ts'

/** Notifies the owner that codes go to another number from now on (DAT-5). */
export function phoneChangedMail({ brand }: Settings, locale: Locale, phone: string) {
  const masked = maskPhone(phone)
  const text = {
    pl: {
      subject: `${brand.product}: numer telefonu został zmieniony`,
      paragraphs: [
        `Kody SMS wysyłamy teraz na numer ${masked}. Na innych urządzeniach wylogowaliśmy Cię z\u00a0konta.`,
        `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
      ],
    },
    en: {
      subject: `${brand.product}: your phone number was changed`,
      paragraphs: [
        `We now send text-message codes to ${masked}. On other devices we have logged you out.`,
        `If it was not you, call us at once: ${brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, brand, text)
}
