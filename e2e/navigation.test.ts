import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inLocale, pages, type PageName } from '../contract/pages.ts'
import { PageConfig } from '../contract/page-config.ts'
import { limits } from '../contract/limits.ts'
import { fewInTurn, languages } from '../server/testing/breadth.ts'
import { customerOf, passPassword } from '../tools/demonstration-run.ts'
import { desktop, phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const names = Object.keys(pages) as PageName[]
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
/** A real address of a page, whatever its parameter. */
const addressOf = (name: PageName) => pages[name].path.replace(/:\w+/, 'abc')
const openPages = names.filter((name) => !pages[name].protected)
const protectedPages = names.filter((name) => pages[name].protected)

const focusOn = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

/** Presses Tab until the focus is on something of this text. */
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
  const words = say(locale, {
    pl: {
      menu: 'Menu główne',
      entries: [
        'Start',
        'Podpis kwalifikowany',
        'Pieczęć kwalifikowana',
        'Znacznik czasu',
        'Moje dane',
        'Zmiana hasła',
        'Moje sprawy',
        'Dokumenty',
        'FAQ',
        'Oprogramowanie',
      ],
      more: 'Więcej',
      leave: 'Wyloguj się',
      unavailable: 'Funkcjonalność jest obecnie niedostępna',
    },
    en: {
      menu: 'Main menu',
      entries: [
        'Home',
        'Qualified signature',
        'Qualified seal',
        'Timestamp',
        'My data',
        'Change password',
        'My cases',
        'Documents',
        'FAQ',
        'Software',
      ],
      more: 'More',
      leave: 'Log out',
      unavailable: 'This feature is currently unavailable',
    },
  })

  test('NAV-1 the menu leads everywhere by keyboard and shows where one is', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'oliver', { locale })
    const menu = page.getByRole('navigation', { name: words.menu })
    expect((await menu.getByRole('link').allTextContents()).map((text) => text.trim())).toEqual(words.entries)
    for (const [entry, path] of [
      [words.entries[1]!, '/certificates/signatures'],
      [words.entries[9]!, '/software'],
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
    expect(await page.getByRole('navigation', { name: words.menu }).isVisible()).toBe(false)
    await tabTo(page, words.more, '.tabbar')
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog')
    await sheet.waitFor()
    expect((await sheet.locator('.nav').getByRole('link').allTextContents()).map((text) => text.trim())).toEqual(
      words.entries,
    )
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(await focusOn(page)).toBe(words.more)
    await page.keyboard.press('Enter')
    await tabTo(page, words.entries[5]!, '.nav--sheet')
    await page.keyboard.press('Enter')
    await page.waitForURL(portal.origin + at('/change-password'))
    await sheet.waitFor({ state: 'detached' })
    await page.locator('.tabbar [aria-current=page]').waitFor()
  })

  test('NAV-2 RTE-6 name, language and sign-out are in reach on every signed-in page', async () => {
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
        await page.getByRole('menuitem', { name: words.leave }).waitFor()
        expect(await page.locator('header .lang').getByRole('link').count()).toBe(2)
        await page.keyboard.press('Escape')
        await page.getByRole('menuitem', { name: words.leave }).waitFor({ state: 'detached' })
      }
    }
  })

  test('RTE-6 RTE-7 every protected page asks for a sign-in first, and remembers what was asked for', async () => {
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

  test('RTE-2 RTE-5 each open page stands in its layout, in its language, with its links', async () => {
    const page = await portal.openPage({ locale })
    const frames = { default: '.app', unauthorized: '.auth', none: '.plain', focus: '.focus' }
    // A link, or half a sign-in, leads to these two; anybody else is led away.
    for (const name of openPages.filter((each) => each !== 'setupPassword' && each !== 'confirmPhone')) {
      await page.goto(at(pages[name].path))
      await page.locator(frames[pages[name].layout]).waitFor()
      expect(await page.title()).toMatch(/^.+ – Sygnet$/)
      expect(await page.locator('h1').count()).toBe(1)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
      // A translating browser would break the page (ERR-4).
      expect(await page.evaluate(() => document.documentElement.translate)).toBe(false)
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

  test('NAV-1 NAV-2 RTE-2 pages for everyone stand in the menu for a customer, by link and by address, and bare for a visitor', async () => {
    const page = await portal.openPage({ locale })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const name of ['faq', 'privacy', 'terms', 'accessibility'] as const) {
      await page.goto(at(pages[name].path))
      await page.waitForFunction(() => document.documentElement.dataset['fonts'] === '')
      expect(await page.locator('.plain').count()).toBe(1)
    }
    // Whoever never signed in here is not asked who they are.
    expect(asked).not.toContain('/api/session')

    await portal.signIn(page, 'oliver', { locale })
    const account = page.getByRole('button', { name: 'Oliver Smith' })
    await page.getByRole('navigation', { name: words.menu }).getByRole('link', { name: 'FAQ' }).click()
    await page.waitForURL(portal.origin + at('/faq'))
    for (const name of ['faq', 'privacy', 'terms', 'accessibility'] as const) {
      await account.waitFor()
      expect(await page.getByRole('navigation', { name: words.menu }).count()).toBe(1)
      expect(await page.locator('.plain').count()).toBe(0)
      await page.goto(at(pages[name].path))
      await page.locator('.app h1').waitFor()
      expect(await page.locator('h1').count()).toBe(1)
    }
    await account.click()
    await page.getByRole('menuitem', { name: words.leave }).click()
    await page.waitForURL((url) => url.pathname === at('/'))
    await page.goto(at('/faq'))
    await page.waitForFunction(() => document.documentElement.dataset['fonts'] === '')
    expect(await page.locator('.plain').count()).toBe(1)
  })

  test('RTE-3 access denied is a bare page with its words and the way back to login', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(at('/access-denied'))
    await heading(page, say(locale, { pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })).waitFor()
    await page.getByText(say(locale, { pl: 'Nie masz uprawnień', en: 'You do not have permission' })).waitFor()
    await page.getByRole('link', { name: say(locale, { pl: 'Wróć do logowania', en: 'Back to login' }) }).click()
    await page.waitForURL(portal.origin + at('/'))
  })

  test('RTE-8 ERR-1 an unknown path answers 404 and shows the screen in the language of the path', async () => {
    const page = await portal.openPage({ locale })
    for (const path of ['/no-such-page', '/home/', '/HOME', '/certificates']) {
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

  test('ERR-4 ERR-2 a screen whose code does not load ends at the error screen, never at a white page', async () => {
    const page = await portal.openPage({ locale, tolerate: /software-screen|ERR_FAILED/ })
    await page.route(/software-screen.*\.js/, (route) => route.abort())
    await portal.signIn(page, 'oliver', { locale })
    await page.getByRole('link', { name: words.entries[9]! }).click()
    await heading(page, say(locale, { pl: 'Ups! Coś poszło nie tak', en: 'Oops! Something went wrong' })).waitFor()
    await page.getByText('500', { exact: true }).waitFor()
    await page
      .getByText(
        say(locale, { pl: 'Przepraszamy, wystąpił nieoczekiwany błąd.', en: 'Sorry, an unexpected error occurred.' }),
      )
      .waitFor()
    expect(
      await page
        .getByRole('link', { name: say(locale, { pl: 'Wróć do strony głównej', en: 'Back to the home page' }) })
        .getAttribute('href'),
    ).toBe(at('/'))
  })

  test('ERR-5 what its provider cannot serve now says so in its place, and an empty list says that there is nothing', async () => {
    const page = await portal.openPage({ locale, tolerate: /status of 503/ })
    await portal.signIn(page, 'nowy', { locale, to: '/certificates/signatures' })
    await page.getByText(say(locale, { pl: 'Brak danych', en: 'No data' })).waitFor()
    await page.route('**/api/documents*', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', status: 503 } }),
    )
    await page.goto(at('/documents'))
    await page.getByRole('main').getByText(words.unavailable).waitFor()
  })

  test('RTE-1 UIX-4 the language switch keeps place, query and what was typed, and is remembered for 365 days', async () => {
    const other = locale === 'pl' ? 'en' : 'pl'
    const page = await portal.openPage({ locale })
    await page.goto(at('/password-reset?from=mail'))
    await page.locator('button[type=submit]:enabled').waitFor()
    await page.locator('input[name=email]').fill('half@typed')
    await page
      .locator('.lang')
      .getByRole('link', { name: say(other, { pl: 'Polski', en: 'English' }) })
      .click()
    await page.waitForURL(portal.origin + inLocale(other, '/password-reset?from=mail'))
    await expect.poll(() => page.locator('input[name=email]').inputValue()).toBe('half@typed')
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'locale')
    expect(cookie?.value).toBe(other)
    expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(365)
  })

  test('RTE-1 a language switch warns before a typed password is lost, by keyboard; the rest goes along', async () => {
    const other = locale === 'pl' ? 'en' : 'pl'
    const page = await portal.openPage({ locale })
    await page.goto(at('/?from=mail'))
    await page.locator('button[type=submit]:enabled').waitFor()
    await page.locator('input[name=login]').fill('oliver')
    await page.locator('input[name=password]').fill('Half-typed')
    // Where it is shown as text it is a password all the same.
    await page.getByRole('button', { name: say(locale, { pl: 'Pokaż hasło', en: 'Show password' }) }).click()
    const choose = async () => {
      await page.locator('.lang [hreflang]:not([aria-current])').focus()
      await page.keyboard.press('Enter')
      await page
        .getByRole('alertdialog')
        .getByText(say(locale, { pl: /Wpisane hasło zniknie/, en: /The password you have entered will be gone/ }))
        .waitFor()
    }
    await choose()
    // The safe button has the focus.
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('hreflang'))).toBe(other)
    expect(new URL(page.url()).pathname).toBe(at('/'))
    expect(await page.locator('input[name=password]').inputValue()).toBe('Half-typed')
    await choose()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(portal.origin + inLocale(other, '/?from=mail'))
    await expect.poll(() => page.locator('input[name=login]').inputValue()).toBe('oliver')
    expect(await page.locator('input[name=password]').inputValue()).toBe('')
  })

  test('RTE-3 access denied names whoever is signed in, and leads to another account', async () => {
    const page = await portal.openPage({ locale, tolerate: /status of 503/ })
    await portal.signIn(page, 'oliver', { locale })
    await page.goto(at('/access-denied'))
    await heading(page, say(locale, { pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })).waitFor()
    await page.getByText(`Oliver Smith, ${customerOf('oliver').email}`).waitFor()
    expect(await page.locator('main .btn--primary').count()).toBe(1)
    await tabTo(page, say(locale, { pl: 'Zaloguj się na inne konto', en: 'Log in to another account' }))
    await page.route('**/api/sign-out', (route) => route.fulfill({ status: 503 }))
    await page.keyboard.press('Enter')
    await page
      .locator('.toast')
      .getByText(say(locale, { pl: 'Nie udało się wylogować', en: 'Logging out did not work' }))
      .waitFor()
    // Not before: a request that a route holds while the last one ends goes to the server.
    await page.unroute('**/api/sign-out')
    await page
      .locator('.toast')
      .getByRole('button', { name: say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' }) })
      .click()
    await page.waitForURL(`${portal.origin}${at('/')}?reason=signed-out`)
    await page.goto(at('/access-denied'))
    await page.getByRole('link', { name: say(locale, { pl: 'Wróć do logowania', en: 'Back to login' }) }).waitFor()
  })

  test('ERR-4 a screen whose code does not load for want of a network says that, and comes when the network is back', async () => {
    const page = await portal.openPage({
      locale,
      alone: true,
      tolerate: /ERR_INTERNET_DISCONNECTED|CallFailed: offline/,
    })
    await portal.signIn(page, 'oliver', { locale })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: words.entries[9]! }).click()
    await heading(
      page,
      say(locale, { pl: 'Brak połączenia z\u00a0portalem', en: 'No connection to the portal' }),
    ).waitFor()
    expect(await page.getByText('500').count()).toBe(0)
    const retry = page.getByRole('button', { name: say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' }) })
    await retry.press('Enter')
    await page.getByText(say(locale, { pl: 'Nadal nie ma połączenia.', en: 'There is still no connection.' })).waitFor()
    await page.context().setOffline(false)
    await heading(page, words.entries[9]!).waitFor()
    expect(new URL(page.url()).pathname).toBe(at('/software'))
  })

  test('RTE-9 on navigation the title, the focus and the scroll follow', async () => {
    const page = await portal.openPage({ locale, viewport: { width: 1440, height: 500 } })
    await portal.signIn(page, 'malgorzata', { locale })
    await page.getByRole('article').first().waitFor()
    await page.evaluate(() => window.scrollTo(0, 300))
    await page.getByRole('navigation', { name: words.menu }).getByRole('link', { name: words.entries[1]! }).click()
    await page.waitForURL(portal.origin + at('/certificates/signatures'))
    await expect.poll(() => page.title()).toBe(`${words.entries[1]} – Sygnet`)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
      portal.origin + at('/certificates/signatures'),
    )
    await page.goBack()
    await page.waitForURL(portal.origin + at('/home'))
    await expect.poll(() => page.title()).toBe(`${words.entries[0]} – Sygnet`)
  })

  test('HTT-4 public pages can be read without script, and have their payload', async () => {
    const page = await portal.openPage({ locale, javaScriptEnabled: false })
    for (const name of openPages) {
      const answer = await page.goto(at(addressOf(name)))
      expect([name, answer!.status()]).toEqual([name, 200])
      expect((await page.locator('main h1').first().innerText()).length).toBeGreaterThan(3)
      const place = at(pages[name].path.replace('/:token', ''))
      const payload = await page.request.get(`${place === '/' ? '' : place}/_payload.json`)
      expect([name, payload.status()]).toEqual([name, 200])
      expect(await payload.json()).toMatchObject({ page: name, locale })
    }
    await page.goto(at('/'))
    await page.locator('noscript .note').waitFor()
    expect(await page.locator('button[type=submit]').isDisabled()).toBe(true)
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

test('RTE-1 signed in, the language switch keeps the list as it was asked for', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures?status=inactive&search=Oddzia%C5%82' })
  await page.getByRole('article').first().waitFor()
  await page.locator('.lang').getByRole('link', { name: 'English' }).click()
  await page.waitForURL((url) => url.pathname === '/en/certificates/signatures')
  await page.getByRole('article').first().waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('Oddział')
  expect(await page.getByLabel('Status').inputValue()).toBe('inactive')
})

test('ERR-3 the background picture of the error screens stands at its static path', async () => {
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

test('ERR-4 AUT-1 a page that a password manager or a translator changed before it came to life still works', async () => {
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

test('HTT-2 a signed-in page asks for what it reads once, and only where it is', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'oliver')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  await page.reload()
  await page.locator('main .card:not(.waiting *)').first().waitFor()
  expect(asked.toSorted()).toEqual([
    '/api/documents/summary',
    '/api/renewals',
    '/api/seals/summary',
    '/api/session',
    '/api/signatures/summary',
    '/api/timestamps/summary',
    '/api/vouchers/limit',
  ])
})

test('ERR-4 a promise that nobody caught ends at the error screen', async () => {
  const page = await portal.openPage({ tolerate: /uncaught|stray/ })
  await page.goto('/')
  await page.locator('button[type=submit]:enabled').waitFor()
  await page.evaluate(() => void Promise.reject(new Error('stray')))
  await heading(page, 'Ups! Coś poszło nie tak').waitFor()
})

test('ERR-5 a provider that is down spoils its own region only, and trying again mends it', async () => {
  const page = await portal.openPage({ tolerate: /status of 503/ })
  let down = true
  await page.route('**/api/signatures/summary', (route) =>
    down
      ? route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'unavailable', status: 503 }),
        })
      : route.fallback(),
  )
  await portal.signIn(page, 'malgorzata')
  await page.getByRole('alert').getByText('Funkcjonalność jest obecnie niedostępna').waitFor()
  await page.getByRole('heading', { name: 'Porozmawiaj z\u00a0nami' }).waitFor()
  down = false
  await page.getByRole('main').getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await page.getByRole('article').first().waitFor()
  // The button is gone, and the keyboard is not lost with it.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('HTT-2 the page carries its configuration as data', async () => {
  const page = await portal.openPage()
  await page.goto('/')
  const config = PageConfig.parse(JSON.parse((await page.locator('script#config').textContent())!))
  expect(config).toMatchObject({ baseURL: '/api', assets: '/assets/', demonstration: true })
  expect(config.botCheck).toEqual({ kind: 'altcha', siteKey: '' })
})

test('HTT-3 a newer build is offered after an hour, once, and taking it keeps what was typed', async () => {
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

test('RTE-7 RTE-4 a sign-in in English leads to a place that was asked for in Polish', async () => {
  const page = await portal.openPage({ locale: 'en' })
  await page.goto('/en?returnTo=/software')
  await page.locator('input[name=login]').fill('oliver')
  await page.locator('input[name=password]').fill(customerOf('oliver').password)
  await page.locator('form button[type=submit]:enabled').click()
  await page.locator('dialog input[name=code]').fill(await portal.smsCode(customerOf('oliver').phone))
  await page.waitForURL(`${portal.origin}/software`)
  await heading(page, 'Oprogramowanie').waitFor()
})

test('ERR-4 a signed-in page whose scripts are there before the rest of its markup comes to life once it is whole', async () => {
  const rest = Promise.withResolvers<void>()
  // The line of a visitor on which the page of home comes in two parts.
  const line = http.createServer((request, response) => {
    const { host: _, ...headers } = request.headers
    const forwarded = http.request(portal.origin + request.url, { method: request.method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      if (request.url !== '/home') return void answer.pipe(response)
      void buffer(answer).then(async (whole) => {
        const half = whole.indexOf('<header')
        response.write(whole.subarray(0, half))
        await rest.promise
        response.end(whole.subarray(half))
      })
    })
    request.pipe(forwarded)
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  onTestFinished(() => {
    line.close()
    line.closeAllConnections()
  })
  const slow = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
  const page = await portal.openPage({ alone: true, tolerate: new RegExp(slow) })
  await page.context().setExtraHTTPHeaders({ 'accept-encoding': 'identity' })
  const told: string[] = []
  page.on('console', (message) => void told.push(message.text()))
  await portal.signIn(page, 'oliver')
  await page.goto(`${slow}/home`, { waitUntil: 'commit' })
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name, duration }) => /\/assets\/main-/.test(name) && duration > 0),
  )
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  rest.resolve()
  await page.getByRole('button', { name: 'Oliver Smith' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).waitFor()
  expect(told.filter((text) => text.includes('#418'))).toEqual([])
})
