import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

/** Says that the export is ready or could not be made, and nothing about its contents. */
export function exportMail({ brand, publicUrl }: Settings, locale: Locale, news: 'ready' | 'failed') {
  const { product, phone } = brand
  const text = {
    pl: {
      ready: {
        subject: `${product}: Twoje dane są gotowe do pobrania`,
        what: 'Plik z\u00a0Twoimi danymi czeka w\u00a0portalu przez 24 godziny. Pobierzesz go po potwierdzeniu kodem z\u00a0SMS-a albo kluczem dostępu. Potem go usuniemy.',
      },
      failed: {
        subject: `${product}: nie udało się przygotować Twoich danych`,
        what: 'Nie udało nam się przygotować pliku z\u00a0Twoimi danymi. Przepraszamy. Zleć go jeszcze raz, a\u00a0jeśli to nie pomoże, zadzwoń do nas.',
      },
      label: 'Przejdź do swoich danych',
      note: `Jeśli to nie Ty, zmień hasło i\u00a0zadzwoń od razu: ${phone}.`,
    },
    en: {
      ready: {
        subject: `${product}: your data is ready to download`,
        what: 'The file with your data waits in the portal for 24 hours. You download it after confirming with a code from a text message or with a passkey. Then we remove it.',
      },
      failed: {
        subject: `${product}: your data could not be prepared`,
        what: 'We could not prepare the file with your data. We are sorry. Ask for it again, and if that does not help, call us.',
      },
      label: 'Go to your data',
      note: `If it was not you, change your password and call us at once: ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: text[news].subject,
    paragraphs: [text[news].what],
    action: { label: text.label, url: publicUrl + inLocale(locale, pages.security.path) },
    note: text.note,
  })
}
