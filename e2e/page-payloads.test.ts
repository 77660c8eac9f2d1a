import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

const link = (page: Page) => page.locator('main a[href$="/register"]')

/** What is requested from now on, without the query and the hashes of files. */
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
