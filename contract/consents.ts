import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { formed, Instant } from './fields.ts'

const ConsentKind = z.enum(['terms', 'privacy', 'marketing'])
export type ConsentKind = z.infer<typeof ConsentKind>

/** Identifies a wording by its SHA-256, in hex. */
export const WordingHash = formed(64, /^[0-9a-f]{64}$/)

/** The text of a consent, in the language in which it was shown (REG-5). */
export const Wording = z.strictObject({
  kind: ConsentKind,
  /** The day from which the wording applies. */
  version: z.iso.date(),
  locale: Locale,
  title: z.string(),
  /** The sentence next to the checkbox. */
  statement: z.string(),
  /** The document: paragraphs and lists. */
  sections: z.array(z.strictObject({ title: z.string(), body: z.array(z.union([z.string(), z.array(z.string())])) })),
})
export type Wording = z.infer<typeof Wording>

/** A consent as it was last given or withdrawn. */
export const Consent = z.strictObject({
  kind: ConsentKind,
  given: z.boolean(),
  at: Instant,
  wording: Wording,
})
export type Consent = z.infer<typeof Consent>

export const readConsents = endpoint('customer', 'GET /api/consents', {
  summary: 'The consents that the customer has given or withdrawn, each with its wording',
  description: 'With the time of each decision.',
  reply: z.strictObject({ items: z.array(Consent) }),
})

export const changeMarketingConsent = endpoint('customer', 'PUT /api/consents/marketing', {
  summary: 'Gives or withdraws the consent to marketing, under the wording that was shown',
  description:
    '`wording` identifies the text that the customer has seen; another one is refused with `wording-changed`.',
  body: z.strictObject({ given: z.boolean(), locale: Locale, wording: WordingHash }),
  errors: ['wording-changed'],
})
