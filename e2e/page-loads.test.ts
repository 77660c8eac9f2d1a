import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { keysOf } from '../contract/enums.ts'
import { firstReads } from '../contract/first-reads.ts'
import { limits } from '../contract/limits.ts'
import { inLocale, pages } from '../contract/pages.ts'
import { dataIn } from '../contract/testing/page-parts.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { untilHydrated, phone } from './testing/browser-pages.ts'
import { enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { openProviderClient, openRenewalOf } from './testing/portal-calls.ts'

const portal = await openPortal()
const locale = language('pl')
const { at } = inLanguage(locale)

type LayoutShift = { value: number; sources: { node: Node | null }[] }
type Shift = { value: number; moved: string[] }

/** Records everything that moves while a page loads. */
const watchShifts = () => {
  const shifts: Shift[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as unknown as LayoutShift[])
      shifts.push({
        value,
        moved: sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : '')),
      })
  }).observe({ type: 'layout-shift', buffered: true })
}

async function openUid(signature: string) {
  const page = await portal.openAs('malgorzata')
  const provider = await openProviderClient(portal)
  return (await openRenewalOf(page, provider, signature)).uid
}

const places = keysOf(pages).filter((name) => pages[name].needsSignIn)

type FirstVisit = {
  /** Bytes of HTML, CSS and JavaScript, without headers, as they were sent. */
  page: number
  fonts: number
  requests: string[]
}

/** Opens an address in a new profile and measures what goes over the wire, as the browser counts it. */
async function measureFirstVisit(page: Page, address: string): Promise<FirstVisit> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const answers = new Map<string, { type: string; url: string; head: number }>()
  const arriving = new Set<string>()
  const bytes = { page: 0, fonts: 0 }
  network.on('Network.responseReceived', ({ requestId, type, response: { url, encodedDataLength } }) => {
    // The browser fetches the icon when it likes, also twice or after the measurement.
    if (!url.endsWith('/favicon.svg')) answers.set(requestId, { type, url, head: encodedDataLength })
  })
  network.on('Network.requestWillBeSent', ({ requestId }) => void arriving.add(requestId))
  network.on('Network.loadingFailed', ({ requestId }) => void arriving.delete(requestId))
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    arriving.delete(requestId)
    const answer = answers.get(requestId)
    if (!answer) return
    const body = encodedDataLength - answer.head
    if (answer.type === 'Font') bytes.fonts += body
    if (['Document', 'Script', 'Stylesheet'].includes(answer.type)) bytes.page += body
  })
  // A slow machine can be idle for half a second before the page has loaded.
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForLoadState('networkidle')
  // What the browser counts is said later than that it is idle.
  await expect.poll(() => arriving.size).toBe(0)
  return { ...bytes, requests: [...answers.values()].map(({ url }) => url) }
}

// The customer with most of everything; a renewal needs one whose certificate can be renewed.
test.runIf(exhaustive).each(places)(
  'HTT-7 UIX-9 %s arrives with its content, which is not moved or read again',
  async (name) => {
    const path = name === 'renewal' ? `/renewal/${await openUid('demo-malgorzata-app')}` : pages[name].path
    const page = await portal.openPage({ locale, viewport: phone, alone: true })
    await portal.enter(page.context(), name === 'renewal' ? 'malgorzata' : 'zofia')
    await page.addInitScript(watchShifts)
    const sent = await (await page.context().request.get(portal.origin + at(path))).text()
    expect(sent).toMatch(/<main\b.*<h1\b/s)
    expect(sent).not.toContain('aria-busy="true"')
    expect(dataIn(sent, 'page-data')?.reads.map((read) => read.path)).toEqual(
      expect.arrayContaining((firstReads[name] ?? []).map((read) => read.path)),
    )
    const measured = await measureFirstVisit(page, at(path))
    const calls = measured.requests.filter((url) => new URL(url).pathname.startsWith('/api/'))
    // Whether the signing service could sign now is known to the service only, and the page does not wait for it.
    const read = calls.map((url) => new URL(url).pathname).filter((called) => !called.endsWith('/signing-service'))
    expect(read).toEqual([])
    const requests = measured.requests.filter((url) => url.startsWith('http'))
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(15)
    expect(measured.page + measured.fonts).toBeLessThanOrEqual(250_000)
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
    expect(shifts).toEqual([])
  },
)

