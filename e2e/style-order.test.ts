import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { exhaustive } from '../server/testing/breadth.ts'
import { desktop, untilHydrated, phone, signedInPaths } from './testing/browser-pages.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

/** Where every visible element is, and how it looks. */
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
