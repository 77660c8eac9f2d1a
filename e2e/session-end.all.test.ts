import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { betweenCalls, isUsable } from './testing/browser-pages.ts'
import { openPortal } from './testing/open-portal.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'

const portal = await openPortal()
const { letPass } = portal
const { idle, warning, absolute } = limits.session
const dialog = (page: Page) => page.getByRole('alertdialog')

async function signedIn(login: string, to: string) {
  const page = await portal.openPage({ clock: true })
  await portal.signIn(page, login, { to })
  await isUsable(page)
  return page
}

test('AUT-5 NAV-3 two minutes before the end a warning counts down, and one key extends the session; what was typed stays', async () => {
  const page = await signedIn('oliver', '/change-password')
  await page.locator('input[name=newPassword]').fill('Half-typed')
  // A minute more or less, because the clocks go on while the test works.
  await letPass(idle - warning - 60, page)
  expect(await dialog(page).count()).toBe(0)
  await letPass(61, page)
  await dialog(page).getByRole('heading', { name: 'Czy chcesz pracować dalej?' }).waitFor()
  const secondsLeft = async () => {
    const [minutes, seconds] = (await dialog(page).getByRole('timer').innerText()).split(':').map(Number)
    return minutes! * 60 + seconds!
  }
  const left = await secondsLeft()
  expect(left).toBeLessThan(warning)
  expect(left).toBeGreaterThan(warning - 60)
  await letPass(30, page)
  await expect.poll(secondsLeft).toBeLessThanOrEqual(left - 30)
  await expect.poll(() => page.title()).toMatch(/^[01]:\d\d – Zmiana hasła/)
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).toBe('Zmiana hasła – Sygnet')
  await expect.poll(() => page.locator('input[name=newPassword]').inputValue()).toBe('Half-typed')
  await letPass(idle - warning - 60, page)
  expect(await dialog(page).count()).toBe(0)
})

// e2e/session-tabs.test.ts does it with three tabs, and returns from the login.
test('AUT-5 two tabs warn together, and extending in one suffices for both', async () => {
  const page = await signedIn('malgorzata', '/home')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/software')
  await isUsable(otherTab)
  await letPass(idle - warning + 5, page, otherTab)
  await dialog(page).waitFor()
  await dialog(otherTab).waitFor()
  await dialog(otherTab).getByRole('button', { name: 'Przedłuż sesję' }).click()
  await dialog(otherTab).waitFor({ state: 'detached' })
  await dialog(page).waitFor({ state: 'detached' })
})

test('AUT-5 R4 a call in flight while another tab extends the session does not end it', async () => {
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

test('AUT-5 RTE-7 the end leads every tab to login, which says why and comes back to the same place with what was typed', async () => {
  const page = await signedIn('ewa', '/certificates/signatures?status=inactive')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/change-password')
  await isUsable(otherTab)
  await letPass(idle - warning + 5, page, otherTab)
  await dialog(page).waitFor()
  await letPass(warning, page, otherTab)
  for (const [tab, back] of [
    [page, '/certificates/signatures?status=inactive'],
    [otherTab, '/change-password'],
  ] as const) {
    await tab.waitForURL((url) => url.pathname === '/' && url.searchParams.get('returnTo') === back)
    await tab.getByText('Wylogowaliśmy Cię z powodu bezczynności').waitFor()
    await tab.getByText('Po zalogowaniu wrócisz na tę samą stronę.').waitFor()
  }
  expect((await page.request.get('/api/session')).status()).toBe(401)
  await passPassword(page, 'ewa')
  await enterSmsCode(page, portal, 'ewa')
  await page.waitForURL(`${portal.origin}/certificates/signatures?status=inactive`)
})

test('AUT-5 a call in an ended session leads to login as well', async () => {
  const page = await signedIn('wilhelmina', '/home')
  await betweenCalls(page.context(), async () => {
    await portal.clock.advance(idle + 1)
    // The computer slept: its clock ran on, its timers did not.
    await page.clock.setSystemTime(Date.now() + (idle + 1) * 1000)
  })
  await page.getByRole('link', { name: 'Oprogramowanie' }).click()
  await page.waitForURL((url) => url.pathname === '/' && url.searchParams.get('reason') === 'session-ended')
  await page.getByText('Wylogowaliśmy Cię z powodu bezczynności').waitFor()
})

test('AUT-5 R9 R19 a session that ended for another reason is not called idle, neither by the open page nor by the next', async () => {
  const person = customerOf('wilhelmina')
  const page = await signedIn(person.login, '/home')
  const { context: elsewhere } = await portal.openProfile()
  await portal.enter(elsewhere, person.login)
  const newPassword = 'Gdzie-Indziej-2026!'
  const changed = await elsewhere.request.post('/api/password', {
    headers: { origin: portal.origin },
    data: { currentPassword: person.password, newPassword, repeatPassword: newPassword },
  })
  expect(changed.status()).toBe(204)
  const next = await page.context().newPage()
  await next.goto('/software')
  await page.getByRole('link', { name: 'Oprogramowanie' }).click()
  for (const tab of [page, next]) {
    await tab.waitForURL((url) => url.pathname === '/' && url.searchParams.get('reason') === 'session-gone')
    await tab.getByText('Ta sesja jest już zakończona').waitFor()
  }
})

test('AUT-5 after eight hours the session cannot be extended, and the warning says so', async () => {
  const page = await signedIn('tomasz', '/home')
  for (let passed = 0; passed < absolute - idle; passed += idle - warning) {
    await portal.clock.advance(idle - warning)
    expect((await page.request.post('/api/session/extend', { headers: { origin: portal.origin } })).status()).toBe(200)
  }
  await page.reload()
  await isUsable(page)
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
