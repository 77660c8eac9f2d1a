import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { passPassword } from './testing/demonstration-run.ts'
import { refuseCall } from './testing/fake-replies.ts'
import { openPortal, say, see } from './testing/open-portal.ts'
import { openSlowLine } from './testing/slow-line.ts'

const portal = await openPortal()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

describe.each(languages('en'))('%s', (locale) => {
  const at = (path: string) => inLocale(locale, path)
  const labels = say(locale, {
    pl: { menu: 'Menu główne', software: 'Oprogramowanie', unavailable: 'Funkcjonalność jest obecnie niedostępna' },
    en: { menu: 'Main menu', software: 'Software', unavailable: 'This feature is currently unavailable' },
  })

  test.runIf(exhaustive)(
    'RTE-8 ERR-1 an unknown path answers 404 and shows the screen in the language of the path',
    async () => {
      const page = await portal.openPage({ locale })
      for (const path of ['/no-such-page', '/home/x', '/certificates']) {
        const answer = await page.goto(at(path))
        expect([path, answer!.status()]).toEqual([path, 404])
        await heading(page, say(locale, { pl: 'Strona nie została znaleziona', en: 'Page Not Found' })).waitFor()
      }
      if (locale === 'pl')
        await page.getByText('Przepraszamy, ale strona której szukasz nie istnieje lub została przeniesiona.').waitFor()
      await page.getByRole('img', { name: '404' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
      await page
        .getByRole('link', { name: say(locale, { pl: 'Powrót do strony głównej', en: 'Back to the home page' }) })
        .click()
      await page.waitForURL(portal.origin + at('/'))
    },
  )

  test.runIf(exhaustive)(
    'ERR-4 ERR-2 a screen whose code does not load ends at the error screen, never at an empty page',
    async () => {
      const page = await portal.openPage({ locale, tolerate: /software-screen|ERR_FAILED/ })
      await page.route(/software-screen.*\.js/, (route) => route.abort())
      await portal.signIn(page, 'oliver', { locale })
      await page.getByRole('link', { name: labels.software }).click()
      await heading(page, say(locale, { pl: 'Ups! Coś poszło nie tak', en: 'Oops! Something went wrong' })).waitFor()
      await page.getByRole('img', { name: '500' }).waitFor()
      await see(page, locale, {
        pl: 'Przepraszamy, wystąpił nieoczekiwany błąd.',
        en: 'Sorry, an unexpected error occurred.',
      })
      expect(
        await page
          .getByRole('link', { name: say(locale, { pl: 'Wróć do strony głównej', en: 'Back to the home page' }) })
          .getAttribute('href'),
      ).toBe(at('/'))
      // The primary button loads the page again, which succeeds now.
      await page.unroute(/software-screen.*\.js/)
      const retry = page.locator('.btn--primary')
      expect(await retry.allTextContents()).toEqual([say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' })])
      await retry.click()
      await heading(page, labels.software).waitFor()
    },
  )

  test.runIf(exhaustive)(
    'ERR-5 a part that the provider cannot serve now says so in its place, and an empty list says that it is empty',
    async () => {
      const page = await portal.openPage({ locale, tolerate: /status of 503/ })
      await portal.signIn(page, 'nowy', { locale, to: '/certificates/signatures' })
      await see(page, locale, { pl: 'Brak danych', en: 'No data' })
      await page.route('**/api/documents*', (route) =>
        route.fulfill({ status: 503, json: { code: 'unavailable', status: 503 } }),
      )
      // The server reads what a page shows first; reached by a link, the browser does.
      await page.locator('.side [data-page=documents] a').click()
      await page.getByRole('main').getByText(labels.unavailable).waitFor()
    },
  )

  test.runIf(exhaustive)(
    'ERR-4 a screen whose code does not load while offline says so, its menu leads to loaded ones, and it loads when the network is back',
    async () => {
      const page = await portal.openPage({
        locale,
        alone: true,
        tolerate: /ERR_INTERNET_DISCONNECTED|ApiError: offline/,
      })
      await portal.signIn(page, 'oliver', { locale })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('link', { name: labels.software }).click()
      await heading(
        page,
        say(locale, { pl: 'Brak połączenia z\u00a0portalem', en: 'Can’t reach the portal' }),
      ).waitFor()
      expect(await page.getByRole('img', { name: '500' }).count()).toBe(0)
      // Once, and not in the bar above it too.
      expect(await page.locator('.offline').isVisible()).toBe(false)
      const menu = page.getByRole('navigation', { name: labels.menu })
      await menu.getByRole('link', { name: say(locale, { pl: 'Start', en: 'Home' }) }).click()
      await page.locator('.tiles').waitFor()
      await menu.getByRole('link', { name: labels.software }).click()
      const retry = page.getByRole('button', { name: say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' }) })
      await retry.press('Enter')
      await see(page, locale, { pl: 'Nadal nie ma połączenia.', en: 'Still no connection.' })
      await page.context().setOffline(false)
      await heading(page, labels.software).waitFor()
      expect(new URL(page.url()).pathname).toBe(at('/software'))
    },
  )

  test.runIf(exhaustive)(
    'ERR-4 a screen whose code does not load, and a portal that is not reached, are a missing network too where the browser knows of none',
    async () => {
      const page = await portal.openPage({ locale, alone: true, tolerate: /ERR_FAILED|ApiError: offline/ })
      await portal.signIn(page, 'oliver', { locale })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.route(/software-screen.*\.js|\/builds\/latest\.json/, (route) => route.abort())
      const menu = page.getByRole('navigation', { name: labels.menu })
      await menu.getByRole('link', { name: labels.software }).click()
      await heading(
        page,
        say(locale, { pl: 'Brak połączenia z\u00a0portalem', en: 'Can’t reach the portal' }),
      ).waitFor()
      expect(await page.evaluate(() => navigator.onLine)).toBe(true)
      await menu.getByRole('link', { name: say(locale, { pl: 'Start', en: 'Home' }) }).click()
      await page.locator('.tiles').waitFor()
    },
  )
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

test.runIf(exhaustive)(
  'ERR-4 AUT-1 a page that a password manager or a translator changed before hydration still works',
  async () => {
    const page = await portal.openPage({ alone: true, tolerate: /React error #418/ })
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        document.querySelector('[name=password]')?.after(document.createElement('div'))
        document.querySelector('h1')?.replaceChildren(document.createElement('font'))
      }),
    )
    await page.goto('/')
    await heading(page, 'Zaloguj się').waitFor()
    await page.locator('button[type=submit]:enabled').waitFor()
    await passPassword(page, 'nowy')
    await page.locator('dialog input[name=code]').waitFor()
  },
)

test('ERR-4 an unhandled rejection ends at the error screen', async () => {
  const page = await portal.openPage({ tolerate: /uncaught|stray/ })
  await page.goto('/')
  await page.locator('button[type=submit]:enabled').waitFor()
  await page.evaluate(() => void Promise.reject(new Error('stray')))
  await heading(page, 'Ups! Coś poszło nie tak').waitFor()
})

test.runIf(exhaustive)(
  'ERR-5 a provider that is down affects only its own region, and trying again repairs it',
  async () => {
    const page = await portal.openPage({ tolerate: /status of 503/ })
    let down = true
    await page.route('**/api/signatures/summary', (route) =>
      down ? refuseCall(route, 'unavailable') : route.fallback(),
    )
    await portal.signIn(page, 'malgorzata', { to: '/software' })
    await page.locator('.side [data-page=home] a').click()
    await page.getByRole('alert').getByText('Funkcjonalność jest obecnie niedostępna').waitFor()
    await page.getByRole('heading', { name: 'Porozmawiaj z\u00a0nami' }).waitFor()
    down = false
    await page.getByRole('main').getByRole('button', { name: 'Spróbuj ponownie' }).click()
    await page.getByRole('article').first().waitFor()
    // The button is gone, and the focus is not lost with it.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  },
)

test.runIf(exhaustive)(
  'ERR-4 a signed-in page whose scripts arrive before the rest of its markup is hydrated once it is complete',
  async () => {
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
  },
)
