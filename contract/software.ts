import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant } from './fields.ts'

export const Platform = z.enum(['windows', 'macos', 'linux', 'android', 'ios'])
export type Platform = z.infer<typeof Platform>

export const LocalText = z.strictObject({
  pl: z.string().check(z.minLength(1), z.maxLength(400)),
  en: z.string().check(z.minLength(1), z.maxLength(400)),
})

/** One program for one platform (SOF-1). Store links have no size and checksum of their own. */
export const SoftwareRelease = z.strictObject({
  platform: Platform,
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  purpose: LocalText,
  requirements: LocalText,
  version: z.string().check(z.minLength(1), z.maxLength(40)),
  releasedAt: Instant,
  bytes: z.nullable(z.int().check(z.positive())),
  sha256: z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  /** An HTTPS address, or a file of our own; `//host` would be somebody else's. */
  url: z.string().check(z.maxLength(500), z.regex(/^(?:https:\/\/|\/(?!\/))[^\s\\\p{Cc}]+$/u)),
})
export type SoftwareRelease = z.infer<typeof SoftwareRelease>

export const listSoftware = endpoint({
  method: 'GET',
  path: '/api/software',
  summary: 'The provider’s programs, newest first within a platform',
  access: 'customer',
  reply: z.strictObject({ items: z.array(SoftwareRelease) }),
})
