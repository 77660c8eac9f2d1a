import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readSession, signIn } from '../contract/account.ts'
import { inLocale } from '../contract/pages.ts'
import { changeReminders } from '../contract/signatures.ts'
import { listSoftware } from '../contract/software.ts'
import { summariseTimestamps } from '../contract/timestamps.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { untilFocused } from './testing/browser-pages.ts'
import { passPassword, customerOf } from './testing/demonstration-run.ts'
import { intercept, refuse } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { openSlowLine } from './testing/slow-line.ts'

const portal = await openPortal()
const locale = language('en')
const { button, translate } = inLanguage(locale)
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test.runIf(exhaustive)('ERR-4 ERR-2 a screen without its code is a missing network, or an error to retry', async () => {
  const page = await portal.openAs('oliver', { alone: true, tolerate: /software-screen|ERR_FAILED|ApiError: offline/ })
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
  const page = await portal.openAs('oliver', { alone: true, tolerate: /ERR_INTERNET_DISCONNECTED|ApiError: offline/ })
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

const tolerate = /status of 403/

/** Answers a call with the portal's own refusal of a write that another site has caused. */
const fromElsewhere = (endpoint: Parameters<typeof intercept>[0]) =>
  intercept(endpoint, async (route) => {
    const headers = { ...route.request().headers(), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await route.fetch({ headers })
    expect(response.status()).toBe(403)
    await route.fulfill({ response })
  })

const at = (path: string) => portal.origin + inLocale(locale, path)
const labels = {
  denied: translate('ODMOWA DOSTĘPU', 'ACCESS DENIED'),
  why: translate('Nie masz uprawnień', 'You don’t have permission'),
  login: translate('Wróć do logowania', 'Back to sign-in'),
  home: translate('Wróć do strony Start', 'Back to Home'),
  previous: translate('Wróć do poprzedniej strony', 'Back to the previous page'),
  software: translate('Oprogramowanie', 'Software'),
}
const denied = (page: Page) => page.getByRole('heading', { level: 1, name: labels.denied })

test.runIf(exhaustive)('RTE-11 RTE-3 a refused read, action or session is Access denied in its place', async () => {
  const page = await portal.openAs('oliver', { locale, tolerate, to: '/my-data' })
  // An action: the way back leads to the page with its button.
  await fromElsewhere(changeReminders)({ page })
  const change = page
    .getByRole('listitem')
    .filter({ hasText: translate('Wczesne przypomnienia', 'Early reminders') })
    .getByRole('button')
  await change.click()
  await denied(page).waitFor()
  await page.getByRole('button', { name: labels.previous }).click()
  await change.waitFor()
  expect(page.url()).toBe(at('/my-data'))

  // A read: at its own address, without the menu.
  await refuse(listSoftware, 'cross-site-request')({ page })
  await page.locator('.nav').getByRole('link', { name: labels.software }).click()
  await denied(page).waitFor()
  expect(page.url()).toBe(at('/software'))
  await page.getByText(labels.why).waitFor()
  await page.getByText(`Oliver Smith, ${customerOf('oliver').email}`).waitFor()
  expect(await page.locator('.nav, .toast, dialog[open]').count()).toBe(0)
  await expect.poll(() => page.title()).toContain(translate('Odmowa dostępu', 'Access denied'))
  await untilFocused(denied(page))
  await page.getByRole('button', { name: labels.previous }).click()
  await page.waitForURL(at('/my-data'))

  // Opened by its address there is no page before it in the portal, and a refused part of Home is a failed part.
  await page.goto(inLocale(locale, '/software'))
  await denied(page).waitFor()
  expect(await page.getByRole('button', { name: labels.previous }).count()).toBe(0)
  await refuse(summariseTimestamps, 'cross-site-request')({ page })
  await page.getByRole('link', { name: labels.home }).click()
  await page.locator('.home__failed').waitFor()
  await expect.poll(() => page.locator('main a.tile').count()).toBe(2)
  expect(await denied(page).count()).toBe(0)

  // The session, which is not known then, can be ended.
  await refuse(readSession, 'cross-site-request')({ page })
  await page.goto(inLocale(locale, '/documents'))
  await denied(page).waitFor()
  await page.getByRole('link', { name: labels.login }).waitFor()
  await button(page, 'Wyloguj się', 'Sign out').click()
  await page.locator('input[name=login]').waitFor()
  expect((await page.request.get(portal.origin + readSession.path)).status()).toBe(401)
})

test('RTE-11 RTE-7 a sign-in that another site has caused is Access denied', async () => {
  const page = await portal.openPage({ locale, tolerate })
  await page.goto(inLocale(locale, '/documents'))
  expect(new URL(page.url()).searchParams.get('returnTo')).toBe(inLocale(locale, '/documents'))
  await fromElsewhere(signIn)({ page })
  await page.locator('input[name=login]').fill('oliver')
  await page.locator('input[name=password]').fill('Wrong-Password-1!')
  await page.locator('button[type=submit]').click()
  await denied(page).waitFor()
  await page.getByRole('link', { name: labels.login }).click()
  await page.locator('input[name=login]').waitFor()
})