async function signInFor(login: string) {
  const { context } = await portal.openProfile()
  await portal.enter(context, login)
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
}

test('R148 HTT-7 pages rendered at one time have only their own data, and no cache keeps them', async () => {
  const people = await Promise.all(
    ['zofia', 'malgorzata'].map(async (login) => ({ login, cookie: await signInFor(login) })),
  )
  const paths = ['/home', '/certificates/signatures', '/documents']
  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const { login, cookie } = people[i % 2]!
      const path = paths[i % 3]!
      const response = await fetch(portal.origin + path, { headers: { cookie } })
      return { login, path, cache: response.headers.get('cache-control'), html: await response.text() }
    }),
  )
  for (const { login, path, cache, html } of answers) {
    const [own, other] = login === 'zofia' ? ['Zofia', 'Małgorzata'] : ['Małgorzata', 'Zofia']
    expect([cache, dataIn(html, 'page-data')!.session.customer.login]).toEqual(['no-store', login])
    expect(html).toContain(own)
    expect(html).not.toContain(other)
    // A read that is late, as on a busy machine, is left to the page.
    if (path === '/home')
      expect(firstReads.home!.map((read) => read.path)).toEqual(
        expect.arrayContaining(dataIn(html, 'page-data')!.reads.map((read) => read.path)),
      )
  }
})

test('HTT-8 after the SMS code only data are requested', async () => {
  const page = await portal.openPage({ locale, viewport: phone, alone: true })
  await page.goto(at('/?returnTo=' + encodeURIComponent(at('/documents'))))
  await passPassword(page, 'zofia')
  await page.locator('dialog input[name=code]').waitFor()
  await page.waitForLoadState('networkidle')
  const requested: string[] = []
  page.on('request', (asked) => requested.push(new URL(asked.url()).pathname))
  await enterSmsCode(page, portal, 'zofia')
  await untilHydrated(page)
  await expect.poll(() => requested).toContain('/api/documents')
  expect(requested.filter((path) => /\.(?:js|css)$/.test(path))).toEqual([])
})

test.runIf(exhaustive)('HTT-7 DAT-1 a wrong clock of the computer changes nothing of a page', async () => {
  const page = await portal.openPage({ locale: 'en', viewport: phone, alone: true })
  await portal.enter(page.context(), 'zofia')
  await page.clock.setSystemTime(new Date('2090-01-01T00:00:00Z'))
  const texts = async () => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
  for (const path of ['/my-data', '/certificates/signatures', '/home']) {
    await page.goto(inLocale('en', path), { waitUntil: 'commit' })
    await page.locator('main h1').waitFor()
    const sent = await portal.openPage({ locale: 'en', viewport: phone, javaScriptEnabled: false, alone: true })
    await portal.enter(sent.context(), 'zofia')
    await sent.goto(inLocale('en', path))
    const expected = (await sent.locator('main').innerText()).replaceAll(/\s+/g, ' ')
    await untilHydrated(page)
    await expect.poll(texts).toBe(expected)
  }
})

// By its name, the portal offers passkeys, whose code is loaded too.
test.each([
  { path: '/', requests: 6 },
  { path: '/en', requests: 5 },
  { path: '/', named: true, requests: 8 },
] as const)('UIX-9 the first visit of the login page takes at most 100,000 bytes: %o', async (visit) => {
  const { path, requests, ...options } = visit
  const page = await portal.openPage({ alone: true, ...options })
  const measured = await measureFirstVisit(page, path)
  expect(measured.page).toBeGreaterThan(50_000)
  expect(measured.page).toBeLessThanOrEqual(100_000)
  expect(measured.requests.length, measured.requests.join('\n')).toBeLessThanOrEqual(requests)
})

