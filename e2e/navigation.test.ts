import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inLocale, pages, type PageName } from '../contract/pages.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { menu as menuGroups } from '../web/layouts/menu-items.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { openPortal, say, see } from './testing/open-portal.ts'

const portal = await openPortal()
const names = Object.keys(pages) as PageName[]
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
/** A real address of a page, with its parameter. */
const addressOf = (name: PageName) => pages[name].path.replace(/:\w+/, 'abc')
const openPages = names.filter((name) => !pages[name].protected)
const protectedPages = names.filter((name) => pages[name].protected)

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

describe.each(languages('en'))('%s', (locale) => {
  const at = (path: string) => inLocale(locale, path)
  const entries = menuGroups.flatMap((group) => group.entries).map(({ label }) => say(locale, label))
  const labels = say(locale, {
    pl: {
      menu: 'Menu główne',
      signatures: 'Podpis kwalifikowany',
      changePassword: 'Zmiana hasła',
      software: 'Oprogramowanie',
      signFiles: 'Podpisz pliki',
      documents: 'Dokumenty',
      more: 'Więcej',
      leave: 'Wyloguj się',
    },
    en: {
      menu: 'Main menu',
      signatures: 'Qualified signature',
      changePassword: 'Change password',
      software: 'Software',
      signFiles: 'Sign files',
      documents: 'Documents',
      more: 'More',
      leave: 'Sign out',
    },
  })

  test.runIf(exhaustive)('NAV-1 the menu leads to every page by keyboard and shows the current one', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'oliver', { locale })
    const menu = page.getByRole('navigation', { name: labels.menu })
    expect((await menu.getByRole('link').allTextContents()).map((text) => text.trim())).toEqual(entries)
    for (const [entry, path] of [
      [labels.signatures, '/certificates/signatures'],
      [labels.software, '/software'],
    ] as const) {
      await tabTo(page, entry, '.nav')
      await page.keyboard.press('Enter')
      await page.waitForURL(portal.origin + at(path))
      await menu.locator('[aria-current=page]').getByText(entry).waitFor()
      expect(await menu.locator('[aria-current]').count()).toBe(1)
    }
  })

  test.runIf(exhaustive)(
    'NAV-1 on a phone the bar leads to four places and to a sheet with all of them, by keyboard too',
    async () => {
      const page = await portal.openPage({ locale, viewport: phone })
      await portal.signIn(page, 'oliver', { locale })
      expect(await page.getByRole('navigation', { name: labels.menu }).isVisible()).toBe(false)
      await tabTo(page, labels.more, '.tabbar')
      await page.keyboard.press('Enter')
      const sheet = page.getByRole('dialog')
      await sheet.waitFor()
      expect((await sheet.locator('.nav').getByRole('link').allTextContents()).map((text) => text.trim())).toEqual(
        entries,
      )
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
    },
  )

  test.runIf(exhaustive)('NAV-2 RTE-6 name, language and sign-out are available on every signed-in page', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'oliver', { locale })
    for (const name of protectedPages) {
      await page.setViewportSize(desktop)
      await page.goto(at(addressOf(name)))
      for (const viewport of [desktop, phone]) {
        await page.setViewportSize(viewport)
        await page.getByRole('button', { name: 'Oliver Smith' }).click()
        await page.getByRole('menuitem', { name: labels.leave }).waitFor()
        expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(
          say(locale, {
            pl: ['Moje dane', 'Bezpieczeństwo', 'Zmiana hasła', 'Wyloguj się'],
            en: ['My data', 'Security', 'Change password', 'Sign out'],
          }),
        )
        expect(await page.locator('header .lang').getByRole('link').count()).toBe(2)
        await page.keyboard.press('Escape')
        await page.getByRole('menuitem', { name: labels.leave }).waitFor({ state: 'detached' })
      }
    }
  })

  test.runIf(exhaustive)(
    'RTE-6 RTE-7 every protected page requires a sign-in first, and remembers the requested address',
    async () => {
      const page = await portal.openPage({ locale })
      for (const name of protectedPages) {
        const address = `${at(addressOf(name))}?from=mail`
        const answer = await page.request.get(address, { maxRedirects: 0 })
        const to = new URL(answer.headers()['location'] ?? '', portal.origin)
        expect([name, answer.status(), to.pathname, to.searchParams.get('returnTo')]).toEqual([
          name,
          303,
          at('/'),
          address,
        ])
      }
      await page.goto(`${at(addressOf('home'))}?from=mail`)
      await page.waitForURL(
        (url) => url.pathname === at('/') && url.searchParams.get('returnTo') === `${at('/home')}?from=mail`,
      )
      await page.locator('input[name=login]').waitFor()
    },
  )

  test.runIf(exhaustive)('RTE-2 RTE-5 each public page has its layout, its language and its links', async () => {
    const page = await portal.openPage({ locale })
    const frames = { default: '.app', unauthorized: '.auth', none: '.plain', focus: '.focus' }
    // A link, or a half-finished sign-in, leads to these two; others are redirected.
    for (const name of openPages.filter((each) => each !== 'setupPassword' && each !== 'confirmPhone')) {
      await page.goto(at(pages[name].path))
      await page.locator(frames[pages[name].layout]).waitFor()
      expect(await page.title()).toMatch(/^.+ – Sygnet$/)
      // One page also has the heading of its outline, which only its loader shows.
      expect(await page.locator('h1:visible').count()).toBe(1)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
      const links = await page
        .locator('link[rel=canonical], link[rel=alternate]')
        .evaluateAll((all) => all.map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')]))
      expect(links).toEqual(
        expect.arrayContaining([
          [null, portal.origin + at(pages[name].path)],
          ['pl', portal.origin + pages[name].path],
          ['en', portal.origin + inLocale('en', pages[name].path)],
        ]),
      )
    }
  })

  test.runIf(exhaustive)(
    'NAV-1 NAV-2 RTE-2 public pages have the menu for a customer, by link and by address, and no menu for a visitor',
    async () => {
      const page = await portal.openPage({ locale })
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      for (const name of ['faq', 'check', 'privacy', 'terms', 'accessibility'] as const) {
        await page.goto(at(pages[name].path))
        await page.waitForFunction(() => document.documentElement.dataset['fonts'] === '')
        expect(await page.locator('.plain').count()).toBe(1)
      }
      // The session of a visitor who never signed in here is not requested.
      expect(asked).not.toContain('/api/session')

      await portal.signIn(page, 'oliver', { locale })
      const account = page.getByRole('button', { name: 'Oliver Smith' })
      await page
        .getByRole('navigation', { name: labels.menu })
        .getByRole('link', { name: say(locale, { pl: 'Pytania i\u00a0odpowiedzi', en: 'FAQ' }) })
        .click()
      await page.waitForURL(portal.origin + at('/faq'))
      for (const name of ['faq', 'check', 'privacy', 'terms', 'accessibility'] as const) {
        await account.waitFor()
        expect(await page.getByRole('navigation', { name: labels.menu }).count()).toBe(1)
        expect(await page.locator('.plain').count()).toBe(0)
        await page.goto(at(pages[name].path))
        await page.locator('.app h1').waitFor()
        expect(await page.locator('h1').count()).toBe(1)
      }
      await account.click()
      await page.getByRole('menuitem', { name: labels.leave }).click()
      await page.waitForURL((url) => url.pathname === at('/'))
      await page.goto(at('/faq'))
      await page.waitForFunction(() => document.documentElement.dataset['fonts'] === '')
      expect(await page.locator('.plain').count()).toBe(1)
    },
  )

  test('RTE-3 access denied is a page without the menu, with its text and a link to the login', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(at('/access-denied'))
    await heading(page, say(locale, { pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })).waitFor()
    await see(page, locale, { pl: 'Nie masz uprawnień', en: 'You don’t have permission' })
    await page.getByRole('link', { name: say(locale, { pl: 'Wróć do logowania', en: 'Back to sign-in' }) }).click()
    await page.waitForURL(portal.origin + at('/'))
  })

  test.runIf(exhaustive)(
    'RTE-13 an address that was typed with capitals or a slash at the end opens its page',
    async () => {
      const page = await portal.openPage({ locale })
      for (const path of ['/FAQ', '/faq/?from=mail', '/Faq/']) {
        await page.goto(at(path))
        expect(page.url()).toBe(portal.origin + at(path).toLowerCase().replace('faq/', 'faq'))
        await page.locator('.faq').waitFor()
      }
    },
  )

  test.runIf(exhaustive)('RTE-3 access denied names the signed-in customer, and leads to another account', async () => {
    const page = await portal.openPage({ locale, tolerate: /status of 503/ })
    await portal.signIn(page, 'oliver', { locale })
    await page.goto(at('/access-denied'))
    await heading(page, say(locale, { pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })).waitFor()
    await page.getByText(`Oliver Smith, ${customerOf('oliver').email}`).waitFor()
    expect(await page.locator('main .btn--primary').count()).toBe(1)
    await tabTo(page, say(locale, { pl: 'Zaloguj się na inne konto', en: 'Sign in with another account' }))
    await page.route('**/api/sign-out', (route) => route.fulfill({ status: 503 }))
    await page.keyboard.press('Enter')
    await page
      .locator('.toast')
      .getByText(say(locale, { pl: 'Nie udało się wylogować', en: 'We couldn’t sign you out' }))
      .waitFor()
    // Not earlier: a request that a route holds while the last one ends goes to the server.
    await page.unroute('**/api/sign-out')
    await page
      .locator('.toast')
      .getByRole('button', { name: say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' }) })
      .click()
    await page.waitForURL(`${portal.origin}${at('/')}?reason=signed-out`)
    await page.goto(at('/access-denied'))
    await page.getByRole('link', { name: say(locale, { pl: 'Wróć do logowania', en: 'Back to sign-in' }) }).waitFor()
  })

  test.runIf(exhaustive)('RTE-9 on navigation the title, the focus and the scroll follow', async () => {
    const page = await portal.openPage({ locale, viewport: { width: 1440, height: 500 } })
    await portal.signIn(page, 'malgorzata', { locale })
    await page.getByRole('article').first().waitFor()
    await page.evaluate(() => window.scrollTo(0, 300))
    await page.getByRole('navigation', { name: labels.menu }).getByRole('link', { name: labels.signatures }).click()
    await page.waitForURL(portal.origin + at('/certificates/signatures'))
    await expect
      .poll(() => page.title())
      .toBe(say(locale, { pl: 'Podpis kwalifikowany – Sygnet', en: 'Qualified signature – Sygnet' }))
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
      portal.origin + at('/certificates/signatures'),
    )
    await page.goBack()
    await page.waitForURL(portal.origin + at('/home'))
    await expect.poll(() => page.title()).toBe(`${entries[0]} – Sygnet`)
  })
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

test.runIf(exhaustive)('RTE-7 RTE-4 a sign-in in English leads to the page that was requested in Polish', async () => {
  const page = await portal.openPage({ locale: 'en' })
  await page.goto('/en?returnTo=/software')
  await page.locator('input[name=login]').fill('oliver')
  await page.locator('input[name=password]').fill(customerOf('oliver').password)
  await page.locator('form button[type=submit]:enabled').click()
  await page.locator('dialog input[name=code]').fill(await portal.smsCode(customerOf('oliver').phone))
  await page.waitForURL(`${portal.origin}/software`)
  await heading(page, 'Oprogramowanie').waitFor()
})
