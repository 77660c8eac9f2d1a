import * as z from 'zod/mini'
import { component } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { base64url } from './fields.ts'
import { Session } from './session.ts'

// A file of its own, so that the login page loads no other passkey code.

/** The device has to verify its user (R121). */
export const VisitorOptions = component(
  'VisitorOptions',
  'Request options of WebAuthn (§5.5), for any passkey of this portal.',
  z.strictObject({
    challenge: z.string(),
    rpId: z.string(),
    userVerification: z.literal('required'),
    timeout: z.int(),
  }),
)
export type VisitorOptions = z.infer<typeof VisitorOptions>

export const Assertion = component(
  'Assertion',
  'The assertion of a passkey (WebAuthn §5.2.2).',
  z.strictObject({
    id: base64url(1400),
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(8192),
    signature: base64url(8192),
  }),
)
export type Assertion = z.infer<typeof Assertion>

export const VisitorAssertion = component(
  'VisitorAssertion',
  'The assertion of a passkey (WebAuthn §5.2.2), and the account that it names.',
  z.extend(Assertion, { userHandle: base64url(88) }),
)
export type VisitorAssertion = z.infer<typeof VisitorAssertion>

export const startPasskeySignIn = endpoint('open', 'POST /api/passkey-sign-in/options', {
  summary: 'Returns the options for a sign-in with a passkey only; the same for everyone',
  description: 'WebAuthn options that name no account.',
  reply: VisitorOptions,
})

export const enterPasskeySignIn = endpoint('open', 'POST /api/passkey-sign-in', {
  summary: 'Signs in with a passkey only: no login, password or code',
  description: 'The passkey names its account, and also confirms the second factor.',
  body: VisitorAssertion,
  reply: Session,
  errors: ['passkey-refused', 'too-many-attempts', 'account-blocked'],
})
