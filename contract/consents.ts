import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import type { FieldProblem } from './errors.ts'
import { patternText, Instant } from './fields.ts'

const ConsentKind = component('ConsentKind', 'What somebody agrees to.', z.enum(['terms', 'privacy', 'marketing']))
export type ConsentKind = z.infer<typeof ConsentKind>

/** Consents that a customer has to give; marketing is their choice. */
export const requiredConsents = ['terms', 'privacy'] as const satisfies readonly ConsentKind[]
export const RequiredConsent = component('RequiredConsent', 'What a customer has to accept.', z.enum(requiredConsents))
export type RequiredConsent = z.infer<typeof RequiredConsent>

const ticked = (problem: FieldProblem) => z.literal(true, problem)

export const requiredBoxes = {
  terms: described('Whether the terms are accepted.', ticked('terms-required')),
  privacy: described('Whether the privacy notice is acknowledged.', ticked('privacy-required')),
}

export const WordingHash = component(
  'WordingHash',
  'Identifies a wording by its SHA-256 in lower-case hexadecimal.',
  patternText(64, /^[0-9a-f]{64}$/),
)

export const Wording = component(
  'Wording',
  'The text of a consent, in the language in which it was shown.',
  z.strictObject({
    kind: ConsentKind,
    version: described('The day from which the wording applies.', z.iso.date()),
    locale: Locale,
    title: described('The title of the document.', z.string()),
    statement: described('The sentence next to the checkbox.', z.string()),
    sections: described(
      'The document.',
      z.array(
        z.strictObject({
          title: described('The heading of the section.', z.string()),
          body: described(
            'Its paragraphs, as texts, and its lists, as lists of texts.',
            z.array(z.union([z.string(), z.array(z.string())])),
          ),
        }),
      ),
    ),
  }),
)
export type Wording = z.infer<typeof Wording>

export const Consent = component(
  'Consent',
  'A consent as it was last given or withdrawn.',
  z.strictObject({
    kind: ConsentKind,
    given: described('Whether it is given.', z.boolean()),
    at: Instant,
    wording: Wording,
  }),
)
export type Consent = z.infer<typeof Consent>

export const readConsents = endpoint('customer', 'GET /api/consents', {
  summary: 'Lists the consents that the customer has given or withdrawn, each with its wording',
  description: 'With the time of each decision.',
  reply: z.strictObject({
    items: described('The consents, one of each kind.', z.array(Consent)),
    reported: described(
      'What the customer has accepted outside the portal, as the provider has reported it, unless they have accepted it in the portal since.',
      z.array(
        z.strictObject({
          kind: RequiredConsent,
          version: described('The day from which the accepted text applies.', z.iso.date()),
          at: described('When it was accepted.', Instant),
        }),
      ),
    ),
  }),
})

export const changeMarketingConsent = endpoint('customer', 'PUT /api/consents/marketing', {
  summary: 'Gives or withdraws the consent to marketing, under the wording that was shown',
  description:
    '`wording` identifies the text that the customer has seen; another one is refused with `wording-changed`.',
  body: z.strictObject({
    given: described('Whether it is given from now on.', z.boolean()),
    locale: described('The language of the text that the customer has seen.', Locale),
    wording: WordingHash,
  }),
  errors: ['wording-changed'],
})
