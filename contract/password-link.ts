import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DocumentType, IdentifierType } from './enums.ts'
import { Instant, secret, Token } from './fields.ts'
import { ShownIdentity } from './personal-data.ts'
import { NewPassword, repeatsPassword } from './rules/password-rules.ts'
import { SignatureProduct } from './signatures.ts'

export const SetPasswordForm = z
  .strictObject({ newPassword: NewPassword, repeatPassword: secret('required') })
  .check(repeatsPassword)

/**
 * What the portal knows of an invited customer, so that they can check it before they set a password (PWD-2). Anyone who
 * has the mail can see it. Therefore numbers show their last three characters, and a birth date only its year: the whole
 * date and the end of a PESEL would reveal the PESEL.
 */
export const InvitedCustomer = z.strictObject({
  firstName: z.string(),
  secondName: z.nullable(z.string()),
  surname: z.string(),
  email: z.string(),
  /** Masked: `+48 ••• ••• 417`. */
  phone: z.string(),
  /** The first few signatures that are or will become valid, nearest end first, and how many there are. */
  signatures: z.strictObject({
    total: z.int(),
    first: z.array(
      z.strictObject({
        product: SignatureProduct,
        identifier: z.strictObject({
          type: IdentifierType,
          country: z.nullable(z.string()),
          /** Masked: `••••••••343`. */
          value: z.string(),
        }),
        validFrom: Instant,
        validTo: Instant,
      }),
    ),
  }),
  /** Organisations whose seals wait for this e-mail (SEA-4): they are shown first after the password is set. */
  seals: z.array(z.string()),
  identification: z.nullable(
    z.strictObject({
      /** With the number masked. */
      ...ShownIdentity.shape,
      birthYear: z.int(),
      documentType: DocumentType,
      /** Masked. */
      documentNumber: z.string(),
      /** The last day; null if the document does not expire. */
      documentValidTo: z.nullable(z.iso.date()),
    }),
  ),
})
export type InvitedCustomer = z.infer<typeof InvitedCustomer>

/** Checks the link of a mail before its page shows a form. Checking does not use it up (R10). */
export const checkPasswordLink = endpoint('open', 'POST /api/password-link', {
  summary: 'Returns what a set-up or reset link is for; for a set-up link, also what the portal knows of its customer',
  description: 'Looks only: the link can be used afterwards.',
  body: z.strictObject({ token: Token }),
  reply: z.strictObject({
    purpose: z.enum(['set-up', 'reset']),
    login: z.string(),
    expiresAt: Instant,
    /** The number has to be confirmed after the password is set (REG-6). */
    confirmsPhone: z.boolean(),
    /** Null for a reset link, which is for a new password only. */
    invited: z.nullable(InvitedCustomer),
  }),
  errors: ['link-unknown', 'link-expired', 'link-used', 'too-many-attempts'],
})

export const setPassword = endpoint('open', 'POST /api/password-link/password', {
  summary: 'Sets the password of the account that the link belongs to, and uses the link up',
  description: 'A link can be used once.',
  body: z.strictObject({ token: Token, password: SetPasswordForm }),
  errors: ['link-unknown', 'link-expired', 'link-used', 'password-used-before', 'too-many-attempts', 'busy'],
})

/** Replaces a link that has expired or was used: its token is proof enough, so nothing else is needed. */
export const sendLinkAgain = endpoint('open', 'POST /api/password-link/again', {
  summary:
    'Sends a new link to the address of the account of a link; the answer is the same whether or not it may be sent now',
  description: 'For a link that can no longer be used.',
  body: z.strictObject({ token: Token }),
  /** Masked: `m•••@k•••.example`. */
  reply: z.strictObject({ to: z.string() }),
  errors: ['link-unknown', 'too-many-attempts'],
})
