import * as z from 'zod/mini'
import { CodeForm, CodeSent, notSent, Session } from './account.ts'
import { endpoint } from './endpoint.ts'
import { Instant, text, Uuid } from './fields.ts'
import type { FieldProblem } from './errors.ts'
import { plainNumber } from './identifier-numbers.ts'
import { PhoneEntry } from './phone.ts'

/** The steps of DAT-2, in order; the change is done with the last one. */
export const phoneChangeSteps = ['document', 'email', 'number', 'sms'] as const
const PhoneChangeStep = z.enum(phoneChangeSteps)
export type PhoneChangeStep = z.infer<typeof PhoneChangeStep>

export type PhoneChangeEntry = 'document' | 'email-code' | 'number' | 'sms-code'

/** Which entry is taken at which step, and where it leads; every other is refused (R32). A number can be corrected until it is proven. */
export const phoneChangeMoves: Record<PhoneChangeStep, Partial<Record<PhoneChangeEntry, PhoneChangeStep | 'done'>>> = {
  document: { document: 'email' },
  email: { 'email-code': 'number' },
  number: { number: 'sms' },
  sms: { number: 'sms', 'sms-code': 'done' },
}

/** A change under way in this session. */
export const PhoneChange = z.strictObject({
  step: PhoneChangeStep,
  /** What was entered, so that going back never asks twice. */
  newPhone: z.nullable(z.string()),
  /** The code that is waited for; `sentAt` is the moment of the answer, for the page to count from. */
  sent: z.nullable(CodeSent),
})
export type PhoneChange = z.infer<typeof PhoneChange>

/** The number of a document as it is typed: spaces, dashes and small letters are forgiven. */
export const DocumentNumberEntry = z.pipe(
  z.pipe(text(64, 'required', 'too-long'), z.transform(plainNumber)),
  z
    .string()
    .check(z.minLength(1, 'required' satisfies FieldProblem), z.regex(/^[A-Z0-9]+$/, 'format' satisfies FieldProblem)),
)

export const DocumentNumberForm = z.strictObject({ documentNumber: DocumentNumberEntry })
export const NewPhoneForm = z.strictObject({ phone: PhoneEntry })

export const readPhoneChange = endpoint({
  method: 'GET',
  path: '/api/phone-change',
  summary: 'Whether the phone number can be changed, and how far the change of this session has come',
  access: 'customer',
  reply: z.strictObject({
    /** False while no document is known, by whose number a change begins. */
    possible: z.boolean(),
    /** The end of the pause after too many wrong entries (DAT-4). */
    blockedUntil: z.nullable(Instant),
    change: z.nullable(PhoneChange),
  }),
})

export const startPhoneChange = endpoint({
  method: 'POST',
  path: '/api/my-data/:id/phone-change',
  summary: 'Begins to change the phone number, or goes on with the change of this session',
  access: 'customer',
  params: z.strictObject({ id: Uuid }),
  reply: PhoneChange,
  errors: ['not-found', 'document-unknown', 'phone-change-blocked'],
  stepUp: 'change-phone',
})

export const enterDocumentNumber = endpoint({
  method: 'POST',
  path: '/api/phone-change/document',
  summary: 'First step: the number of the identity document; a code goes out by e-mail',
  access: 'customer',
  body: DocumentNumberForm,
  reply: PhoneChange,
  errors: ['document-number-wrong', 'phone-change-blocked', 'state-passed', 'sends-spent'],
})

export const enterEmailCode = endpoint({
  method: 'POST',
  path: '/api/phone-change/email-code',
  summary: 'Second step: the code from the e-mail',
  access: 'customer',
  body: CodeForm,
  reply: PhoneChange,
  errors: ['email-code-wrong', 'code-expired', 'code-void', 'phone-change-blocked', 'state-passed'],
  code: 'used-up',
})

export const enterNewPhone = endpoint({
  method: 'POST',
  path: '/api/phone-change/number',
  summary: 'Third step: the new number; a code goes out to it',
  access: 'customer',
  body: NewPhoneForm,
  reply: PhoneChange,
  errors: ['phone-unchanged', 'phone-change-blocked', 'state-passed', ...notSent],
})

export const enterPhoneCode = endpoint({
  method: 'POST',
  path: '/api/phone-change/sms-code',
  summary: 'Last step: the code from the text message; the number is changed, and every other session ends',
  access: 'customer',
  body: CodeForm,
  reply: z.strictObject({ phone: z.string(), session: Session }),
  errors: ['code-wrong', 'code-expired', 'code-void', 'phone-change-blocked', 'state-passed'],
  code: 'used-up',
})

export const resendPhoneChangeCode = endpoint({
  method: 'POST',
  path: '/api/phone-change/resend',
  summary: 'Sends a new code of the step; the one before is void',
  access: 'customer',
  reply: CodeSent,
  errors: ['resend-too-early', 'phone-change-blocked', 'state-passed', ...notSent],
})

export const cancelPhoneChange = endpoint({
  method: 'DELETE',
  path: '/api/phone-change',
  summary: 'Breaks the change of this session off; the number stays as it is',
  access: 'customer',
})
