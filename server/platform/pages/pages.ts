import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { constants } from 'node:zlib'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'
import { offParts } from '../../../contract/features.ts'
import {
  findPage,
  inLocale,
  loginPath,
  pageIgnoringCase,
  pages,
  splitLocale,
  type PageName,
  framedPages,
  framePath,
} from '../../../contract/pages.ts'
import { pendingSignOutCookie, readPendingSignOut } from '../../../contract/pending-sign-out.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { findLiveSession } from '../authentication/authenticate.ts'
import { endReason, endSession, sessionCookie } from '../authentication/session.ts'
import { pathOf } from '../http/guards.ts'
import { cachedForEver, reportsPath } from '../http/security-headers.ts'
import { causeOf } from '../observability/skipped-causes.ts'
import type { Portal } from '../portal.ts'
import { serveApp } from './app-files.ts'
import { readPageData } from './page-data.ts'
import { compress, type PageDocument, type PageDocuments } from './page-documents.ts'

/** Serves the built web part: pages, the payload files of the open ones, and hashed files. */
export async function servePages(
  app: FastifyInstance,
  portal: Portal,
  documents: PageDocuments | undefined,
): Promise<void> {
  const { webDirectory, assets } = portal.settings
  if (!documents) app.log.warn('the web part is not built')

  const page = { config: { page: true } } as const
  for (const [name, { path }] of Object.entries(pages) as [PageName, (typeof pages)[PageName]][])
    for (const locale of ['pl', 'en'] as const)
      app.get(inLocale(locale, path), page, (request, reply) =>
        sendPage({ app, portal, documents }, request, reply, name),
      )

  if (!documents) return
  const file = { config: { page: true, uncounted: true } } as const
  serveApp(app, portal)
  serveFrames(app, documents)
  const hashed = join(webDirectory, 'assets')
  // Files with their hash in the name may be cached; others are revalidated, which costs a 304 (R65).
  const setHeaders = (reply: FastifyReply, path: string) =>
    void reply.header('cache-control', path.startsWith(hashed) ? cachedForEver : 'no-cache')
  const options = { serve: false, index: false, cacheControl: false, preCompressed: true } as const
  await app.register(files, { root: webDirectory, ...options, setHeaders })
  app.get<{ Params: { '*': string } }>(`${assets}*`, file, ({ params }, reply) => reply.sendFile(params['*'], hashed))
  // Builds appear while the portal runs (HTT-3); the other files are routed one by one, so that nothing else has a path.
  app.get<{ Params: { '*': string } }>('/builds/*', file, ({ params }, reply) =>
    reply.sendFile(params['*'], join(webDirectory, 'builds')),
  )
  for (const folder of ['static', 'payload'].map((name) => join(webDirectory, name)))
    for (const name of filesIn(folder)) app.get(`/${name}`, file, (_request, reply) => reply.sendFile(name, folder))
}

/** Serves pages without anybody's data, for the service worker (OFF-1); the answer does not depend on the visitor (R161). */
function serveFrames(app: FastifyInstance, documents: PageDocuments) {
  for (const locale of ['pl', 'en'] as const)
    for (const name of framedPages)
      app.get(framePath(locale, name), { config: { page: true, uncounted: true } }, (request, reply) =>
        sendReady(documents, request, reply, { name, locale }),
      )
}

