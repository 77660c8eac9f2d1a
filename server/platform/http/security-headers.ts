import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** Path at which browsers report what a policy has blocked. */
export const reportsPath = '/csp-reports'

/** The headers of every answer, errors and broken requests included (R65). */
export const headersForAll: Record<string, string> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Sets them before any handler runs; a page or a hashed file may then set its own policy or lifetime. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersForAll)
    // The caller can quote it, and the log has it.
    if (request.routeOptions.config.endpoint) reply.header('x-request-id', request.id)
    done()
  })
}

/** The lifetime of files that have their hash in their path. */
export const cachedForEver = 'public, max-age=31536000, immutable'

/** Returns the source by which a policy names an inline part. */
export const hashSource = (text: string) => `sha256-${hash('sha256', text, 'base64')}`

/** Returns the policy of a page that has one inline style and nothing else. */
export const styleOnlyPolicy = (style: string) =>
  `default-src 'none'; style-src '${hashSource(style)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

type PageParts = { styles: string[]; scripts: string[]; botCheckOrigin: string | undefined }

/**
 * Returns the policy of a page (R64): our own origin only, inline parts by their hashes, and the bot check's origin if one is configured.
 * `styles` and `scripts` are `sha256-…` of the page's inline parts.
 */
export function pagePolicy({ styles, scripts, botCheckOrigin }: PageParts): string {
  const own = (hashes: string[], ...more: (string | undefined)[]) =>
    ["'self'", ...hashes.map((source) => `'${source}'`), ...more.filter(Boolean)].join(' ')
  return [
    "default-src 'none'",
    `script-src ${own(scripts, botCheckOrigin)}`,
    `style-src ${own(styles)}`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src ${own([], botCheckOrigin)}`,
    `frame-src ${botCheckOrigin ?? "'none'"}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `frame-ancestors 'none'`,
    // The scripts of a hosted bot check are not ours and do not support it (decision 0084).
    ...(botCheckOrigin ? [] : [`require-trusted-types-for 'script'`, 'trusted-types default']),
    `report-uri ${reportsPath}`,
    'report-to csp',
  ].join('; ')
}
