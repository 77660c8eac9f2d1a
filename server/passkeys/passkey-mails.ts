import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { renderMail } from '../mail-template.ts'
import type { Settings } from '../portal.ts'

/**
 * Tells the owner of a passkey that came or went, so that a thief does not do it unseen. Its name is left out: whoever
 * added it chose the words.
 */
export function passkeyMail({ brand, publicUrl }: Settings, locale: Locale, news: 'added' | 'removed') {
  const { product, phone } = brand
  const words = {
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
  const { subject, what } = words[news]
  return renderMail(locale, brand, {
    subject,
    paragraphs: [what],
    action: { label: words.label, url: publicUrl + inLocale(locale, pages.myData.path) },
    note: words.note,
  })
}
