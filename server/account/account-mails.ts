import type { Locale } from '../../contract/enums.ts'
import { renderMail } from '../mail-template.ts'
import type { Settings } from '../portal.ts'

type Rendered = { subject: string; text: string; html: string }

/** Tells the owner that the password was changed, so that a thief does not do it unseen. */
export function passwordChangedMail(settings: Settings, locale: Locale): Rendered {
  const name = settings.brand.product
  const words = {
    pl: {
      subject: `${name}: hasło zostało zmienione`,
      paragraphs: [
        'Hasło do Twojego konta zostało zmienione, a wszystkie sesje zakończone.',
        `Jeśli to nie Ty, zadzwoń od razu: ${settings.brand.phone}.`,
      ],
    },
    en: {
      subject: `${name}: your password was changed`,
      paragraphs: [
        'The password of your account was changed and every session was ended.',
        `If it was not you, call us at once: ${settings.brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, settings.brand, words)
}
