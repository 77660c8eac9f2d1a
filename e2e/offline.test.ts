import type { Page } from 'playwright-core'
import { expect, test, onTestFinished } from 'vitest'
import { signOut } from '../contract/account.ts'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { inLocale, framePath } from '../contract/pages.ts'
import { listSignatures } from '../contract/signatures.ts'
import { manifestPath } from '../server/platform/pages/app-files.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { startFilledDemonstration } from '../server/testing/filled-demonstration.ts'
import { patienceMs } from '../web/offline/offline-record.ts'
import { untilHydrated, pressSignOut } from './testing/browser-pages.ts'
import { customerOf, signInHere } from './testing/demonstration-run.ts'
import { intercept, stall } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { openSlowLine } from './testing/slow-line.ts'

const portal = await openPortal()
const locale = language('pl')
const { at, button, heading, translate, waitForText } = inLanguage(locale)

/** Messages that a browser without a network reports by itself. */
const tolerate = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ApiError: offline|Failed to fetch/
const list = '/certificates/signatures'
const documents = '/documents'
const bar = (page: Page) => page.locator('p.offline')
const person = customerOf('malgorzata')
/** Texts that identify the customer, and content of her lists. */
const secrets = [person.surname, person.email, person.login, '85031212343', 'Kancelaria Źródło', 'ABA300000']
const foundIn = (text: string) => secrets.filter((secret) => text.includes(secret))

/** Waits until the service worker runs and has fetched all that it keeps: the last frame of a language comes last. */
async function untilReady(page: Page, shown: Locale = 'pl') {
  const last = framePath(shown, 'software')
  await expect.poll(() => page.evaluate(async (path) => !!(await caches.match(path)), last)).toBe(true)
}

/** Waits until the replies to these calls are kept. */
async function untilKept(page: Page, ...paths: string[]) {
  await expect.poll(() => keptPaths(page)).toEqual(expect.arrayContaining(paths))
}

async function keptPaths(page: Page): Promise<string[]> {
  const record = await page.evaluate(async () => (await caches.match('/kept'))?.text())
  return record ? Object.keys((JSON.parse(record) as { replies: object }).replies) : []
}

/** Returns everything that the browser stores for the portal and a page can read, including IndexedDB and the caches. */
const storedBy = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) => {
        const cache = await caches.open(name)
        const answers = await cache.matchAll()
        return [name, ...(await Promise.all(answers.map(async (answer) => answer.url + (await answer.text()))))]
      }),
    )
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, cached])
  })

const leftIn = async (page: Page) => foundIn(await storedBy(page))

async function openTab(options: { locale?: 'pl' | 'en'; clock?: true } = {}) {
  return portal.openPage({ alone: true, serviceWorker: true, tolerate, ...options })
}

/** Opens a page of the customer's, and waits until her lists are stored and the service worker is ready. */
async function visit(options: { locale?: 'pl' | 'en'; clock?: true } = {}) {
  const { locale: shown = 'pl' } = options
  const page = await openTab(options)
  await portal.signIn(page, person.login, { locale: shown })
  await untilReady(page, shown)
  await page.goto(inLocale(shown, list))
  await page.getByRole('article').first().waitFor()
  await untilKept(page, '/api/signatures', '/api/signatures/summary')
  return page
}

const labels = {
  menu: translate('Menu główne', 'Main menu'),
  home: translate('Start', 'Home'),
  documents: translate('Dokumenty', 'Documents'),
  signatures: translate('Podpis kwalifikowany', 'Qualified signature'),
  mine: translate('Moje dane', 'My data'),
  software: translate('Oprogramowanie', 'Software'),
}
const old = translate(
  /^Dane z\u00a0\d+\u00a0\S+\u00a0\d{4}, \d\d:\d\d\. Nie masz teraz połączenia z\u00a0internetem\. Spróbujemy ponownie/,
  /^Data as of \d+\u00a0\S+\u00a0\d{4}, \d\d:\d\d\. You’re offline right now\. We’ll try again/,
)

