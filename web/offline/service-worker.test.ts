import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sampleSession } from '../../contract/testing/sample-session.ts'
import { writeKept } from './offline-record.ts'
import { memoryCaches } from './testing/memory-caches.ts'

const origin = 'https://portal.example'
const caches = memoryCaches(origin)
const build = { id: 'b1', pages: ['/', '/home'], parents: ['/renewal'], files: ['main-A1b2C3d4.js'] }
const record = {
  session: sampleSession(),
  receivedAt: Date.now(),
  replies: { '/api/signatures': { reply: 'hers', at: Date.now() } },
}

type Listener = (event: object) => void
const listeners = new Map<string, Listener>()
/** The network: an answer for each address, or none while it is undefined. */
let network: ((url: URL) => Response) | undefined
let requested: string[] = []
/** Address of the browser after a navigation that it made itself; undefined for its own error page. */
let shown: string | undefined
/** Whether the worker controls the pages that were open before it. */
let isClaimed = false

beforeAll(async () => {
  vi.stubGlobal('caches', caches)
  vi.stubGlobal('portalBuild', build)
  vi.stubGlobal('location', new URL(origin))
  vi.stubGlobal('navigator', {
    get onLine() {
      return !!network
    },
  })
  vi.stubGlobal('clients', {
    get: () => Promise.resolve(shown && { url: origin + shown }),
    claim: () => {
      isClaimed = true
      return Promise.resolve()
    },
  })
  vi.stubGlobal('self', {
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    skipWaiting: () => Promise.resolve(),
  })
  vi.stubGlobal('fetch', (request: { url: string } | string) => {
    const url = new URL(typeof request === 'string' ? request : request.url, origin)
    requested.push(url.pathname)
    return network ? Promise.resolve(network(url)) : Promise.reject(new TypeError('Failed to fetch'))
  })
  await import('./service-worker.ts')
})
afterAll(() => vi.unstubAllGlobals())

/** Sends an event, and returns the answer to a request, or undefined where the browser is left to make it. */
async function send(type: string, more: object = {}): Promise<Response | undefined> {
  const work: unknown[] = []
  let answer: Promise<Response> | undefined
  listeners.get(type)!({
    ...more,
    waitUntil: (lasting: Promise<unknown>) => work.push(lasting),
    respondWith: (given: Promise<Response>) => (answer = given),
  })
  await Promise.all(work)
  return answer
}
const ask = (path: string, more: { mode?: string; method?: string; destination?: string } = {}) =>
  send('fetch', { request: { url: new URL(path, origin).href, method: 'GET', mode: 'cors', destination: '', ...more } })
const askFile = (path: string) => ask(path, { destination: 'script' })
const navigate = (path: string) => ask(path, { mode: 'navigate' })
const kept = async () => (await caches.match('/kept'))?.json() as Promise<unknown>

beforeEach(async () => {
  for (const name of await caches.keys()) await caches.delete(name)
  network = ({ pathname }) => new Response(`<meta name="build" content="b1">${pathname}`)
  await send('message', { data: { locale: 'pl', assets: '/assets/' } })
  await writeKept(record)
  requested = []
  shown = undefined
})

const own = ['/assets/main-A1b2C3d4.js', '/frames/', '/frames/home', '/frames/renewal', '/kept'].map(
  (path) => origin + path,
)

test('R161 whatever is requested, the worker keeps frames and hashed files only', async () => {
  for (const path of ['/home', '/en/home?status=active', '/', '/renewal/abc', '/api/agreements/1', '/demo/messages'])
    await navigate(path)
  for (const path of ['/api/signatures', '/api/session', '/builds/latest.json']) await ask(path)
  await askFile('/assets/other-A1b2C3d4.js')
  for (const method of ['POST', 'PUT', 'DELETE']) await ask('/api/signatures', { method })
  await ask('https://elsewhere.example/assets/main-A1b2C3d4.js')
  expect(caches.addresses()).toEqual(own)
})

test.each(['/register', '/en/register', '/en/anything', '/home/more', '/renewal', '/en/renewal/abc/more'])(
  'R161 OFF-1 %s is not the address of a page with a frame, and is left to the browser',
  async (path) => {
    expect(await navigate(path)).toBeUndefined()
    expect(await kept()).toMatchObject({ receivedAt: record.receivedAt })
  },
)

test('R161 calls, downloads, pages of others and other origins are left to the browser', async () => {
  for (const path of ['/api/signatures', '/builds/latest.json', 'https://elsewhere.example/home'])
    expect(await ask(path)).toBeUndefined()
  for (const path of ['/api/agreements/1', '/demo/messages', '/setup-password/abc', 'https://elsewhere.example/home'])
    expect(await navigate(path)).toBeUndefined()
  expect(requested).toEqual([])
})

