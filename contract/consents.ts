import * as z from 'zod/mini'
import type { ConsentKind as Kind } from './consent-statements.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { formed, Instant } from './fields.ts'

const ConsentKind = z.enum(['terms', 'privacy', 'marketing'] satisfies Kind[])

/** Names a wording by the SHA-256 of its writing, in hex. */
export const WordingHash = formed(64, /^[0-9a-f]{64}$/)

/** What somebody has consented to, in the language in which it was shown (REG-5). */
export const Wording = z.strictObject({
  kind: ConsentKind,
  /** The day from which the wording holds. */
  version: z.iso.date(),
  locale: Locale,
  title: z.string(),
  /** The sentence beside the box that was ticked. */
  statement: z.string(),
  /** The document; a list stands in place of a paragraph. */
  sections: z.array(z.strictObject({ title: z.string(), body: z.array(z.union([z.string(), z.array(z.string())])) })),
})
export type Wording = z.infer<typeof Wording>

/** The state of one consent, by what was last said about it. */
export const Consent = z.strictObject({
  kind: ConsentKind,
  given: z.boolean(),
  at: Instant,
  wording: Wording,
})
export type Consent = z.infer<typeof Consent>

export const readConsents = endpoint({
  method: 'GET',
  path: '/api/consents',
  summary: 'The consents that the customer has given or withdrawn, each with its wording',
  access: 'customer',
  reply: z.strictObject({ items: z.array(Consent) }),
})

export const changeMarketingConsent = endpoint({
  method: 'PUT',
  path: '/api/consents/marketing',
  summary: 'Gives or withdraws the consent to marketing, under the wording that was shown',
  access: 'customer',
  body: z.strictObject({ given: z.boolean(), locale: Locale, wording: WordingHash }),
  errors: ['wording-changed'],
})