test.runIf(exhaustive)('OFF-1 OFF-2 offline a page has its frame and last list; online it is read again', async () => {
  const page = await visit({ locale })
  const cards = await page.getByRole('article').count()
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: labels.signatures }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(cards)
  await expect.poll(() => bar(page).innerText()).toMatch(old)
  await expect.poll(() => page.locator('.account-button__name').innerText()).toBe('Małgorzata Wiśniewska')
  const menu = page.getByRole('navigation', { name: labels.menu })
  await menu.getByRole('link', { name: labels.home }).click()
  await page.locator('.tiles').waitFor()
  await expect.poll(() => bar(page).innerText()).toMatch(old)
  // What was never read says so, in the frame.
  await menu.getByRole('link', { name: labels.mine }).click()
  await page.getByRole('heading', { level: 1, name: labels.mine }).waitFor()
  await page.getByRole('alert').first().waitFor()
  // So has a page that was never opened, and the login page.
  await page.goto(at('/software'))
  await page.getByRole('heading', { level: 1, name: labels.software }).waitFor()
  await page.goto(at('/?reason=session-ended'))
  await page.locator('input[name=login]').waitFor()
  // A button that needs the portal says why it does nothing.
  await page.goto(at('/home'))
  await page.locator('input[name=code]').fill('ABCD-EFGH-JKMN-PQRS')
  await button(page, 'Użyj kodu', 'Use code').click()
  await waitForText(page, /Nie ma połączenia z\u00a0portalem/, /We can’t reach the portal/)
  const read = page.waitForResponse('**/api/signatures/summary')
  await page.context().setOffline(false)
  expect((await read).status()).toBe(200)
  await expect.poll(() => bar(page).innerText()).toBe('')
})

