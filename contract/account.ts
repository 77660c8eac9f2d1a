import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Locale, StepUpPurpose } from './enums.ts'
import { CodeEntry, Email, Instant, line, secret, text, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { NewPassword, samePassword } from './password-rules.ts'
import type { FieldProblem } from './errors.ts'

/** The answer of a bot check, as the browser's adapter of it gives it; opaque to the contract. */
export const BotProof = text(4096)

/** What the browser is told of a one-time code: never the code (R3). */
export const CodeSent = z.strictObject({
  id: Uuid,
  channel: z.enum(['sms', 'email']),
  /** Masked recipient, such as `+48 ••• ••• 417`. */
  to: z.string(),
  /** Counts the messages of this operation, and stands in the message too. */
  ordinal: z.int(),
  sentAt: Instant,
  expiresAt: Instant,
  resendAt: Instant,
  sendsLeft: z.int(),
})
export type CodeSent = z.infer<typeof CodeSent>

/** What comes before a sensitive act: a code that was sent, or a passkey of the customer's (AUT-8). */
export const SecondFactor = z.union([CodeSent, z.strictObject({ channel: z.literal('passkey') })])
export type SecondFactor = z.infer<typeof SecondFactor>

/** What follows the password: the second factor, or, while the number is not confirmed, its confirmation (REG-6). */
export const AfterPassword = z.union([SecondFactor, z.strictObject({ channel: z.literal('confirm-phone') })])
export type AfterPassword = z.infer<typeof AfterPassword>

/** Why a code may not be sent. */
export const notSent = [
  'sends-spent',
  'too-many-attempts',
  'sms-country-refused',
  'sms-stopped',
  'phone-unconfirmed',
  'phone-sends-spent',
] as const

export const SignInForm = z.strictObject({
  login: line(limits.text.email, 'login-required'),
  password: secret('password-required'),
})

export const signIn = endpoint({
  method: 'POST',
  path: '/api/sign-in',
  summary: 'Checks login and password, and sends the SMS code unless the customer has a passkey',
  access: 'open',
  body: z.extend(SignInForm, { botProof: z.optional(BotProof) }),
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

export const Customer = z.strictObject({
  login: z.string(),
  email: z.string(),
  firstName: z.string(),
  surname: z.string(),
  locale: Locale,
})
export type Customer = z.infer<typeof Customer>

/** A signed-in session as the browser keeps it. The instants are the server's; `now` lets the browser count down whatever its own clock says. */
export const Session = z.strictObject({
  customer: Customer,
  now: Instant,
  /** End for want of activity, never later than `absoluteEndsAt`. */
  endsAt: Instant,
  absoluteEndsAt: Instant,
})
export type Session = z.infer<typeof Session>

export const CodeForm = z.strictObject({ code: CodeEntry })

export const enterSignInCode = endpoint({
  method: 'POST',
  path: '/api/sign-in/code',
  summary: 'Finishes the sign-in with the SMS code',
  access: 'pending',
  body: CodeForm,
  reply: Session,
  errors: ['code-wrong', 'code-expired', 'code-void', 'too-many-attempts'],
  code: 'used-up',
})

export const sendSignInCode = endpoint({
  method: 'POST',
  path: '/api/sign-in/code/send',
  summary: 'Sends the SMS code for the sign-in to a customer who could use a passkey',
  access: 'pending',
  reply: CodeSent,
  errors: [...notSent],
})

export const resendSignInCode = endpoint({
  method: 'POST',
  path: '/api/sign-in/code/resend',
  summary: 'Sends a new SMS code for the sign-in; the one before is void',
  access: 'pending',
  reply: CodeSent,
  errors: ['resend-too-early', ...notSent, 'code-expired', 'code-void'],
})

export const readSession = endpoint({
  method: 'GET',
  path: '/api/session',
  summary: 'Who is signed in, and until when',
  access: 'customer',
  reply: Session,
  background: true,
})

export const extendSession = endpoint({
  method: 'POST',
  path: '/api/session/extend',
  summary: 'Extends the session by the idle time, at most to its absolute end',
  access: 'customer',
  reply: Session,
})

export const signOut = endpoint({
  method: 'POST',
  path: '/api/sign-out',
  summary: 'Ends the session on the server; without a session it does nothing',
  access: 'open',
})

/** One act to be confirmed; without an object it is about the account itself. */
export const StepUpAct = z.strictObject({ purpose: StepUpPurpose, object: z.optional(Uuid) })
export type StepUpAct = z.infer<typeof StepUpAct>

export const startStepUp = endpoint({
  method: 'POST',
  path: '/api/step-up',
  summary:
    'Sends an SMS code that confirms one act on one object, unless a passkey can and `by` does not ask for the code',
  access: 'customer',
  body: z.extend(StepUpAct, { by: z.optional(z.literal('sms')) }),
  reply: SecondFactor,
  errors: ['not-found', ...notSent],
})

export const enterStepUpCode = endpoint({
  method: 'POST',
  path: '/api/step-up/:id/code',
  summary: 'Confirms the act; the call that asked for it can then be repeated',
  access: 'customer',
  params: z.strictObject({ id: Uuid }),
  body: CodeForm,
  reply: Session,
  errors: ['code-wrong', 'code-expired', 'code-void', 'too-many-attempts', 'not-found'],
  code: 'used-up',
})

export const resendStepUpCode = endpoint({
  method: 'POST',
  path: '/api/step-up/:id/code/resend',
  summary: 'Sends a new SMS code for the act; the one before is void',
  access: 'customer',
  params: z.strictObject({ id: Uuid }),
  reply: CodeSent,
  errors: ['resend-too-early', ...notSent, 'code-expired', 'code-void', 'not-found'],
})

export const PasswordResetForm = z.strictObject({ email: Email })

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/password-reset',
  summary: 'Asks for a reset link; the answer is the same whether or not the account exists',
  access: 'open',
  body: z.extend(PasswordResetForm, { locale: Locale, botProof: BotProof }),
  errors: ['too-many-attempts', 'bot-check-refused', 'bot-check-unavailable'],
})

const passwordsDiffer = 'passwords-differ' satisfies FieldProblem

export const ChangePasswordForm = z
  .strictObject({
    currentPassword: secret('current-password-required'),
    newPassword: NewPassword,
    repeatPassword: secret('required'),
  })
  .check(
    z.refine((form) => samePassword(form.newPassword, form.repeatPassword), {
      error: passwordsDiffer,
      path: ['repeatPassword'],
    }),
  )

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/password',
  summary: 'Changes the password and ends every session of the account',
  access: 'customer',
  body: ChangePasswordForm,
  errors: ['current-password-wrong', 'password-used-before', 'too-many-attempts', 'busy'],
})

/** The language in which mails and SMS are written follows the language switch of a signed-in customer. */
export const changeLocale = endpoint({
  method: 'PUT',
  path: '/api/locale',
  summary: 'Sets the language of messages',
  access: 'customer',
  body: z.strictObject({ locale: Locale }),
})
