import type { Locale } from '../../contract/enums.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { pageLink } from '../platform/messages/page-link.ts'
import type { Settings } from '../platform/settings.ts'

/**
 * Notifies the owner that a passkey was added or removed, so that a thief cannot do it unnoticed. The mail leaves out its name, which
 * the person who added it chose.
 */
export function passkeyMail(settings: Settings, locale: Locale, news: 'added' | 'removed') {
  const { brand } = settings
  const text = {
    pl: {
      added: {
        subject: 'dodano klucz dostępu',
        what: 'Do Twojego konta dodano klucz dostępu. Od teraz może zastąpić kod SMS przy logowaniu i\u00a0przy ważnych czynnościach.',
      },
      removed: {
        subject: 'usunięto klucz dostępu',
        what: 'Z\u00a0Twojego konta usunięto klucz dostępu. Ten klucz już nie działa, a\u00a0kody SMS działają bez zmian.',
      },
      label: 'Zobacz swoje klucze',
      note: `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      added: {
        subject: 'a passkey was added',
        what: 'A passkey was added to your account. You can now use it instead of a text-message code when you sign in and to confirm important actions.',
      },
      removed: {
        subject: 'a passkey was removed',
        what: 'A passkey was removed from your account. It no longer works. Text-message codes work as before.',
      },
      label: 'View your passkeys',
      note: `If this wasn’t you, call us right away: ${brand.phone}.`,
    },
  }[locale]
  const { subject, what } = text[news]
  const link = pageLink(settings, locale, 'security', text.label)
  return renderMail(locale, brand, { subject, paragraphs: [what], ...link, note: text.note })
}
