import * as z from 'zod/mini'

const Link = z.string()

/** What the provider sets of its own: names, help and links (white-label). */
export const Brand = z.strictObject({
  product: z.string(),
  company: z.string(),
  phone: z.string(),
  email: z.string(),
  /** Support hours on working days. */
  hours: z.strictObject({ from: z.string(), to: z.string() }),
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
})
export type Brand = z.infer<typeof Brand>

/** The runtime configuration on every page, as data in `<script type="application/json" id="config">` (HTT-2). */
export const PageConfig = z.strictObject({
  baseURL: z.string(),
  /** Where the hashed files of the build are, such as `/assets/`. */
  assets: z.string(),
  botCheck: z.strictObject({ kind: z.enum(['altcha', 'turnstile', 'hcaptcha', 'recaptcha']), siteKey: z.string() }),
  brand: Brand,
  demonstration: z.boolean(),
})
export type PageConfig = z.infer<typeof PageConfig>
