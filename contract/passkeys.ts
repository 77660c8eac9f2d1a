import * as z from 'zod/mini'
import { Session, StepUpAct } from './account.ts'
import { endpoint } from './endpoint.ts'
import { base64url, formed, Instant, line, Uuid } from './fields.ts'
import { limits } from './limits.ts'

/** A passkey as its owner sees it (AUT-8). */
export const Passkey = z.strictObject({
  id: Uuid,
  name: z.string(),
  addedAt: Instant,
  usedAt: z.nullable(Instant),
})
export type Passkey = z.infer<typeof Passkey>

export const PasskeyForm = z.strictObject({ name: line(limits.passkeys.name) })
export type PasskeyForm = z.infer<typeof PasskeyForm>

/** How a device may be reached: words of WebAuthn's, passed on as they came. */
const Transports = z.array(formed(20, /^[a-z-]{1,20}$/)).check(z.maxLength(8))

const Descriptor = z.strictObject({ id: z.string(), type: z.literal('public-key'), transports: z.optional(Transports) })

/** What the browser is to ask the device for (WebAuthn §5.5): to sign a challenge, after it has verified its user. */
export const AssertionOptions = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('required'),
  timeout: z.int(),
})
export type AssertionOptions = z.infer<typeof AssertionOptions>

/** What the device has signed (WebAuthn §5.2.2); the rest of the browser's answer says nothing that counts. */
export const Assertion = z.strictObject({
  id: base64url(1400),
  clientDataJSON: base64url(4096),
  authenticatorData: base64url(8192),
  signature: base64url(8192),
})
export type Assertion = z.infer<typeof Assertion>

/** What the browser is to ask the device for: a new key (WebAuthn §5.4). */
export const CreationOptions = z.strictObject({
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
})
export type CreationOptions = z.infer<typeof CreationOptions>

/** The new key (WebAuthn §5.2.1). */
export const NewCredential = z.strictObject({
  id: base64url(1400),
  clientDataJSON: base64url(4096),
  attestationObject: base64url(32_768),
  transports: Transports,
})
export type NewCredential = z.infer<typeof NewCredential>

const one = z.strictObject({ id: Uuid })

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/passkeys',
  summary: 'The passkeys of the customer, oldest first',
  access: 'customer',
  reply: z.strictObject({ items: z.array(Passkey) }),
})

export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys/options',
  summary: 'What a device is to be asked for, so that it makes a new passkey',
  access: 'customer',
  reply: CreationOptions,
  errors: ['passkeys-full'],
  stepUp: 'add-passkey',
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys',
  summary: 'Keeps the passkey that a device has made',
  access: 'customer',
  body: z.extend(PasskeyForm, { credential: NewCredential }),
  reply: Passkey,
  errors: ['passkey-refused', 'passkey-known', 'passkeys-full'],
  stepUp: 'add-passkey',
})

export const renamePasskey = endpoint({
  method: 'PUT',
  path: '/api/passkeys/:id/name',
  summary: 'Gives a passkey another name',
  access: 'customer',
  params: one,
  body: PasskeyForm,
  errors: ['not-found'],
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/passkeys/:id',
  summary: 'Removes a passkey; it opens nothing from then on',
  access: 'customer',
  params: one,
  errors: ['not-found'],
  stepUp: 'remove-passkey',
})

const refusals = ['passkey-refused', 'too-many-attempts'] as const

export const startSignInPasskey = endpoint({
  method: 'POST',
  path: '/api/sign-in/passkey/options',
  summary: 'What a device is to be asked for, so that a passkey finishes the sign-in',
  access: 'pending',
  reply: AssertionOptions,
  errors: ['passkey-refused'],
})

export const enterSignInPasskey = endpoint({
  method: 'POST',
  path: '/api/sign-in/passkey',
  summary: 'Finishes the sign-in with a passkey',
  access: 'pending',
  body: Assertion,
  reply: Session,
  errors: [...refusals],
})

export const startStepUpPasskey = endpoint({
  method: 'POST',
  path: '/api/step-up/passkey/options',
  summary: 'What a device is to be asked for, so that a passkey confirms one act on one object',
  access: 'customer',
  body: StepUpAct,
  reply: AssertionOptions,
  errors: ['passkey-refused', 'not-found'],
})

export const enterStepUpPasskey = endpoint({
  method: 'POST',
  path: '/api/step-up/passkey',
  summary: 'Confirms the act with a passkey; the call that asked for it can then be repeated',
  access: 'customer',
  body: z.extend(StepUpAct, { assertion: Assertion }),
  reply: Session,
  errors: [...refusals],
})
