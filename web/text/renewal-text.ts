import { type Locale, type Text, keysOf } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { RenewalReason } from '../../contract/rules/renewal-rules.ts'
import type { ApiError } from '../calls/api.ts'
import { plural } from './format.ts'
import { daysText } from './period-text.ts'

type ReasonText = { what: Text; advice: Text }

const { windowDays: days, shortestDays } = limits.renewal

const buyNew: Text = {
  pl: 'Kup nowy podpis. Wymaga to ponownego potwierdzenia tożsamości.',
  en: 'Buy a new signature. You’ll have to confirm your identity again.',
}

/** Reasons why a signature cannot be renewed, or not with this choice, with advice on each. */
export const renewalReasonText: Record<RenewalReason, ReasonText> = {
  CERT_EXPIRED: {
    what: {
      pl: 'Ten certyfikat wygasł, a\u00a0wygasłego nie można odnowić.',
      en: 'This certificate has expired, and expired certificates can’t be renewed.',
    },
    advice: buyNew,
  },
  CERT_REVOKED: {
    what: {
      pl: 'Tego certyfikatu nie można odnowić: jest zawieszony lub unieważniony albo zlecono taką zmianę.',
      en: 'This certificate can’t be renewed: it’s suspended or revoked, or that has been requested.',
    },
    advice: {
      pl: 'Jeśli jest zawieszony, zadzwoń do nas: powiemy, jak go przywrócić.',
      en: 'If it’s suspended, call us: we’ll tell you how to reinstate it.',
    },
  },
  TOO_EARLY: {
    what: {
      pl: `Ten podpis można odnowić dopiero w\u00a0ostatnich ${days}\u00a0dniach ważności.`,
      en: `You can only renew this signature in the last ${days}\u00a0days of its validity.`,
    },
    advice: { pl: 'Przypomnimy o\u00a0tym e-mailem.', en: 'We’ll remind you by e-mail.' },
  },
  CODE_REQUIRED: {
    what: { pl: 'Do odnowienia potrzebny jest kod.', en: 'You need a code to renew.' },
    advice: { pl: 'Kup kod odnowienia.', en: 'Buy a renewal code.' },
  },
  DATA_MISMATCH: {
    what: {
      pl: 'Twoje dane różnią się od danych w\u00a0odnawianym certyfikacie.',
      en: 'Your details differ from those in the certificate you’re renewing.',
    },
    advice: {
      pl: 'Zaktualizuj dane dokumentu. Gdy sprawdzimy, że dokument potwierdza Twoje obecne dane, wydamy nowy certyfikat z\u00a0tymi danymi.',
      en: 'Update your document details. Once we’ve checked that your document confirms your current details, they’ll be in your new certificate.',
    },
  },
  DOC_EXPIRED: {
    what: {
      pl: 'Twój dokument tożsamości wygasł, więc nie można teraz odnowić podpisu.',
      en: 'Your identity document has expired, so you can’t renew the signature now.',
    },
    advice: {
      pl: 'Zaktualizuj dane dokumentu. Gdy je sprawdzimy, dokończysz odnowienie.',
      en: 'Update your document details. Once we’ve checked them, you can continue.',
    },
  },
  ACTIVATION_AFTER_DOC_EXPIRY: {
    what: {
      pl: 'Twój dokument tożsamości wygaśnie, zanim nowy certyfikat zacznie działać.',
      en: 'Your identity document expires before the new certificate starts.',
    },
    advice: {
      pl: 'Wybierz „Od razu po wydaniu” albo wcześniejszy dzień.',
      en: 'Choose “As soon as it’s issued” or an earlier day.',
    },
  },
  VALIDITY_TOO_SHORT: {
    what: {
      pl: `Certyfikat byłby ważny krócej niż ${shortestDays}\u00a0dni, więc nie można go wydać.`,
      en: `The certificate would be valid for less than ${shortestDays}\u00a0days, so it can’t be issued.`,
    },
    advice: {
      pl: 'Wygasłby razem z\u00a0dokumentem tożsamości. Zaktualizuj dane dokumentu.',
      en: 'It would expire with your identity document. Update your document details.',
    },
  },
  SHORTENED_VALIDITY_NEEDS_CONSENT: {
    what: {
      pl: 'Certyfikat będzie ważny krócej, bo wygasa razem z\u00a0dokumentem tożsamości.',
      en: 'The certificate will be valid for a shorter time, because it expires with your identity document.',
    },
    advice: {
      pl: 'Zaakceptuj krótszą ważność albo zmień identyfikator.',
      en: 'Accept the shorter validity or change the identifier.',
    },
  },
  SIGNING_UNAVAILABLE: {
    what: {
      pl: 'Nie można teraz podpisać umowy, bo usługa podpisu nie odpowiada.',
      en: 'You can’t sign the agreement right now, because the signing service isn’t responding.',
    },
    advice: {
      pl: 'Nic nie tracisz: zapisaliśmy Twoje dane. Spróbuj ponownie za kilka minut albo wróć później z\u00a0listy podpisów.',
      en: 'You won’t lose anything: we’ve saved your answers. Try again in a few minutes, or come back later from the list of signatures.',
    },
  },
  SIGNING_KEY_MISSING: {
    what: { pl: 'Tym podpisem nie podpiszesz teraz umowy.', en: 'Signing with this signature isn’t set up yet.' },
    advice: {
      pl: 'Zadzwoń: sprawdzimy podpis i\u00a0dokończysz odnowienie.',
      en: 'Call us: we’ll check it, and you can finish the renewal.',
    },
  },
}

const monthForms = {
  pl: { one: 'miesiąc', few: 'miesiące', many: 'miesięcy', other: 'miesiąca' },
  en: { one: 'month', other: 'months' },
}

/** Formats a span of time as `7 miesięcy`; below three months in days, where a month more or less would hide much of the time lost. */
export function spanText(locale: Locale, from: Date, to: Date): string {
  const whole = Math.max(1, Math.round((to.getTime() - from.getTime()) / 86_400_000))
  const months = Math.round(whole / 30.44)
  return months < 3 ? daysText(locale, whole) : `${months}\u00a0${plural(locale, months, monthForms[locale])}`
}

/** Returns the reason why the server refused a renewal; undefined for any other failure. */
export const renewalReasonOf = ({ code, problem: { reason } }: ApiError) =>
  code === 'renewal-refused' ? keysOf(renewalReasonText).find((known) => known === reason) : undefined
