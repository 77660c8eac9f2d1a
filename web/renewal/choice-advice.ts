import type { Locale, Text } from '../../contract/enums.ts'
import type { Renewal } from '../../contract/renewal.ts'
import type { Choice, RenewalReason } from '../../contract/rules/renewal-rules.ts'
import { renewalReasonText } from '../text/renewal-text.ts'
import { judgeHere } from './chosen-parameters.ts'

/** What to do about a choice that is refused; of the ways out of a too short validity, only those that work here. */
export function adviceOn(reason: RenewalReason, renewal: Renewal, choice: Choice): Text {
  if (reason !== 'VALIDITY_TOO_SHORT') return renewalReasonText[reason].advice
  const now = new Date(renewal.now)
  const earliest = judgeHere(renewal, { ...choice, start: 'immediately', activationDate: null }, now)
  const ways = [
    { pl: 'zaktualizuj dane dokumentu', en: 'update your document details' },
    renewal.person.pesel !== null && { pl: 'zmień identyfikator na PESEL', en: 'change the identifier to PESEL' },
    (earliest.ok || earliest.reason === 'SHORTENED_VALIDITY_NEEDS_CONSENT') && {
      pl: 'wybierz „Od razu po wydaniu”',
      en: 'choose “As soon as it’s issued”',
    },
  ].filter((way) => way !== false)
  const listed = (locale: Locale) =>
    new Intl.ListFormat({ pl: 'pl-PL', en: 'en-GB' }[locale], { type: 'disjunction' }).format(
      ways.map((way) => way[locale]),
    )
  return {
    pl: `Wygasłby razem z\u00a0dokumentem tożsamości. Aby był ważny dłużej, ${listed('pl')}.`,
    en: `It would expire with your identity document. To make it valid for longer, ${listed('en')}.`,
  }
}
