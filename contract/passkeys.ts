import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { base64url, patternText, Instant, line, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { Assertion, VisitorOptions } from './passkey-sign-in.ts'
import { Session } from './session.ts'
import { StepUpAction } from './step-up.ts'

export const Passkey = component(
  'Passkey',
  'A passkey, as its owner sees it.',
  z.strictObject({
    id: Uuid,
    name: described('The name that the customer has given it.', z.string()),
    addedAt: described('When it was added.', Instant),
    usedAt: described('When it was last used; null before that.', z.nullable(Instant)),
  }),
)
export type Passkey = z.infer<typeof Passkey>

export const PasskeyForm = z.strictObject({
  name: described('The name that the customer gives it.', line(limits.passkeys.nameLength)),
})
export type PasskeyForm = z.infer<typeof PasskeyForm>

const Transports = component(
  'Transports',
  'How the authenticator can be reached (WebAuthn §5.8.4).',
  z.array(patternText(20, /^[a-z-]{1,20}$/)).check(z.maxLength(8)),
)

const Descriptor = component(
  'CredentialDescriptor',
  'Names a passkey (WebAuthn §5.8.3).',
  z.strictObject({ id: z.string(), type: z.literal('public-key'), transports: z.optional(Transports) }),
)

export const AssertionOptions = component(
  'AssertionOptions',
  'Request options of WebAuthn (§5.5), for the passkeys of one customer.',
  z.extend(VisitorOptions, { allowCredentials: z.array(Descriptor) }),
)
export type AssertionOptions = z.infer<typeof AssertionOptions>

export const CreationOptions = component(
  'CreationOptions',
  'Creation options of WebAuthn (§5.4).',
  z.strictObject({
    challenge: z.string(),
    rp: z.strictObject({ id: z.string(), name: z.string() }),
    user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.strictObject({
      residentKey: z.literal('preferred'),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
    timeout: z.int(),
  }),
)
export type CreationOptions = z.infer<typeof CreationOptions>

export const NewCredential = component(
  'NewCredential',
  'A new passkey (WebAuthn §5.2.1).',
  z.strictObject({
    id: base64url(1400),
    clientDataJSON: base64url(4096),
    attestationObject: base64url(32_768),
    transports: Transports,
  }),
)
export type NewCredential = z.infer<typeof NewCredential>

export const listPasskeys = endpoint('customer', 'GET /api/passkeys', {
  summary: 'Lists the passkeys of the customer, oldest first',
  description: 'Each with its name and when it was added.',
  reply: z.strictObject({ items: described('The passkeys, oldest first.', z.array(Passkey)) }),
})

export const startPasskey = endpoint('customer', 'POST /api/passkeys/options', {
  summary: 'Returns the options for making a new passkey',
  description: 'WebAuthn options with a challenge that is valid for a few minutes.',
  reply: CreationOptions,
  errors: ['passkeys-full'],
  stepUp: 'add-passkey',
})

export const addPasskey = endpoint('customer', 'POST /api/passkeys', {
  summary: 'Stores a new passkey',
  description: 'Takes the answer of the authenticator to the options of `POST /api/passkeys/options`.',
  body: z.extend(PasskeyForm, { credential: described('The answer of the authenticator.', NewCredential) }),
  reply: Passkey,
  errors: ['passkey-refused', 'passkey-known', 'passkeys-full'],
  stepUp: 'add-passkey',
})

export const renamePasskey = endpoint('customer', 'PUT /api/passkeys/:id/name', {
  summary: 'Renames a passkey',
  description: 'The name is for the customer only.',
  body: PasskeyForm,
  errors: ['not-found'],
})

export const removePasskey = endpoint('customer', 'DELETE /api/passkeys/:id', {
  summary: 'Removes a passkey, which can no longer be used from then on',
  description: 'Other passkeys stay usable.',
  errors: ['not-found'],
  stepUp: 'remove-passkey',
})

const refusals = ['passkey-refused', 'too-many-attempts'] as const

export const startSignInPasskey = endpoint('pending', 'POST /api/sign-in/passkey/options', {
  summary: 'Returns the options for finishing the sign-in with a passkey',
  description: 'WebAuthn options with the passkeys of the customer whose password was right.',
  reply: AssertionOptions,
  errors: ['passkey-refused'],
})

export const enterSignInPasskey = endpoint('pending', 'POST /api/sign-in/passkey', {
  summary: 'Finishes the sign-in with a passkey',
  description: 'Takes the answer of the authenticator, instead of the SMS code.',
  body: Assertion,
  reply: Session,
  errors: [...refusals],
})

export const startStepUpPasskey = endpoint('customer', 'POST /api/step-up/passkey/options', {
  summary: 'Returns the options for confirming one action on one object with a passkey',
  description: 'WebAuthn options whose challenge is bound to the action.',
  body: StepUpAction,
  reply: AssertionOptions,
  errors: ['passkey-refused', 'not-found'],
})

export const enterStepUpPasskey = endpoint('customer', 'POST /api/step-up/passkey', {
  summary: 'Confirms the action with a passkey; the call that asked for it can then be repeated',
  description: 'Takes the answer of the authenticator, instead of the SMS code.',
  body: z.extend(StepUpAction, { assertion: described('The answer of the authenticator.', Assertion) }),
  reply: Session,
  errors: [...refusals],
})