test('OFF-1 a page comes from the network while there is one, and otherwise its frame does', async () => {
  expect(await (await navigate('/home'))!.text()).toContain('>/home')
  network = undefined
  for (const [path, frame] of [
    ['/home?status=active', '/frames/home'],
    ['/renewal/abc', '/frames/renewal'],
    ['/', '/frames/'],
  ] as const)
    expect(await (await navigate(path))!.text()).toContain(`>${frame}`)
})

test('OFF-1 without a network, a page whose frame is kept in the other language only says so and leads to it', async () => {
  network = undefined
  const answer = (await navigate('/en/renewal/a%22b'))!
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await answer.text()
  for (const part of ['<html lang="en">', 'in Polish only', 'href="/renewal/a%22b"', 'href="/en/renewal/a%22b"'])
    expect(page).toContain(part)
  for (const name of await caches.keys()) await caches.delete(name)
  await expect(navigate('/en/home')).rejects.toThrow('Failed to fetch')
})

test('OFF-1 the worker controls the page that has started it, whose next screens may be needed without a network', async () => {
  await send('activate')
  expect(isClaimed).toBe(true)
  network = undefined
  expect(await (await askFile('/assets/main-A1b2C3d4.js'))!.text()).toContain('/assets/main-A1b2C3d4.js')
})

test('RTE-12 the bare address is left to the browser, which says who has made the link, unless there is no network', async () => {
  for (const path of ['/', '/?utm=a']) expect(await navigate(path)).toBeUndefined()
  for (const path of ['/?reason=session-ended', '/?returnTo=%2Fhome', '/en']) expect(await navigate(path)).toBeDefined()
  network = undefined
  expect(await (await navigate('/'))!.text()).toContain('>/frames/')
})

test('OFF-3 a frame of another build is not kept, and an older build goes only when the newer one is complete', async () => {
  await (await caches.open('portal b0')).put('/frames/home', new Response('older'))
  await caches.delete('portal b1')
  network = () => new Response('<meta name="build" content="b2">')
  await send('message', { data: { locale: 'pl', assets: '/assets/' } })
  expect(await caches.keys()).toEqual(['kept', 'portal b0', 'portal b1'])
  network = () => new Response('<meta name="build" content="b1">')
  await send('message', { data: { locale: 'pl', assets: '/assets/' } })
  expect(await caches.keys()).toEqual(['kept', 'portal b1'])
})

test('OFF-3 while a new build is not complete, the former one is shown without a network, with its files', async () => {
  for (const name of await caches.keys()) await caches.delete(name)
  const former = await caches.open('portal b0')
  for (const path of ['/frames/home', '/assets/main-former00.js']) await former.put(path, new Response(`b0 ${path}`))
  // The network goes after the files and some frames of the new build.
  network = ({ pathname }) => {
    if (pathname === '/frames/renewal') network = undefined
    if (!network) throw new TypeError('Failed to fetch')
    return new Response(`<meta name="build" content="b1">${pathname}`)
  }
  await send('message', { data: { locale: 'pl', assets: '/assets/' } })
  expect(network).toBeUndefined()
  expect(await (await navigate('/home'))!.text()).toBe('b0 /frames/home')
  expect(await (await askFile('/assets/main-former00.js'))!.text()).toBe('b0 /assets/main-former00.js')
})

test('R160 a sign-out, a refused session, the login page and the end of the session delete what is kept', async () => {
  for (const end of [
    () => ask('/api/sign-out', { method: 'POST' }),
    () => {
      network = () => new Response(null, { status: 401 })
      return ask('/api/session')
    },
    () => {
      network = () => Object.defineProperty(new Response('login'), 'type', { value: 'basic' })
      return navigate('/en')
    },
    () => {
      shown = '/'
      return navigate('/')
    },
    () => {
      shown = '/en?utm=a'
      return navigate('/?utm=a')
    },
    async () => {
      await writeKept({ ...record, receivedAt: record.receivedAt - 16 * 60_000 })
      return navigate('/demo/messages')
    },
  ]) {
    await writeKept(record)
    await end()
    await expect.poll(kept).toBeUndefined()
  }
  await writeKept(record)
  await navigate('/home')
  await ask('/api/session')
  for (const elsewhere of ['/home', undefined]) {
    shown = elsewhere
    await navigate('/')
  }
  network = undefined
  await navigate('/')
  expect(await kept()).toEqual(record)
})
