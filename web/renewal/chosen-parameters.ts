import * as z from 'zod/mini'
import { RenewalParameters, type Renewal } from '../../contract/renewal.ts'
import {
  isActivationDay,
  documentEnd,
  judgeChoice,
  type Choice,
  type DocumentEnd,
  type RenewedCertificate,
} from '../../contract/rules/renewal-rules.ts'
import { atWarsawClock } from '../../contract/rules/warsaw-time.ts'

/** The values of step 1 that the rules depend on. */
export function choiceOf(values: Record<string, string | boolean>): Choice {
  const years = Number(values['years'])
  const day = z.iso.date().safeParse(values['activationDate'])
  return {
    start: values['start'] === 'continuity' ? 'continuity' : 'immediately',
    activationDate: values['start'] !== 'continuity' && day.success ? day.data : null,
    years: years === 1 || years === 3 ? years : 2,
    identifier: values['identifier'] === 'pesel' ? 'pesel' : 'same',
  }
}

export const certificateOf = ({ certificate }: Renewal): RenewedCertificate => ({
  ...certificate,
  validTo: new Date(certificate.validTo),
})

/** The rules use it only with a known document; without one the renewal stops before (REN-6). */
export const documentEndOf = ({ person }: Renewal): DocumentEnd => person.document?.validTo ?? null

/** The result of the choice, by the functions that the server decides with (R61). */
export const judgeHere = (renewal: Renewal, choice: Choice, now: Date) =>
  judgeChoice(choice, certificateOf(renewal), documentEndOf(renewal), { now, acceptedTo: null })

/** A break of validity can be avoided only with a document that is still valid when the new certificate begins (REN-5). */
export function canContinue(renewal: Renewal): boolean {
  const end = documentEndOf(renewal)
  return end === null || Date.parse(renewal.certificate.validTo) + 1000 <= documentEnd(end).getTime()
}

/** The form of step 1, which refuses at once what the server would refuse about its day. */
export const parametersForm = (renewal: Renewal, now: Date) =>
  RenewalParameters.check(
    z.refine(({ activationDate }) => isActivationDay(activationDate, now), {
      error: 'date-range',
      path: ['activationDate'],
    }),
    z.refine(
      ({ activationDate }) => {
        const end = documentEndOf(renewal)
        return !activationDate || !end || atWarsawClock(`${activationDate}T00:00:00`) <= documentEnd(end)
      },
      { error: 'date-beyond-document', path: ['activationDate'] },
    ),
  )

/** As the fields of the form take it. */
export const initialOf = (parameters: RenewalParameters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  )
