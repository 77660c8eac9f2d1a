import type { Locale } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
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

/** Tells the owner that wrong passwords blocked the account, and how to get back in (AUT-4, R17). */
export function accountBlockedMail(settings: Settings, locale: Locale): Rendered {
  const name = settings.brand.product
  const words = {
    pl: {
      subject: `${name}: konto zostało zablokowane`,
      paragraphs: [
        'Ktoś zbyt wiele razy wpisał złe hasło do Twojego konta, więc je zablokowaliśmy.',
        'Aby wejść na konto, ustaw nowe hasło: podaj swój e-mail, a\u00a0wyślemy Ci link.',
      ],
      label: 'Ustaw nowe hasło',
      note: `Jeśli to nie Twoje próby, wystarczy nowe hasło: bez kodu z\u00a0SMS nikt nie wejdzie na konto. Pytania? Zadzwoń: ${settings.brand.phone}.`,
    },
    en: {
      subject: `${name}: your account was blocked`,
      paragraphs: [
        'Someone entered a wrong password for your account too many times, so we blocked it.',
        'To get back in, set a new password: enter your e-mail, and we will send you a link.',
      ],
      label: 'Set new password',
      note: `If it was not you, a new password is enough: nobody enters the account without the code from a text message. Questions? Call ${settings.brand.phone}.`,
    },
  }[locale]
  const url = settings.publicUrl + (locale === 'en' ? '/en' : '') + pages.passwordReset.path
  return renderMail(locale, settings.brand, { ...words, action: { label: words.label, url } })
}
