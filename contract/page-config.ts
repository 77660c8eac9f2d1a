import * as z from 'zod/mini'

const text = z.string().check(z.trim(), z.minLength(1, 'is empty'))
const Link = z.string().check(z.regex(/^https?:\/\/[^\s"<>]+$/, 'is not an https:// address'))
const Colour = z.string().check(z.regex(/^#[\da-fA-F]{6}$/, 'is not a colour such as #114B63'))
const Time = z.string().check(z.regex(/^(?:1?\d|2[0-3]):[0-5]\d$/, 'is not a time such as 8:00'))
const InBoth = z.strictObject({ pl: text, en: text })

/** The colours that white-label may replace, by their names in the style sheets. */
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

/** A name of limited length: longer names leave no room for anything next to them. */
const Name = text.check(z.maxLength(100, 'is longer than 100 characters'))

const names = {
  product: Name,
  company: Name,
  phone: z.string().check(z.regex(/^\+?[\d ()-]{3,24}$/, 'is not a telephone number such as +48 22 100 20 30')),
  email: z.string().check(z.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'is not an e-mail address')),
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

/** The provider's brand (white-label): names, help and links, and optionally its look and texts. */
export const Brand = z.strictObject({
  ...names,
  colours: z.optional(
    z.partial(
      z.strictObject(
        Object.fromEntries(colourNames.map((name) => [name, Colour])) as Record<ColourName, typeof Colour>,
      ),
    ),
  ),
  /** The path of the logo file next to the brand file; once read, its content: SVG. */
  mark: z.optional(text),
  /** The paths of square PNG files next to the brand file, by their width; once read, their content as base64. */
  icons: z.optional(z.strictObject({ 180: text, 192: text, 512: text })),
  /** The text next to the form on the pages of visitors. */
  claim: z.optional(z.strictObject({ title: InBoth, text: InBoth })),
})
export type Brand = z.infer<typeof Brand>

/** Sources of the content that signing apps scan: the provider by its API, its signing service asked over HTTP, or the portal. */
export const activationKinds = ['provider', 'service', 'portal'] as const

/** The runtime configuration on every page, as data in `<script type="application/json" id="config">` (HTT-2). */
export const PageConfig = z.strictObject({
  baseURL: z.string(),
  /** Path of the build's hashed files, such as `/assets/`. */
  assets: z.string(),
  botCheck: z.strictObject({ kind: z.enum(['altcha', 'turnstile', 'hcaptcha', 'recaptcha']), siteKey: z.string() }),
  brand: z.strictObject(names),
  claim: z.strictObject({ title: z.string(), text: z.string() }),
  /** Address of the provider's own logo; without it, the built-in logo is shown. */
  mark: z.optional(z.string()),
  /** Names, pages and calls of the features that are off (features.ts). */
  off: z.array(z.string()),
  demonstration: z.boolean(),
  /** Source of the content that signing apps scan (APP-1). */
  activation: z.enum(activationKinds),
})
export type PageConfig = z.infer<typeof PageConfig>

/** Formats a telephone number for a `tel:` link (RFC 3966). */
export const dialled = (phone: string): string => phone.replace(/[^+\d]/g, '')