const link = (page: Page) => page.locator('main a[href$="/register"]')

/** Records what is requested from now on, without the query and the hashes of files. */
function watchRequests(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // The browser fetches the icon when it likes.
    if (pathname !== '/favicon.svg')
      asked.push(/^\/(?:assets|flags)\//.test(pathname) ? pathname.replace(/^.*\.(\w+)$/, 'asset $1') : pathname)
  })
  return asked
}

test('HTT-6 a page that a link leads to reads its payload once, and no document or configuration', async () => {
  const page = await portal.openPage()
  const asked = watchRequests(page)
  await page.goto('/')
  // A page that is opened by its address is complete.
  expect(asked.filter((path) => path.endsWith('_payload.json'))).toEqual([])
  asked.length = 0
  await link(page).click()
  await page.locator('input[name=email]').waitFor()
  await page.locator('button[type=submit]:enabled').waitFor()
  const paths = asked.filter((path) => !path.startsWith('asset '))
  expect(paths.filter((path) => !path.startsWith('/api/'))).toEqual(['/register/_payload.json'])
  expect(paths.filter((path) => /session|config|builds/.test(path))).toEqual([])
  await page.goBack()
  await page.locator('input[name=password]').waitFor()
  await page.goForward()
  await page.locator('input[name=email]').waitFor()
  expect(asked.filter((path) => path.endsWith('_payload.json'))).toHaveLength(1)
})

test('HTT-6 HTT-3 after an update, a link loads the whole page of the new build', async () => {
  const page = await portal.openPage({ tolerate: /404/ })
  await page.goto('/')
  await page.route('**/register/_payload.json', (route) =>
    route.fulfill({ json: { build: 'newer', page: 'register', locale: 'pl' } }),
  )
  await page.route(/\/assets\/register-screen/, (route) => route.fulfill({ status: 404 }), { times: 2 })
  await Promise.all([page.waitForEvent('load'), link(page).click()])
  expect(page.url()).toBe(`${portal.origin}/register`)
  await page.locator('button[type=submit]:enabled').waitFor()
})

test.each([
  ['does not arrive', () => undefined],
  ['fails', (route: Route) => route.fulfill({ status: 503 })],
] as const)('HTT-6 a payload that %s delays nobody', async (_, handle) => {
  const page = await portal.openPage({ tolerate: /503/ })
  await page.goto('/')
  await page.route('**/_payload.json', handle)
  const asked = page.waitForRequest('**/_payload.json')
  await link(page).click()
  await asked
  await page.locator('input[name=email]').waitFor()
})

test.runIf(exhaustive)('HTT-3 a newer build is offered after an hour, once, and keeps what was typed', async () => {
  const page = await portal.openPage({ clock: true })
  await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { id: 'newer', timestamp: 1 } }))
  await page.route('**/builds/meta/newer.json', (route) => route.fulfill({ json: { id: 'newer', timestamp: 1 } }))
  await page.goto('/password-reset')
  await page.locator('input[name=email]').fill('half@typed')
  await page.clock.fastForward(limits.buildCheckMs - 10_000)
  expect(await page.locator('.toast').count()).toBe(0)
  await page.clock.fastForward(10_000)
  const offer = page.locator('.toast')
  await offer.getByText('Jest nowa wersja portalu').waitFor()
  expect(await page.locator('input[name=email]').inputValue()).toBe('half@typed')
  await Promise.all([page.waitForEvent('load'), offer.getByRole('button', { name: 'Odśwież' }).click()])
  await expect.poll(() => page.locator('input[name=email]').inputValue()).toBe('half@typed')
})
