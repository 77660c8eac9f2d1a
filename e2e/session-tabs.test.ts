import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { redeemVoucher } from '../contract/vouchers.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { betweenCalls, holdRequests, pressSignOut } from './testing/browser-pages.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()
const { letPass } = portal
const { idle, warning, absolute } = limits.session
const dialog = (page: Page) => page.getByRole('alertdialog')
const search = (page: Page) => page.getByRole('searchbox')
const list = '/certificates/signatures'

/** Lets the computer sleep: the clocks run on, and the tab's timers stop. */
const sleep = (seconds: number, tab: Page) =>
  betweenCalls(tab.context(), async () => {
    await portal.clock.advance(seconds)
    await tab.clock.setSystemTime((await tab.evaluate(() => Date.now())) + seconds * 1000)
  })

async function openTab(page: Page, to: string) {
  await page.goto(to)
  await page.locator('h1').first().waitFor()
  return page
}

async function signedIn(login: string, to: string) {
  const page = await portal.openAs(login, { clock: true, to })
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

/** Returns everything that the browser stores for the page, except cookies. */
const stored = (page: Page) =>
  page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await caches.keys()]))

test('AUT-5 R7 three tabs count down together; a key in one extends all, and nothing is lost', async () => {
  const page = await signedIn('malgorzata', list)
  const password = await openTab(await page.context().newPage(), '/change-password')
  const questions = await openTab(await page.context().newPage(), '/faq')
  const tabs = [page, password, questions]
  const field = password.locator('input[name=newPassword]')
  await field.fill('Half-typed')
  // One of them has an open dialog, which the warning covers.
  await page
    .getByRole('button', { name: /Szczegóły certyfikatu/ })
    .first()
    .click()
  const details = page.locator('dialog:has(.certificate-chain)')
  await details.locator('.certificate-chain').waitFor()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML)
  const before = await focused()

  // Some minutes more or less, because the clocks go on while the test works.
  await letPass(idle - warning - 300, ...tabs)
  for (const tab of tabs) expect(await dialog(tab).count()).toBe(0)
  await letPass(301, ...tabs)
  for (const tab of tabs) await dialog(tab).getByRole('heading', { name: 'Czy chcesz pracować dalej?' }).waitFor()
  await expect.poll(focused).not.toBe(before)
  const secondsLeft = async () => {
    const [minutes, seconds] = (await dialog(password).getByRole('timer').innerText()).split(':').map(Number)
    return minutes! * 60 + seconds!
  }
  const left = await secondsLeft()
  expect(left).toBeLessThan(warning)
  await letPass(30, ...tabs)
  await expect.poll(secondsLeft).toBeLessThanOrEqual(left - 30)
  await expect.poll(() => password.title()).toMatch(/^[01]:\d\d – Zmiana hasła/)

  await questions.keyboard.press('Enter')
  for (const tab of tabs) await dialog(tab).waitFor({ state: 'detached' })
  await expect.poll(() => password.title()).toBe('Zmiana hasła – Sygnet')
  expect(await field.inputValue()).toBe('Half-typed')
  expect(await details.isVisible()).toBe(true)
  await expect.poll(focused).toBe(before)
  await letPass(idle - warning - 300, ...tabs)
  for (const tab of tabs) expect(await dialog(tab).count()).toBe(0)
})

test('AUT-6 R8 signing out in one tab signs out every other, also one that is still loading', async () => {
  const page = await portal.openAs('oliver')
  const newTab = () => page.context().newPage()
  const otherTabs = await Promise.all(
    ['/software', '/faq', '/access-denied'].map(async (to) => openTab(await newTab(), to)),
  )
  const late = await newTab()
  const arrive = await holdRequests(late, /\.js$/)
  await late.goto('/software', { waitUntil: 'commit' })
  for (const tab of [...otherTabs, late]) await tab.getByText('Oliver Smith').first().waitFor({ state: 'attached' })
  await pressSignOut(page)
  await page.waitForURL(/reason=signed-out$/)
  arrive()
  for (const tab of [page, ...otherTabs, late]) {
    await tab.waitForURL(`${portal.origin}/?reason=signed-out`)
    await tab.getByText('Wylogowano', { exact: true }).waitFor()
    expect(await tab.content()).not.toContain('Smith')
  }
  expect((await page.request.get('/api/session')).status()).toBe(401)
})

test('AUT-5 R8 a tab that slept through the end of the session says so, without personal data', async () => {
  const page = await signedIn('ewa', '/home')
  const looked = await openTab(await page.context().newPage(), '/software')
  const name = (await looked.locator('.account-button__name').textContent())!
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
    for (const each of [page, looked]) await each.locator('.account-button__name').waitFor()
  }
})

test.runIf(exhaustive)('AUT-5 a tab that slept while another one was in use wakes without a warning', async () => {
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
})

