import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { phone, untilFocused, pressSignOut } from './testing/browser-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const toasts = (page: Page) => page.locator('.toast:visible')

/** Lets a page offer a newer build, after an hour: the only toast that the portal shows unasked. */
async function offer(page: Page, id = 'newer') {
  await page.route('**/builds/**', (route) => route.fulfill({ json: { id, timestamp: 1 } }))
  const asked = page.waitForResponse(`**/builds/meta/${id}.json`)
  await page.clock.fastForward(limits.buildCheckMs)
  await asked
  await toasts(page).waitFor()
}

async function swipe(page: Page, by: number) {
  const box = (await toasts(page).boundingBox())!
  const [x, y] = [box.x + 60, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + by / 2, y, { steps: 4 })
  await page.mouse.move(x + by, y, { steps: 4 })
  await page.mouse.up()
}

const locale = language('en')
const { button, translate } = inLanguage(locale)
test('UIX-1 NAV-3 the area of toasts is there before the first, for F8, and 420 px wide at most', async () => {
  const page = await portal.openPage({ locale, clock: true })
  const scripts: string[] = []
  page.on('request', (request) => void scripts.push(request.url()))
  await page.goto(translate('/', '/en'))
  const region = page.getByRole('region', { name: translate('Powiadomienia (F8)', 'Notifications (F8)') })
  await page.locator('input[name=login]').focus()
  await page.keyboard.press('F8')
  await untilFocused(region)
  expect(await region.innerText()).toBe(translate('Nie ma powiadomień.', 'There are no notifications.'))
  expect(scripts.filter((url) => url.includes('toast-view'))).toEqual([])

  await offer(page)
  expect((await toasts(page).boundingBox())!.width).toBeLessThanOrEqual(420)
  await page.keyboard.press('F8')
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.toasts') !== null)).toBe(true)
  await button(toasts(page), 'Zamknij powiadomienie', 'Close notification').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => toasts(page).count()).toBe(0)
})

test.runIf(exhaustive)('UIX-1 WCAG-2.2.1 a toast stays until a newer one comes or a swipe past 50 px', async () => {
  const page = await portal.openPage({ clock: true })
  await page.goto('/')
  await offer(page)
  await page.clock.fastForward(limits.toast.durationMs * 10)
  await expect.poll(() => toasts(page).count()).toBe(1)
  await offer(page, 'newest')
  await expect.poll(() => toasts(page).count()).toBe(1)
  await swipe(page, limits.toast.swipePx - 10)
  await expect.poll(() => toasts(page).count()).toBe(1)
  await swipe(page, limits.toast.swipePx + 30)
  await expect.poll(() => toasts(page).count()).toBe(0)
})

test('UIX-1 AUT-6 a failed sign-out is an error toast, which offers to try again', async () => {
  const page = await portal.openPage({ tolerate: /status of 503/ })
  await portal.signIn(page, 'oliver')
  await page.route('**/api/sign-out', (route) => route.fulfill({ status: 503 }))
  await pressSignOut(page)
  await toasts(page).getByText('Nie udało się wylogować').waitFor()
  await expect.poll(() => toasts(page).getAttribute('class')).toContain('toast--err')
  // On a phone it keeps the margins free.
  await page.setViewportSize(phone)
  const { x, width } = (await toasts(page).boundingBox())!
  expect([x, phone.width - x - width]).toEqual([16, 16])
  await page.unroute('**/api/sign-out')
  await toasts(page).getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
})
