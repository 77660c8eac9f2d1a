import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { isUsable } from './testing/browser-pages.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()

const paths = ['/home', '/certificates/signatures', '/documents', '/my-data', '/software']

/** Everything visible that keeps its place in the window while the page scrolls; toasts are only there for a moment. */
const fixedParts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position))
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > 0)
      .map(({ className }) => className)
      .filter((name) => name !== 'toasts'),
  )

test('UIX-12 at 1920 px the account bar and the content end at the same line, and are no wider than 1,280 px', async () => {
  const page = await portal.openPage({ viewport: { width: 1920, height: 1080 } })
  await portal.signIn(page, 'zofia')
  for (const path of paths) {
    await page.goto(path)
    await isUsable(page)
    const edges = await page.evaluate(() =>
      ['.topbar', 'main'].map((name) => {
        const { left, right } = document.querySelector(name)!.getBoundingClientRect()
        return { left, right }
      }),
    )
    expect([path, edges[0]]).toEqual([path, edges[1]])
    expect(edges[0]!.right - edges[0]!.left).toBe(1280)
  }
})

test('UIX-13 at 400 % zoom nothing is fixed to the window, the tabs are reached at the end of the page, and nothing scrolls sideways', async () => {
  const page = await portal.openPage({ viewport: { width: 320, height: 256 } })
  await portal.signIn(page, 'zofia')
  for (const path of paths) {
    await page.goto(path)
    await isUsable(page)
    expect([path, await fixedParts(page)]).toEqual([path, []])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
  const more = page.locator('.tabbar').getByRole('button')
  await more.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const leave = dialog.getByRole('button', { name: 'Wyloguj się' })
  await leave.focus()
  const [box, window] = [(await leave.boundingBox())!, page.viewportSize()!]
  expect(box.y + box.height).toBeLessThanOrEqual(window.height)
  // Head and foot move with the rest.
  expect(await dialog.evaluate((element) => element.scrollTop)).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // A phone upright has its tab bar at the edge of the window.
  await page.setViewportSize({ width: 320, height: 568 })
  expect(await fixedParts(page)).toEqual(['demo', 'tabbar'])
})

test.each(languages('pl'))(
  'UIX-14 %s with forced colours the current tab, menu item and language have another background',
  async (locale) => {
    const page = await portal.openPage({ locale, alone: true, viewport: { width: 1440, height: 900 } })
    await page.emulateMedia({ forcedColors: 'active' })
    await portal.signIn(page, 'zofia', { locale, to: '/certificates/seals' })
    const highlight = await page.evaluate(() => {
      const sample = document.body.appendChild(document.createElement('i'))
      Object.assign(sample.style, { background: 'Highlight', color: 'HighlightText' })
      const { backgroundColor, color } = getComputedStyle(sample)
      sample.remove()
      return `${backgroundColor} ${color}`
    })
    /** The colours of the links, of the current one first, each once. */
    const colours = (within: string) =>
      page.locator(`${within} a`).evaluateAll((links) => {
        const of = (isCurrent: boolean) => [
          ...new Set(
            links
              .filter((link) => link.hasAttribute('aria-current') === isCurrent)
              .map((link) => `${getComputedStyle(link).backgroundColor} ${getComputedStyle(link).color}`),
          ),
        ]
        return { current: of(true), others: of(false) }
      })
    const differs = async (within: string) => {
      const others = [expect.stringContaining('rgba(255, 255, 255, 0) ')]
      await expect.poll(() => colours(within)).toEqual({ current: [highlight], others })
    }
    for (const within of ['.tabs', '.nav', '.topbar .lang']) await differs(within)
    await page.setViewportSize({ width: 390, height: 844 })
    await differs('.tabbar')
    await page.goto(say(locale, { pl: '/faq', en: '/en/faq' }))
    await differs('.lang')
  },
)
