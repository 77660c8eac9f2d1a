import { expect, test } from 'vitest'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

/** Less height than five options need, so that the list must scroll. */
const windowHeight = 220

test('UIX-2 the select keeps 10 px from the edge of the window, and scrolls a step every 50 ms', async () => {
  const page = await portal.openPage({ clock: true, viewport: { width: 1440, height: windowHeight } })
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
  // Five options.
  await page.getByRole('combobox', { name: 'Kolejność' }).press('Enter')
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
