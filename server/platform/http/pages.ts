import { createHash } from 'node:crypto'
import { brotliCompress, constants } from 'node:zlib'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../contract/enums.ts'
import { features, offParts, type Feature } from '../contract/features.ts'
import type { PageConfig } from '../contract/page-config.ts'
import { fillError, fillPage } from '../contract/page-markers.ts'
import { findPage, inLocale, loginPath, pages, splitLocale, type PageName } from '../contract/pages.ts'
import { plainClaim } from './brand.ts'
import { demonstrationSheet, withDemonstrationBanner } from './demonstration-banner.ts'
import type { Portal } from './portal.ts'
import { pagePolicy, reportsPath } from './security-headers.ts'
import { findSession, reasonOfEnd, sessionCookie } from './session.ts'
import { markPath, themeSheet } from './theme.ts'

/** A page as the build left it, ready to be sent: with the configuration on it. The first request for its compressed form makes it. */
type ReadyPage = { plain: Buffer; brotli: () => Promise<Buffer>; policy: string }

const yearInSeconds = 31_536_000
const compress = promisify(brotliCompress)

/** Serves the built web part: prerendered pages, their payload files, hashed files, and the shell of signed-in pages. */
export async function servePages(app: FastifyInstance, portal: Portal): Promise<void> {
  const { webDirectory, assets } = portal.settings
  const ready = readPages(portal)
  readyPages.set(portal, ready)
  if (!ready.size) app.log.warn('the web part is not built')

  const page = { config: { page: true } } as const
  for (const [name, { path }] of Object.entries(pages) as [PageName, (typeof pages)[PageName]][])
    for (const locale of ['pl', 'en'] as const)
      app.get(inLocale(locale, path), page, (request, reply) => sendPage(portal, request, reply, name))
  // How the English address is typed most often.
  app.get('/en/', page, ({ url }, reply) => reply.redirect(`/en${/\?.*/.exec(url)?.[0] ?? ''}`, 308))

  if (!ready.size) return
  const file = { config: { page: true, uncounted: true } } as const
  serveMark(app, portal)
  const hashed = join(webDirectory, 'assets')
  // What has its hash in its name may be kept; anything else is asked for again, which costs a 304 (R65).
  const setHeaders = (reply: FastifyReply, path: string) =>
    void reply.header(
      'cache-control',
      path.startsWith(hashed) ? `public, max-age=${yearInSeconds}, immutable` : 'no-cache',
    )
  await app.register(files, {
    root: webDirectory,
    serve: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders,
  })
  app.get<{ Params: { '*': string } }>(`${assets}*`, file, ({ params }, reply) => reply.sendFile(params['*'], hashed))
  // Builds come while the portal runs (HTT-3); the rest is what it is, file by file, so that nothing else has a path.
  app.get<{ Params: { '*': string } }>('/builds/*', file, ({ params }, reply) =>
    reply.sendFile(params['*'], join(webDirectory, 'builds')),
  )
  for (const folder of ['static', 'payload'].map((name) => join(webDirectory, name)))
    for (const name of filesIn(folder)) app.get(`/${name}`, file, (_request, reply) => reply.sendFile(name, folder))
}

/** The provider's own mark. Opened by itself it is as harmless as on a page: the policy that every answer has forbids all. */
function serveMark(app: FastifyInstance, { settings: { brand } }: Portal) {
  const path = markPath(brand)
  if (path)
    app.get(path, { config: { page: true, uncounted: true } }, (_request, reply) =>
      reply
        .type('image/svg+xml')
        .header('cache-control', `public, max-age=${yearInSeconds}, immutable`)
        .send(brand.mark),
    )
}

/** What leads to pages that are off is gone from the first paint on; `:has` takes the name of a group that has nothing left. */
function hidingSheet(off: readonly Feature[]) {
  const entries = off.flatMap((name) => features[name].pages.map((page) => `[data-page=${page}]`)).join()
  const gone = '{display:none!important}'
  return entries && `${entries}${gone}.nav__group:not(:has(>a:not(${entries})))${gone}`
}

