import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readRenewal } from '../contract/renewal.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { signedInPaths as paths } from './testing/browser-pages.ts'
import { reply } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { issued } from './testing/samples/renewal.ts'

const portal = await openPortal()

/** Where the content of these parts begins and ends, within their padding; every part has the same. */
async function edgesOf(page: Page, parts: string[]) {
  const found = await page.evaluate(
    (names) =>
      names.map((name) => {
        const element = document.querySelector(name)!
        const { left, right } = element.getBoundingClientRect()
        const { paddingLeft, paddingRight } = getComputedStyle(element)
        return [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)] as const
      }),
    parts,
  )
  for (const edges of found) expect([page.url(), edges]).toEqual([page.url(), found[0]])
  const [left, right] = found[0]!
  return { left, width: right - left }
}

/** Everything visible that keeps its place in the window while the page scrolls; toasts are only there for a moment. */
const fixedParts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position))
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > 0)
      .map(({ className }) => className)
      .filter((name) => name !== 'toasts'),
  )

test.skipIf(exhaustive)('UIX-12 UIX-19 on a wide screen bar, content and footer have the same edges', async () => {
  const page = await portal.openPage({ viewport: { width: 1920, height: 1080 } })
  await portal.signIn(page, 'zofia')
  const first = await edgesOf(page, ['.topbar', 'main', '.foot'])
  expect(first.width).toBeLessThanOrEqual(1280)
  for (const path of paths) {
    await page.goto(path)
    expect([path, await edgesOf(page, ['.topbar', 'main', '.foot'])]).toEqual([path, first])
  }
  // Where there is no menu, in the middle of the window.
  await page.goto(`/renewal/${crypto.randomUUID()}`)
  const { left, width } = await edgesOf(page, ['.focus__bar', 'main', '.foot'])
  expect([width, left]).toEqual([first.width, (1920 - width) / 2])
})

test('UIX-13 at 400 % zoom nothing is fixed to the window, and nothing scrolls sideways', async () => {
  const page = await portal.openPage({ viewport: { width: 320, height: 256 } })
  await portal.signIn(page, 'zofia')
  // Whose new certificate begins later, on a day that has to wrap.
  const sample = issued(12, { state: 'finished' })
  await reply(readRenewal, sample)({ page })
  for (const path of [`/renewal/${sample.uid}`, ...(exhaustive ? paths : paths.slice(0, 2))]) {
    await page.goto(path)
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
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

const locale = language('pl')
const { at, translate } = inLanguage(locale)

test('UIX-10 on a wide screen a case is one line, and so is the end of home', async () => {
  const page = await portal.openPage({ locale, viewport: { width: 1920, height: 1080 } })
  const tops = (parts: string) =>
    page
      .locator(parts)
      .evaluateAll((all) => [...new Set(all.map((part) => Math.round(part.getBoundingClientRect().top)))])
  await portal.signIn(page, 'malgorzata', { locale, to: '/my-cases' })
  const received = page.locator('.trows').last().locator('tbody tr')
  await expect.poll(() => received.count()).toBe(8)
  for (const row of await received.all()) {
    const [name, number] = [(await row.locator('.link').boundingBox())!, (await row.locator('.sub').boundingBox())!]
    expect(number.x).toBeGreaterThanOrEqual(name.x + name.width)
    expect(number.y).toBeLessThan(name.y + name.height)
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(58)
  }
  await page.goto(at('/home'))
  await page.locator('.voucher__form').waitFor()
  expect(await tops('.home__foot > section')).toHaveLength(1)
  expect(await page.locator('.home__foot > section').count()).toBe(4)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await tops('.home__foot > section')).toHaveLength(2)
})

test('UIX-14 with forced colours what is current has another background', async () => {
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
  for (const within of ['.nav', '.topbar .lang']) await differs(within)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const within of ['.tabs', '.tabbar']) await differs(within)
  await page.goto(translate('/faq', '/en/faq'))
  await differs('.lang')
})
