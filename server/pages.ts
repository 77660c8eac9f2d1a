import { brotliCompress, constants } from 'node:zlib'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageConfig } from '../contract/page-config.ts'
import { pages, splitLocale, type PageName } from '../contract/pages.ts'
import type { Portal, Settings } from './portal.ts'
import { pagePolicy } from './security-headers.ts'
import { findSession, sessionCookie } from './session.ts'

/** A page as the build left it, ready to be sent: with the configuration on it, in plain and compressed form. */
type ReadyPage = { plain: Buffer; brotli: Buffer; policy: string }

const yearInSeconds = 31_536_000
const compress = promisify(brotliCompress)

/** Serves the built web part: prerendered pages, their payload files, hashed files, and the shell of signed-in pages. */
export async function servePages(app: FastifyInstance, portal: Portal): Promise<void> {
  const { webDirectory, assets } = portal.settings
  const ready = await readPages(portal)
  readyPages.set(portal, ready)
  if (!ready.size) app.log.warn('The web part is not built; only the API is served.')

  const page = { config: { page: true } } as const
  for (const [name, { path }] of Object.entries(pages) as [PageName, (typeof pages)[PageName]][])
    for (const locale of ['pl', 'en'] as const)
      app.get(localised(locale, path), page, (request, reply) => sendPage(portal, request, reply, name))

  if (!ready.size) return
  const fixed = { decorateReply: false, wildcard: true, index: false, logLevel: 'warn', config: { page: true } } as const
  if (assets.startsWith('/'))
    await app.register(files, { ...fixed, root: join(webDirectory, 'assets'), prefix: assets, preCompressed: true, setHeaders: cacheFor(`public, max-age=${yearInSeconds}, immutable`) } as never)
  await app.register(files, { ...fixed, root: join(webDirectory, 'builds'), prefix: '/builds/', setHeaders: cacheFor('no-cache') } as never)
  await app.register(files, { ...fixed, wildcard: false, root: join(webDirectory, 'static'), prefix: '/', setHeaders: cacheFor('public, max-age=3600') } as never)
  await app.register(files, { ...fixed, wildcard: false, root: join(webDirectory, 'payload'), prefix: '/', setHeaders: cacheFor('no-cache') } as never)
}

const cacheFor = (value: string) => (response: { setHeader: (name: string, value: string) => void }) => response.setHeader('cache-control', value)

const localised = (locale: 'pl' | 'en', path: string) => (locale === 'pl' ? path : path === '/' ? '/en' : `/en${path}`)

const readyPages = new WeakMap<Portal, Map<string, ReadyPage>>()

async function readPages({ settings, ports }: Portal): Promise<Map<string, ReadyPage>> {
  const list = join(settings.webDirectory, 'pages.json')
  if (!existsSync(list)) return new Map()
  const hashes = JSON.parse(readFileSync(list, 'utf8')) as Record<string, { styles: string[]; scripts: string[] }>
  const config = configElement(settings, ports.botCheck)
  const prepared = Object.entries(hashes).map(async ([file, { styles, scripts }]) => {
    const html = readFileSync(join(settings.webDirectory, 'pages', file), 'utf8')
      .replace('<!--config-->', () => config)
      .replaceAll('{{origin}}', settings.publicUrl)
      .replaceAll('="/assets/', () => `="${settings.assets}`)
    const plain = Buffer.from(html)
    const brotli = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    return [file, { plain, brotli, policy: pagePolicy({ styles, scripts, botCheckOrigin: ports.botCheck.origin }) }] as const
  })
  return new Map(await Promise.all(prepared))
}

/** The runtime configuration as data on the page (HTT-2). `<` is escaped, so no value can end the element. */
function configElement({ apiBase, assets, brand, demonstration }: Settings, botCheck: Portal['ports']['botCheck']) {
  const config: PageConfig = { baseURL: apiBase, assets, botCheck: { kind: botCheck.kind, siteKey: botCheck.siteKey }, brand, demonstration }
  return `<script type="application/json" id="config">${JSON.stringify(config).replaceAll('<', '\\u003c')}</script>`
}

async function sendPage(portal: Portal, request: FastifyRequest, reply: FastifyReply, name: PageName) {
  const { locale } = splitLocale(request.url.split('?')[0]!)
  const signedIn = name === 'login' || pages[name].protected ? await isSignedIn(portal, request) : false
  // RTE-4: who is signed in has no business on the login page. RTE-7: and the other way round, with a way back.
  if (name === 'login' && signedIn) return reply.redirect(localised(locale, pages.home.path), 303)
  if (pages[name].protected && !signedIn) return reply.redirect(`${localised(locale, '/')}?returnTo=${encodeURIComponent(request.url)}`, 303)
  return sendReady(portal, request, reply, pages[name].protected ? 'shell' : name, locale, 200)
}

async function isSignedIn({ db, settings }: Portal, request: FastifyRequest) {
  const token = request.cookies[sessionCookie]
  return token ? (await findSession(db, settings, token, false))?.stage === 'signed-in' : false
}

/** The error screens as real pages with their status (RTE-8, ERR-1, ERR-2). */
export function sendErrorPage(portal: Portal, request: FastifyRequest, reply: FastifyReply, status: number) {
  const { locale } = splitLocale(request.url.split('?')[0]!)
  return sendReady(portal, request, reply, status === 404 ? 'not-found' : 'error', locale, status)
}

function sendReady(portal: Portal, request: FastifyRequest, reply: FastifyReply, name: string, locale: 'pl' | 'en', status: number) {
  const page = readyPages.get(portal)?.get(`${locale}/${name}.html`)
  if (!page) return reply.code(status).type('text/plain; charset=utf-8').send(`${status}\n`)
  const brotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
  reply.code(status).type('text/html; charset=utf-8').header('content-security-policy', page.policy).header('vary', 'accept-encoding, cookie')
  if (brotli) reply.header('content-encoding', 'br')
  return reply.send(brotli ? page.brotli : page.plain)
}