test('AUT-5 RTE-7 after the session every tab returns with what was typed, but no password', async () => {
  const filtered = `${list}?status=active`
  const page = await signedIn('zofia', filtered)
  const otherTab = await openTab(await page.context().newPage(), '/change-password')
  const password = otherTab.locator('input[name=newPassword]')
  await search(page).fill('Kowal')
  await password.fill('Half-typed-1!')
  await endSession(page, otherTab)
  for (const [tab, back] of [
    [page, filtered],
    [otherTab, '/change-password'],
  ] as const) {
    expect(new URL(tab.url()).searchParams.get('returnTo')).toBe(back)
    await tab.getByText('Wylogowaliśmy Cię z powodu bezczynności').waitFor()
    await tab.getByText('Po zalogowaniu wrócisz na tę samą stronę.').waitFor()
    expect(await stored(tab)).not.toMatch(/Kowal|Half-typed/)
  }
  expect((await page.request.get('/api/session')).status()).toBe(401)
  // Also after a change of language.
  await page.locator('.lang').getByRole('link', { name: 'English' }).click()
  await page.waitForURL((url) => url.pathname === '/en')
  await signInAgain(otherTab, 'zofia')
  await otherTab.waitForURL(`${portal.origin}/change-password`)
  expect(await password.inputValue()).toBe('')
  await page.waitForURL(portal.origin + filtered)
  await expect.poll(() => search(page).inputValue()).toBe('Kowal')
  expect(await stored(page)).not.toContain('Kowal')
})

test.runIf(exhaustive)('AUT-5 what was typed is not shown to another customer, nor after a sign-out', async () => {
  const filtered = `${list}?status=active`
  const page = await signedIn('zofia', filtered)
  await search(page).fill('Kowal')
  await endSession(page)
  await signInAgain(page, 'malgorzata')
  await page.waitForURL(portal.origin + filtered)
  await page.getByText('Małgorzata Wiśniewska').first().waitFor()
  expect(await search(page).inputValue()).toBe('')
  await search(page).fill('Nowak')
  await pressSignOut(page)
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
  await page.goto(`/?returnTo=${encodeURIComponent(filtered)}`)
  await signInAgain(page, 'malgorzata')
  await page.waitForURL(portal.origin + filtered)
  expect(await search(page).inputValue()).toBe('')
})

test.runIf(exhaustive)('AUT-5 R4 a call in flight while another tab extends the session does not end it', async () => {
  const page = await signedIn('malgorzata', '/home')
  let held = 0
  // Sent with a token that is no longer valid when it arrives.
  await page.route('**/api/software', async (route) => {
    if (held++) return route.continue()
    const cookie = (await page.context().cookies()).find(({ name }) => name === '__Host-sygnet')!
    await page.evaluate(() => fetch('/api/session/extend', { method: 'POST' }))
    // A browser cannot be made to send an old cookie, so the test sends the call.
    const refused = await fetch(route.request().url(), { headers: { cookie: `${cookie.name}=${cookie.value}` } })
    expect(refused.status).toBe(401)
    return route.fulfill({ status: 401, contentType: 'application/problem+json', body: await refused.text() })
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Oprogramowanie' }).click()
  await page.getByText('Sygnet Podpis TEST').first().waitFor()
  expect(held).toBe(2)
  expect(new URL(page.url()).pathname).toBe('/software')
})

test.runIf(exhaustive)('AUT-5 after eight hours the session cannot be extended, and the warning says so', async () => {
  const page = await signedIn('tomasz', '/home')
  for (let passed = 0; passed < absolute - idle; passed += idle - warning) {
    await portal.clock.advance(idle - warning)
    expect((await page.request.post('/api/session/extend', { headers: { origin: portal.origin } })).status()).toBe(200)
  }
  await page.reload()
  await page.clock.fastForward((idle - warning) * 1000)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const { endsAt, now } = (await (await page.request.get('/api/session')).json()) as { endsAt: string; now: string }
  await letPass((Date.parse(endsAt) - Date.parse(now)) / 1000 - warning + 1, page)
  await dialog(page).getByRole('heading', { name: 'Sesja zaraz wygaśnie' }).waitFor()
  expect(await dialog(page).getByRole('button', { name: 'Przedłuż sesję' }).count()).toBe(0)
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  await letPass(warning, page)
  await page.waitForURL((url) => url.searchParams.get('reason') === 'session-full')
  await page.getByText('Sesja wygasła').waitFor()
  const next = await page.context().newPage()
  await next.goto('/software')
  await next.waitForURL((url) => url.searchParams.get('reason') === 'session-full')
})

/** Returns all text of the page, visible or hidden. It may be changing. */
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
  await pressSignOut(page)
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

test('R265 a voucher that was typed on one customer’s page is not redeemed for another', async () => {
  const page = await portal.openPage({ alone: true })
  // So that the tabs hear nothing of each other.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'))
  await portal.signIn(page, 'malgorzata', { to: '/home' })
  await page.locator('.voucher input').fill('0000-0000-0000-0000')
  await page.request.post('/api/sign-out', { headers: { origin: portal.origin } })
  await portal.enter(page.context(), 'oliver')
  const refused = page.waitForResponse((answer) => answer.url().endsWith(redeemVoucher.path))
  await page.keyboard.press('Enter')
  expect((await refused).status()).toBe(401)
  await page.getByRole('button', { name: 'Oliver Smith' }).waitFor()
  expect(await whole(page)).not.toContain(customerOf('malgorzata').surname)
})
