import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'
import { appManifest, maskableIcon, ownIcons } from '../brand/app-icons.ts'
import { markPath } from '../brand/theme.ts'
import type { Portal } from '../portal.ts'
import { cachedForEver } from '../http/security-headers.ts'

const file = { config: { page: true, uncounted: true } } as const

/** It reads what is our own, and runs nothing but itself. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

/** In place of the service worker where the operator has switched it off: it deletes what the other has kept, and ends. */
const removal = `addEventListener('install',()=>skipWaiting())
addEventListener('activate',(event)=>event.waitUntil((async()=>{
for(const name of await caches.keys())await caches.delete(name)
await registration.unregister()})()))
`

/** The path of the manifest; both languages have one app. */
export const manifestPath = (locale: Locale): string => (locale === 'en' ? '/en/app.webmanifest' : '/app.webmanifest')

/** The service worker (OFF-1), the provider's own mark, and the manifest and icons of the portal as an app (OFF-4). */
export function serveApp(app: FastifyInstance, { settings }: Portal): void {
  const { webDirectory, brand, featuresOff } = settings
  const isOff = featuresOff.includes('offline')
  const worker = isOff ? removal : readFileSync(join(webDirectory, 'service-worker.js'), 'utf8')
  app.get('/service-worker.js', file, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', workerPolicy)
      .send(worker),
  )
  const builtIn = join(webDirectory, 'static/favicon.svg')
  const maskable = maskableIcon(brand.mark ?? readFileSync(builtIn, 'utf8').trim())
  const mark = markPath(brand)
  // The provider's own mark is harmless when opened directly too: the policy of every answer forbids everything.
  const marks = mark ? [{ path: mark, type: 'image/svg+xml', content: Buffer.from(brand.mark!) }] : []
  for (const { path, type, content } of [...marks, maskable, ...ownIcons(brand).map(([, icon]) => icon)])
    app.get(path, file, (_request, reply) => reply.type(type).header('cache-control', cachedForEver).send(content))
  for (const locale of ['pl', 'en'] as const)
    app.get(manifestPath(locale), file, (_request, reply) =>
      reply
        .type('application/manifest+json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(JSON.stringify(appManifest(brand, locale, maskable.path))),
    )
}
