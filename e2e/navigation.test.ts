import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inLocale, pages, type PageName } from '../contract/pages.ts'
import { PageConfig } from '../contract/page-config.ts'
import { limits } from '../contract/limits.ts'
import { fewInTurn, languages } from '../server/testing/breadth.ts'
import { menu as menuGroups } from '../web/layouts/menu-items.ts'
import { customerOf, passPassword } from './testing/demonstration-run.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { refuseCall } from './testing/fake-replies.ts'
import { openPortal, say, see } from './testing/open-portal.ts'
import { openSlowLine } from './testing/slow-line.ts'

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
      more: 'Więcej',
      leave: 'Wyloguj się',
      unavailable: 'Funkcjonalność jest obecnie niedostępna',
    },
    en: {
      menu: 'Main menu',
      signatures: 'Qualified signature',
      changePassword: 'Change password',
      software: 'Software',
      more: 'More',
      leave: 'Sign out',
      unavailable: 'This feature is currently unavailable',
    },
  })

  test('NAV-1 the menu leads to every page by keyboard and shows the current one', async () => {
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

  test('NAV-1 on a phone the bar leads to four places and to a sheet with all of them, by keyboard too', async () => {
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
  })

  test('NAV-2 RTE-6 name, language and sign-out are available on every signed-in page', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'oliver', { locale })
    const inTurn = fewInTurn(1)
    for (const name of protectedPages) {
      const viewports = inTurn([desktop, phone])
      await page.setViewportSize(viewports[0]!)
      await page.goto(at(addressOf(name)))
      for (const viewport of viewports) {
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

  test('RTE-6 RTE-7 every protected page requires a sign-in first, and remembers the requested address', async () => {
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
  })

  test('RTE-2 RTE-5 each public page has its layout, its language and its links', async () => {
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

  test('NAV-1 NAV-2 RTE-2 public pages have the menu for a customer, by link and by address, and no menu for a visitor', async () => {
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
  })

  test('RTE-3 access denied is a page without the menu, with its text and a link to the login', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(at('/access-denied'))
    await heading(page, say(locale, { pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })).waitFor()
    await see(page, locale, { pl: 'Nie masz uprawnień', en: 'You don’t have permission' })
    await page.getByRole('link', { name: say(locale, { pl: 'Wróć do logowania', en: 'Back to sign-in' }) }).click()
    await page.waitForURL(portal.origin + at('/'))
  })

  test('RTE-8 ERR-1 an unknown path answers 404 and shows the screen in the language of the path', async () => {
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
  })

  test('RTE-13 an address that was typed with capitals or a slash at the end opens its page', async () => {
    const page = await portal.openPage({ locale })
    for (const path of ['/FAQ', '/faq/?from=mail', '/Faq/']) {
      await page.goto(at(path))
      expect(page.url()).toBe(portal.origin + at(path).toLowerCase().replace('faq/', 'faq'))
      await page.locator('.faq').waitFor()
    }
  })

  test('ERR-4 ERR-2 a screen whose code does not load ends at the error screen, never at an empty page', async () => {
    const page = await portal.openPage({ locale, tolerate: /software-screen|ERR_FAILED/ })
    await page.route(/software-screen.*\.js/, (route) => route.abort())
    await portal.signIn(page, 'oliver', { locale })
    await page.getByRole('link', { name: labels.software }).click()
    await heading(page, say(locale, { pl: 'Ups! Coś poszło nie tak', en: 'Oops! Something went wrong' })).waitFor()
    await page.getByText('500', { exact: true }).waitFor()
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
  })

  test('ERR-5 a part that the provider cannot serve now says so in its place, and an empty list says that it is empty', async () => {
    const page = await portal.openPage({ locale, tolerate: /status of 503/ })
    await portal.signIn(page, 'nowy', { locale, to: '/certificates/signatures' })
    await see(page, locale, { pl: 'Brak danych', en: 'No data' })
    await page.route('**/api/documents*', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', status: 503 } }),
    )
    // The server reads what a page shows first; reached by a link, the browser does.
    await page.locator('.side [data-page=documents] a').click()
    await page.getByRole('main').getByText(labels.unavailable).waitFor()
  })

  test('RTE-1 UIX-4 the language switch keeps place, query and what was typed, and is remembered for 365 days', async () => {
    const otherLocale = locale === 'pl' ? 'en' : 'pl'
    const page = await portal.openPage({ locale })
    await page.goto(at('/password-reset?from=mail'))
    await page.locator('button[type=submit]:enabled').waitFor()
    await page.locator('input[name=email]').fill('half@typed')
    await page
      .locator('.lang')
      .getByRole('link', { name: say(otherLocale, { pl: 'Polski', en: 'English' }) })
      .click()
    await page.waitForURL(portal.origin + inLocale(otherLocale, '/password-reset?from=mail'))
    await expect.poll(() => page.locator('input[name=email]').inputValue()).toBe('half@typed')
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'locale')
    expect(cookie?.value).toBe(otherLocale)
    expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(365)
    // RTE-12: whoever types the bare address gets the chosen language, and one press leads back for good.
    await page.goto('/?from=typed')
    expect(page.url()).toBe(portal.origin + inLocale(otherLocale, '/?from=typed'))
    // The page keeps the query in the link once it is ready; without script the link leads to the page alone.
    await page.locator('button[type=submit]:enabled').waitFor()
    await page
      .locator('.lang')
      .getByRole('link', { name: say(locale, { pl: 'Polski', en: 'English' }) })
      .click()
    await page.waitForURL(portal.origin + at('/?from=typed'))
    await page.goto('/')
    expect(page.url()).toBe(portal.origin + at('/'))
    await page.goto(inLocale(otherLocale, '/faq'))
    expect(page.url()).toBe(portal.origin + inLocale(otherLocale, '/faq'))
  })

  test('RTE-12 the link to Polish leads there without script too, also from an error screen', async () => {
    const page = await portal.openPage({ locale, javaScriptEnabled: false, alone: true })
    await page.context().addCookies([{ name: 'locale', value: 'en', url: portal.origin }])
    await page.goto('/')
    expect(page.url()).toBe(`${portal.origin}/en`)
    for (const path of ['/en', '/en/no-such-page']) {
      await page.goto(path)
      await page.locator('a[hreflang=pl]:visible').click()
      await page.waitForURL(`${portal.origin}/`)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('pl')
    }
  })

  test('RTE-1 a language switch warns before a typed password is lost, by keyboard; the rest is kept', async () => {
    const otherLocale = locale === 'pl' ? 'en' : 'pl'
    const page = await portal.openPage({ locale })
    await page.goto(at('/?from=mail'))
    await page.locator('button[type=submit]:enabled').waitFor()
    await page.locator('input[name=login]').fill('oliver')
    await page.locator('input[name=password]').fill('Half-typed')
    // A password that is shown as text is still a password.
    await page.getByRole('button', { name: say(locale, { pl: 'Pokaż: Hasło', en: 'Show: Password' }) }).click()
    const choose = async () => {
      await page.locator('.lang [hreflang]:not([aria-current])').focus()
      await page.keyboard.press('Enter')
      await page
        .getByRole('alertdialog')
        .getByText(
          say(locale, { pl: /Hasło trzeba będzie wpisać ponownie/, en: /You’ll have to enter your password again/ }),
        )
        .waitFor()
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

  test('RTE-3 access denied names the signed-in customer, and leads to another account', async () => {
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

  test('ERR-4 a screen whose code does not load while offline says so, its menu leads to loaded ones, and it loads when the network is back', async () => {
    const page = await portal.openPage({
      locale,
      alone: true,
      tolerate: /ERR_INTERNET_DISCONNECTED|ApiError: offline/,
    })
    await portal.signIn(page, 'oliver', { locale })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: labels.software }).click()
    await heading(page, say(locale, { pl: 'Brak połączenia z\u00a0portalem', en: 'Can’t reach the portal' })).waitFor()
    expect(await page.getByText('500').count()).toBe(0)
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
  })

  test('ERR-4 a screen whose code does not load, and a portal that is not reached, are a missing network too where the browser knows of none', async () => {
    const page = await portal.openPage({ locale, alone: true, tolerate: /ERR_FAILED|ApiError: offline/ })
    await portal.signIn(page, 'oliver', { locale })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.route(/software-screen.*\.js|\/builds\/latest\.json/, (route) => route.abort())
    const menu = page.getByRole('navigation', { name: labels.menu })
    await menu.getByRole('link', { name: labels.software }).click()
    await heading(page, say(locale, { pl: 'Brak połączenia z\u00a0portalem', en: 'Can’t reach the portal' })).waitFor()
    expect(await page.evaluate(() => navigator.onLine)).toBe(true)
    await menu.getByRole('link', { name: say(locale, { pl: 'Start', en: 'Home' }) }).click()
    await page.locator('.tiles').waitFor()
  })

  test('RTE-9 on navigation the title, the focus and the scroll follow', async () => {
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

  test('HTT-4 public pages can be read without script, and have their payload', async () => {
    const page = await portal.openPage({ locale, javaScriptEnabled: false })
    for (const name of openPages) {
      const answer = await page.goto(at(addressOf(name)))
      expect([name, answer!.status()]).toEqual([name, 200])
      expect((await page.locator('main h1').first().innerText()).length).toBeGreaterThan(2)
      const path = at(pages[name].path.replace('/:token', ''))
      const payload = await page.request.get(`${path === '/' ? '' : path}/_payload.json`)
      expect([name, payload.status()]).toEqual([name, 200])
      expect(await payload.json()).toMatchObject({ page: name, locale })
    }
    await page.goto(at('/'))
    await page.locator('noscript .note').waitFor()
    expect(await page.locator('button[type=submit]').isDisabled()).toBe(true)
  })
})

describe('HTT-6 links to prerendered pages', () => {
  const link = (page: Page) => page.locator('main a[href$="/register"]')

  /** What is requested from now on, without the query and the hashes of files. */
  function watchRequests(page: Page) {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      // The browser fetches the icon when it likes.
      if (pathname !== '/favicon.svg')
        asked.push(pathname.startsWith('/assets/') ? pathname.replace(/^.*\.(\w+)$/, 'asset $1') : pathname)
    })
    return asked
  }

  test('HTT-6 a link reads the payload once, and neither a document nor a call besides the page’s own', async () => {
    const page = await portal.openPage()
    await page.goto('/')
    await page.locator('button[type=submit]:enabled').waitFor()
    const asked = watchRequests(page)
    await link(page).click()
    await page.locator('input[name=email]').waitFor()
    await page.locator('button[type=submit]:enabled').waitFor()
    const paths = asked.filter((path) => !path.startsWith('asset '))
    expect(paths.filter((path) => path.endsWith('_payload.json'))).toEqual(['/register/_payload.json'])
    expect(paths.filter((path) => !path.startsWith('/api/'))).toEqual(['/register/_payload.json'])
    expect(paths.filter((path) => /session|config|builds/.test(path))).toEqual([])
    await page.goBack()
    await page.locator('input[name=password]').waitFor()
    await page.goForward()
    await page.locator('input[name=email]').waitFor()
    expect(asked.filter((path) => path.endsWith('_payload.json'))).toHaveLength(1)
  })

  test('HTT-6 a page opened by its address is complete, so it reads no payload', async () => {
    const page = await portal.openPage()
    const asked = watchRequests(page)
    await page.goto('/register')
    await page.locator('button[type=submit]:enabled').waitFor()
    expect(asked.filter((path) => path.endsWith('_payload.json'))).toEqual([])
  })

  test('HTT-6 HTT-3 after an update, where the code of the open build is gone, a link loads the whole page of the new one', async () => {
    const page = await portal.openPage({ tolerate: /404/ })
    await page.goto('/')
    await page.locator('button[type=submit]:enabled').waitFor()
    await page.route('**/register/_payload.json', (route) =>
      route.fulfill({ json: { build: 'newer', page: 'register', locale: 'pl' } }),
    )
    await page.route(/\/assets\/register-screen/, (route) => route.fulfill({ status: 404 }), { times: 2 })
    await Promise.all([page.waitForEvent('load'), link(page).click()])
    expect(page.url()).toBe(`${portal.origin}/register`)
    await page.locator('button[type=submit]:enabled').waitFor()
  })

  test('HTT-6 a payload that does not arrive delays nobody', async () => {
    const page = await portal.openPage()
    await page.goto('/')
    await page.locator('button[type=submit]:enabled').waitFor()
    await page.route('**/_payload.json', () => undefined)
    let isGivenUp = false
    page.on('requestfailed', (request) => (isGivenUp ||= request.url().endsWith('_payload.json')))
    const asked = page.waitForRequest('**/_payload.json')
    await link(page).click()
    await asked
    await page.locator('input[name=email]').waitFor()
    expect(isGivenUp).toBe(false)
  })

  test('HTT-6 without its payload the page is shown all the same', async () => {
    const page = await portal.openPage({ tolerate: /503/ })
    await page.goto('/')
    await page.locator('button[type=submit]:enabled').waitFor()
    await page.route('**/_payload.json', (route) => route.fulfill({ status: 503 }))
    await link(page).click()
    await page.locator('input[name=email]').waitFor()
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

test('RTE-1 signed in, the language switch keeps the list’s filters and order', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures?status=inactive&search=Oddzia%C5%82' })
  await page.getByRole('article').first().waitFor()
  await page.locator('.lang').getByRole('link', { name: 'English' }).click()
  await page.waitForURL((url) => url.pathname === '/en/certificates/signatures')
  await page.getByRole('article').first().waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('Oddział')
  expect(await page.getByRole('combobox', { name: 'Status' }).textContent()).toBe('Inactive')
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

test('ERR-4 AUT-1 a page that a password manager or a translator changed before hydration still works', async () => {
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
})

test('HTT-2 HTT-7 a signed-in page requests its data once, and only on that page: none that came with the document', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'oliver')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  await page.reload()
  await page.locator('.who:enabled').waitFor()
  await page.locator('.side [data-page=signatures] a').click()
  await page.locator('main .cert').first().waitFor()
  expect(asked).toEqual(['/api/signatures'])
})

test('ERR-4 an unhandled rejection ends at the error screen', async () => {
  const page = await portal.openPage({ tolerate: /uncaught|stray/ })
  await page.goto('/')
  await page.locator('button[type=submit]:enabled').waitFor()
  await page.evaluate(() => void Promise.reject(new Error('stray')))
  await heading(page, 'Ups! Coś poszło nie tak').waitFor()
})

test('ERR-5 a provider that is down affects only its own region, and trying again repairs it', async () => {
  const page = await portal.openPage({ tolerate: /status of 503/ })
  let down = true
  await page.route('**/api/signatures/summary', (route) => (down ? refuseCall(route, 'unavailable') : route.fallback()))
  await portal.signIn(page, 'malgorzata', { to: '/software' })
  await page.locator('.side [data-page=home] a').click()
  await page.getByRole('alert').getByText('Funkcjonalność jest obecnie niedostępna').waitFor()
  await page.getByRole('heading', { name: 'Porozmawiaj z\u00a0nami' }).waitFor()
  down = false
  await page.getByRole('main').getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await page.getByRole('article').first().waitFor()
  // The button is gone, and the focus is not lost with it.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('HTT-2 the page carries its configuration as data', async () => {
  const page = await portal.openPage()
  await page.goto('/')
  const config = PageConfig.parse(JSON.parse((await page.locator('script#config').textContent())!))
  expect(config).toMatchObject({ baseURL: '/api', assets: '/assets/', demonstration: true })
  expect(config.botCheck).toEqual({ kind: 'altcha', siteKey: '' })
})

test('HTT-3 a newer build is offered after an hour, once, and accepting it keeps what was typed', async () => {
  const page = await portal.openPage({ clock: true })
  await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { id: 'newer', timestamp: 1 } }))
  await page.route('**/builds/meta/newer.json', (route) => route.fulfill({ json: { id: 'newer', timestamp: 1 } }))
  await page.goto('/password-reset')
  await page.locator('button[type=submit]:enabled').waitFor()
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

test('HTT-3 without a newer build nothing is offered', async () => {
  const page = await portal.openPage({ clock: true })
  await page.goto('/')
  await page.locator('button[type=submit]:enabled').waitFor()
  const asked = page.waitForResponse('**/builds/latest.json')
  await page.clock.fastForward(limits.buildCheckMs)
  expect((await asked).status()).toBe(200)
  expect(await page.locator('.toast').count()).toBe(0)
})

test('RTE-7 RTE-4 a sign-in in English leads to the page that was requested in Polish', async () => {
  const page = await portal.openPage({ locale: 'en' })
  await page.goto('/en?returnTo=/software')
  await page.locator('input[name=login]').fill('oliver')
  await page.locator('input[name=password]').fill(customerOf('oliver').password)
  await page.locator('form button[type=submit]:enabled').click()
  await page.locator('dialog input[name=code]').fill(await portal.smsCode(customerOf('oliver').phone))
  await page.waitForURL(`${portal.origin}/software`)
  await heading(page, 'Oprogramowanie').waitFor()
})

test('ERR-4 a signed-in page whose scripts arrive before the rest of its markup is hydrated once it is complete', async () => {
  const line = await openSlowLine(portal.origin)
  const arrive = line.cut('/home', '<header')
  const page = await portal.openPage({ alone: true, tolerate: new RegExp(line.origin) })
  const messages: string[] = []
  page.on('console', (message) => void messages.push(message.text()))
  await portal.signIn(page, 'oliver')
  await page.goto(`${line.origin}/home`, { waitUntil: 'commit' })
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name, duration }) => /\/assets\/main-/.test(name) && duration > 0),
  )
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  arrive()
  await page.getByRole('button', { name: 'Oliver Smith' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).waitFor()
  expect(messages.filter((text) => text.includes('#418'))).toEqual([])
})
