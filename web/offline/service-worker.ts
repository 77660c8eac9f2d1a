import type { Locale } from '../../contract/enums.ts'
import { inLocale, splitLocale } from '../../contract/pages.ts'
import { forgetKept, keptCache, patienceMs, readKept } from './offline-record.ts'

/**
 * The service worker (OFF-1, decision 0109). It keeps what is public only: the frames of the pages, without data, and the hashed
 * files of one build. It never reads a reply of the API or a page with data; what the pages have kept (offline-replies.ts) it only
 * deletes. Built by build/build.ts.
 */
declare const portalBuild: {
  id: string
  /** Paths of the pages that have a frame at `/frames` + path. */
  pages: string[]
  /** Paths of the pages that have such a frame and a parameter, without it: `/renewal` for `/renewal/abc`. */
  parents: string[]
  /** Names of hashed files. */
  files: string[]
}

/** Events of a worker, which TypeScript's types for pages lack. */
type ExtendableEvent = Event & { waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = ExtendableEvent & {
  request: Request
  resultingClientId: string
  respondWith: (answer: Promise<Response>) => void
}
type MessageFromPage = ExtendableEvent & { data: { locale: Locale; assets: string } }
/** Windows of the browser; `get` finds one only once its document is there, and none for an error page of the browser. */
declare const clients: { get: (id: string) => Promise<{ url: string } | undefined>; claim: () => Promise<void> }
declare const self: {
  skipWaiting: () => Promise<void>
  addEventListener: ((type: 'install' | 'activate', listener: (event: ExtendableEvent) => void) => void) &
    ((type: 'fetch', listener: (event: FetchEvent) => void) => void) &
    ((type: 'message', listener: (event: MessageFromPage) => void) => void)
}

const { id, pages, parents, files } = portalBuild
const ownCache = `portal ${id}`
/** The kinds of files that always have their hash in their name. */
const fileKinds: RequestDestination[] = ['script', 'style', 'font']

/**
 * Returns the page whose frame shows a path: `/en/renewal/abc` → `/en/renewal`, whose frame is at `/frames/en/renewal`; undefined for paths
 * outside the portal's pages.
 */
function framePathOf(path: string) {
  const parent = path.slice(0, path.lastIndexOf('/'))
  if (pages.includes(splitLocale(path).path)) return path
  return parents.includes(splitLocale(parent).path) ? parent : undefined
}

const isLogin = (path: string) => path === '/' || path === '/en'

/**
 * Checks whether the address is `/` alone, as people type it: that follows the language cookie, a link of the portal does not (RTE-12). The
 * server sees the difference only in a request that the browser itself makes.
 */
const isTypedRoot = ({ pathname, searchParams }: URL) =>
  pathname === '/' && !searchParams.has('reason') && !searchParams.has('returnTo')

/** Deletes what was kept if the client shows the login page: nobody is signed in then, so nothing of a customer may be left. */
async function forgetAtLogin(client: string) {
  const shown = await clients.get(client)
  if (shown && isLogin(new URL(shown.url).pathname)) await forgetKept()
}

const findFrame = (path: string) => caches.match(`/frames${path}`, { ignoreVary: true })

const texts: Record<Locale, Record<'title' | 'text' | 'open' | 'retry', string>> = {
  pl: {
    title: 'Brak połączenia z\u00a0portalem',
    text: 'Bez połączenia możesz otworzyć tę stronę tylko po angielsku.',
    open: 'Otwórz po angielsku',
    retry: 'Spróbuj ponownie',
  },
  en: {
    title: 'Can’t reach the portal',
    text: 'Without a connection, you can open this page in Polish only.',
    open: 'Open in Polish',
    retry: 'Try again',
  },
}
const style = `body{max-width:40rem;margin:15vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#0e2433;background:#f2f6f6}
a{display:inline-block;margin-right:1.5rem;padding:.65rem 0;color:#114b63}`

/**
 * Returns the page in place of one whose frame is kept in the other language only (OFF-1). `path`: path of a page of the portal, as the
 * browser has encoded it, without quotation marks and angle brackets.
 */
function otherLanguageOnly(path: string): Response {
  const { locale, path: bare } = splitLocale(path)
  const other = inLocale(locale === 'en' ? 'pl' : 'en', bare)
  const { title, text, open, retry } = texts[locale]
  return new Response(
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style><h1>${title}</h1><p>${text}</p><p><a href="${other}">${open}</a><a href="${path}">${retry}</a></p>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        'referrer-policy': 'no-referrer',
      },
    },
  )
}

/** Returns the kept frame, or the page for one that is kept in the other language only. `path`: path of the frame. */
async function loadWithoutNetwork(path: string, pathname: string) {
  const { locale, path: bare } = splitLocale(path)
  const other = inLocale(locale === 'en' ? 'pl' : 'en', bare)
  return (await findFrame(path)) ?? ((await findFrame(other)) && otherLanguageOnly(pathname))
}

/** Loads a page from the network first, and from its kept frame if the network fails or is late. */
async function loadPage(request: Request, path: string, pathname: string) {
  const network = fetch(request)
  if (isLogin(path))
    void network.then(
      (answer) => answer.type === 'basic' && answer.ok && forgetKept(),
      () => undefined,
    )
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs)).then(() => findFrame(path))
  // Without a frame the browser goes on waiting, or shows its own page.
  return (await Promise.race([network.catch(() => loadWithoutNetwork(path, pathname)), late])) ?? network
}

/**
 * Loads a hashed file of any build: while a new one is not complete, the frames of the former one are shown, with its files. The oldest
 * cache is searched first.
 */
const loadFile = async (request: Request) =>
  (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request.url, { credentials: 'omit' })

/** Fetches what is missing of this build, one after the other, and then deletes what earlier builds have left. */
async function fill({ locale, assets }: MessageFromPage['data']) {
  const cache = await caches.open(ownCache)
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const frames = [...pages, ...parents].map((page) => `/frames${inLocale(locale, page)}`)
  for (const address of [...files.map((name) => assets + name), ...frames]) {
    if (there.has(address)) continue
    const answer = await fetch(address, { credentials: 'omit', priority: 'low' })
    // While the portal is being updated, nodes have different builds; the next page tries again.
    if (!answer.ok || (frames.includes(address) && !(await answer.clone().text()).includes(`content="${id}"`))) return
    await cache.put(address, answer)
  }
  for (const name of await caches.keys()) if (name !== ownCache && name !== keptCache) await caches.delete(name)
}

/** Deletes what was kept for a session that has ended unnoticed. */
const forgetEnded = () => readKept().catch(() => undefined)

let filling: Promise<void> | undefined

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
// The page that has started the worker may stay the only document of a visit, and needs the files of its screens too.
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([clients.claim(), forgetEnded()])))
self.addEventListener('message', (event) => {
  // A full disk or a broken connection leaves the rest for another time.
  filling ??= fill(event.data)
    .catch(() => undefined)
    .finally(() => (filling = undefined))
  event.waitUntil(filling)
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  const { origin, pathname } = url
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname.endsWith('/api/sign-out')) event.waitUntil(forgetKept())
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    event.waitUntil(forgetEnded())
    const path = framePathOf(pathname)
    if (isTypedRoot(url) && navigator.onLine) event.waitUntil(forgetAtLogin(event.resultingClientId))
    else if (path) event.respondWith(loadPage(request, path, pathname))
  } else if (fileKinds.includes(request.destination)) event.respondWith(loadFile(request))
  else if (pathname.endsWith('/api/session'))
    event.respondWith(
      fetch(request).then(async (answer) => {
        if (answer.status === 401) await forgetKept()
        return answer
      }),
    )
})
