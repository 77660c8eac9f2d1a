import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

/**
 * Notifies the owner that a passkey was added or removed, so that a thief cannot do it unnoticed. The mail leaves out its name, which
 * the person who added it chose.
 */
export function passkeyMail({ brand, publicUrl }: Settings, locale: Locale, news: 'added' | 'removed') {
  const { product, phone } = brand
  const text = {
    pl: {
      added: {
        subject: `${product}: dodano klucz dostępu`,
        what: 'Do Twojego konta dodano klucz dostępu. Od teraz może zastąpić kod z\u00a0SMS-a przy logowaniu i\u00a0przy ważnych czynnościach.',
      },
      removed: {
        subject: `${product}: usunięto klucz dostępu`,
        what: 'Z\u00a0Twojego konta usunięto klucz dostępu. Nie otworzy już niczego, a\u00a0kody SMS działają bez zmian.',
      },
      label: 'Zobacz swoje klucze',
      note: `Jeśli to nie Ty, zadzwoń od razu: ${phone}.`,
    },
    en: {
      added: {
        subject: `${product}: a passkey was added`,
        what: 'A passkey was added to your account. From now on it can replace the code from a text message when you log in and before important actions.',
      },
      removed: {
        subject: `${product}: a passkey was removed`,
        what: 'A passkey was removed from your account. It opens nothing any more, and text-message codes work as before.',
      },
      label: 'See your passkeys',
      note: `If it was not you, call us at once: ${phone}.`,
    },
  }[locale]
  const { subject, what } = text[news]
  return renderMail(locale, brand, {
    subject,
    paragraphs: [what],
    action: { label: text.label, url: publicUrl + inLocale(locale, pages.security.path) },
    note: text.note,
  })
}
