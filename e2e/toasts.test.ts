import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { phone, untilFocused } from './testing/browser-pages.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()
const toasts = (page: Page) => page.locator('.toast:visible')

/** A page that offers a newer build after an hour: the only toast that the portal shows unasked. */
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
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.toasts') !== null)).toBe(true)
    await toasts(page)
      .getByRole('button', { name: say(locale, { pl: 'Zamknij powiadomienie', en: 'Close notification' }) })
      .focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => toasts(page).count()).toBe(0)
  })

  test.runIf(exhaustive)(
    'UIX-1 the area is there before the first toast, named, and F8 leads to it, without the code of toasts',
    async () => {
      const page = await portal.openPage({ locale })
      const scripts: string[] = []
      page.on('request', (request) => void scripts.push(request.url()))
      await page.goto(say(locale, { pl: '/', en: '/en' }))
      await page.locator('button[type=submit]:enabled').waitFor()
      const region = page.getByRole('region', {
        name: say(locale, { pl: 'Powiadomienia (F8)', en: 'Notifications (F8)' }),
      })
      await expect.poll(() => region.count()).toBe(1)
      await page.locator('input[name=login]').focus()
      await page.keyboard.press('F8')
      await untilFocused(region)
      await expect
        .poll(() => region.innerText())
        .toBe(say(locale, { pl: 'Nie ma powiadomień.', en: 'There are no notifications.' }))
      // The focus can be seen (WCAG 2.4.7), in the corner where toasts appear.
      const box = (await region.boundingBox())!
      expect(Math.min(box.width, box.height)).toBeGreaterThan(20)
      expect(await region.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
      expect(scripts.filter((url) => url.includes('toast-view'))).toEqual([])
      // Client only: the prerendered page does not have it.
      expect(await (await page.request.get(say(locale, { pl: '/', en: '/en' }))).text()).not.toContain('(F8)')
    },
  )
})

test.runIf(exhaustive)(
  'UIX-1 WCAG-2.2.1 a toast with an action does not disappear by itself; a newer one replaces it; swiping right closes it past 50 px, and not before',
  async () => {
    const { page, publish } = await openOffer()
    await page.clock.fastForward(limits.toast.durationMs * 10)
    await expect.poll(() => toasts(page).count()).toBe(1)
    publish('newest')
    const asked = page.waitForResponse('**/builds/meta/newest.json')
    await page.clock.fastForward(limits.buildCheckMs)
    await asked
    await toasts(page).waitFor()
    await expect.poll(() => toasts(page).count()).toBe(1)
    await swipe(page, limits.toast.swipePx - 10)
    await expect.poll(() => toasts(page).count()).toBe(1)
    await swipe(page, limits.toast.swipePx + 30)
    await expect.poll(() => toasts(page).count()).toBe(0)
  },
)

test('UIX-1 on a phone a toast keeps the margins free and is above the bar', async () => {
  const { page } = await openOffer({ viewport: phone })
  const { x, width } = (await toasts(page).boundingBox())!
  expect([x, phone.width - x - width]).toEqual([16, 16])
})

test.runIf(exhaustive)('UIX-1 a failure is shown in an error toast, which offers to try again', async () => {
  const page = await portal.openPage({ tolerate: /status of 503/ })
  await portal.signIn(page, 'oliver')
  await page.route('**/api/sign-out', (route) => route.fulfill({ status: 503 }))
  await page.getByRole('button', { name: 'Oliver Smith' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  await toasts(page).getByText('Nie udało się wylogować').waitFor()
  await expect.poll(() => toasts(page).getAttribute('class')).toContain('toast--err')
  await page.unroute('**/api/sign-out')
  await toasts(page).getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
})
