import * as z from 'zod/mini'
import { BotProof } from './bot-check.ts'
import { described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Instant, line, Token } from './fields.ts'
import { limits } from './limits.ts'
import { DocumentNumberForm } from './phone-change.ts'
import { SignatureProduct } from './signatures.ts'

// Suspending one's own certificates without a sign-in, by customers who have lost the phone that it needs (STP-7).

export const LostPhoneForm = z.strictObject({
  login: described('The login or the e-mail address.', line(limits.text.email, 'login-required')),
})

export const requestLostPhoneLink = endpoint('open', 'POST /api/lost-phone', {
  summary:
    'Requests the link by which certificates are suspended; the answer is the same whether or not the account exists',
  description: 'The link goes to the e-mail address of the account.',
  body: z.extend(LostPhoneForm, { botProof: BotProof }),
  errors: ['too-many-attempts', 'bot-check-refused', 'bot-check-unavailable'],
})

export const checkLostPhoneLink = endpoint('open', 'POST /api/lost-phone/link', {
  summary: 'Returns how many certificates the link of a mail would suspend, or keep suspended',
  description: 'Looks only: the link can be used afterwards.',
  body: z.strictObject({ token: Token }),
  reply: z.strictObject({
    certificates: described('How many of the customer’s own signatures can be suspended now.', z.int()),
    suspended: described(
      'How many are suspended or about to be; the report leaves the end of that to the provider.',
      z.int(),
    ),
    expiresAt: described('Until when the link can be used.', Instant),
  }),
  errors: ['link-unknown', 'link-expired', 'link-used'],
})

export const suspendAfterLoss = endpoint('open', 'POST /api/lost-phone/suspension', {
  summary: 'Requests the suspension of all signatures of the customer of a link, and ends all sessions',
  description: 'Needs the number of the customer’s identity document, of which few are compared in a day.',
  body: z.extend(DocumentNumberForm, { token: Token }),
  reply: z.strictObject({
    requested: described(
      'The signatures whose suspension was requested.',
      z.array(
        z.strictObject({
          product: SignatureProduct,
          organisation: described('The organisation in the certificate; null without one.', z.nullable(z.string())),
          validTo: described('Until when the certificate is valid.', Instant),
          deadline: described('Until when the provider has to decide the request.', Instant),
        }),
      ),
    ),
    seals: described(
      'Organisations whose valid seals the customer can use; these are not suspended.',
      z.array(z.string()),
    ),
    hasEndedSession: described(
      'Whether the session of the caller, if there was one, has ended with them.',
      z.boolean(),
    ),
  }),
  errors: ['link-unknown', 'link-expired', 'link-used', 'lost-phone-number-wrong', 'too-many-attempts'],
})
