import type { Locale } from '../../contract/enums.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { momentOf } from '../platform/exported-data.ts'
import { renderMail, momentIn } from '../platform/messages/mail-template.ts'
import { maskEmail, maskPhone } from '../platform/messages/masks.ts'
import type { Settings } from '../platform/settings.ts'
import type { ContactChange } from './customer-store.ts'

/** Notifies the old address that the provider has changed how the account is reached (R116). */
export function contactChangedMail({ brand }: Settings, { locale, now, changed }: ContactChange, resetsFrom?: Date) {
  const [email, phone] = [maskEmail(now.email), maskPhone(now.phone)]
  const text = {
    pl: {
      subject: 'dane kontaktowe konta zostały zmienione',
      paragraphs: [
        changed.email && `Nowy adres e-mail Twojego konta: ${email}.`,
        changed.phone && `Nowy numer telefonu do kodów SMS: ${phone}.`,
        `${endSentence(`Dane zmieniła firma ${brand.company}`)} Wylogowaliśmy Cię ze wszystkich urządzeń. Hasło się nie zmieniło.`,
        resetsFrom &&
          `Dla bezpieczeństwa link do nowego hasła możemy wysłać dopiero od ${momentIn(locale, resetsFrom)}.`,
        `Jeśli nie uzgadnialiśmy z\u00a0Tobą tej zmiany, zadzwoń od razu: ${brand.phone}.`,
      ],
    },
    en: {
      subject: 'your contact details have changed',
      paragraphs: [
        changed.email && `The new e-mail address of your account: ${email}.`,
        changed.phone && `The new phone number for text-message codes: ${phone}.`,
        `${brand.company} made this change. We’ve signed you out on all devices. Your password hasn’t changed.`,
        resetsFrom &&
          `To keep your account safe, we won’t send a link for a new password until ${momentIn(locale, resetsFrom)}.`,
        `If you didn’t agree to this change, call us right away: ${brand.phone}.`,
      ],
    },
  }[locale]
  const paragraphs = text.paragraphs.filter((paragraph) => typeof paragraph === 'string')
  return renderMail(locale, brand, { ...text, paragraphs })
}

/** Notifies the owner that the account was erased, and until when its evidence is kept (R87). */
export function erasedMail({ brand, featuresOff }: Settings, locale: Locale, evidenceUntil: Date | null) {
  const { phone } = brand
  const until = evidenceUntil && momentOf(locale, evidenceUntil)
  const hasPasskeys = !featuresOff.includes('passkeys')
  const text = {
    pl: {
      subject: 'Twoje konto zostało usunięte',
      what: `Usunęliśmy Twoje konto, a\u00a0z\u00a0nim dane kontaktowe, dane z\u00a0dokumentu tożsamości, hasło${hasPasskeys ? ', klucze dostępu' : ''} i\u00a0zgodę na informacje o\u00a0ofertach.`,
      held: `Umowy, certyfikaty, podpisane dokumenty i\u00a0sprawy przechowujemy jako dowody do ${until}. Potem też je usuniemy.`,
      note: `Jeśli to pomyłka, zadzwoń: ${phone}.`,
    },
    en: {
      subject: 'your account was deleted',
      what: `We’ve deleted your account, along with your contact details, identity document details, password${hasPasskeys ? ', passkeys' : ''} and your consent to news about offers.`,
      held: `We keep agreements, certificates, signed documents and cases as evidence until ${until}. Then we’ll delete them too.`,
      note: `If this is a mistake, call us on ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: text.subject,
    paragraphs: until ? [text.what, text.held] : [text.what],
    note: text.note,
  })
}
