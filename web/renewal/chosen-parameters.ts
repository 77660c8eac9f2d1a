import * as z from 'zod/mini'
import type { Locale, Text } from '../../contract/enums.ts'
import { RenewalParameters, type Renewal } from '../../contract/renewal.ts'
import {
  activationDays,
  endOfDocumentDay,
  judgeChoice,
  type Choice,
  type LastDocumentDay,
  type Judged,
  type RenewedCertificate,
  type RenewalReason,
} from '../../contract/rules/renewal-rules.ts'
import { formatDate } from '../text/format.ts'
import { renewalReasonText } from '../text/renewal-text.ts'

/** Answer to the question about the start; a chosen day is sent to the server as `immediately` with a date. */
type Start = 'continuity' | 'immediately' | 'chosen-day'

/** The answers, in step 1 and in the list of what was chosen. */
export const chosenStartText: Record<Start, Text> = {
  continuity: { pl: 'Bez przerwy', en: 'When the current one expires' },
  immediately: { pl: 'Od razu po wydaniu', en: 'As soon as it’s issued' },
  'chosen-day': { pl: 'Od wybranego dnia', en: 'On a day you choose' },
}

const chosenDay: Start = 'chosen-day'

/** Returns the values of step 1 on which the rules depend. */
export function ruleInputsOf(values: Record<string, string | boolean>): Choice {
  const years = Number(values['years'])
  const day = z.iso.date().safeParse(values['activationDate'])
  return {
    start: values['start'] === 'continuity' ? 'continuity' : 'immediately',
    activationDate: values['start'] === chosenDay && day.success ? day.data : null,
    years: years === 1 || years === 3 ? years : 2,
    identifier: values['identifier'] === 'pesel' ? 'pesel' : 'same',
  }
}

export const renewedCertificateOf = ({ certificate }: Renewal): RenewedCertificate => ({
  ...certificate,
  validTo: new Date(certificate.validTo),
})

/** Returns the end of the identity document. The rules use it only with a known document; without one the renewal stops before (REN-6). */
export const documentEndOf = ({ person }: Renewal): LastDocumentDay => person.document?.validTo ?? null

/** Judges the choice with the functions by which the server decides (R61). */
export const evaluateChoice = (renewal: Renewal, choice: Choice, now: Date) =>
  judgeChoice(choice, renewedCertificateOf(renewal), documentEndOf(renewal), { now, acceptedTo: null })

/** Returns the reason why nothing can be issued with the choice; a shorter validity only needs the customer's consent (REN-4). */
export const issuanceObstacleOf = (judged: Judged) =>
  judged.ok || judged.reason === 'SHORTENED_VALIDITY_NEEDS_CONSENT' ? undefined : judged.reason

/** Checks whether a gap in validity can be avoided: only with a document that is still valid when the new certificate begins (REN-5). */
export function canContinue(renewal: Renewal): boolean {
  const end = documentEndOf(renewal)
  return end === null || Date.parse(renewal.certificate.validTo) + 1000 <= endOfDocumentDay(end).getTime()
}

/**
 * Returns the first and last day on which the new certificate may begin, other than today; no day fits if the identity document ends first
 * (REN-5).
 */
export function possibleDays(renewal: Renewal) {
  const { first, last: latest } = activationDays(new Date(renewal.now))
  const end = documentEndOf(renewal)
  const isCut = end !== null && end < latest
  return { first, last: isCut ? end : latest, isCut }
}

/** Checks whether the new certificate may begin on the day; a year that is still being typed does not make a day. */
export function isPossibleDay(renewal: Renewal, day: string | null) {
  const { first, last } = possibleDays(renewal)
  return day !== null && first <= day && day <= last
}

/** Returns the text about a wrong day, with the possible days, because the summary above the form shows nothing else (VAL-5). */
function dayText(renewal: Renewal, locale: Locale) {
  const { first, last, isCut } = possibleDays(renewal)
  const [from, to] = [formatDate(locale, first), formatDate(locale, last)]
  return {
    pl: `Wpisz pierwszy dzień od ${from} do ${to}${isCut ? ', gdy wygasa Twój dokument tożsamości' : ''}`,
    en: `Enter a first day from ${from} to ${to}${isCut ? ', when your identity document expires' : ''}`,
  }[locale]
}

/** Date that replaces a missing or invalid one, so that the text about a wrong day also asks for the day. */
const outOfRange = '0001-01-01'

/** Returns the schema of step 1, which produces what the server takes. It refuses at once any day that the server would refuse. */
export const parametersForm = (renewal: Renewal, locale: Locale) =>
  z.pipe(
    z.transform(({ start, activationDate, ...values }: Record<string, unknown>) => {
      const day = z.iso.date().safeParse(activationDate).data ?? outOfRange
      const chosen =
        start === chosenDay ? { start: 'immediately', activationDate: day } : { start, activationDate: null }
      return { ...values, ...chosen } as z.input<typeof RenewalParameters>
    }),
    RenewalParameters.check(
      z.refine(({ activationDate }) => activationDate === null || isPossibleDay(renewal, activationDate), {
        error: 'date-range',
        path: ['activationDate'],
        params: { text: dayText(renewal, locale) },
      }),
    ),
  )

/** Converts the parameters to values of the form's fields. */
export const initialOf = ({ start, ...parameters }: RenewalParameters): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...parameters, start: parameters.activationDate ? chosenDay : start }).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)]],
    ),
  )

/** Returns the advice on a refused choice; for a validity that is too short, only the ways out that work here. */
export function adviceOn(reason: RenewalReason, renewal: Renewal, choice: Choice): Text {
  if (reason !== 'VALIDITY_TOO_SHORT') return renewalReasonText[reason].advice
  const now = new Date(renewal.now)
  const earliest = evaluateChoice(renewal, { ...choice, start: 'immediately', activationDate: null }, now)
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
