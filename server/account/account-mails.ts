import type { Locale } from '../../contract/enums.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

type Rendered = { subject: string; text: string; html: string }

/** Notifies the owner that the password was changed, so that a thief cannot change it unnoticed. */
export function passwordChangedMail(settings: Settings, locale: Locale, hasPasskeys: boolean): Rendered {
  const name = settings.brand.product
  const text = {
    pl: {
      subject: `${name}: hasło zostało zmienione`,
      paragraphs: [
        'Hasło do Twojego konta zostało zmienione, a\u00a0wszystkie sesje zakończone.',
        ...(hasPasskeys
          ? [
              'Klucze dostępu zostały: dalej otwierają konto, także bez hasła. Sprawdź na stronie Bezpieczeństwo, czy wszystkie są Twoje.',
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
              'Your passkeys stay: they still open your account, even without the password. Check on the Security page that all of them are yours.',
            ]
          : []),
        `If it was not you, call us at once: ${settings.brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, settings.brand, text)
}
