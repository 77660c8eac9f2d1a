import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { betweenCalls, isUsable } from './testing/browser-pages.ts'
import { openPortal } from './testing/open-portal.ts'
import { exhaustive } from '../server/testing/breadth.ts'

const portal = await openPortal()
const { letPass } = portal
const { idle, warning } = limits.session
const dialog = (page: Page) => page.getByRole('alertdialog')
const search = (page: Page) => page.getByRole('searchbox')
const list = '/certificates/signatures'

/** The computer sleeps: the clocks run on, and the tab's timers stop. */
const sleep = (seconds: number, tab: Page) =>
  betweenCalls(tab.context(), async () => {
    await portal.clock.advance(seconds)
    await tab.clock.setSystemTime((await tab.evaluate(() => Date.now())) + seconds * 1000)
  })

async function openTab(page: Page, to: string) {
  await page.goto(to)
  await page.locator('h1').first().waitFor()
  // Its clock runs from then on.
  await isUsable(page)
  return page
}

async function signedIn(login: string, to: string) {
  const page = await portal.openPage({ clock: true })
  await portal.signIn(page, login, { to })
  await page.locator('h1').first().waitFor()
  return page
}

async function endSession(...tabs: Page[]) {
  await letPass(idle - warning + 5, ...tabs)
  for (const tab of tabs) await dialog(tab).waitFor()
  await letPass(warning, ...tabs)
  for (const tab of tabs) await tab.waitForURL((url) => url.searchParams.get('reason') === 'session-ended')
}

async function signInAgain(page: Page, login: string) {
  await passPassword(page, login)
  await enterSmsCode(page, portal, login)
}

/** Everything that the browser stores for the page, except cookies. */
const stored = (page: Page) =>
  page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await caches.keys()]))

test.runIf(exhaustive)(
  'AUT-5 R7 NAV-3 three tabs show one warning; a key in one of them closes it in all, and nothing typed is lost in any',
  async () => {
    const page = await signedIn('zofia', list)
    const tabs = [
      page,
      await openTab(await page.context().newPage(), '/change-password'),
      await openTab(await page.context().newPage(), '/faq'),
    ]
    const [, password, questions] = tabs as [Page, Page, Page]
    await search(page).fill('Kowal')
    await password.locator('input[name=newPassword]').fill('Half-typed')
    await letPass(idle - warning + 5, ...tabs)
    for (const tab of tabs) {
      await dialog(tab).waitFor()
      await expect.poll(() => tab.locator('dialog[open]').count()).toBe(1)
    }
    await questions.keyboard.press('Enter')
    for (const tab of tabs) await dialog(tab).waitFor({ state: 'detached' })
    await expect.poll(() => search(page).inputValue()).toBe('Kowal')
    await expect.poll(() => password.locator('input[name=newPassword]').inputValue()).toBe('Half-typed')
    await letPass(idle - warning - 60, ...tabs)
    for (const tab of tabs) expect(await tab.locator('dialog').count()).toBe(0)
  },
)

test.runIf(exhaustive)('AUT-5 NAV-3 the warning covers an open dialog, and returns the focus to it', async () => {
  const page = await signedIn('malgorzata', list)
  await page
    .getByRole('button', { name: /Szczegóły certyfikatu/ })
    .first()
    .click()
  const details = page.locator('dialog:has(.certchain)')
  await details.locator('.certchain').waitFor()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML)
  const before = await focused()
  await letPass(idle - warning + 5, page)
  await dialog(page).waitFor()
  await expect.poll(() => focused()).not.toBe(before)
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => details.isVisible()).toBe(true)
  await expect.poll(() => focused()).toBe(before)
})

test('AUT-6 signing out in one tab signs out every other, inside the menu and outside', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'oliver')
  const otherTabs = await Promise.all(
    ['/software', '/faq', '/access-denied'].map(async (path) => {
      const tab = await page.context().newPage()
      await tab.goto(path)
      await tab.getByText('Oliver Smith').first().waitFor({ state: 'attached' })
      return tab
    }),
  )
  await page.getByRole('button', { name: 'Oliver Smith' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  for (const tab of [page, ...otherTabs]) {
    await tab.waitForURL(`${portal.origin}/?reason=signed-out`)
    await tab.getByText('Wylogowano', { exact: true }).waitFor()
    expect(await tab.content()).not.toContain('Smith')
  }
  expect((await page.request.get('/api/session')).status()).toBe(401)
})

