import * as z from 'zod/mini'
import { BotProof } from './account.ts'
import { WordingHash } from './consents.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import type { FieldProblem } from './errors.ts'
import { Email, line, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { maybeLine } from './maybe-line.ts'
import { PhoneEntry } from './phone.ts'

// `literal`, `boolean` and `optional` of zod would come to the login page too, which has no room left for them.
const ticked = (problem: FieldProblem) => z.literal(true, problem)
const eitherWay = z.boolean()

/** REG-1 and REG-2. The e-mail becomes the login. */
export const RegistrationForm = z.strictObject({
  email: Email,
  firstName: line(limits.text.name),
  secondName: maybeLine,
  surname: line(limits.text.name),
  phone: PhoneEntry,
  terms: ticked('terms-required'),
  privacy: ticked('privacy-required'),
  marketing: eitherWay,
})
export type RegistrationForm = z.infer<typeof RegistrationForm>

export const register = endpoint({
  method: 'POST',
  path: '/api/registration',
  summary: 'Asks for an account; what follows comes by e-mail, and the answer is the same whether or not there is one',
  access: 'open',
  body: z.extend(RegistrationForm, {
    locale: Locale,
    botProof: BotProof,
    /** What the page showed, by which a page that is out of date is found (REG-5). */
    wordings: z.strictObject({ terms: WordingHash, privacy: WordingHash, marketing: WordingHash }),
    /** An earlier registration that this one corrects or repeats: its link becomes void. Only who made it knows its name. */
    replaces: z.optional(Uuid),
  }),
  reply: z.strictObject({ registration: Uuid }),
  errors: ['too-many-attempts', 'bot-check-refused', 'bot-check-unavailable', 'wording-changed', 'sms-country-refused'],
})
