import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { menu as menuGroups } from '../web/layouts/menu-items.ts'
import { phone } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const locale = language('en')
const { at, link, waitForText, translate, button } = inLanguage(locale)

const focusOn = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

/** Presses Tab until an element with this text has the focus. */
async function tabTo(page: Page, text: string, within?: string) {
  for (let tabs = 0; tabs < 60; tabs++) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(
      (area) => (!area || document.activeElement?.closest(area) ? document.activeElement?.textContent?.trim() : ''),
      within,
    )
    if (here === text) return
  }
  throw new Error(`Tab does not reach „${text}”.`)
}

const entries = menuGroups.flatMap((group) => group.entries).map(({ label }) => label[locale])
const labels = {
  menu: translate('Menu główne', 'Main menu'),
  signatures: translate('Podpis kwalifikowany', 'Qualified signature'),
  changePassword: translate('Zmiana hasła', 'Change password'),
  software: translate('Oprogramowanie', 'Software'),
  signFiles: translate('Podpisz pliki', 'Sign files'),
  documents: translate('Dokumenty', 'Documents'),
  more: translate('Więcej', 'More'),
  leave: translate('Wyloguj się', 'Sign out'),
}

test('NAV-1 RTE-9 the menu leads on by keyboard; title, focus and scroll follow', async () => {
  const page = await portal.openAs('malgorzata', { locale, viewport: { width: 1440, height: 500 } })
  const menu = page.getByRole('navigation', { name: labels.menu })
  expect((await menu.getByRole('link').allTextContents()).map((text) => text.trim())).toEqual(entries)
  await page.evaluate(() => window.scrollTo(0, 300))
  await tabTo(page, labels.signatures, '.nav')
  await page.keyboard.press('Enter')
  await page.waitForURL(portal.origin + at('/certificates/signatures'))
  await menu.locator('[aria-current=page]').getByText(labels.signatures).waitFor()
  expect(await menu.locator('[aria-current]').count()).toBe(1)
  await expect.poll(() => page.title()).toBe(`${labels.signatures} – Sygnet`)
  await expect.poll(() => page.evaluate(() => [document.activeElement?.tagName, window.scrollY])).toEqual(['H1', 0])
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(page.url())

  await page.getByRole('button', { name: 'Małgorzata Wiśniewska', exact: true }).click()
  await page.getByRole('menuitem', { name: labels.leave }).waitFor()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    ...{ pl: ['Moje dane', 'Bezpieczeństwo'], en: ['My data', 'Security'] }[locale],
    labels.changePassword,
    labels.leave,
  ])
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.waitForURL(portal.origin + at('/home'))
  await expect.poll(() => page.title()).toBe(`${entries[0]} – Sygnet`)
})

test.runIf(exhaustive)('NAV-1 on a phone the bar leads to a sheet with all entries, by keyboard too', async () => {
  const page = await portal.openAs('oliver', { locale, viewport: phone })
  expect(await page.getByRole('navigation', { name: labels.menu }).isVisible()).toBe(false)
  await tabTo(page, labels.more, '.tabbar')
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  expect((await sheet.locator('.nav').getByRole('link').allTextContents()).map((text) => text.trim())).toEqual(entries)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await focusOn(page)).toBe(labels.more)
  await page.keyboard.press('Enter')
  await tabTo(page, labels.changePassword, '.nav--sheet')
  await page.keyboard.press('Enter')
  await page.waitForURL(portal.origin + at('/change-password'))
  await sheet.waitFor({ state: 'detached' })
  await page.locator('.tabbar [aria-current=page]').waitFor()
  for (const [entry, tab] of [
    [labels.software, labels.more],
    [labels.signFiles, labels.documents],
  ] as const) {
    await page.locator('.tabbar').getByRole('button').click()
    await sheet.locator('.nav').getByRole('link', { name: entry }).click()
    await page.locator('.tabbar [aria-current]').getByText(tab).waitFor()
    expect(await page.locator('.tabbar [aria-current]').count()).toBe(1)
  }
})

