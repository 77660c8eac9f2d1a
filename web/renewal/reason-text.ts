import type { RenewalReason } from '../../contract/renewal-rules.ts'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'

/** Why a renewal stands still, and what helps; its words come before the click that would be refused (ux.md §8.6). */
export const reasonText: Record<RenewalReason, Text> = {
  CERT_EXPIRED: {
    pl: 'Certyfikat już wygasł, więc nie można go odnowić. Kup nowy podpis.',
    en: 'The certificate has expired already, so it cannot be renewed. Buy a new signature.',
  },
  CERT_REVOKED: {
    pl: 'Certyfikat jest zawieszony lub unieważniony, więc nie można go odnowić. Zadzwoń do nas.',
    en: 'The certificate is suspended or revoked, so it cannot be renewed. Call us.',
  },
  TOO_EARLY: {
    pl: `Certyfikat można odnowić najwcześniej ${limits.renewal.window} dni przed jego końcem.`,
    en: `The certificate can be renewed ${limits.renewal.window} days before its end at the earliest.`,
  },
  CODE_REQUIRED: { pl: 'Do odnowienia potrzebny jest kod.', en: 'A code is needed for the renewal.' },
  DATA_MISMATCH: {
    pl: 'Twoje dane różnią się od danych w\u00a0certyfikacie. Wpisz nowe dane dokumentu tożsamości albo zadzwoń do nas.',
    en: 'Your data differ from those in the certificate. Enter the new details of your identity document, or call us.',
  },
  DOC_EXPIRED: {
    pl: 'Twój dokument tożsamości stracił ważność. Wpisz dane nowego dokumentu.',
    en: 'Your identity document has expired. Enter the details of the new one.',
  },
  ACTIVATION_AFTER_DOC_EXPIRY: {
    pl: 'Nowy certyfikat zaczynałby się po końcu ważności Twojego dokumentu tożsamości.',
    en: 'The new certificate would begin after your identity document ends.',
  },
  VALIDITY_TOO_SHORT: {
    pl: `Z\u00a0tym dokumentem tożsamości certyfikat byłby ważny krócej niż ${limits.renewal.shortest} dni.`,
    en: `With this identity document the certificate would be valid for less than ${limits.renewal.shortest} days.`,
  },
  SHORTENED_VALIDITY_NEEDS_CONSENT: {
    pl: 'Certyfikat skończy się razem z\u00a0Twoim dokumentem tożsamości. Zaakceptuj krótszą ważność.',
    en: 'The certificate will end together with your identity document. Accept the shortened validity.',
  },
}
