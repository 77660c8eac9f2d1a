import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint } from '../endpoint.ts'
import { Instant, Uuid } from '../fields.ts'
import { ActivationContent } from '../rules/activation-content.ts'
import { ActivationState } from '../signatures-and-seals.ts'

// Calls that activate signing apps (APP-1): the provider supplies the content that an app scans, and confirms the activation; or it fetches
// the portal's own secrets. They exist for a signature, and for each user of a seal, who all have their own apps.

export const Activation = component(
  'Activation',
  'The activation of a signing app.',
  z.strictObject({
    state: ActivationState,
    request: described(
      'The request of the customer that waits for an answer, the same as in the call of the signing service; null if none waits.',
      z.nullable(Uuid),
    ),
    requestedAt: described('When the customer asked for it; null if nobody did.', z.nullable(Instant)),
    expiresAt: described(
      'Until when the content that is ready can be shown; null if none is ready.',
      z.nullable(Instant),
    ),
    shownAt: described('When the content was shown; null before that.', z.nullable(Instant)),
    pairedAt: described('When the app was paired; null before that.', z.nullable(Instant)),
    secret: described(
      'The id of the secret of a paired app that you have not fetched and acknowledged yet; null if there is none, or if the secrets are not the portal’s.',
      z.nullable(Uuid),
    ),
  }),
)
export type Activation = z.infer<typeof Activation>

/** Errors of an activation, which is not possible for a product without an app, or for an option that is not configured. */
const errors = ['not-found', 'pairing-not-possible'] as const

const puts = { body: ActivationContent, reply: Activation, errors: ['invalid-input', ...errors] } as const
const reads = { reply: Activation, errors: ['not-found'] } as const
const confirms = { reply: Activation, errors }
const fetches = {
  reply: z.strictObject({
    secret: described(
      'A JWE in compact form (RFC 7516), `RSA-OAEP-256` and `A256GCM`, for the key of `APP_ACTIVATION_KEY_FILE`; its content is JSON.',
      z.string(),
    ),
  }),
  errors,
}
const params = { secret: described('`secret` of the state of the activation.', Uuid) }
const acknowledges = {
  summary: 'Acknowledges the secret, which the portal deletes',
  description: 'Call it after you have stored the secret: the portal cannot give it again.',
  params,
  errors,
}

export const putActivation = endpoint('provider', 'PUT /provider/v1/signatures/:signature/activation', {
  summary: 'Stores what the signing app of a signature scans; it is shown once, and never again', // APP-2
  description:
    'Answers the event `signature.activation-requested`, or prepares the content before it is requested. It is stored encrypted, shown to the customer once for at most five minutes, and then removed. It has to be new for each request. Only with `APP_ACTIVATION=provider`, or `service` after an answer of 202.',
  ...puts,
})
export const getActivation = endpoint('provider', 'GET /provider/v1/signatures/:signature/activation', {
  summary: 'Returns the state of the activation of a signature’s app',
  description:
    '`request` is the customer’s request that waits for an answer, and `secret` the id of a secret that you have not acknowledged yet.',
  ...reads,
})
export const confirmActivation = endpoint(
  'provider',
  'POST /provider/v1/signatures/:signature/activation/confirmation',
  {
    summary: 'States that the app of a signature is activated; repeating it changes nothing',
    description: 'Call it when the app works in your systems; the customer then sees that it is active.',
    ...confirms,
  },
)

export const getActivationSecret = endpoint(
  'provider',
  'GET /provider/v1/signatures/:signature/activation/secrets/:secret',
  {
    summary: 'Returns the secret that a paired app shares with the portal, encrypted to the provider’s key', // APP-4
    description:
      'A JWE in compact form (RFC 7516, `RSA-OAEP-256` and `A256GCM`) for the key of `APP_ACTIVATION_KEY_FILE`; its content is JSON with the TOTP secret. Its id comes from `GET …/activation` after the event `signature.paired`.',
    params,
    ...fetches,
  },
)
export const removeActivationSecret = endpoint(
  'provider',
  'DELETE /provider/v1/signatures/:signature/activation/secrets/:secret',
  acknowledges,
)

export const putSealActivation = endpoint('provider', 'PUT /provider/v1/seals/:seal/users/:user/activation', {
  summary: 'Stores what the app of a user of a seal scans; it is shown once, and never again', // APP-2
  description:
    'Answers the event `seal-user.activation-requested`, or prepares the content before it is requested. Every user of a seal has an own app. The content is stored encrypted, shown once for at most five minutes, and then removed.',
  ...puts,
})
export const getSealActivation = endpoint('provider', 'GET /provider/v1/seals/:seal/users/:user/activation', {
  summary: 'Returns the state of the activation of the app of a user of a seal',
  description:
    '`request` is the user’s request that waits for an answer, and `secret` the id of a secret that you have not acknowledged yet.',
  ...reads,
})
export const confirmSealActivation = endpoint(
  'provider',
  'POST /provider/v1/seals/:seal/users/:user/activation/confirmation',
  {
    summary: 'States that the app of a user of a seal is activated; repeating it changes nothing',
    description: 'Call it when the app works in your systems; the user then sees that it is active.',
    ...confirms,
  },
)

export const getSealActivationSecret = endpoint(
  'provider',
  'GET /provider/v1/seals/:seal/users/:user/activation/secrets/:secret',
  {
    summary:
      'Returns the secret that the app of a user of a seal shares with the portal, encrypted to the provider’s key', // APP-4
    description:
      'A JWE in compact form (RFC 7516, `RSA-OAEP-256` and `A256GCM`) for the key of `APP_ACTIVATION_KEY_FILE`; its content is JSON with the TOTP secret. Its id comes from `GET …/activation` after the event `seal-user.paired`.',
    params,
    ...fetches,
  },
)
export const removeSealActivationSecret = endpoint(
  'provider',
  'DELETE /provider/v1/seals/:seal/users/:user/activation/secrets/:secret',
  acknowledges,
)
