import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readSession, signIn } from '../contract/account.ts'
import { listDocuments } from '../contract/documents.ts'
import { inLocale } from '../contract/pages.ts'
import { changeReminders } from '../contract/reminders.ts'
import { listSoftware } from '../contract/software.ts'
import { summariseTimestamps } from '../contract/timestamps.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { intercept, refuse } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'

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

describe.each(languages('en'))('%s', (locale) => {
  const at = (path: string) => portal.origin + inLocale(locale, path)
  const labels = say(locale, {
    pl: {
      denied: 'ODMOWA DOSTĘPU',
      why: 'Nie masz uprawnień',
      login: 'Wróć do logowania',
      home: 'Wróć do strony Start',
      previous: 'Wróć do poprzedniej strony',
      otherAccount: 'Zaloguj się na inne konto',
      software: 'Oprogramowanie',
    },
    en: {
      denied: 'ACCESS DENIED',
      why: 'You don’t have permission',
      login: 'Back to sign-in',
      home: 'Back to Home',
      previous: 'Back to the previous page',
      otherAccount: 'Sign in with another account',
      software: 'Software',
    },
  })
  const denied = (page: Page) => page.getByRole('heading', { level: 1, name: labels.denied })
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

  test.runIf(exhaustive)(
    'RTE-11 RTE-3 a page whose data the customer may not see is Access denied at its own address, with the way back and the way home',
    async () => {
      const page = await portal.openPage({ locale, tolerate })
      await portal.signIn(page, 'oliver', { locale })
      await refuse(listSoftware, 'cross-site-request')({ page })
      await page.locator('.nav').getByRole('link', { name: labels.software }).click()
      await denied(page).waitFor()
      expect(page.url()).toBe(at('/software'))
      await page.getByText(labels.why).waitFor()
      await page.getByText(`Oliver Smith, ${customerOf('oliver').email}`).waitFor()
      expect(await page.locator('.nav, .toast, dialog[open]').count()).toBe(0)
      await expect.poll(() => page.title()).toContain(say(locale, { pl: 'Odmowa dostępu', en: 'Access denied' }))
      await expect.poll(() => focused(page)).toBe(labels.denied)
      await page.getByRole('button', { name: labels.previous }).click()
      await page.waitForURL(at('/home'))
      await page.locator('.nav').waitFor()

      // Opened by its address there is no page before it in the portal.
      await page.goto(inLocale(locale, '/software'))
      await denied(page).waitFor()
      expect(await page.getByRole('button', { name: labels.previous }).count()).toBe(0)
      await page.getByRole('link', { name: labels.home }).click()
      await page.waitForURL(at('/home'))
      await page.locator('main .card').first().waitFor()
    },
  )

  test.runIf(exhaustive)('RTE-11 HOM-3 a refused part of Home is a failed part, and the rest stays', async () => {
    const page = await portal.openPage({ locale, tolerate })
    await refuse(summariseTimestamps, 'cross-site-request')({ page })
    await portal.signIn(page, 'oliver', { locale })
    await page.locator('.home__failed').waitFor()
    await page.locator('main button.tile').waitFor()
    await expect.poll(() => page.locator('main a.tile').count()).toBe(2)
    expect(await denied(page).count()).toBe(0)
  })

  test.runIf(exhaustive)(
    'RTE-11 an action that the server refuses is Access denied, and the way back leads to the page with the button',
    async () => {
      const page = await portal.openPage({ locale, tolerate })
      await portal.signIn(page, 'oliver', { locale, to: '/my-data' })
      await fromElsewhere(changeReminders)({ page })
      const change = page
        .getByRole('listitem')
        .filter({ hasText: say(locale, { pl: 'Wczesne przypomnienia', en: 'Early reminders' }) })
        .getByRole('button')
      await change.click()
      await denied(page).waitFor()
      expect(await page.locator('.toast').count()).toBe(0)
      await page.getByRole('button', { name: labels.previous }).click()
      await change.waitFor()
      expect(page.url()).toBe(at('/my-data'))
    },
  )

  test.runIf(exhaustive)(
    'RTE-11 a refused session is Access denied, with the way to the login and the sign-out',
    async () => {
      const page = await portal.openPage({ locale, tolerate })
      await portal.enter(page.context(), 'oliver')
      await refuse(readSession, 'cross-site-request')({ page })
      await page.goto(inLocale(locale, '/documents'))
      await denied(page).waitFor()
      await page.getByRole('link', { name: labels.login }).waitFor()
      // The session that is not known can be ended.
      await page.getByRole('button', { name: say(locale, { pl: 'Wyloguj się', en: 'Sign out' }) }).click()
      await page.locator('input[name=login]').waitFor()
      expect((await page.request.get(portal.origin + readSession.path)).status()).toBe(401)

      // A page for everyone only asks who is signed in.
      await page.goto(inLocale(locale, '/faq'))
      const asked = page.waitForResponse((response) => response.url().endsWith(readSession.path))
      await page.evaluate(() => localStorage.setItem('signed-in', '1'))
      await page.reload()
      expect((await asked).status()).toBe(403)
      await page.locator('.faq').waitFor()
      await page.locator('.faq input').fill('x')
      expect(await denied(page).count()).toBe(0)
    },
  )

  test('RTE-11 RTE-7 a visitor without rights signs in first; a sign-in that another site caused is Access denied, with the way to the login', async () => {
    const page = await portal.openPage({ locale, tolerate })
    await page.goto(inLocale(locale, '/documents'))
    await page.locator('button[type=submit]:enabled').waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe(inLocale(locale, '/documents'))
    await fromElsewhere(signIn)({ page })
    await page.locator('input[name=login]').fill('oliver')
    await page.locator('input[name=password]').fill('Wrong-Password-1!')
    await page.locator('button[type=submit]').click()
    await denied(page).waitFor()
    await page.getByRole('link', { name: labels.login }).click()
    await page.locator('input[name=login]').waitFor()
  })

  test.runIf(exhaustive)(
    'RTE-11 R61 what does not exist for the customer stays a 404 in its place, which confirms nothing',
    async () => {
      const page = await portal.openPage({ locale, tolerate: /status of 404/ })
      await portal.signIn(page, 'oliver', { locale })
      await page.goto(inLocale(locale, `/renewal/${crypto.randomUUID()}`))
      await page
        .getByRole('heading', {
          name: say(locale, { pl: 'Nie ma takiego odnowienia', en: 'This renewal doesn’t exist' }),
        })
        .waitFor()
      await refuse(listDocuments, 'not-found')({ page })
      await page.goto(inLocale(locale, '/documents'))
      await page.locator('main .note[role=alert]').first().waitFor()
      expect(await denied(page).count()).toBe(0)
    },
  )
})
