import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { fieldProblem, Instant, text, Uuid } from './fields.ts'
import { usualCharacters } from './rules/typed-characters.ts'

/** Time for which a confirmation in the service's own app is awaited (SGN-4). */
export const confirmationSeconds = 90

export const ServiceRequirement = component(
  'ServiceRequirement', // SGN-10 … SGN-15
  'What the signing service requires of the customer once the portal’s SMS code is entered: its own codes, or an authorisation at its own page.',
  z.strictObject({
    kind: described(
      'Codes that the customer enters in the portal, or a page of the service.',
      z.enum(['codes', 'redirect']),
    ),
    otp: described(
      'Whether it needs a one-time code: `sent` by the service, or `generated` by a device of the customer.',
      z.enum(['none', 'sent', 'generated']),
    ),
    pin: described('Whether it needs the PIN of the key.', z.boolean()),
  }),
)
export type ServiceRequirement = z.infer<typeof ServiceRequirement>

/** Fields of a signing service's certificate in the lists of certificates with which a customer can sign. */
export const requirementFields = {
  requirement: described(
    'What the signing service requires after the portal’s code; null where nothing is entered or confirmed on its page.',
    z.nullable(ServiceRequirement),
  ),
  asksElsewhere: described(
    'The signing service also asks the customer in another app or at another device, and the portal waits.',
    z.boolean(),
  ),
}

export const ServiceAuthorisation = component(
  'ServiceAuthorisation',
  'A signature that waits for the customer to meet the requirement. It belongs to the session in which the portal’s code was entered.',
  z.extend(ServiceRequirement, {
    id: Uuid,
    sentAt: described('When the service sent its newest code; null if it could not send one.', z.nullable(Instant)),
    resendAt: described('When the next code can be sent.', Instant),
    sendsLeft: described('How many more can be sent.', z.int()),
    expiresAt: described('Until when it can be completed.', Instant),
  }),
)
export type ServiceAuthorisation = z.infer<typeof ServiceAuthorisation>

/** `signing-over`: the signing was completed or replaced, has expired, or was begun in another session. */
const endings = ['not-found', 'signing-over', 'busy', 'unavailable'] as const

export const sendServiceCode = endpoint('customer', 'POST /api/signings/:id/otp', {
  summary: 'Lets the signing service send its one-time code again', // SGN-11
  description: 'The portal never sees the code before the customer enters it.',
  reply: ServiceAuthorisation,
  errors: [...endings, 'resend-too-early', 'sends-spent'],
})

/** Errors that completing a signature can fail with; a wrong code of the service is `invalid-input` with its field. */
const signs = [
  ...endings,
  'invalid-input',
  /** The document, the agreement or the certificate has changed since the portal's code was entered (R33). */
  'signing-changed',
  'signing-refused',
  'state-passed',
  'renewal-refused',
  'upload-refused',
  'body-too-large',
  'malware-found',
  'document-content-missing',
  'pdf-too-costly',
  'storage-full',
] as const

/**
 * A one-time code as typed or pasted, without what separates its digits. Of one with other characters nothing is known
 * (`authData` of the CSC API v2).
 */
export const ServiceOtp = z.pipe(
  z.pipe(
    text(64, 'required', 'format'),
    z.transform((typed: string) => {
      const code = usualCharacters(typed).trim()
      return /^[\d\s.-]*$/.test(code) ? code.replace(/\D/g, '') : code
    }),
  ),
  z.string().check(z.minLength(1, fieldProblem('required'))),
)

/** Codes of the service. Neither is stored or logged (R136). The PIN may be any text that a person types. */
export const ServiceCodesForm = z.strictObject({
  otp: described(
    'The one-time code of the service; spaces and dashes between digits are accepted.',
    z.optional(ServiceOtp),
  ),
  pin: described('The PIN of the key.', z.optional(text(64))),
})

export const enterServiceCodes = endpoint('customer', 'POST /api/signings/:id/codes', {
  summary: 'Signs with the one-time code and the PIN of the signing service', // SGN-11, SGN-12
  description: 'Only the factors that the signing service requires.',
  body: ServiceCodesForm,
  takesLong: true,
  errors: signs,
})

export const openServicePage = endpoint('customer', 'POST /api/signings/:id/page', {
  summary: 'Returns the page of the signing service at which the customer authorises exactly this signature', // SGN-13
  description: 'The answer is the address to go to.',
  body: z.strictObject({ locale: described('The language of the page to which the customer comes back.', Locale) }),
  reply: z.strictObject({ url: described('The address to go to.', text(8192)) }),
  errors: [...endings, 'signing-changed', 'signing-refused'],
})

/** Answer that the service returned: a code, or the reason why there is none (RFC 6749 §4.1.2). */
export const ServiceReturn = z.strictObject({
  state: described('`state` of the return address (RFC 6749 §4.1.2).', text(128)),
  code: described('`code` of the return address, if the customer has authorised it.', z.optional(text(2048))),
  error: described('`error` of the return address, if there is no code.', z.optional(text(100))),
})

export const finishAtReturn = endpoint('customer', 'POST /api/signings/:id/return', {
  summary: 'Signs after the customer has come back from the page of the signing service', // SGN-13
  description: '`state` and `code` are those of the return address (OAuth 2.0).',
  body: ServiceReturn,
  errors: [...signs, 'signing-cancelled'],
})

/** The one address to which the service sends customers back, for both languages; it is registered there. */
export const signingReturnPath = '/signed'

/** Query of the home page after a return that does not belong to an awaited signing. */
export const signingNotCompleted = 'signing=not-completed'