test.runIf(exhaustive)('ERR-4 a dialog that cannot be loaded says so, and opens once the network is back', async () => {
  const page = await portal.openAs(person.login, { alone: true, locale, tolerate, to: '/change-password' })
  const field = page.locator('input[name=newPassword]')
  await field.fill('Half-typed')
  await page.context().setOffline(true)
  const other = page.locator('.lang a:not([aria-current])')
  const dialog = page.getByRole('dialog')
  const missing = translate('Tego okna nie możemy teraz otworzyć', 'We can’t open this right now')
  await other.click()
  await dialog.getByRole('heading', { name: missing }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Half-typed')
  await page.context().setOffline(false)
  await other.click()
  const changing = heading(page, 'Zmienić język na angielski?', 'Change the language to Polish?')
  await changing.waitFor()
})

test.runIf(exhaustive)('AUT-6 R160 a sign-out without a network leaves nothing, ends the session later', async () => {
  const page = await visit({ locale })
  const other = await page.context().newPage()
  await other.goto(at(documents))
  await page.context().setOffline(true)
  await pressSignOut(page)
  const until = translate(
    /^Nie ma połączenia z\u00a0portalem\. .* Najpóźniej skończy się sama o\u00a0\d\d:\d\d\.$/,
    /^We can’t reach the portal\. .* It ends by itself at \d\d:\d\d at the latest\.$/,
  )
  for (const tab of [page, other]) {
    await tab.waitForURL((url) => url.searchParams.get('reason') === 'signed-out-offline')
    await tab.getByRole('status').getByText(until).waitFor()
    expect(foundIn(await tab.content())).toEqual([])
  }
  expect(await keptPaths(page)).toEqual([])
  expect(await leftIn(page)).toEqual([])
  await page.goto(at(list))
  await page.locator('h1').first().waitFor()
  expect(foundIn(await page.content())).toEqual([])
  await page.context().setOffline(false)
  await other.getByRole('status').getByText(translate('Wylogowano', 'You’re signed out'), { exact: true }).waitFor()
  expect((await page.request.get('/api/session')).status()).toBe(401)
})

test('OFF-1 R160 a visit with the service worker, from the sign-in to the sign-out', async () => {
  const page = await openTab({ locale })
  await page.goto(at('/'))
  await signInHere(page, portal, person.login)
  await page.locator('.tiles').waitFor()
  await untilReady(page, locale)
  const menu = page.getByRole('navigation', { name: labels.menu })
  // From the very first document on, everything goes through the worker: a screen that was never opened has its code there.
  await page.waitForFunction(() => !!navigator.serviceWorker.controller)
  await page.context().setOffline(true)
  await menu.getByRole('link', { name: labels.software }).click()
  await page.getByRole('heading', { level: 1, name: labels.software }).waitFor()
  await page.context().setOffline(false)
  await menu.getByRole('link', { name: labels.documents }).click()
  await page.getByRole('heading', { level: 1, name: labels.documents }).waitFor()
  await page.reload()
  const otherLocale = ({ pl: 'en', en: 'pl' } as const)[locale]
  await page.locator(`.lang a[hreflang=${otherLocale}]`).click()
  await page.waitForURL(portal.origin + inLocale(otherLocale, documents))
  await untilHydrated(page)
  expect(await page.locator('.account-button__name').innerText()).toBe('Małgorzata Wiśniewska')
  await pressSignOut(page)
  await page.waitForURL(`${portal.origin + inLocale(otherLocale, '/')}?reason=signed-out`)
  await expect.poll(() => keptPaths(page)).toEqual([])
  // The language that was chosen last is that of the bare address, and a link to Polish leads to Polish.
  await page.goto('/?from=typed')
  expect(page.url()).toBe(portal.origin + inLocale(otherLocale, '/?from=typed'))
  await page.context().addCookies([{ name: 'locale', value: 'en', url: portal.origin }])
  await page.goto('/en')
  const opened = page.context().waitForEvent('page')
  await page.locator('.lang a[hreflang=pl]').click({ button: 'middle' })
  const polish = await opened
  await polish.locator('input[name=login]').waitFor()
  expect(new URL(polish.url()).pathname).toBe('/')
})

test.each([
  ['is refused', () => page503],
  ['hangs', () => stall(listSignatures)],
] as const)('OFF-2 a list whose re-read %s says from when it is, until it is read again', async (_what, failing) => {
  const page = await portal.openAs(person.login, { locale, clock: true, tolerate: /status of 503/, to: list })
  await failing()({ page })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.clock.fastForward(patienceMs)
  await expect
    .poll(() => bar(page).innerText())
    .toMatch(
      translate(
        /^Dane z\u00a0\d+\u00a0\S+\u00a0\d{4}, \d\d:\d\d\. Na razie nie możemy wczytać nowszych\. Spróbujemy ponownie/,
        /^Data as of \d+\u00a0\S+\u00a0\d{4}, \d\d:\d\d\. We can’t load anything newer at the moment\. We’ll try again/,
      ),
    )
  expect(await page.getByRole('article').count()).toBeGreaterThan(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => bar(page).innerText()).toBe('')
})

const page503 = intercept(listSignatures, (route) => route.fulfill({ status: 503 }))

test.skipIf(exhaustive)('R161 the service worker keeps no answer of the API and no page with data', async () => {
  const page = await visit()
  const names = await page.evaluate(() => caches.keys())
  expect(names).toEqual(['kept', expect.stringMatching(/^portal [\da-f]{16}$/)])
  const [paths, texts] = await page.evaluate(async (name) => {
    const cache = await caches.open(name)
    const keys = (await cache.keys()).map(({ url }) => new URL(url).pathname)
    const answers = await cache.matchAll()
    return [keys, (await Promise.all(answers.map((answer) => answer.text()))).join('\n')] as const
  }, names[1]!)
  expect(paths.filter((path) => !/^\/(?:assets|frames)\//.test(path))).toEqual([])
  expect(texts).toContain('"product":"Sygnet"')
  expect([...foundIn(texts), texts.includes('id="page-data"')]).toEqual([false])
})

/** Checks that none of the customer's data are left, online and offline. */
async function expectForgotten(page: Page) {
  await expect.poll(() => keptPaths(page)).toEqual([])
  expect(await leftIn(page)).toEqual([])
  await page.context().setOffline(true)
  for (const path of ['/home', list]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: 'Brak połączenia z\u00a0portalem' }).waitFor()
    expect(foundIn(await page.content())).toEqual([])
  }
}

test.runIf(exhaustive)('R160 after a sign-out in another tab nothing is left, and none is shown offline', async () => {
  const page = await visit()
  expect(await leftIn(page)).toEqual(secrets)
  const other = await page.context().newPage()
  await other.goto(documents)
  await pressSignOut(other)
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
  await expectForgotten(page)
})

test.runIf(exhaustive)('R160 where the session has ended on the server, any next page leaves nothing', async () => {
  const page = await visit()
  await portal.clock.advance(limits.session.idle + 1)
  await page.goto(list)
  await page.waitForURL((url) => url.searchParams.get('reason') === 'session-ended')
  await expectForgotten(page)
  await page.context().setOffline(false)
  // Signed out elsewhere, and noticed by a page for everyone, which has no menu of hers any more.
  await portal.signIn(page, person.login, { to: list })
  await untilKept(page, '/api/signatures')
  const headers = { origin: portal.origin }
  expect((await page.request.post(signOut.path, { headers })).status()).toBe(204)
  await page.goto('/faq')
  await expectForgotten(page)
})

test.runIf(exhaustive)('R160 another customer who signs in sees and leaves nothing of the first', async () => {
  const page = await visit()
  // By the calls alone, as after the cookies were cleared.
  await page.context().clearCookies()
  await portal.signIn(page, 'zofia', { to: list })
  await expect.poll(() => leftIn(page)).toEqual([])
  await untilKept(page, '/api/signatures')
  expect(await leftIn(page)).toEqual([])
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Podpis kwalifikowany' }).waitFor()
  await expect.poll(() => page.locator('.account-button__name').innerText()).toBe('Zofia Zielińska')
  await page.getByRole('navigation', { name: 'Menu główne' }).getByRole('link', { name: 'Start' }).click()
  await page.getByRole('alert').first().waitFor()
  expect(foundIn(await page.content())).toEqual([])
})

const buildOf = (page: Page) => page.locator('meta[name=build]').getAttribute('content')
const workerCaches = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('portal ')))

