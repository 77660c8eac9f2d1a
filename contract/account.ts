import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { CodeEntry, Instant, line, secret, text, Uuid } from './fields.ts'
import { limits } from './limits.ts'

export const BotProof = described('The proof of a bot check, as its script returns it.', text(4096))

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

export const AfterPassword = component(
  'AfterPassword',
  'What follows the password: the second factor, or the confirmation of the telephone number.',
  z.union([
    SecondFactor,
    z.strictObject({
      channel: described('The telephone number has to be confirmed first.', z.literal('confirm-phone')),
    }),
  ]),
)
export type AfterPassword = z.infer<typeof AfterPassword>

/** Reasons why a code may not be sent to a confirmed number; `notSent`: to the number of the account, which may not be confirmed yet. */
export const smsNotSent = ['sends-spent', 'too-many-attempts', 'sms-country-refused', 'sms-stopped'] as const
export const notSent = [...smsNotSent, 'phone-unconfirmed', 'phone-sends-spent'] as const

export const SignInForm = z.strictObject({
  login: described('The login or the e-mail address.', line(limits.text.email, 'login-required')),
  password: secret('password-required'),
})

export const signIn = endpoint('open', 'POST /api/sign-in', {
  summary: 'Checks login and password, and sends the SMS code unless the customer has a passkey',
  description:
    'The session is pending until the second factor is entered. After several wrong passwords a bot check is required.',
  body: z.extend(SignInForm, {
    botProof: described('The proof of a bot check, after a refusal with `bot-check-required`.', z.optional(BotProof)),
  }),
  reply: AfterPassword,
  errors: [
    'login-refused',
    'account-blocked',
    'bot-check-required',
    'bot-check-refused',
    'bot-check-unavailable',
    ...notSent,
    'busy',
  ],
})

export const Customer = component(
  'SignedInCustomer',
  'The customer who is signed in.',
  z.strictObject({
    id: Uuid,
    login: z.string(),
    email: z.string(),
    firstName: z.string(),
    surname: z.string(),
    locale: Locale,
  }),
)
export type Customer = z.infer<typeof Customer>

export const Session = component(
  'Session',
  'A signed-in session. `now` lets the page count down even if its clock is wrong.',
  z.strictObject({
    customer: Customer,
    now: described('The time of the portal.', Instant),
    endsAt: described('When it ends unless the customer is active; never later than `absoluteEndsAt`.', Instant),
    absoluteEndsAt: described('When it ends in any case.', Instant),
  }),
)
export type Session = z.infer<typeof Session>

export const CodeForm = component(
  'CodeForm',
  'A one-time code, as the customer enters it.',
  z.strictObject({
    code: described('The six digits of the code; what is between them is ignored.', CodeEntry),
  }),
)
export const codeRefusals = ['code-wrong', 'code-expired', 'code-void', 'too-many-attempts'] as const

export const enterSignInCode = endpoint('pending', 'POST /api/sign-in/code', {
  summary: 'Finishes the sign-in with the SMS code',
  description: 'The session is signed in from then on.',
  body: CodeForm,
  idempotent: 'code',
  reply: Session,
  errors: [...codeRefusals],
})

export const sendSignInCode = endpoint('pending', 'POST /api/sign-in/code/send', {
  summary: 'Sends the SMS code for the sign-in to a customer who could use a passkey',
  description: 'For a customer who has a passkey and wants the code instead.',
  reply: CodeSent,
  errors: [...notSent],
})

export const resendSignInCode = endpoint('pending', 'POST /api/sign-in/code/resend', {
  summary: 'Sends a new SMS code for the sign-in and voids the previous one',
  description: 'Waits and limits apply: `resendAt` and `sendsLeft` of the previous code.',
  reply: CodeSent,
  errors: ['resend-too-early', ...notSent, 'code-expired', 'code-void'],
})

export const readSession = endpoint('customer', 'GET /api/session', {
  summary: 'Returns who is signed in, and until when',
  description: 'A page calls it to learn whether somebody is signed in; it extends nothing.',
  reply: Session,
  background: true,
})

export const extendSession = endpoint('customer', 'POST /api/session/extend', {
  summary: 'Extends the session by the idle time, at most to its absolute end',
  description: 'The page calls it when the customer chooses to stay signed in.',
  reply: Session,
})

export const signOut = endpoint('open', 'POST /api/sign-out', {
  summary: 'Ends the session on the server; without a session it does nothing',
  description: 'Also deletes the cookie of the session.',
})

/** The language switch of a signed-in customer also sets the language of mails and SMS. */
export const changeLocale = endpoint('customer', 'PUT /api/locale', {
  summary: 'Sets the language of messages',
  description: 'The language of e-mails and text messages. The language of a page follows from its address.',
  body: z.strictObject({ locale: Locale }),
})
