import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { exhaustive } from '../server/testing/breadth.ts'
import { passPassword } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'
import { openSlowLine } from './testing/slow-line.ts'

const portal = await openPortal()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test.runIf(exhaustive)('ERR-4 ERR-2 a screen without its code is a missing network, or an error to retry', async () => {
  const page = await portal.openPage({ alone: true, tolerate: /software-screen|ERR_FAILED|ApiError: offline/ })
  await portal.signIn(page, 'oliver')
  const screen = /software-screen.*\.js/
  for (const each of [screen, /\/builds\/latest\.json/]) await page.route(each, (route) => route.abort())
  const menu = page.getByRole('navigation', { name: 'Menu główne' })
  await menu.getByRole('link', { name: 'Oprogramowanie' }).click()
  await heading(page, 'Brak połączenia z\u00a0portalem').waitFor()
  // The browser knows of no missing network.
  expect(await page.evaluate(() => navigator.onLine)).toBe(true)
  await menu.getByRole('link', { name: 'Start' }).click()
  await page.locator('.tiles').waitFor()

  // The portal is reached, but the code is not there.
  await page.unroute(/\/builds\/latest\.json/)
  await page.reload()
  await menu.getByRole('link', { name: 'Oprogramowanie' }).click()
  await heading(page, 'Ups! Coś poszło nie tak').waitFor()
  await page.getByRole('img', { name: '500' }).waitFor()
  const back = page.getByRole('link', { name: 'Wróć do strony głównej' })
  expect(await back.getAttribute('href')).toBe('/')
  // The button loads the page again, which succeeds now.
  await page.unroute(screen)
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await heading(page, 'Oprogramowanie').waitFor()
})

test.runIf(exhaustive)('ERR-4 a screen whose code does not load offline says so, and loads back online', async () => {
  const page = await portal.openPage({ alone: true, tolerate: /ERR_INTERNET_DISCONNECTED|ApiError: offline/ })
  await portal.signIn(page, 'oliver')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Oprogramowanie' }).click()
  await heading(page, 'Brak połączenia z\u00a0portalem').waitFor()
  expect(await page.getByRole('img', { name: '500' }).count()).toBe(0)
  // Once, and not in the bar above it too.
  expect(await page.locator('.offline').isVisible()).toBe(false)
  const menu = page.getByRole('navigation', { name: 'Menu główne' })
  await menu.getByRole('link', { name: 'Start' }).click()
  await page.locator('.tiles').waitFor()
  await menu.getByRole('link', { name: 'Oprogramowanie' }).click()
  const retry = page.getByRole('button', { name: 'Spróbuj ponownie' })
  await retry.press('Enter')
  await page.getByText('Nadal nie ma połączenia.').waitFor()
  await page.context().setOffline(false)
  await heading(page, 'Oprogramowanie').waitFor()
  expect(new URL(page.url()).pathname).toBe('/software')
})

test('ERR-3 the background picture of the error screens is at its static path', async () => {
  const page = await portal.openPage()
  const picture = await page.request.get('/error_bg.jpg')
  expect(picture.status()).toBe(200)
  expect(picture.headers()['content-type']).toBe('image/jpeg')
  await page.goto('/no-such-page')
  const used = await page.evaluate(() =>
    [...document.querySelectorAll('*')].some((element) =>
      getComputedStyle(element).backgroundImage.includes('/error_bg.jpg'),
    ),
  )
  expect(used).toBe(true)
})

test.runIf(exhaustive)('ERR-4 a page that a password manager changed before hydration still works', async () => {
  const page = await portal.openPage({ alone: true, tolerate: /React error #418/ })
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      document.querySelector('[name=password]')?.after(document.createElement('div'))
      document.querySelector('h1')?.replaceChildren(document.createElement('font'))
    }),
  )
  await page.goto('/')
  await heading(page, 'Zaloguj się').waitFor()
  await passPassword(page, 'nowy')
  await page.locator('dialog input[name=code]').waitFor()
})

test('ERR-4 an unhandled rejection ends at the error screen', async () => {
  const page = await portal.openPage({ tolerate: /uncaught|stray/ })
  await page.goto('/')
  await page.evaluate(() => void Promise.reject(new Error('stray')))
  await heading(page, 'Ups! Coś poszło nie tak').waitFor()
})

test.runIf(exhaustive)('ERR-4 a page whose scripts arrive before its markup is hydrated when complete', async () => {
  const line = await openSlowLine(portal.origin)
  const arrive = line.cut('/home', '<header')
  const page = await portal.openPage({ alone: true, tolerate: new RegExp(line.origin) })
  const messages: string[] = []
  page.on('console', (message) => void messages.push(message.text()))
  await portal.signIn(page, 'oliver')
  await page.goto(`${line.origin}/home`, { waitUntil: 'commit' })
  // A page that is not painted yet has no frames, in which it would be asked by default.
  await page.waitForFunction(
    () =>
      performance
        .getEntriesByType('resource')
        .some(({ name, duration }) => /\/assets\/main-/.test(name) && duration > 0),
    undefined,
    { polling: 50 },
  )
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  arrive()
  await page.getByRole('button', { name: 'Oliver Smith' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).waitFor()
  expect(messages.filter((text) => text.includes('#418'))).toEqual([])
})
