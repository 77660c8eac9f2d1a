import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { readRenewal } from '../contract/renewal.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { desktop, untilHydrated, phone, signedInPaths, untilFocused, pressSignOut } from './testing/browser-pages.ts'
import { reply } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { issued } from './testing/samples/renewal.ts'

const portal = await openPortal()
const locale = language('pl')
const { at, translate, button } = inLanguage(locale)

/** Returns the left edge and the width of the content of these parts, within their padding, and checks that every part has the same. */
async function measureEdges(page: Page, parts: string[]) {
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

/** Finds everything visible that keeps its place in the window while the page scrolls, except toasts, which are only there for a moment. */
const fixedParts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position))
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > 0)
      .map(({ className }) => className)
      .filter((name) => name !== 'toasts'),
  )

test.skipIf(exhaustive)('UIX-12 UIX-19 on a wide screen bar, content and footer have the same edges', async () => {
  const page = await portal.openAs('zofia', { viewport: { width: 1920, height: 1080 } })
  const first = await measureEdges(page, ['.topbar', 'main', '.foot'])
  expect(first.width).toBeLessThanOrEqual(1280)
  for (const path of signedInPaths) {
    await page.goto(path)
    expect([path, await measureEdges(page, ['.topbar', 'main', '.foot'])]).toEqual([path, first])
  }
  // Where there is no menu, in the middle of the window.
  await page.goto(`/renewal/${crypto.randomUUID()}`)
  const { left, width } = await measureEdges(page, ['.focus__bar', 'main', '.foot'])
  expect([width, left]).toEqual([first.width, (1920 - width) / 2])
})

test('UIX-13 at 400 % zoom nothing is fixed to the window, and nothing scrolls sideways', async () => {
  const page = await portal.openAs('zofia', { viewport: { width: 320, height: 256 } })
  // Whose new certificate begins later, on a day that has to wrap.
  const sample = issued(12, { state: 'finished' })
  await reply(readRenewal, sample)({ page })
  for (const path of [`/renewal/${sample.uid}`, ...(exhaustive ? signedInPaths : signedInPaths.slice(0, 2))]) {
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

test('UIX-10 on a wide screen a case is one line, and so is the end of home', async () => {
  const page = await portal.openPage({ locale, viewport: { width: 1920, height: 1080 } })
  const tops = (parts: string) =>
    page
      .locator(parts)
      .evaluateAll((all) => [...new Set(all.map((part) => Math.round(part.getBoundingClientRect().top)))])
  await portal.signIn(page, 'malgorzata', { locale, to: '/my-cases' })
  const received = page.locator('.table-rows').last().locator('tbody tr')
  await expect.poll(() => received.count()).toBe(8)
  for (const row of await received.all()) {
    const [name, number] = [(await row.locator('.link').boundingBox())!, (await row.locator('.subtext').boundingBox())!]
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
  /** Returns the colours of the current link and of the other links, each once. */
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

/** Returns the position and the look of every visible element. */
const looksOf = (page: Page) =>
  page.evaluate(() => {
    const properties = [
      'color',
      'backgroundColor',
      'fontSize',
      'lineHeight',
      'padding',
      'margin',
      'display',
      'gap',
    ] as const
    return [...document.querySelectorAll('body *')].flatMap((element) => {
      if (!element.checkVisibility()) return []
      const { left, top, width, height } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      const place = [left, top, width, height].map(Math.round).join(' ')
      const look = properties.map((name) => style[name]).join(' · ')
      return [`${element.localName}.${element.getAttribute('class') ?? ''} ${place} ${look}`]
    })
  })

/** Waits until the page is hydrated and every part of it has its data; QR codes are drawn by code of their own. */
async function isWhole(page: Page) {
  await untilHydrated(page)
  await expect.poll(() => page.locator('[aria-busy=true], .qr__code:empty').count()).toBe(0)
}

test.each(exhaustive ? [desktop, phone] : [phone])(
  'UIX-39 at $width px a page looks the same where it is loaded and where a link leads to it',
  async (viewport) => {
    const page = await portal.openPage({ viewport, tolerate: /ERR_FAILED/ })
    // A font that arrives late is not used on that page (font-display: optional).
    await page.route('**/*.woff2', (route) => route.abort())
    await portal.signIn(page, 'zofia')
    for (const path of exhaustive ? signedInPaths : signedInPaths.slice(0, 3)) {
      await page.goto(path)
      await isWhole(page)
      const loaded = await looksOf(page)
      await page.goto(path === '/home' ? '/software' : '/home')
      await isWhole(page)
      await page.evaluate((to) => document.querySelector<HTMLElement>(`nav a[href="${to}"]`)!.click(), path)
      await page.waitForURL((url) => url.pathname === path)
      await isWhole(page)
      await expect
        .poll(async () => {
          const navigated = await looksOf(page)
          const first = navigated.findIndex((look, index) => look !== loaded[index])
          return [path, loaded[first], navigated[first]]
        })
        .toEqual([path, undefined, undefined])
    }
  },
)

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
  const page = await portal.openAs('oliver', { tolerate: /status of 503/ })
  await page.route('**/api/sign-out', (route) => route.fulfill({ status: 503 }))
  await pressSignOut(page)
  await toasts(page).getByText('Nie udało się wylogować').waitFor()
  await expect.poll(() => toasts(page).getAttribute('class')).toContain('toast--error')
  // On a phone it keeps the margins free.
  await page.setViewportSize(phone)
  const { x, width } = (await toasts(page).boundingBox())!
  expect([x, phone.width - x - width]).toEqual([16, 16])
  await page.unroute('**/api/sign-out')
  await toasts(page).getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
})
