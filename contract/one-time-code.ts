import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { CodeEntry, Instant, Uuid } from './fields.ts'

export const CodeSent = component(
  'CodeSent',
  'What the page knows of a one-time code: never the code itself.',
  z.strictObject({
    id: Uuid,
    channel: described('How it was sent.', z.enum(['sms', 'email'])),
    to: described('Masked recipient, such as `+48 ••• ••• 417`.', z.string()),
    ordinal: described('Counts the messages of this operation; the message has the number too.', z.int()),
    sentAt: Instant,
    expiresAt: Instant,
    resendAt: described('When the next one can be sent.', Instant),
    sendsLeft: described('How many more can be sent.', z.int()),
  }),
)
export type CodeSent = z.infer<typeof CodeSent>

export const SecondFactor = component(
  'SecondFactor',
  'What confirms a sensitive action: a code that was sent, or one of the customer’s passkeys.',
  z.union([CodeSent, z.strictObject({ channel: described('A passkey of the customer.', z.literal('passkey')) })]),
)
export type SecondFactor = z.infer<typeof SecondFactor>

export const CodeForm = component(
  'CodeForm',
  'A one-time code, as the customer enters it.',
  z.strictObject({
    code: described('The six digits of the code; what is between them is ignored.', CodeEntry),
  }),
)
export const codeRefusals = ['code-wrong', 'code-expired', 'code-void', 'too-many-attempts'] as const

/** Reasons why a code may not be sent to a confirmed number; `notSent`: to the number of the account, which may not be confirmed yet. */
export const smsNotSent = ['sends-spent', 'too-many-attempts', 'sms-country-refused', 'sms-stopped'] as const
export const notSent = [...smsNotSent, 'phone-unconfirmed', 'phone-sends-spent'] as const
