import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { screenStates } from '../tools/screen-states.ts'
import { findings } from './axe-findings.ts'
import { openPortal, type locales } from './open-portal.ts'

type Locale = (typeof locales)[number]

const widths = [1440, 390, 320]
const sideways = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement!
    const dialog = document.querySelector('dialog[open]')
    return scrollWidth - clientWidth + (dialog ? dialog.scrollWidth - dialog.clientWidth : 0)
  })

/** Every page, dialog and state in one language, of visitors or of customers: four files, which can run at once. */
export async function testAccessibility(locale: Locale, who: 'visitors' | 'customers') {
  const portal = await openPortal()

  test.each(screenStates.filter(({ customer }) => (customer ? 'customers' : 'visitors') === who))(
    'WCAG-2.2-AA 1.4.10 R64 $name has nothing that axe objects to and needs no scrolling sideways at desktop and phone width, down to 320 px',
    async ({ path, customer, only, before, steps }) => {
      const { context, openTab } = await profileOf(customer)
      if (!customer) await context.clearCookies()
      const tolerate = /software-screen|ERR_FAILED|CallFailed: offline|status of 503/
      const page = await openTab({ tolerate, close: 'tab' })
      if (only === 'phone') await page.setViewportSize({ width: 390, height: 900 })
      const scene = { page, run: portal, locale, at: (place: string) => inLocale(locale, place) }
      await before?.(scene)
      await page.goto(inLocale(locale, path))
      await page.locator('h1').first().waitFor()
      await steps?.(scene)
      for (const width of widths.filter((each) => only !== 'phone' || each < 1024)) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await findings(page)]).toEqual([width, []])
        expect([width, await sideways(page)]).toEqual([width, 0])
      }
    },
  )

  const profiles = new Map<string | undefined, Awaited<ReturnType<typeof portal.openProfile>>>()

  /** One profile for all states of a customer, who signs in once; and one for visitors. What it has compiled once it need not compile again. */
  async function profileOf(customer: string | undefined) {
    const known = profiles.get(customer)
    if (known) return known
    const profile = await portal.openProfile({ locale, viewport: { width: 1440, height: 900 } })
    profiles.set(customer, profile)
    if (customer) await portal.signIn(await profile.openTab({ close: 'tab' }), customer, { locale })
    return profile
  }
}
