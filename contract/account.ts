import * as z from 'zod/mini'
import { BotProof } from './bot-check.ts'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { line, secret } from './fields.ts'
import { limits } from './limits.ts'
import { CodeForm, codeRefusals, CodeSent, notSent, SecondFactor } from './one-time-code.ts'
import { Session } from './session.ts'

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
  errors: ['signed-out'],
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
