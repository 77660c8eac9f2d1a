import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { languages } from '../server/testing/breadth.ts'
import { phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const toasts = (page: Page) => page.locator('.toast:visible')

/** A page on which the hour has come and a newer build is offered, as the one toast that the portal shows by itself. */
async function openOffer({
  locale = 'pl',
  viewport,
}: { locale?: 'pl' | 'en'; viewport?: { width: number; height: number } } = {}) {
  const page = await portal.openPage({ locale, clock: true, ...(viewport && { viewport }) })
  let id = 'newer'
  await page.route('**/builds/**', (route) => route.fulfill({ json: { id, timestamp: 1 } }))
  await page.goto(say(locale, { pl: '/', en: '/en' }))
  await page.locator('button[type=submit]:enabled').waitFor()
  await page.clock.fastForward(limits.buildCheckMs)
  await toasts(page).waitFor()
  return { page, publish: (next: string) => void (id = next) }
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

describe.each(languages('en'))('%s', (locale) => {
  test('UIX-1 NAV-3 a toast is named, reached by F8, answered by keyboard, and at most 420 px wide', async () => {
    const { page } = await openOffer({ locale })
    const region = page.getByRole('region', {
      name: say(locale, { pl: 'Powiadomienia (F8)', en: 'Notifications (F8)' }),
    })
    await region.waitFor({ state: 'attached' })
    expect((await toasts(page).boundingBox())!.width).toBeLessThanOrEqual(420)
    await page.keyboard.press('F8')
    expect(await page.evaluate(() => document.activeElement?.closest('.toasts') !== null)).toBe(true)
    await toasts(page)
      .getByRole('button', { name: say(locale, { pl: 'Zamknij powiadomienie', en: 'Close notification' }) })
      .focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => toasts(page).count()).toBe(0)
  })
})

test('UIX-1 WCAG-2.2.1 a toast that asks for something does not go by itself; one at a time, the newest takes the place of the one before; swiping right closes it past 50 px, and not before', async () => {
  const { page, publish } = await openOffer()
  await page.clock.fastForward(limits.toast.durationMs * 10)
  expect(await toasts(page).count()).toBe(1)
  publish('newest')
  const asked = page.waitForResponse('**/builds/meta/newest.json')
  await page.clock.fastForward(limits.buildCheckMs)
  await asked
  await toasts(page).waitFor()
  expect(await toasts(page).count()).toBe(1)
  await swipe(page, limits.toast.swipePx - 10)
  expect(await toasts(page).count()).toBe(1)
  await swipe(page, limits.toast.swipePx + 30)
  await expect.poll(() => toasts(page).count()).toBe(0)
})

test('UIX-1 on a phone a toast leaves the margins free and lies above the bar', async () => {
  const { page } = await openOffer({ viewport: phone })
  const { x, width } = (await toasts(page).boundingBox())!
  expect([x, phone.width - x - width]).toEqual([16, 16])
})

test('UIX-1 what failed is said in a toast of its own kind, which offers to try again', async () => {
  const page = await portal.openPage({ tolerate: /ERR_FAILED|sign-out/ })
  await portal.signIn(page, 'oliver')
  await page.route('**/api/sign-out', (route) => route.abort())
  await page.getByRole('button', { name: 'Oliver Smith' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  await toasts(page).getByText('Nie udało się wylogować').waitFor()
  expect(await toasts(page).getAttribute('class')).toContain('toast--err')
  await page.unroute('**/api/sign-out')
  await toasts(page).getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
})
