import type { Locale } from '../../contract/enums.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

/** Notifies the owner that the password was changed, so that a thief cannot change it unnoticed. */
export function passwordChangedMail(settings: Settings, locale: Locale, hasPasskeys: boolean) {
  const text = {
    pl: {
      subject: 'hasło zostało zmienione',
      paragraphs: [
        'Hasło do Twojego konta zostało zmienione. Wylogowaliśmy Cię ze wszystkich urządzeń.',
        ...(hasPasskeys
          ? [
              'Klucze dostępu działają nadal, także bez hasła. Sprawdź na stronie Bezpieczeństwo, czy wszystkie są Twoje.',
            ]
          : []),
        `Jeśli to nie Ty, zadzwoń od razu: ${settings.brand.phone}.`,
      ],
    },
    en: {
      subject: 'your password was changed',
      paragraphs: [
        'The password for your account was changed, and you were signed out everywhere.',
        ...(hasPasskeys
          ? ['Your passkeys still work, even without the password. Check on the Security page that they’re all yours.']
          : []),
        `If this wasn’t you, call us right away: ${settings.brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, settings.brand, text)
}