/** Paths of the files of a folder, but for their compressed copies, which are sent in their place. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )

const readyPages = new WeakMap<Portal, Map<string, () => ReadyPage>>()

/** Every page of the build; each is filled when it is first asked for. */
function readPages({ settings, ports }: Portal): Map<string, () => ReadyPage> {
  const { webDirectory, apiBase, assets, brand, demonstration, publicUrl, featuresOff } = settings
  const list = join(webDirectory, 'pages.json')
  if (!existsSync(list)) return new Map()
  const built = JSON.parse(readFileSync(list, 'utf8')) as Record<string, { styles: string[] }>
  const { kind, siteKey, origin } = ports.botCheck
  const { colours: _colours, mark: _drawing, claim = plainClaim, ...names } = brand
  const look = [themeSheet(brand), hidingSheet(featuresOff), demonstration ? demonstrationSheet : ''].join('')
  const mark = markPath(brand)
  const off = offParts(featuresOff)
  const configIn = (locale: Locale): PageConfig => ({
    baseURL: apiBase,
    assets,
    botCheck: { kind, siteKey },
    brand: names,
    claim: { title: claim.title[locale], text: claim.text[locale] },
    ...(mark && { mark }),
    off,
    demonstration,
  })
  const prepare = (file: string, page: string, styles: string[]): ReadyPage => {
    const html = page.replace(/(="|url\("?)\/assets\//g, (_, before: string) => before + assets)
    const locale = file.startsWith('en/') ? 'en' : 'pl'
    const blank = demonstration ? withDemonstrationBanner(html, locale) : html
    const filled = fillPage(blank, { config: configIn(locale), origin: publicUrl })
    const plain = Buffer.from(look ? filled.replace('</head>', () => `<style>${look}</style></head>`) : filled)
    let compressed: Promise<Buffer> | undefined
    const brotli = () => (compressed ??= compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    const policy = pagePolicy({
      // The build knows of a sheet that a component puts into the page later on.
      styles: [...new Set([...inlineHashes(html, 'style'), ...styles, ...(look ? [hashOf(look)] : [])])],
      scripts: inlineHashes(html, 'script'),
      botCheckOrigin: origin,
    })
    return { plain, brotli, policy }
  }
  return new Map(
    Object.entries(built).map(([file, { styles }]) => {
      const page = readFileSync(join(webDirectory, 'pages', file), 'utf8')
      let prepared: ReadyPage | undefined
      return [file, () => (prepared ??= prepare(file, page, styles))]
    }),
  )
}

/** Hashes of the page's own inline parts, taken before anything of the operator's is on it, so that they alone may run (R64). */
const inlineHashes = (html: string, tag: 'style' | 'script') =>
  html
    .split(`<${tag}>`)
    .slice(1)
    .map((part) => hashOf(part.slice(0, part.indexOf(`</${tag}>`))))

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

async function sendPage(portal: Portal, request: FastifyRequest, reply: FastifyReply, name: PageName) {
  const { locale, path } = splitLocale(request.url.split('?')[0]!)
  // The router decodes paths and takes any parameter; what the table of pages does not know so is no page (RTE-8).
  if (findPage(path) !== name) {
    // A link of a mail is often copied with the mark that ends its sentence.
    const link = withoutMarks(request.url)
    if (findPage(splitLocale(link).path) === name) return reply.redirect(link, 308)
    return sendErrorPage(portal, request, reply, 404)
  }
  // Behind the sign-in it is said inside the menu, which leads on.
  if (!pages[name].protected && offParts(portal.settings.featuresOff).includes(name))
    return sendReady(portal, request, reply, 'unavailable', locale, 503)
  const stage = name === 'login' || pages[name].protected ? await stageOf(portal, request) : 'none'
  const signedIn = stage === 'signed-in'
  // RTE-4: who is signed in has no business on the login page. RTE-7: and the other way round, with a way back.
  if (name === 'login' && signedIn) return reply.redirect(inLocale(locale, pages.home.path), 303)
  if (pages[name].protected && !signedIn) {
    // AUT-5: who was signed in is told why that is over.
    const reason = stage === 'ended' ? await reasonOfEnd(portal.db, request.cookies[sessionCookie]!) : undefined
    return reply.redirect(loginPath(locale, { back: request.url, ...(reason && { reason }) }), 303)
  }
  const shell = pages[name].layout === 'focus' ? 'focus-shell' : 'shell'
  return sendReady(portal, request, reply, pages[name].protected ? shell : name, locale, 200)
}

function withoutMarks(url: string) {
  let end = url.length
  while (end && '.,;:!?)'.includes(url[end - 1]!)) end--
  return url.slice(0, end)
}

/** How far the visitor's sign-in is; `ended` for one who still brings the cookie of a session that is over. */
async function stageOf({ db, settings }: Portal, request: FastifyRequest) {
  const token = request.cookies[sessionCookie]
  return token ? ((await findSession(db, settings, token, false))?.stage ?? 'ended') : 'none'
}

/** The error screens as real pages with their status (RTE-8, ERR-1, ERR-2). */
export function sendErrorPage(portal: Portal, request: FastifyRequest, reply: FastifyReply, status: number) {
  const { locale } = splitLocale(request.url.split('?')[0]!)
  if (status === 404) return sendReady(portal, request, reply, 'not-found', locale, status)
  const page = readyPages.get(portal)?.get(`${locale}/error.html`)?.()
  if (!page) return sendStatus(reply, status)
  const html = fillError(page.plain.toString(), { status, incident: status >= 500 ? request.id : '' })
  return pageHeaders(reply, page, status).send(html)
}

const pageHeaders = (reply: FastifyReply, { policy }: ReadyPage, status: number) =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('reporting-endpoints', `csp="${reportsPath}"`)

/** All there is to see while the web part is not built. */
const sendStatus = (reply: FastifyReply, status: number) =>
  reply.code(status).type('text/plain; charset=utf-8').send(`${status}\n`)

async function sendReady(
  portal: Portal,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  locale: 'pl' | 'en',
  status: number,
) {
  const page = readyPages.get(portal)?.get(`${locale}/${name}.html`)?.()
  if (!page) return sendStatus(reply, status)
  const brotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  const body = brotli ? await page.brotli() : page.plain
  pageHeaders(reply, page, status).header('vary', 'accept-encoding, cookie')
  if (brotli) reply.header('content-encoding', 'br')
  return reply.send(body)
}
