import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { RenewalReason } from '../../contract/rules/renewal-rules.ts'
import type { ApiError } from '../api.ts'
import { keysOf } from '../../contract/keys-of.ts'
import { daysText, plural } from './format.ts'

type ReasonText = { what: Text; advice: Text }

const { window: days, shortest } = limits.renewal

const buyNew: Text = {
  pl: 'Kup nowy podpis: wymaga to ponownego potwierdzenia tożsamości.',
  en: 'Buy a new signature: your identity has to be confirmed again for it.',
}

/** Why a signature cannot be renewed, or not with this choice; and what to do about it. */
export const renewalReasonText: Record<RenewalReason, ReasonText> = {
  CERT_EXPIRED: {
    what: {
      pl: 'Ten certyfikat wygasł, a\u00a0wygasłego nie można odnowić.',
      en: 'This certificate has expired, and an expired one cannot be renewed.',
    },
    advice: buyNew,
  },
  CERT_REVOKED: {
    what: {
      pl: 'Ten certyfikat jest zawieszony albo unieważniony, więc nie można go odnowić.',
      en: 'This certificate is suspended or revoked, so it cannot be renewed.',
    },
    advice: {
      pl: 'Zawieszony najpierw przywróć: zadzwoń do nas, a\u00a0powiemy jak.',
      en: 'A suspended one has to be reinstated first: call us and we will say how.',
    },
  },
  TOO_EARLY: {
    what: {
      pl: `Ten podpis można odnowić dopiero w\u00a0ostatnich ${days}\u00a0dniach ważności.`,
      en: `This signature can be renewed only in the last ${days} days of its validity.`,
    },
    advice: { pl: 'Przypomnimy o\u00a0tym e-mailem.', en: 'We will remind you by e-mail.' },
  },
  CODE_REQUIRED: {
    what: { pl: 'Do odnowienia potrzebny jest kod.', en: 'A code is needed to renew.' },
    advice: { pl: 'Kup kod odnowienia.', en: 'Buy a renewal code.' },
  },
  DATA_MISMATCH: {
    what: {
      pl: 'Twoje dane różnią się od danych w\u00a0odnawianym certyfikacie.',
      en: 'Your data differ from those in the certificate that is being renewed.',
    },
    advice: {
      pl: 'Podaj dane aktualnego dokumentu tożsamości. Sprawdzimy je i\u00a0odnowienie będzie mogło trwać dalej.',
      en: 'Enter the details of your current identity document. We check them, and then the renewal can go on.',
    },
  },
  DOC_EXPIRED: {
    what: {
      pl: 'Twój dokument tożsamości stracił ważność, więc nie można jeszcze odnowić podpisu.',
      en: 'Your identity document has expired, so the signature cannot be renewed yet.',
    },
    advice: {
      pl: 'Podaj dane nowego dokumentu. Sprawdzimy je i\u00a0odnowienie będzie mogło trwać dalej.',
      en: 'Enter the details of your new document. We check them, and then the renewal can go on.',
    },
  },
  ACTIVATION_AFTER_DOC_EXPIRY: {
    what: {
      pl: 'Twój dokument tożsamości wygaśnie, zanim nowy certyfikat zacznie działać.',
      en: 'Your identity document expires before the new certificate begins to work.',
    },
    advice: {
      pl: 'Wybierz „Od razu po wydaniu” bez daty albo wcześniejszy dzień.',
      en: 'Choose “As soon as it is issued” without a date, or an earlier day.',
    },
  },
  VALIDITY_TOO_SHORT: {
    what: {
      pl: `Certyfikat byłby ważny krócej niż ${shortest}\u00a0dni, a\u00a0takiego nie można wydać.`,
      en: `The certificate would be valid for less than ${shortest} days, and such a one cannot be issued.`,
    },
    advice: {
      pl: 'Kończy się razem z\u00a0dokumentem tożsamości: potrzebny jest nowy dokument, identyfikator PESEL albo wcześniejszy początek.',
      en: 'It ends with your identity document: a new document, PESEL as the identifier, or an earlier beginning is needed.',
    },
  },
  SHORTENED_VALIDITY_NEEDS_CONSENT: {
    what: {
      pl: 'Certyfikat będzie krótszy, bo kończy się z\u00a0dokumentem tożsamości.',
      en: 'The certificate will be shorter, because it ends with the identity document.',
    },
    advice: {
      pl: 'Zaakceptuj krótszą ważność albo zmień identyfikator.',
      en: 'Accept the shorter validity or change the identifier.',
    },
  },
  SIGNING_UNAVAILABLE: {
    what: {
      pl: 'Umów nie można teraz podpisywać, bo usługa podpisu nie odpowiada.',
      en: 'Agreements cannot be signed now, because the signing service does not answer.',
    },
    advice: {
      pl: 'Nic nie tracisz: Twoje dane są zapisane. Spróbuj ponownie za kilka minut albo wróć później z\u00a0listy podpisów.',
      en: 'You lose nothing: your entries are saved. Try again in a few minutes, or come back later from the list of signatures.',
    },
  },
  SIGNING_KEY_MISSING: {
    what: {
      pl: 'Umowy nie można podpisać tym podpisem, bo usługa podpisu nie ma jego klucza.',
      en: 'The agreement cannot be signed with this signature, because the signing service does not have its key.',
    },
    advice: {
      pl: 'Nic nie tracisz. Zadzwoń do nas: sprawdzimy klucz i\u00a0dokończysz odnowienie.',
      en: 'You lose nothing. Call us: we check the key, and then you finish the renewal.',
    },
  },
}

const monthForms = {
  pl: { one: 'miesiąc', few: 'miesiące', many: 'miesięcy', other: 'miesiąca' },
  en: { one: 'month', other: 'months' },
}

/** `7 miesięcy`; below three in days, where a month more or less would hide much of what is lost. */
export function spanText(locale: Locale, from: Date, to: Date): string {
  const whole = Math.max(1, Math.round((to.getTime() - from.getTime()) / 86_400_000))
  const months = Math.round(whole / 30.44)
  return months < 3 ? daysText(locale, whole) : `${months}\u00a0${plural(locale, months, monthForms[locale])}`
}

/** Why the server refused a renewal; undefined where it refused for another reason. */
export const renewalReasonOf = ({ code, problem: { reason } }: ApiError) =>
  code === 'renewal-refused' ? keysOf(renewalReasonText).find((known) => known === reason) : undefined