test.runIf(exhaustive)('AUT-6 R8 a tab that is still loading while another one signs out signs out too', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'oliver')
  const late = await page.context().newPage()
  const held = Promise.withResolvers<void>()
  await late.route(/\.js$/, (route) => held.promise.then(() => route.continue()))
  await late.goto('/software', { waitUntil: 'commit' })
  await late.getByText('Oliver Smith').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Oliver Smith' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  await page.waitForURL(/reason=signed-out$/)
  held.resolve()
  await late.waitForURL(`${portal.origin}/?reason=signed-out`)
  await late.getByText('Wylogowano', { exact: true }).waitFor()
})

test('AUT-5 R8 a tab that slept through the end of the session says so soon after waking, by itself or when it becomes visible, and shows no personal data', async () => {
  const page = await signedIn('ewa', '/home')
  const looked = await openTab(await page.context().newPage(), '/software')
  const name = (await looked.locator('.who__name').textContent())!
  for (const [tab, wake] of [
    [looked, () => looked.evaluate(() => void window.dispatchEvent(new Event('focus')))],
    [page, () => page.clock.runFor(10_000)],
  ] as const) {
    await sleep(2 * 3600, tab)
    await wake()
    await tab.waitForURL((url) => url.searchParams.get('reason') === 'session-ended')
    await tab.getByText('Wylogowaliśmy Cię z powodu bezczynności').waitFor()
    expect(await tab.content()).not.toContain(name)
    if (tab === page) return
    await signInAgain(looked, 'ewa')
    for (const each of [page, looked]) await each.locator('.who__name').waitFor()
  }
})

test.runIf(exhaustive)(
  'AUT-5 a tab that slept while another one was in use wakes in a valid session, without a warning',
  async () => {
    const page = await signedIn('malgorzata', '/home')
    const working = await openTab(await page.context().newPage(), '/software')
    for (let i = 0; i < 4; i++) {
      await letPass(idle / 2, working)
      expect((await working.request.get('/api/signatures')).status()).toBe(200)
    }
    await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 2 * idle * 1000)
    const asked = page.waitForResponse('**/api/session')
    await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
    expect((await asked).status()).toBe(200)
    expect(await dialog(page).count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/home')
    await page.getByText('Małgorzata Wiśniewska').first().waitFor()
  },
)

test.runIf(exhaustive)(
  'AUT-5 RTE-1 RTE-7 what was typed survives the end of the session and a change of language, for the customer who typed it, and is not stored anywhere',
  async () => {
    const page = await signedIn('zofia', `${list}?status=active`)
    await search(page).fill('Kowal')
    await endSession(page)
    expect(await stored(page)).not.toContain('Kowal')
    await page.locator('.lang').getByRole('link', { name: 'English' }).click()
    await page.waitForURL((url) => url.pathname === '/en')
    await page.locator('button[type=submit]:enabled').waitFor()
    expect(await stored(page)).not.toContain('Kowal')
    await signInAgain(page, 'zofia')
    await page.waitForURL(`${portal.origin}${list}?status=active`)
    await expect.poll(() => search(page).inputValue()).toBe('Kowal')
    expect(await stored(page)).not.toContain('Kowal')
  },
)

test.runIf(exhaustive)(
  'AUT-5 AUT-6 what one customer typed is not shown to another who signs in, nor after a sign-out',
  async () => {
    const page = await signedIn('zofia', `${list}?status=active`)
    await search(page).fill('Kowal')
    await endSession(page)
    await signInAgain(page, 'malgorzata')
    await page.waitForURL(`${portal.origin}${list}?status=active`)
    await page.getByText('Małgorzata Wiśniewska').first().waitFor()
    expect(await search(page).inputValue()).toBe('')
    await search(page).fill('Nowak')
    await page.locator('.who').click()
    await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
    await page.waitForURL(`${portal.origin}/?reason=signed-out`)
    await page.goto(`/?returnTo=${encodeURIComponent(`${list}?status=active`)}`)
    await signInAgain(page, 'malgorzata')
    await page.waitForURL(`${portal.origin}${list}?status=active`)
    await search(page).waitFor()
    expect(await search(page).inputValue()).toBe('')
  },
)

test.runIf(exhaustive)('AUT-5 a typed password is discarded with the session, for every customer', async () => {
  const page = await signedIn('oliver', '/change-password')
  for (const name of ['currentPassword', 'newPassword']) await page.locator(`input[name=${name}]`).fill('Half-typed-1!')
  await page.getByRole('button', { name: 'Pokaż: Obecne hasło' }).click()
  await endSession(page)
  expect(await stored(page)).not.toContain('Half-typed')
  await signInAgain(page, 'oliver')
  await page.waitForURL(`${portal.origin}/change-password`)
  for (const name of ['currentPassword', 'newPassword'])
    expect(await page.locator(`input[name=${name}]`).inputValue()).toBe('')
})

