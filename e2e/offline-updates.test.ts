import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { manifestPath } from '../server/platform/pages/app-files.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { startFilledDemonstration } from '../server/testing/filled-demonstration.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { untilKept, untilReady } from './testing/offline-state.ts'
import { openPortal } from './testing/open-portal.ts'
import { openSlowLine } from './testing/slow-line.ts'
import { pressSignOut } from './testing/browser-pages.ts'

const portal = await openPortal()
const list = '/certificates/signatures'
const person = customerOf('malgorzata')

const buildOf = (page: Page) => page.locator('meta[name=build]').getAttribute('content')
const workerCaches = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('portal ')))

/** Her list over a line of its own, with the service worker ready. */
async function visit() {
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
  const { line, page } = await visit()
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
  const { line, page } = await visit()
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
  const { line, page } = await visit()
  line.lead(off.origin)
  await page.goto(`${line.origin}/faq`)
  const left = () =>
    page.evaluate(async () => [await caches.keys(), (await navigator.serviceWorker.getRegistrations()).length])
  await expect.poll(left).toEqual([[], 0])
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
})

test.runIf(exhaustive)('R161 R148 the server still sees that another site has opened a page', async () => {
  const page = await portal.openPage({ alone: true, serviceWorker: true, tolerate: /left the portal/ })
  await portal.signIn(page, person.login, { to: list })
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
  const page = await portal.openPage({ alone: true, serviceWorker: true, locale: 'en' })
  await portal.signIn(page, person.login, { locale: 'en' })
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
