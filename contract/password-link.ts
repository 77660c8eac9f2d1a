import * as z from 'zod/mini'
import { requiredBoxes, RequiredConsent, WordingHash } from './consents.ts'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Instant, secret, Token } from './fields.ts'
import { ShownIdentity, DocumentType, IdentifierType } from './identification.ts'
import { NewPassword, repeatsPassword } from './rules/password-rules.ts'
import { SignatureProduct } from './signatures.ts'

const passwords = { newPassword: NewPassword, repeatPassword: secret('required') }
export const SetPasswordForm = z.strictObject(passwords).check(repeatsPassword)

/** Returns the form of the page, with a box for each consent that is given with the password (REG-8). */
export const setPasswordFormWith = (required: readonly RequiredConsent[]) =>
  z
    .strictObject({ ...passwords, ...Object.fromEntries(required.map((kind) => [kind, requiredBoxes[kind]])) })
    .check(repeatsPassword)

/** Of a birth date, only the year is shown: the whole date and the end of a PESEL would reveal the PESEL (PWD-2). */
export const InvitedCustomer = component(
  'InvitedCustomer',
  'What the portal knows of an invited customer. Anyone who has the e-mail can see it, so numbers are masked.',
  z.strictObject({
    firstName: z.string(),
    secondName: z.nullable(z.string()),
    surname: z.string(),
    email: z.string(),
    phone: described('Masked: `+48 ••• ••• 417`.', z.string()),
    signatures: described(
      'The signatures that are or will become valid.',
      z.strictObject({
        total: described('How many there are.', z.int()),
        first: described(
          'The first few of them, nearest end first.',
          z.array(
            z.strictObject({
              product: SignatureProduct,
              identifier: described(
                'The identifier in the certificate.',
                z.strictObject({
                  type: IdentifierType,
                  country: described('ISO 3166-1 alpha-2; null for ECN.', z.nullable(z.string())),
                  value: described('Masked: `••••••••343`.', z.string()),
                }),
              ),
              validFrom: described('From when on it is valid.', Instant),
              validTo: described('Until when it is valid.', Instant),
            }),
          ),
        ),
      }),
    ),
    seals: described(
      'Organisations whose seals wait for this e-mail: they are shown first after the password is set.',
      z.array(z.string()),
    ),
    identification: described(
      'The identity of the customer, with numbers masked; null if it is not known.',
      z.nullable(
        z.strictObject({
          /** Identity with the number masked. */
          ...ShownIdentity.shape,
          birthYear: described('The year of birth.', z.int()),
          documentType: DocumentType,
          documentNumber: described('Masked.', z.string()),
          documentValidTo: described('The last day; null if the document does not expire.', z.nullable(z.iso.date())),
        }),
      ),
    ),
  }),
)
export type InvitedCustomer = z.infer<typeof InvitedCustomer>

/** Checks the link of a mail before its page shows a form. Checking does not use it up (R10). */
export const checkPasswordLink = endpoint('open', 'POST /api/password-link', {
  summary: 'Returns what a set-up or reset link is for; for a set-up link, also what the portal knows of its customer',
  description: 'Looks only: the link can be used afterwards.',
  body: z.strictObject({ token: Token }),
  reply: z.strictObject({
    purpose: described(
      'What the link is for: the first password of an account, or a new one.',
      z.enum(['set-up', 'reset']),
    ),
    login: described('The login of the account.', z.string()),
    expiresAt: described('Until when the link can be used.', Instant),
    confirmsPhone: described(
      'Whether the telephone number has to be confirmed after the password is set.',
      z.boolean(),
    ),
    invited: described(
      'What the portal knows of the customer; null for a reset link, which is for a new password only.',
      z.nullable(InvitedCustomer),
    ),
    required: described(
      'What the customer has to accept with the password; nothing with a reset link.',
      z.array(RequiredConsent),
    ),
  }),
  errors: ['link-unknown', 'link-expired', 'link-used', 'too-many-attempts'],
})

export const setPassword = endpoint('open', 'POST /api/password-link/password', {
  summary: 'Sets the password of the account that the link belongs to, and uses the link up',
  description:
    'A link can be used once. What the link requires has to be accepted with the password, or `accepted.terms` and `accepted.privacy` are wrong fields.',
  body: z.strictObject({
    token: Token,
    password: described('The new password.', SetPasswordForm),
    accepted: described(
      'The wordings that the customer has accepted; an outdated one is refused with `wording-changed`.',
      z.optional(
        z.strictObject({
          locale: described('The language of the texts that the customer has seen.', Locale),
          terms: described('That of the terms.', z.optional(WordingHash)),
          privacy: described('That of the privacy notice.', z.optional(WordingHash)),
        }),
      ),
    ),
  }),
  errors: [
    'invalid-input',
    'link-unknown',
    'link-expired',
    'link-used',
    'wording-changed',
    'password-used-before',
    'too-many-attempts',
    'busy',
  ],
})

/** Replaces a link that has expired or was used: its token is proof enough, so nothing else is needed. */
export const sendLinkAgain = endpoint('open', 'POST /api/password-link/again', {
  summary:
    'Sends a new link to the address of the account of a link; the answer is the same whether or not it may be sent now',
  description: 'For a link that can no longer be used.',
  body: z.strictObject({ token: Token }),
  reply: z.strictObject({ to: described('The masked address: `m•••@k•••.example`.', z.string()) }),
  errors: ['link-unknown', 'too-many-attempts'],
})
