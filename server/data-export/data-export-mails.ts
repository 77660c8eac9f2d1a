import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

/** Says that the export is ready or could not be made, and nothing about its contents. */
export function exportMail({ brand, publicUrl }: Settings, locale: Locale, news: 'ready' | 'failed') {
  const { phone } = brand
  const text = {
    pl: {
      ready: {
        subject: 'Twoje dane są gotowe do pobrania',
        what: 'Plik z\u00a0Twoimi danymi czeka w\u00a0portalu 24\u00a0godziny. Aby go pobrać, potwierdź to kodem SMS albo kluczem dostępu. Potem go usuniemy.',
      },
      failed: {
        subject: 'nie udało się przygotować Twoich danych',
        what: 'Nie udało się przygotować pliku z\u00a0Twoimi danymi. Zamów go jeszcze raz, a\u00a0jeśli to nie pomoże, zadzwoń do nas.',
      },
      label: 'Przejdź do swoich danych',
      note: `Jeśli to nie Ty, zmień hasło i\u00a0zadzwoń od razu: ${phone}.`,
    },
    en: {
      ready: {
        subject: 'your data is ready to download',
        what: 'The file with your data will be in the portal for 24 hours. To download it, confirm it’s you with a text-message code or a passkey. Then we’ll delete the file.',
      },
      failed: {
        subject: 'we couldn’t prepare your data',
        what: 'We couldn’t prepare the file with your data. Request it again, and if that doesn’t help, call us.',
      },
      label: 'Go to your data',
      note: `If this wasn’t you, change your password and call us right away: ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: text[news].subject,
    paragraphs: [text[news].what],
    action: { label: text.label, url: publicUrl + inLocale(locale, pages.security.path) },
    note: text.note,
  })
}
