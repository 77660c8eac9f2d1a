import * as z from 'zod/mini'
import { CodeForm, CodeSent, notSent, Session } from './account.ts'
import { endpoint } from './endpoint.ts'
import { PhoneEntry } from './phone.ts'

/**
 * REG-6: the number that was registered counts for nothing until its owner enters a code that was sent to it. The calls take a
 * session that has passed the password only; a number that is confirmed is `state-passed`.
 */
export const PhoneConfirmation = z.strictObject({
  /** Masked: whoever follows a link may not be who registered. */
  phone: z.string(),
  sent: z.nullable(CodeSent),
})
export type PhoneConfirmation = z.infer<typeof PhoneConfirmation>

export const readPhoneConfirmation = endpoint({
  method: 'GET',
  path: '/api/phone-confirmation',
  summary: 'The number that is to be confirmed, and the code that was sent to it',
  access: 'pending',
  reply: PhoneConfirmation,
  errors: ['state-passed'],
})

export const sendPhoneConfirmation = endpoint({
  method: 'POST',
  path: '/api/phone-confirmation/send',
  summary: 'Sends the SMS code to the number, unless one that was sent can still be entered',
  access: 'pending',
  reply: PhoneConfirmation,
  errors: ['state-passed', ...notSent],
})

export const resendPhoneConfirmation = endpoint({
  method: 'POST',
  path: '/api/phone-confirmation/resend',
  summary: 'Sends a new SMS code to the number; the one before is void',
  access: 'pending',
  reply: PhoneConfirmation,
  errors: ['state-passed', 'resend-too-early', ...notSent],
})

export const UnconfirmedPhoneForm = z.strictObject({ phone: PhoneEntry })

export const correctUnconfirmedPhone = endpoint({
  method: 'POST',
  path: '/api/phone-confirmation/number',
  summary: 'Replaces the number by another one and sends the SMS code to it; codes to the one before are void',
  access: 'pending',
  body: UnconfirmedPhoneForm,
  reply: PhoneConfirmation,
  errors: ['state-passed', 'phone-unchanged', ...notSent],
})

export const confirmPhone = endpoint({
  method: 'POST',
  path: '/api/phone-confirmation/code',
  summary: 'Confirms the number with the SMS code, and finishes the sign-in',
  access: 'pending',
  body: CodeForm,
  reply: Session,
  errors: ['state-passed', 'code-wrong', 'code-expired', 'code-void', 'too-many-attempts'],
  code: 'used-up',
})
