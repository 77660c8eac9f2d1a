import { expect, test } from 'vitest'
import { chooseByTyping } from './testing/browser-pages.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

/** Less height than five options need, so that the list must scroll. */
const windowHeight = 220

/** The list of sixty signatures, whose order is the portal's choice of five. */
async function openSelect(viewport: { width: number; height: number }) {
  const page = await portal.openPage({ clock: true, viewport })
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
  const trigger = page.getByRole('combobox', { name: 'Kolejność' })
  await trigger.waitFor()
  return { page, trigger }
}

test('UIX-2 the select keeps 10 px from the edge of the window, and scrolls a step every 50 ms', async () => {
  const { page, trigger } = await openSelect({ width: 1440, height: windowHeight })
  await trigger.focus()
  await page.keyboard.press('Enter')
  const popup = page.locator('.options')
  await popup.waitFor()
  const box = (await popup.boundingBox())!
  expect(Math.round(box.y)).toBeGreaterThanOrEqual(10)
  expect(Math.round(windowHeight - box.y - box.height)).toBeGreaterThanOrEqual(10)
  // The popup does not fit, so it is as tall as the window allows.
  expect(Math.min(Math.round(box.y), Math.round(windowHeight - box.y - box.height))).toBe(10)

  const scrolled = () => popup.locator('.options__list').evaluate((viewport) => viewport.scrollTop)
  // From here on the test controls the time.
  await page.clock.pauseAt(Date.now() + 60_000)
  const before = await scrolled()
  await popup.locator('.options__step').last().dispatchEvent('pointermove', { pointerType: 'mouse' })
  await page.clock.runFor(49)
  expect(await scrolled()).toBe(before)
  await page.clock.runFor(1)
  expect(await scrolled()).toBeGreaterThan(before)
})

test('UIX-2 the select works by keyboard and type-ahead, and returns the focus', async () => {
  const { page, trigger } = await openSelect({ width: 1440, height: 900 })
  await chooseByTyping(trigger, 'od')
  await page.waitForURL(/sort=newest/)
  await page
    .getByRole('combobox', { name: 'Kolejność' })
    .filter({ hasText: /^Od najnowszych$/ })
    .waitFor()
  await page.getByRole('combobox', { name: 'Kolejność' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
})