test.runIf(exhaustive)(
  'AUT-5 RTE-7 a sign-in in one tab restores the otherTabs, each at its own page with what was typed there',
  async () => {
    const page = await signedIn('zofia', list)
    const otherTab = await openTab(await page.context().newPage(), '/software')
    await search(page).fill('Kowal')
    await endSession(page, otherTab)
    for (const [tab, back] of [
      [page, list],
      [otherTab, '/software'],
    ] as const) {
      expect(new URL(tab.url()).searchParams.get('returnTo')).toBe(back)
      await tab.getByText('Po zalogowaniu wrócisz na tę samą stronę.').waitFor()
    }
    expect((await page.request.get('/api/session')).status()).toBe(401)
    await signInAgain(otherTab, 'zofia')
    await otherTab.waitForURL(`${portal.origin}/software`)
    await page.waitForURL(portal.origin + list)
    await expect.poll(() => search(page).inputValue()).toBe('Kowal')
  },
)

/** All text of the page, visible or hidden. It may be changing. */
async function whole(page: Page) {
  let html: string | undefined
  const read = () => page.evaluate(() => document.documentElement.outerHTML).catch(() => undefined)
  await expect.poll(async () => (html = await read())).toBeDefined()
  return html!
}

test('R8 AUT-6 after a sign-out the back button shows no personal data, online and offline', async () => {
  const page = await portal.openPage({ alone: true, tolerate: /ERR_INTERNET_DISCONNECTED/ })
  const person = customerOf('malgorzata')
  await portal.signIn(page, person.login)
  // A full page load for each, as with a language switch or a bookmark.
  for (const path of [list, '/software', '/en/home']) {
    await page.goto(path)
    await page.getByText('Małgorzata Wiśniewska').first().waitFor({ state: 'attached' })
  }
  await page.locator('.who').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${portal.origin}/en?reason=signed-out`)
  for (let back = 0; back < 3; back++) {
    await page.goBack()
    await page.locator('input[name=login]').waitFor()
    const shown = await whole(page)
    for (const secret of [person.surname, person.email]) expect(shown).not.toContain(secret)
  }
  expect(await stored(page)).not.toContain(person.surname)
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  // Now only the browser's cache is left.
  await page.context().setOffline(true)
  for (let forth = 0; forth < 3; forth++) {
    await page.goForward().catch(() => null)
    const shown = await whole(page)
    for (const secret of [person.surname, person.email]) expect(shown).not.toContain(secret)
  }
})

test('R8 a page from the back-forward cache is hidden at once and reloaded', async () => {
  const page = await portal.openPage({ alone: true })
  const person = customerOf('malgorzata')
  await portal.signIn(page, person.login, { to: list })
  await page.getByRole('article').first().waitFor()
  // Signed out elsewhere while the page was not running, so it was not notified.
  expect((await page.request.post('/api/sign-out', { headers: { origin: portal.origin } })).status()).toBe(204)
  expect(await whole(page)).toContain(person.surname)
  const hidden = await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return document.body.checkVisibility()
  })
  expect(hidden).toBe(false)
  await page.locator('input[name=login]').waitFor()
  expect(await whole(page)).not.toContain(person.surname)
})

test.runIf(exhaustive)('R6 AUT-5 polling for an agreement does not extend the session', async () => {
  const page = await signedIn('tomasz', '/home')
  // As while an agreement is being generated.
  await page.route('**/api/signatures', async (route) => {
    const answer = await route.fetch()
    const read = (await answer.json()) as { items: object[] }
    const items = read.items.map((item) => ({ ...item, agreement: 'generating' }))
    await route.fulfill({ response: answer, json: { ...read, items } })
  })
  const end = async () => ((await (await page.request.get('/api/session')).json()) as { endsAt: string }).endsAt
  const asked = page.waitForResponse('**/api/signatures')
  await page.getByRole('navigation').getByRole('link', { name: 'Podpis kwalifikowany' }).click()
  await asked
  await page.getByRole('article').first().waitFor()
  const before = await end()
  for (let looks = 0; looks < 5; looks++) {
    await portal.clock.advance(5)
    const look = page.waitForResponse('**/api/signatures')
    await page.clock.runFor(5000)
    expect((await look).status()).toBe(200)
  }
  expect(await end()).toBe(before)
})
