import * as z from 'zod/mini'
import { BotProof } from './bot-check.ts'
import { requiredBoxes, WordingHash } from './consents.ts'
import { described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Email, line, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { optionalLine } from './optional-line.ts'
import { PhoneEntry } from './rules/phone.ts'

/** The form of a registration, whose e-mail becomes the login (REG-1, REG-2). */
export const RegistrationForm = z.strictObject({
  email: Email,
  firstName: line(limits.text.name),
  secondName: optionalLine,
  surname: line(limits.text.name),
  phone: PhoneEntry,
  ...requiredBoxes,
  marketing: described('Whether the consent to marketing is given.', z.boolean()),
})
export type RegistrationForm = z.infer<typeof RegistrationForm>

export const register = endpoint('open', 'POST /api/registration', {
  summary:
    'Requests an account; the answer comes by e-mail, and the reply is the same whether or not the account exists',
  description: 'The e-mail has a link that sets the password, or says that an account exists.',
  body: z.extend(RegistrationForm, {
    locale: described('The language of the e-mail.', Locale),
    botProof: BotProof,
    wordings: described(
      'The wordings that the page has shown; an outdated one is refused with `wording-changed`.',
      z.strictObject({
        terms: described('That of the terms.', WordingHash),
        privacy: described('That of the privacy notice.', WordingHash),
        marketing: described('That of the consent to marketing.', WordingHash),
      }),
    ),
    replaces: described(
      'An earlier registration that this one corrects or repeats: its link becomes void.',
      z.optional(Uuid),
    ),
  }),
  reply: z.strictObject({ registration: described('The id of the registration, for a correction.', Uuid) }),
  errors: ['too-many-attempts', 'bot-check-refused', 'bot-check-unavailable', 'wording-changed', 'sms-country-refused'],
})
