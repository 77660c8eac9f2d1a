import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readSession, signIn } from '../contract/account.ts'
import { inLocale } from '../contract/pages.ts'
import { changeReminders } from '../contract/reminders.ts'
import { listSoftware } from '../contract/software.ts'
import { summariseTimestamps } from '../contract/timestamps.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { untilFocused } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { intercept, refuse } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const tolerate = /status of 403/

/** The portal's own refusal of a write that another site has caused. */
const fromElsewhere = (endpoint: Parameters<typeof intercept>[0]) =>
  intercept(endpoint, async (route) => {
    const headers = { ...route.request().headers(), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await route.fetch({ headers })
    expect(response.status()).toBe(403)
    await route.fulfill({ response })
  })

const locale = language('en')
const { button, translate } = inLanguage(locale)
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
  const page = await portal.openPage({ locale, tolerate })
  await portal.signIn(page, 'oliver', { locale, to: '/my-data' })
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
