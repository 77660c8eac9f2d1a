import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'
import type { Brand } from '../../../contract/page-config.ts'
import { inLocale, pages } from '../../../contract/pages.ts'
import { markPath, brandPath, coloursOf } from '../brand/theme.ts'
import { cachedForEver } from '../http/security-headers.ts'
import type { Portal } from '../portal.ts'

const file = { config: { page: true, uncounted: true } } as const

/** Policy of the service worker, which reads only from our own origin and runs only itself. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

/** Script in place of the service worker where the operator has switched it off: deletes what the service worker has kept, and ends. */
const workerRemovalScript = `addEventListener('install',()=>skipWaiting())
addEventListener('activate',(event)=>event.waitUntil((async()=>{
for(const name of await caches.keys())await caches.delete(name)
await registration.unregister()})()))
`

/** Returns the path of the manifest; both languages have one app. */
export const manifestPath = (locale: Locale): string => (locale === 'en' ? '/en/app.webmanifest' : '/app.webmanifest')

// The portal as an app: its icons and its manifest, from the brand (OFF-4).

/** An icon of the app, as it is served. */
type AppIcon = { path: string; type: 'image/svg+xml' | 'image/png'; content: Buffer }

const sizes = [180, 192, 512] as const
type Size = (typeof sizes)[number]

/** Colours of tokens.css: the background of pages. */
const paper = '#F2F6F6'

/**
 * Draws the mark on a ground that a device may cut to a circle or a rounded square: it is within the inner 56 %, and WebKit, Blink and
 * Gecko cut nothing of the inner 80 % (W3C, maskable icons).
 */
export function maskableIcon(mark: string): AppIcon {
  // Its own size and place are replaced, as a doubled attribute is not XML.
  const [opening = ''] = /^<svg[^>]*/.exec(mark) ?? []
  const attributes = opening.slice('<svg'.length).replace(/\s(?:width|height|x|y)\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
  const drawing = `<svg x="22" y="22" width="56" height="56"${attributes}${mark.slice(opening.length)}`
  const content = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="${paper}"/>${drawing}</svg>`,
  )
  return { path: brandPath('icon', 'svg', content), type: 'image/svg+xml', content }
}

/** Returns the provider's own PNG icons, by their width. */
export const ownIcons = ({ icons }: Brand): [Size, AppIcon][] =>
  icons
    ? sizes.map((size) => {
        const content = Buffer.from(icons[size], 'base64')
        return [size, { path: brandPath(`icon-${size}`, 'png', content), type: 'image/png', content }]
      })
    : []

/**
 * Returns the path of the PNG icon of this width: the provider's own, or ours with the built-in mark; undefined for a mark without icons.
 */
export const iconPath = (brand: Brand, size: Size): string | undefined =>
  new Map(ownIcons(brand)).get(size)?.path ?? (brand.mark ? undefined : `/icon-${size}.png`)

/**
 * Returns the web app manifest in a language (W3C, Web Application Manifest). Both languages have one id, because they are the same app.
 */
export function appManifest(brand: Brand, locale: Locale, maskable: string) {
  const svg = { sizes: 'any', type: 'image/svg+xml' }
  const png = ([192, 512] as const).flatMap((size) => {
    const src = iconPath(brand, size)
    return src ? [{ src, sizes: `${size}x${size}`, type: 'image/png', purpose: 'any' }] : []
  })
  return {
    id: pages.home.path,
    name: brand.product,
    short_name: brand.product,
    lang: locale,
    start_url: inLocale(locale, pages.home.path),
    scope: '/',
    display: 'standalone',
    background_color: paper,
    theme_color: coloursOf(brand)['brand-800'],
    icons: [
      ...png,
      { src: markPath(brand) ?? '/favicon.svg', ...svg, purpose: 'any' },
      { src: maskable, ...svg, purpose: 'maskable' },
    ],
  }
}

/** Serves the service worker (OFF-1), the provider's own mark, and the manifest and icons of the portal as an app (OFF-4). */
export function serveApp(app: FastifyInstance, { settings }: Portal): void {
  const { webDirectory, brand, featuresOff } = settings
  const isOff = featuresOff.includes('offline')
  const worker = isOff ? workerRemovalScript : readFileSync(join(webDirectory, 'service-worker.js'), 'utf8')
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