/** Lists the paths of the files of a folder, without their compressed copies, which are sent instead of them. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

type Site = { app: FastifyInstance; portal: Portal; documents: PageDocuments | undefined }

async function sendPage(site: Site, request: FastifyRequest, reply: FastifyReply, name: PageName) {
  const { portal, documents } = site
  const { locale, path } = splitLocale(pathOf(request))
  const isSignedOut = await finishSignOut(portal, request, reply)
  // The router decodes paths and accepts any parameter; a path that the table of pages does not have exactly is not a page (RTE-8).
  if (findPage(path) !== name) {
    // A link is often copied from a mail with the punctuation after it.
    const link = withoutPunctuation(request.url)
    if (findPage(splitLocale(link).path) === name) return reply.redirect(link, 308)
    return sendErrorPage(documents, request, reply, 404)
  }
  // Signed-in pages show it within the layout, whose menu leads on.
  if (!pages[name].needsSignIn && offParts(portal.settings.featuresOff).includes(name))
    return sendReady(documents, request, reply, { name: 'unavailable', locale, status: 503 })
  const stage =
    !isSignedOut && (name === 'login' || pages[name].needsSignIn) ? await readStage(portal, request) : 'none'
  const isSignedIn = stage === 'signed-in'
  const language = name === 'login' ? chosenLanguage(request) : locale
  // A signed-in customer is sent home from the login page (RTE-4); others are sent there, with the address to return to (RTE-7).
  if (name === 'login' && isSignedIn) return redirectHere(reply, inLocale(language, pages.home.path), 303)
  if (language !== locale) return redirectHere(reply, inLocale(language, request.url), 302)
  if (pages[name].needsSignIn && !isSignedIn) {
    // The login page says why the session has ended (AUT-5).
    const token = request.cookies[sessionCookie]
    const reason = isSignedOut
      ? 'signed-out'
      : stage === 'ended' && token
        ? await endReason(portal.db, token)
        : undefined
    return reply.redirect(loginPath(locale, { back: request.url, ...(reason && { reason }) }), 303)
  }
  return pages[name].needsSignIn
    ? sendRendered(site, request, reply, { name, locale })
    : sendReady(documents, request, reply, { name, locale })
}

/** Options of a compression many times faster than the best, with a result a quarter larger. */
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

/** Sends a signed-in page rendered with its first data (HTT-7). If that fails, sends its frame, in which the browser does the same. */
async function sendRendered(
  { app, portal, documents }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, locale }: { name: PageName; locale: Locale },
) {
  const data = documents && (await readPageData(app, request, reply, name, portal.settings.featuresOff))
  let page: PageDocument | undefined
  try {
    const userAgent = request.headers['user-agent'] ?? ''
    page = data && documents.signedIn(name, { locale, path: request.url, userAgent, data })
  } catch (error) {
    const repeats = app.skippedErrors(`a page ${name} ${causeOf(error)}`)
    if (repeats !== undefined) request.log.error({ req: request, err: error, repeats }, 'a page could not be rendered')
  }
  if (!page) return sendReady(documents, request, reply, { name, locale })
  pageHeaders(reply, page.policy, 200).header('vary', varyingWith)
  if (!acceptsBrotli(request) || revealsByLength(request, locale, name)) return reply.send(page.html)
  return reply.header('content-encoding', 'br').send(await compress(page.html, fastBrotli))
}

/**
 * Checks whether another site may have chosen text that is in the page next to the customer's data. The length of the compressed page would
 * then reveal where both are alike, to someone who sees the lengths of many such pages (BREACH, R148).
 */
function revealsByLength({ url, headers }: FastifyRequest, locale: Locale, name: PageName) {
  // An old browser does not say who has made the link.
  const isOwn = headers['sec-fetch-site'] === 'same-origin' || headers['sec-fetch-site'] === 'none'
  return url !== inLocale(locale, pages[name].path) && !isOwn
}

/** Headers on which the answer at a page's address depends; no cache may give one visitor's answer to another (R146). */
const varyingWith = 'accept-encoding, cookie, sec-fetch-site'

const redirectHere = (reply: FastifyReply, path: string, status: 302 | 303) =>
  reply.header('vary', varyingWith).redirect(path, status)

/** User agents of crawlers, which get each address as it is, without a visitor's choice of language. `CUBOT` is a maker of phones. */
const crawlers = /(?<!cu)bot\b|crawl|spider|slurp/i

/**
 * Returns the language of the login page (RTE-12). Only the bare `/` follows the cookie, because it is what people type: any other address
 * names its language, and so does one that the portal has made, with the reason of a sign-in or the address to return to. The service
 * worker leaves the bare `/` to the browser, whose request names the site that the link is on. A link of the portal's own pages to `/` is
 * the choice of Polish, also where no script could store it.
 */