/** Opens the customer's list over a connection of its own, with the service worker ready. */
async function visitByLine() {
  const line = await openSlowLine(portal.origin)
  const page = await portal.openPage({
    alone: true,
    serviceWorker: true,
    tolerate: new RegExp(`${line.origin}|ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch`),
  })
  await portal.enter(page.context(), person.login)
  await page.goto(line.origin + list)
  await untilReady(page)
  await untilKept(page, '/api/signatures')
  return { line, page }
}

test.runIf(exhaustive)('OFF-3 a new build is shown at the next navigation; its worker replaces the old', async () => {
  const { line, page } = await visitByLine()
  const former = (await buildOf(page))!
  const next = former.replaceAll(/[\da-f]/g, 'e')
  expect(await workerCaches(page)).toEqual([`portal ${former}`])
  line.rename(former, next)
  await page.reload()
  expect(await buildOf(page)).toBe(next)
  await expect.poll(() => workerCaches(page)).toEqual([`portal ${next}`])
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('article').first().waitFor()
  expect(await buildOf(page)).toBe(next)
})

test.runIf(exhaustive)('OFF-1 OFF-2 on a line without an answer the frame and the last list come', async () => {
  const { line, page } = await visitByLine()
  const release = line.stick()
  await page.reload()
  await page.getByRole('article').first().waitFor()
  await expect
    .poll(() => page.locator('p.offline').innerText())
    .toMatch(/^Dane z\u00a0.*, \d\d:\d\d\. Na razie nie możemy wczytać nowszych\. Spróbujemy ponownie automatycznie\.$/)
  release()
  await expect.poll(() => page.locator('p.offline').innerText()).toBe('')
  expect(await page.getByRole('article').count()).toBeGreaterThan(1)
})

