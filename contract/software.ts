import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { formed, Instant, line, lines } from './fields.ts'
import { limits } from './limits.ts'

export const Platform = z.enum(['windows', 'macos', 'linux', 'android', 'ios'])
export type Platform = z.infer<typeof Platform>

/** A text of the provider's in both languages, as it is shown. */
export const LocalText = z.strictObject({ pl: z.string(), en: z.string() })

/** The same as the provider enters it. */
const Described = z.strictObject({ pl: lines(limits.text.described), en: lines(limits.text.described) })

/** One program for one platform (SOF-1). Store links have no size and checksum of their own. */
export const SoftwareRelease = z.strictObject({
  platform: Platform,
  name: line(limits.text.name),
  purpose: Described,
  requirements: Described,
  version: line(limits.text.version),
  releasedAt: Instant,
  bytes: z.nullable(z.int().check(z.positive())),
  sha256: z.nullable(formed(64, /^[0-9a-f]{64}$/)),
  /** An HTTPS address, or a file of our own; `//host` would be somebody else's. */
  url: formed(500, /^(?:https:\/\/|\/(?!\/))[^\s\\\p{Cc}\p{Cf}]+$/u),
})
export type SoftwareRelease = z.infer<typeof SoftwareRelease>

export const listSoftware = endpoint({
  method: 'GET',
  path: '/api/software',
  summary: 'The provider’s programs, newest first within a platform',
  access: 'customer',
  reply: z.strictObject({ items: z.array(SoftwareRelease) }),
})