function chosenLanguage({ url, cookies, headers }: FastifyRequest): Locale {
  const { locale, path } = splitLocale(pathOf({ url }))
  const isOwnLink = headers['sec-fetch-site'] === 'same-origin' || /[?&](?:reason|returnTo)=/.test(url)
  const isArrival = path === '/' && !isOwnLink && !crawlers.test(headers['user-agent'] ?? '')
  return isArrival && cookies['locale'] === 'en' ? 'en' : locale
}

/**
 * Returns the canonical address of a page that was typed with capitals or a slash at the end (RTE-13), with its query; undefined for any
 * other address. It is made of the table's own paths and the parameters in them, so it never leads elsewhere (R145).
 */
export function canonicalAddress(url: string): string | undefined {
  const [typed = ''] = url.split('?', 1)
  const { locale, path } = splitLocale(typed.replace(/(?<=.)\/$/, '').replace(/^\/en(?=\/|$)/i, '/en'))
  const page = pageIgnoringCase(path)
  const canonical = page && inLocale(locale, page)
  return canonical && canonical !== typed ? canonical + url.slice(typed.length) : undefined
}

function withoutPunctuation(url: string) {
  let end = url.length
  while (end && '.,;:!?)'.includes(url.charAt(end - 1))) end--
  return url.slice(0, end)
}

/** Returns the stage of the visitor's sign-in; `ended` if the cookie is of a session that has ended. */
async function readStage(portal: Portal, request: FastifyRequest) {
  if (!request.cookies[sessionCookie]) return 'none'
  return (await findLiveSession(portal, request, false))?.stage ?? 'ended'
}

/** Ends the session that the customer left while the portal could not be reached (AUT-6); a later one stays. */
async function finishSignOut(portal: Portal, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { [pendingSignOutCookie]: pending, [sessionCookie]: token } = request.cookies
  if (!pending) return false
  reply.clearCookie(pendingSignOutCookie, { path: '/', secure: true })
  const session = await findLiveSession(portal, request, false)
  if (!token || session?.absoluteEndsAt.toISOString() !== readPendingSignOut(pending).absoluteEndsAt) return false
  await portal.db.transaction().execute(async (tx) => {
    const accountId = await endSession(tx, token)
    if (accountId) await addAuditEntry(tx, { action: 'signed-out', accountId, actor: 'customer', address: request.ip })
  })
  reply.clearCookie(sessionCookie, { path: '/', secure: true })
  return true
}

/** Sends the error screens as real pages with their status (RTE-8, ERR-1, ERR-2). */
export function sendErrorPage(
  documents: PageDocuments | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
) {
  const { locale } = splitLocale(pathOf(request))
  const canonical = status === 404 ? canonicalAddress(request.url) : undefined
  if (canonical) return reply.redirect(canonical, 308)
  if (status === 404) return sendReady(documents, request, reply, { name: 'not-found', locale, status })
  if (!documents) return sendStatus(reply, status)
  const { html, policy } = documents.failure(locale, status, status === 500 ? request.id : '')
  return pageHeaders(reply, policy, status).send(html)
}

const pageHeaders = (reply: FastifyReply, policy: string, status: number) =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('reporting-endpoints', `csp="${reportsPath}"`)

/** Sends only the status, while the web part is not built. */
const sendStatus = (reply: FastifyReply, status: number) =>
  reply.code(status).type('text/plain; charset=utf-8').send(`${status}\n`)

const acceptsBrotli = ({ headers }: FastifyRequest) => /\bbr\b/.test(headers['accept-encoding'] ?? '')

async function sendReady(
  documents: PageDocuments | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, locale, status = 200 }: { name: PageName | 'not-found' | 'unavailable'; locale: Locale; status?: number },
) {
  const page = documents?.ready(locale, name)
  if (!page) return sendStatus(reply, status)
  const takesBrotli = acceptsBrotli(request)
  const body = takesBrotli ? await page.brotli() : page.plain
  pageHeaders(reply, page.policy, status).header('vary', varyingWith)
  if (takesBrotli) reply.header('content-encoding', 'br')
  return reply.send(body)
}