test('RTE-3 access denied leads a visitor to the login, and a customer to another account', async () => {
  const page = await portal.openPage({ locale })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(at('/access-denied'))
  await page.getByRole('heading', { level: 1, name: translate('ODMOWA DOSTĘPU', 'ACCESS DENIED') }).waitFor()
  await waitForText(page, 'Nie masz uprawnień', 'You don’t have permission')
  await link(page, 'Wróć do logowania', 'Back to sign-in').click()
  await page.waitForURL(portal.origin + at('/'))
  // The session of a visitor who never signed in here is not requested.
  expect(asked).not.toContain('/api/session')

  await portal.signIn(page, 'oliver', { locale })
  await page.goto(at('/access-denied'))
  await page.getByText(`Oliver Smith, ${customerOf('oliver').email}`).waitFor()
  await tabTo(page, translate('Zaloguj się na inne konto', 'Sign in with another account'))
  await page.keyboard.press('Enter')
  await page.waitForURL(`${portal.origin}${at('/')}?reason=signed-out`)
})

test('RTE-10 the colours stay light where the system is dark', async () => {
  const page = await portal.openPage({ alone: true })
  const look = async () => {
    await page.goto('/')
    return page.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.querySelector('input')!).backgroundColor,
      getComputedStyle(document.documentElement).colorScheme,
    ])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await look()
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await look()).toEqual(light)
  expect(light[2]).toMatch(/light/)
})

test('RTE-1 UIX-4 the language switch keeps place, query and text, and lasts for 365 days', async () => {
  const otherLocale = locale === 'pl' ? 'en' : 'pl'
  const page = await portal.openPage({ locale })
  await page.goto(at('/password-reset?from=mail'))
  await page.locator('input[name=email]').fill('half@typed')
  await page
    .locator('.lang')
    .getByRole('link', { name: { pl: 'Polski', en: 'English' }[otherLocale] })
    .click()
  await page.waitForURL(portal.origin + inLocale(otherLocale, '/password-reset?from=mail'))
  await expect.poll(() => page.locator('input[name=email]').inputValue()).toBe('half@typed')
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'locale')
  expect(cookie?.value).toBe(otherLocale)
  expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(365)
  // RTE-12: whoever types the bare address gets the chosen language, and one press leads back for good.
  await page.goto('/?from=typed')
  expect(page.url()).toBe(portal.origin + inLocale(otherLocale, '/?from=typed'))
  await link(page.locator('.lang'), 'Polski', 'English').click()
  await page.waitForURL(portal.origin + at('/?from=typed'))
  await page.goto('/')
  expect(page.url()).toBe(portal.origin + at('/'))
  await page.goto(inLocale(otherLocale, '/faq'))
  expect(page.url()).toBe(portal.origin + inLocale(otherLocale, '/faq'))
})

test('RTE-1 a language switch warns before a typed password is lost, by keyboard', async () => {
  const otherLocale = locale === 'pl' ? 'en' : 'pl'
  const page = await portal.openPage({ locale })
  await page.goto(at('/?from=mail'))
  await page.locator('input[name=login]').fill('oliver')
  await page.locator('input[name=password]').fill('Half-typed')
  // A password that is shown as text is still a password.
  await button(page, 'Pokaż: Hasło', 'Show: Password').click()
  const choose = async () => {
    await page.locator('.lang [hreflang]:not([aria-current])').focus()
    await page.keyboard.press('Enter')
    await waitForText(
      page.getByRole('alertdialog'),
      /Hasło trzeba będzie wpisać ponownie/,
      /You’ll have to enter your password again/,
    )
  }
  await choose()
  // The safe button has the focus.
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('hreflang'))).toBe(otherLocale)
  expect(new URL(page.url()).pathname).toBe(at('/'))
  expect(await page.locator('input[name=password]').inputValue()).toBe('Half-typed')
  await choose()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(portal.origin + inLocale(otherLocale, '/?from=mail'))
  await expect.poll(() => page.locator('input[name=login]').inputValue()).toBe('oliver')
  expect(await page.locator('input[name=password]').inputValue()).toBe('')
})
