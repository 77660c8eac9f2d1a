import * as z from 'zod/mini'
import { Session } from './account.ts'
import { endpoint } from './endpoint.ts'
import { base64url } from './fields.ts'

// In a file of its own, so that the login page loads no more than this for it.

/** What a visitor's device is to be asked for: to sign with whichever passkey it has here, after it has verified its user (R121). */
export const VisitorOptions = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  userVerification: z.literal('required'),
  timeout: z.int(),
})
export type VisitorOptions = z.infer<typeof VisitorOptions>

/** What the device has signed, and the account that it names. */
export const VisitorAssertion = z.strictObject({
  id: base64url(1400),
  clientDataJSON: base64url(4096),
  authenticatorData: base64url(8192),
  signature: base64url(8192),
  userHandle: base64url(88),
})
export type VisitorAssertion = z.infer<typeof VisitorAssertion>

export const startPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/passkey-sign-in/options',
  summary: 'What a visitor’s device is to be asked for, so that a passkey is the whole sign-in; the same for everyone',
  access: 'open',
  reply: VisitorOptions,
})

export const enterPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/passkey-sign-in',
  summary: 'Signs in with a passkey alone: no name, no password and no code',
  access: 'open',
  body: VisitorAssertion,
  reply: Session,
  errors: ['passkey-refused', 'too-many-attempts', 'account-blocked'],
})
