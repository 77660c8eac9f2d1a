import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import type { FieldProblem } from './errors.ts'
import { Instant, text } from './fields.ts'
import { CodeForm, CodeSent, notSent } from './one-time-code.ts'
import { plainNumber } from './rules/identifier-numbers.ts'
import { NewPhoneForm } from './rules/phone.ts'
import { Session } from './session.ts'

/** The steps of DAT-2, in order; the last one makes the change. */
export const phoneChangeSteps = ['document', 'email', 'number', 'sms'] as const
const PhoneChangeStep = component(
  'PhoneChangeStep',
  'A step of the change of a telephone number, in their order.',
  z.enum(phoneChangeSteps),
)
export type PhoneChangeStep = z.infer<typeof PhoneChangeStep>

export type PhoneChangeEntry = 'document' | 'email-code' | 'number' | 'sms-code'

/**
 * The entries that each step accepts, and the step that follows; any other is refused (R32). A number can be corrected
 * until it is confirmed.
 */
export const phoneChangeMoves: Record<PhoneChangeStep, Partial<Record<PhoneChangeEntry, PhoneChangeStep | 'done'>>> = {
  document: { document: 'email' },
  email: { 'email-code': 'number' },
  number: { number: 'sms' },
  sms: { number: 'sms', 'sms-code': 'done' },
}

export const PhoneChange = component(
  'PhoneChange',
  'The change of the telephone number of this session.',
  z.strictObject({
    step: PhoneChangeStep,
    newPhone: described('The new number that was entered; null before that.', z.nullable(z.string())),
    sent: described('The code that is expected; null if none is.', z.nullable(CodeSent)),
  }),
)
export type PhoneChange = z.infer<typeof PhoneChange>

/** The number of a document as typed: spaces, dashes and lower-case letters are accepted. */
export const DocumentNumberEntry = z.pipe(
  z.pipe(text(64, 'required', 'too-long'), z.transform(plainNumber)),
  z
    .string()
    .check(
      z.minLength(1, 'required' satisfies FieldProblem),
      z.regex(/^[A-Z0-9]+$/, 'document-number' satisfies FieldProblem),
    ),
)

export const DocumentNumberForm = z.strictObject({
  documentNumber: described(
    'The number of the identity document; spaces, dashes and lower-case letters are accepted.',
    DocumentNumberEntry,
  ),
})

export const readPhoneChange = endpoint('customer', 'GET /api/phone-change', {
  summary: 'Checks whether the phone number can be changed, and returns the current step of this session’s change',
  description: 'For continuing after a reload of the page.',
  reply: z.strictObject({
    isPossible: described(
      'False while no identity document is known, since a change begins with its number.',
      z.boolean(),
    ),
    blockedUntil: described(
      'The end of the pause after too many wrong entries; null if there is none.',
      z.nullable(Instant),
    ),
    change: described('The change of this session; null if there is none.', z.nullable(PhoneChange)),
  }),
})

export const startPhoneChange = endpoint('customer', 'POST /api/my-data/:id/phone-change', {
  summary: 'Starts to change the phone number, or continues the change of this session',
  description: 'Refused for a customer without an identity document in the portal.',
  reply: PhoneChange,
  errors: ['not-found', 'document-unknown', 'phone-change-blocked'],
  stepUp: 'change-phone',
})

export const enterDocumentNumber = endpoint('customer', 'POST /api/phone-change/document', {
  summary: 'Takes the number of the identity document and sends a code by e-mail: the first step',
  description: 'Only who knows the number of the customer’s document can continue.',
  body: DocumentNumberForm,
  reply: PhoneChange,
  errors: ['document-number-wrong', 'phone-change-blocked', 'state-passed', 'sends-spent'],
})

export const enterEmailCode = endpoint('customer', 'POST /api/phone-change/email-code', {
  summary: 'Takes the code from the e-mail: the second step',
  description: 'The code came to the address of the account.',
  body: CodeForm,
  idempotent: 'code',
  reply: PhoneChange,
  errors: ['email-code-wrong', 'code-expired', 'code-void', 'phone-change-blocked', 'state-passed'],
})

export const enterNewPhone = endpoint('customer', 'POST /api/phone-change/number', {
  summary: 'Takes the new number and sends a code to it: the third step',
  description: 'The code proves that the new number belongs to the customer.',
  body: NewPhoneForm,
  reply: PhoneChange,
  errors: ['phone-unchanged', 'phone-change-blocked', 'state-passed', ...notSent],
})

export const enterPhoneCode = endpoint('customer', 'POST /api/phone-change/sms-code', {
  summary: 'Takes the code from the SMS, changes the number, and ends every other session: the last step',
  description: 'Text messages go to the new number from then on.',
  body: CodeForm,
  idempotent: 'code',
  reply: z.strictObject({ phone: z.string(), session: Session }),
  errors: ['code-wrong', 'code-expired', 'code-void', 'phone-change-blocked', 'state-passed'],
})

export const resendPhoneChangeCode = endpoint('customer', 'POST /api/phone-change/resend', {
  summary: 'Sends a new code of the step and voids the previous one',
  description: 'By e-mail or SMS, as the step needs.',
  reply: CodeSent,
  errors: ['resend-too-early', 'phone-change-blocked', 'state-passed', ...notSent],
})

export const cancelPhoneChange = endpoint('customer', 'DELETE /api/phone-change', {
  summary: 'Cancels the change of this session; the number stays the same',
  description: 'Codes that were sent for it are void.',
})
