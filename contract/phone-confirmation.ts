import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { CodeForm, codeRefusals, CodeSent, notSent } from './one-time-code.ts'
import { PhoneEntry } from './rules/phone.ts'
import { Session } from './session.ts'

/**
 * A registered number is not used until its owner enters a code that was sent to it. The calls take a session that has passed only
 * the password; for a confirmed number they answer `state-passed` (REG-6).
 */
export const PhoneConfirmation = component(
  'PhoneConfirmation',
  'The confirmation of a registered telephone number.',
  z.strictObject({
    phone: described('The masked number.', z.string()),
    sent: described('The code that was sent; null if none was.', z.nullable(CodeSent)),
  }),
)
export type PhoneConfirmation = z.infer<typeof PhoneConfirmation>

export const readPhoneConfirmation = endpoint('pending', 'GET /api/phone-confirmation', {
  summary: 'Returns the number to be confirmed, and the code that was sent to it',
  description: 'The number is masked.',
  reply: PhoneConfirmation,
  errors: ['state-passed'],
})

export const sendPhoneConfirmation = endpoint('pending', 'POST /api/phone-confirmation/send', {
  summary: 'Sends the SMS code to the number, unless the last one can still be entered',
  description: 'Repeating it sends no second message.',
  reply: PhoneConfirmation,
  errors: ['state-passed', ...notSent],
})

export const resendPhoneConfirmation = endpoint('pending', 'POST /api/phone-confirmation/resend', {
  summary: 'Sends a new SMS code to the number and voids the previous one',
  description: 'Waits and limits apply: `resendAt` and `sendsLeft` of the previous code.',
  reply: PhoneConfirmation,
  errors: ['state-passed', 'resend-too-early', ...notSent],
})

export const UnconfirmedPhoneForm = z.strictObject({ phone: PhoneEntry })

export const correctUnconfirmedPhone = endpoint('pending', 'POST /api/phone-confirmation/number', {
  summary: 'Replaces the number, sends the SMS code to the new one, and voids codes to the old one',
  description: 'For a number that was mistyped at registration.',
  body: UnconfirmedPhoneForm,
  reply: PhoneConfirmation,
  errors: ['state-passed', 'phone-unchanged', ...notSent],
})

export const confirmPhone = endpoint('pending', 'POST /api/phone-confirmation/code', {
  summary: 'Confirms the number with the SMS code, and finishes the sign-in',
  description: 'For somebody who registered in the portal, at the first sign-in.',
  body: CodeForm,
  idempotent: 'code',
  reply: Session,
  errors: ['state-passed', ...codeRefusals],
})
