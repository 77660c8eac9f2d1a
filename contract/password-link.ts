import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DocumentType, IdentifierType } from './enums.ts'
import type { FieldProblem } from './errors.ts'
import { Instant, secret, Token } from './fields.ts'
import { NewPassword, samePassword } from './password-rules.ts'
import { SignatureProduct } from './signatures.ts'

const passwordsDiffer = 'passwords-differ' satisfies FieldProblem

export const SetPasswordForm = z.strictObject({ newPassword: NewPassword, repeatPassword: secret('required') }).check(
  z.refine((form) => samePassword(form.newPassword, form.repeatPassword), {
    error: passwordsDiffer,
    path: ['repeatPassword'],
  }),
)

/**
 * What the portal knows of an invited customer, so that they can check it before they set a password (PWD-2). Whoever
 * holds the mail sees this: numbers come with their last three characters, a birth date as its year, because the whole
 * date and the end of a PESEL together are the PESEL.
 */
export const InvitedCustomer = z.strictObject({
  firstName: z.string(),
  secondName: z.nullable(z.string()),
  surname: z.string(),
  email: z.string(),
  /** Masked: `+48 ••• ••• 417`. */
  phone: z.string(),
  /** Signatures that work or are going to, nearest end first: as many as a glance takes in, and how many there are. */
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
  /** Organisations whose seals wait for this e-mail (SEA-4): after the password they come first. */
  seals: z.array(z.string()),
  identification: z.nullable(
    z.strictObject({
      nationality: z.string(),
      identifierType: IdentifierType,
      issuingCountry: z.nullable(z.string()),
      /** Masked. */
      identificationNumber: z.string(),
      birthYear: z.int(),
      documentType: DocumentType,
      /** Masked. */
      documentNumber: z.string(),
      /** The last day; null when the document has no expiry. */
      documentValidTo: z.nullable(z.iso.date()),
    }),
  ),
})
export type InvitedCustomer = z.infer<typeof InvitedCustomer>

/** A link of a mail, checked before its page shows a form. Checking does not use it up (R10). */
export const checkPasswordLink = endpoint({
  method: 'POST',
  path: '/api/password-link',
  summary: 'Tells what a set-up or reset link is for; of a set-up link also what the portal knows of its customer',
  access: 'open',
  body: z.strictObject({ token: Token }),
  reply: z.strictObject({
    purpose: z.enum(['set-up', 'reset']),
    login: z.string(),
    expiresAt: Instant,
    /** The number is confirmed after the password, before it counts (REG-6). */
    confirmsPhone: z.boolean(),
    /** Null for a reset: that link is for a new password and for nothing else. */
    invited: z.nullable(InvitedCustomer),
  }),
  errors: ['link-unknown', 'link-expired', 'link-used', 'too-many-attempts'],
})

export const setPassword = endpoint({
  method: 'POST',
  path: '/api/password-link/password',
  summary: 'Sets the password of the account that the link belongs to, and uses the link up',
  access: 'open',
  body: z.strictObject({ token: Token, password: SetPasswordForm }),
  errors: ['link-unknown', 'link-expired', 'link-used', 'password-used-before', 'too-many-attempts', 'busy'],
})

/** In place of a link that has expired or was used: its token is proof enough, so nothing else is asked for. */
export const sendLinkAgain = endpoint({
  method: 'POST',
  path: '/api/password-link/again',
  summary:
    'Sends a new link to the address of the account that a link belonged to; the answer is the same whether or not one may leave now',
  access: 'open',
  body: z.strictObject({ token: Token }),
  /** Masked: `m•••@k•••.example`. */
  reply: z.strictObject({ to: z.string() }),
  errors: ['link-unknown', 'too-many-attempts'],
})
