import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { patternText, Instant, line, lines } from './fields.ts'
import { limits } from './limits.ts'

export const Platform = component(
  'Platform',
  'The operating system of a program.',
  z.enum(['windows', 'macos', 'linux', 'android', 'ios']),
)
export type Platform = z.infer<typeof Platform>

const LongText = component(
  'LongText',
  'A text of the provider’s in both languages, each at most 400 characters.',
  z.strictObject({ pl: lines(limits.text.described), en: lines(limits.text.described) }),
)

export const SoftwareRelease = component(
  'SoftwareRelease',
  'A program for one platform. Links to app stores have no size and checksum.',
  z.strictObject({
    platform: Platform,
    name: line(limits.text.name),
    purpose: described('What it is for.', LongText),
    requirements: described('What it needs.', LongText),
    version: described('Its version, as customers read it.', line(limits.text.version)),
    releasedAt: described('When it was released.', Instant),
    bytes: described(
      'The size of the file in bytes; null for a link to an app store.',
      z.nullable(z.int().check(z.positive())),
    ),
    sha256: described(
      'The SHA-256 of the file in lower-case hexadecimal; null for a link to an app store.',
      z.nullable(patternText(64, /^[0-9a-f]{64}$/)),
    ),
    url: described(
      'An HTTPS address, or a path on the portal’s own origin, at most 500 characters.',
      patternText(500, /^(?:https:\/\/|\/(?!\/))[^\s\\\p{Cc}\p{Cf}]+$/u),
    ),
  }),
)
export type SoftwareRelease = z.infer<typeof SoftwareRelease>

export const listSoftware = endpoint('customer', 'GET /api/software', {
  summary: 'Lists the provider’s programs, newest first within a platform',
  description: 'As the provider has put them.',
  offlineCopy: true,
  reply: z.strictObject({
    items: described('The programs, newest first within a platform.', z.array(SoftwareRelease)),
  }),
})
