import * as z from 'zod/mini'
import { BotProof } from './account.ts'
import { WordingHash } from './consents.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import type { FieldProblem } from './errors.ts'
import { Email, line, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { optionalLine } from './optional-line.ts'
import { PhoneEntry } from './rules/phone.ts'

// Without `literal`, `boolean` and `optional` of zod: they would be loaded by the login page too, whose size limit is reached.
const ticked = (problem: FieldProblem) => z.literal(true, problem)
const eitherWay = z.boolean()

/** REG-1 and REG-2. The e-mail becomes the login. */
export const RegistrationForm = z.strictObject({
  email: Email,
  firstName: line(limits.text.name),
  secondName: optionalLine,
  surname: line(limits.text.name),
  phone: PhoneEntry,
  terms: ticked('terms-required'),
  privacy: ticked('privacy-required'),
  marketing: eitherWay,
})
export type RegistrationForm = z.infer<typeof RegistrationForm>

export const register = endpoint('open', 'POST /api/registration', {
  summary:
    'Requests an account; the answer comes by e-mail, and the reply is the same whether or not the account exists',
  description: 'The e-mail has a link that sets the password, or says that an account exists.',
  body: z.extend(RegistrationForm, {
    locale: Locale,
    botProof: BotProof,
    /** The wordings that the page showed, to detect an outdated page (REG-5). */
    wordings: z.strictObject({ terms: WordingHash, privacy: WordingHash, marketing: WordingHash }),
    /** An earlier registration that this one corrects or repeats: its link becomes void. Only the one who made it knows its id. */
    replaces: z.optional(Uuid),
  }),
  reply: z.strictObject({ registration: Uuid }),
  errors: ['too-many-attempts', 'bot-check-refused', 'bot-check-unavailable', 'wording-changed', 'sms-country-refused'],
})
