import type { Locale } from '../../contract/enums.ts'
import { renderMail } from '../mail-template.ts'
import type { Settings } from '../portal.ts'

type Rendered = { subject: string; text: string; html: string }

/** Tells the owner that the password was changed, so that a thief does not do it unseen. */
export function passwordChangedMail(settings: Settings, locale: Locale, hasPasskeys: boolean): Rendered {
  const name = settings.brand.product
  const words = {
    pl: {
      subject: `${name}: hasło zostało zmienione`,
      paragraphs: [
        'Hasło do Twojego konta zostało zmienione, a\u00a0wszystkie sesje zakończone.',
        ...(hasPasskeys
          ? [
              'Klucze dostępu zostały: dalej zastępują kod z\u00a0SMS-a, po nowym haśle. Sprawdź w\u00a0Moich danych, czy wszystkie są Twoje.',
            ]
          : []),
        `Jeśli to nie Ty, zadzwoń od razu: ${settings.brand.phone}.`,
      ],
    },
    en: {
      subject: `${name}: your password was changed`,
      paragraphs: [
        'The password of your account was changed and every session was ended.',
        ...(hasPasskeys
          ? [
              'Your passkeys stay: they still replace the code from a text message, after the new password. Check in My data that all of them are yours.',
            ]
          : []),
        `If it was not you, call us at once: ${settings.brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, settings.brand, words)
}
