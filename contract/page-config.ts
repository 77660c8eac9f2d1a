import * as z from 'zod/mini'

const text = z.string().check(z.trim(), z.minLength(1, 'is empty'))
const Link = z.string().check(z.regex(/^https?:\/\/[^\s"<>]+$/, 'is no https:// address'))
const Colour = z.string().check(z.regex(/^#[\da-fA-F]{6}$/, 'is no colour such as #114B63'))
const Time = z.string().check(z.regex(/^(?:1?\d|2[0-3]):[0-5]\d$/, 'is no time such as 8:00'))
const InBoth = z.strictObject({ pl: text, en: text })

/** The colours of ux.md §4.1 that white-label may replace, as the sheets name them. */
export const colourNames = [
  'brand-900',
  'brand-800',
  'brand-700',
  'brand-600',
  'brand-100',
  'brand-50',
  'lak',
  'iris-a',
  'iris-b',
  'iris-c',
] as const
export type ColourName = (typeof colourNames)[number]

/** Longer ones leave no room for anything beside them. */
const Name = text.check(z.maxLength(100, 'is longer than 100 characters'))

const names = {
  product: Name,
  company: Name,
  phone: z.string().check(z.regex(/^\+?[\d ()-]{3,24}$/, 'is no telephone number such as +48 22 100 20 30')),
  email: z.string().check(z.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'is no e-mail address')),
  /** Support hours on working days. */
  hours: z.strictObject({ from: Time, to: Time }),
  links: z.strictObject({
    renewal: Link,
    newSignature: Link,
    seal: Link,
    timestamp: Link,
    salesPoints: Link,
    suspension: Link,
    knowledgeStart: Link,
    knowledgePdf: Link,
    documents: Link,
  }),
}

/** What the provider sets of its own (white-label): names, help and links, and if it likes, how the portal looks and what it says. */
export const Brand = z.strictObject({
  ...names,
  colours: z.optional(
    z.partial(
      z.strictObject(
        Object.fromEntries(colourNames.map((name) => [name, Colour])) as Record<ColourName, typeof Colour>,
      ),
    ),
  ),
  /** The file of its mark beside the brand's, and once read what stands in it: SVG. */
  mark: z.optional(text),
  /** What the pages of visitors say beside the form. */
  claim: z.optional(z.strictObject({ title: InBoth, text: InBoth })),
})
export type Brand = z.infer<typeof Brand>

/** The runtime configuration on every page, as data in `<script type="application/json" id="config">` (HTT-2). */
export const PageConfig = z.strictObject({
  baseURL: z.string(),
  /** Where the hashed files of the build are, such as `/assets/`. */
  assets: z.string(),
  botCheck: z.strictObject({ kind: z.enum(['altcha', 'turnstile', 'hcaptcha', 'recaptcha']), siteKey: z.string() }),
  brand: z.strictObject(names),
  claim: z.strictObject({ title: z.string(), text: z.string() }),
  /** Where the provider's own mark is; the one drawn here stands otherwise. */
  mark: z.optional(z.string()),
  /** Names, pages and calls of the features that are off (features.ts). */
  off: z.array(z.string()),
  demonstration: z.boolean(),
})
export type PageConfig = z.infer<typeof PageConfig>