test.skipIf(exhaustive)('R162 a portal that has switched it off leaves no service worker, nothing kept', async () => {
  const off = await startFilledDemonstration({ FEATURES_OFF: 'offline' })
  onTestFinished(() => off.stop())
  const { line, page } = await visitByLine()
  line.switchTarget(off.origin)
  await page.goto(`${line.origin}/faq`)
  const left = () =>
    page.evaluate(async () => [await caches.keys(), (await navigator.serviceWorker.getRegistrations()).length])
  await expect.poll(left).toEqual([[], 0])
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
})

test.runIf(exhaustive)('R161 R148 the server still sees that another site has opened a page', async () => {
  const page = await portal.openAs(person.login, {
    alone: true,
    serviceWorker: true,
    tolerate: /left the portal/,
    to: list,
  })
  await untilReady(page)
  await page.goto(list)
  expect(await page.evaluate(() => !!navigator.serviceWorker.controller)).toBe(true)
  const own = page.waitForResponse((answer) => answer.url().endsWith('?search=own'))
  await page.goto(`${list}?search=own`)
  expect(await (await own).headerValue('content-encoding')).toBe('br')
  // The same portal under another name is another site.
  await page.goto(`${portal.origin.replace('127.0.0.1', 'localhost')}/faq`)
  const strange = page.waitForResponse((answer) => answer.url().endsWith('?search=strange'))
  await page.evaluate((address) => location.assign(address), `${portal.origin}${list}?search=strange`)
  const answer = await strange
  expect([answer.fromServiceWorker(), await answer.headerValue('content-encoding')]).toEqual([true, null])
})

test.runIf(exhaustive)('OFF-4 the browser offers to install the portal, with its name', async () => {
  const page = await portal.openAs(person.login, { alone: true, serviceWorker: true, locale: 'en' })
  await untilReady(page, 'en')
  const devtools = await page.context().newCDPSession(page)
  const { errors, url, data } = await devtools.send('Page.getAppManifest')
  expect([errors, url]).toEqual([[], portal.origin + manifestPath('en')])
  expect(JSON.parse(data!)).toMatchObject({ name: 'Sygnet', start_url: '/en/home', lang: 'en' })
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // A profile of a test is like a private window, where nothing is installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test.runIf(exhaustive)('OFF-1 with storage that is blocked, full or missing every page works', async () => {
  for (const breakStorage of [
    () => void Object.defineProperty(globalThis, 'caches', { value: undefined }),
    () => void Object.defineProperty(navigator, 'serviceWorker', { value: undefined }),
    () => {
      const refuse = () => Promise.reject(new DOMException('Quota exceeded', 'QuotaExceededError'))
      Object.assign(Cache.prototype, { put: refuse, match: refuse })
      Object.assign(CacheStorage.prototype, { open: refuse, match: refuse, delete: refuse, keys: refuse })
      Object.assign(ServiceWorkerContainer.prototype, { register: refuse })
    },
  ]) {
    const page = await portal.openPage({ alone: true, serviceWorker: true, clock: true })
    await page.addInitScript(breakStorage)
    await portal.signIn(page, person.login, { to: list })
    await page.getByRole('article').first().waitFor()
    // What keeps replies and registers the worker has had its turn.
    await page.clock.fastForward(10_000)
    await pressSignOut(page)
    await page.waitForURL(`${portal.origin}/?reason=signed-out`)
  }
})
