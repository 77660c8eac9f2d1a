import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint, readsOne } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Email, Instant, Token } from './fields.ts'

// A second recipient of the reminders of a seal (SEA-19).

export const SealRecipientForm = z.strictObject({
  email: Email,
  locale: described('The language of the mails to this address.', Locale),
})

export const SealRecipient = component(
  'SealRecipient',
  'A second e-mail address to which the reminders of a seal go.',
  z.strictObject({
    email: z.string(),
    confirmedAt: described('When the address was confirmed by its link; null if it was not yet.', z.nullable(Instant)),
    expiresAt: described('Until when the link works; null once it was used.', z.nullable(Instant)),
  }),
)
export type SealRecipient = z.infer<typeof SealRecipient>

const Current = z.strictObject({
  recipient: described('Null if there is none.', z.nullable(SealRecipient)),
})

export const readSealRecipient = endpoint('customer', 'GET /api/seals/:id/reminder-recipient', {
  summary: 'Returns the second recipient of the reminders of a seal, for its Administrators only',
  description: 'Besides the Administrators, who get them in any case.',
  ...readsOne(Current),
})

export const nameSealRecipient = endpoint('customer', 'POST /api/seals/:id/reminder-recipient', {
  summary: 'Names a second recipient of the reminders of a seal, in place of the one before, and sends the link',
  description: 'For Administrators of the seal. The address gets no reminders before it is confirmed.',
  body: SealRecipientForm,
  stepUp: 'manage-seal-users',
  idempotent: true,
  reply: Current,
  errors: ['not-found', 'seal-ended', 'sends-spent'],
})

/** Removing where there is no recipient changes nothing. */
export const removeSealRecipient = endpoint('customer', 'DELETE /api/seals/:id/reminder-recipient', {
  summary: 'Removes the second recipient of the reminders of a seal',
  description: 'For Administrators of the seal. The address gets no more reminders.',
  stepUp: 'manage-seal-users',
  errors: ['not-found'],
})

export const answerSealRecipient = endpoint('open', 'POST /api/seal-recipients/answer', {
  summary: 'Confirms or refuses the reminders of a seal, by the link of the mail', // SEA-19
  description: 'A confirmed address can still be refused by the same link.',
  body: z.strictObject({
    token: described('The token of the link.', Token),
    answer: described('Whether the reminders are wanted.', z.enum(['confirm', 'refuse'])),
  }),
  errors: ['link-unknown', 'link-expired'],
})
