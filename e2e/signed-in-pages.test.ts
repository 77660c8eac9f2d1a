import { expect, test } from 'vitest'
import { inLocale, pages } from '../contract/pages.ts'
import { firstReads } from '../contract/first-reads.ts'
import { keysOf } from '../contract/keys-of.ts'
import { dataIn } from '../contract/testing/page-parts.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { measureFirstVisit } from './testing/first-visit.ts'
import { untilHydrated, phone } from './testing/browser-pages.ts'
import { enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { openProviderClient } from './testing/provider-client.ts'
import { openRenewalOf } from './testing/renewal-calls.ts'

const portal = await openPortal()

type LayoutShift = { value: number; sources: { node: Node | null }[] }
type Shift = { value: number; moved: string[] }

/** Everything that moves while a page loads. */
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
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata')
  const provider = await openProviderClient(portal)
  return (await openRenewalOf(page, provider, signature)).uid
}

const places = keysOf(pages).filter((name) => pages[name].protected)

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

async function cookieOf(login: string) {
  const { context } = await portal.openProfile()
  await portal.enter(context, login)
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
}

test('R148 HTT-7 pages rendered at one time have only their own data, and no cache keeps them', async () => {
  const people = await Promise.all(
    ['zofia', 'malgorzata'].map(async (login) => ({ login, cookie: await cookieOf(login) })),
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

const locale = language('pl')
const { at } = inLanguage(locale)

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
