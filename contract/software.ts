import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { formed, Instant, line, lines } from './fields.ts'
import { limits } from './limits.ts'

export const Platform = z.enum(['windows', 'macos', 'linux', 'android', 'ios'])
export type Platform = z.infer<typeof Platform>

/** A text of the provider's in both languages, as it is shown. */
export const LocalText = z.strictObject({ pl: z.string(), en: z.string() })

/** The same as the provider sends it. */
const Described = z.strictObject({ pl: lines(limits.text.described), en: lines(limits.text.described) })

/** A program for one platform (SOF-1). Links to app stores have no size and checksum. */
export const SoftwareRelease = z.strictObject({
  platform: Platform,
  name: line(limits.text.name),
  purpose: Described,
  requirements: Described,
  version: line(limits.text.version),
  releasedAt: Instant,
  bytes: z.nullable(z.int().check(z.positive())),
  sha256: z.nullable(formed(64, /^[0-9a-f]{64}$/)),
  /** An HTTPS URL, or a path of our own origin; `//host` would be another origin. */
  url: formed(500, /^(?:https:\/\/|\/(?!\/))[^\s\\\p{Cc}\p{Cf}]+$/u),
})
export type SoftwareRelease = z.infer<typeof SoftwareRelease>

export const listSoftware = endpoint('customer', 'GET /api/software', {
  summary: 'The provider’s programs, newest first within a platform',
  description: 'As the provider has put them.',
  kept: true,
  reply: z.strictObject({ items: z.array(SoftwareRelease) }),
})
