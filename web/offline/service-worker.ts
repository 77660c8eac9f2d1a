import type { Locale } from '../../contract/enums.ts'
import { forgetKept, keptCache, patienceMs, readKept } from './kept-record.ts'

/**
 * The service worker (OFF-1, decision 0109). It keeps what is public only: the frames of the pages, without data, and the hashed
 * files of one build. It never reads a reply of the API or a page with data; what the pages have kept (kept-replies.ts) it only
 * deletes. Built by build/build.ts.
 */
declare const portalBuild: {
  id: string
  /** Paths of the pages that have a frame at `/frames` + path. */
  pages: string[]
  /** The same of pages with a parameter, without it: `/renewal` for `/renewal/abc`. */
  parents: string[]
  /** Names of hashed files. */
  files: string[]
}

/** What the language of TypeScript for pages does not know of a worker. */
type Lasting = Event & { waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = Lasting & { request: Request; respondWith: (answer: Promise<Response>) => void }
type MessageFromPage = Lasting & { data: { locale: Locale; assets: string } }
declare const self: {
  skipWaiting: () => Promise<void>
  addEventListener: ((type: 'install' | 'activate', listener: (event: Lasting) => void) => void) &
    ((type: 'fetch', listener: (event: FetchEvent) => void) => void) &
    ((type: 'message', listener: (event: MessageFromPage) => void) => void)
}

const { id, pages, parents, files } = portalBuild
const ownCache = `portal ${id}`
const hashed = new Set(files)

/** `/en/renewal/abc` → `/frames/en/renewal`; undefined for what is not a page of the portal. */
function frameAddress(path: string) {
  const isIn = (list: string[], candidate: string) => list.includes(candidate.replace(/^\/en(?=\/|$)/, '') || '/')
  const parent = path.slice(0, path.lastIndexOf('/'))
  if (isIn(pages, path)) return `/frames${path}`
  return isIn(parents, parent) ? `/frames${parent}` : undefined
}

/** Network first. Whoever gets the login page is not signed in, so nothing of a customer may be left. */
async function loadPage(request: Request, address: string) {
  const network = fetch(request)
  const path = address.slice('/frames'.length)
  if (path === '/' || path === '/en')
    void network.then(
      (answer) => answer.type === 'basic' && answer.ok && forgetKept(),
      () => undefined,
    )
  const frame = () => caches.match(address, { ignoreVary: true })
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs)).then(frame)
  // Without a frame the browser goes on waiting, or shows its own page.
  return (await Promise.race([network.catch(frame), late])) ?? network
}

const loadFile = async (request: Request) =>
  (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request.url, { credentials: 'omit' })

/** Fetches what is missing of this build, one after the other, and then deletes what earlier builds have left. */
async function fill({ locale, assets }: MessageFromPage['data']) {
  const cache = await caches.open(ownCache)
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const language = locale === 'en' ? '/frames/en' : '/frames'
  const frames = [...pages, ...parents].map((page) => language + (locale === 'en' && page === '/' ? '' : page))
  for (const address of [...files.map((name) => assets + name), ...frames]) {
    if (there.has(address)) continue
    const answer = await fetch(address, { credentials: 'omit', priority: 'low' })
    // While the portal is being updated, nodes have different builds; the next page tries again.
    if (!answer.ok || (frames.includes(address) && !(await answer.clone().text()).includes(`content="${id}"`))) return
    await cache.put(address, answer)
  }
  for (const name of await caches.keys()) if (name !== ownCache && name !== keptCache) await caches.delete(name)
}

/** What was kept for a session that has ended while nobody was looking. */
const forgetEnded = () => readKept().catch(() => undefined)

let filling: Promise<void> | undefined

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', (event) => event.waitUntil(forgetEnded()))
self.addEventListener('message', (event) => {
  // A full disk or a broken connection leaves the rest for another time.
  filling ??= fill(event.data)
    .catch(() => undefined)
    .finally(() => (filling = undefined))
  event.waitUntil(filling)
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname.endsWith('/api/sign-out')) event.waitUntil(forgetKept())
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    event.waitUntil(forgetEnded())
    const address = frameAddress(pathname)
    if (address) event.respondWith(loadPage(request, address))
  } else if (hashed.has(pathname.slice(pathname.lastIndexOf('/') + 1))) event.respondWith(loadFile(request))
  else if (pathname.endsWith('/api/session'))
    event.respondWith(
      fetch(request).then(async (answer) => {
        if (answer.status === 401) await forgetKept()
        return answer
      }),
    )
})
