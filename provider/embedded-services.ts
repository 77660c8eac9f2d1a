import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Returns the bearer token of a call (RFC 6750 §2.1), empty without one. */
export const bearerToken = ({ authorization = '' }: IncomingHttpHeaders) =>
  /^Bearer ([\w-]{1,200})$/.exec(authorization)?.[1] ?? ''

export const digestOf = (secret: string) => hash('sha256', secret, 'buffer')

export const sameSecret = (a: string, b: string) => timingSafeEqual(digestOf(a), digestOf(b))

type Page = { locale?: string; title: string; head?: string; body: string }

/** Writes a page of the demonstration, in both languages unless `locale` is English; it asks search engines not to index it. */
export const htmlPage = ({ locale = 'pl', title, head = '', body }: Page) => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`

/** Adds an entry as the newest one and removes the oldest ones beyond the limit, so that the memory stays bounded. */
export function addNewest<K, V>(entries: Map<K, V>, key: K, value: V, limit: number) {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) return
    entries.delete(oldest)
  }
}
