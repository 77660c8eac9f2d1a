import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { screenStates, type ScreenState } from '../tools/screen-states.ts'
import { findings } from './axe-findings.ts'
import { locales, openPortal } from './open-portal.ts'

type Locale = (typeof locales)[number]

const everyWidth = [1440, 390, 320]
const sideways = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement!
    const dialog = document.querySelector('dialog[open]')
    return scrollWidth - clientWidth + (dialog ? dialog.scrollWidth - dialog.clientWidth : 0)
  })

type Visitors = 'visitors' | 'customers'
type View = { state: ScreenState; locale: Locale; widths: number[]; name: string }

const statesOf = (who: Visitors) => screenStates.filter(({ customer }) => (customer ? 'customers' : 'visitors') === who)
const widthsOf = ({ only }: ScreenState) => everyWidth.filter((width) => only !== 'phone' || width < 1024)

/** Each state in one language at one width, in turn, so that all of them occur. */
const spread = (states: ScreenState[]): View[] =>
  states.map((state, index) => {
    const possible = widthsOf(state)
    const width = possible[Math.floor(index / locales.length) % possible.length]!
    const locale = locales[index % locales.length]!
    return { state, locale, widths: [width], name: `${state.name} (${locale}, ${width} px)` }
  })

/** Each state in both languages at every width. */
const everyCombination = (states: ScreenState[]): View[] =>
  locales.flatMap((locale) =>
    states.map((state) => ({ state, locale, widths: widthsOf(state), name: `${state.name} (${locale})` })),
  )

/** Faults of states that show one; all tabs of a profile see them. */
const tolerate = /software-screen|ERR_FAILED|CallFailed: offline|status of 503/

export async function testScreens(who: Visitors, exhaustive: boolean) {
  const portal = await openPortal()
  const views = exhaustive ? everyCombination(statesOf(who)) : spread(statesOf(who))

  test.each(views)(
    'WCAG-2.2-AA 1.4.10 R64 $name has nothing that axe objects to and needs no scrolling sideways',
    async ({ state: { path, customer, only, before, steps }, locale, widths }) => {
      const { context, openTab } = await profileOf(customer, locale)
      if (!customer) await context.clearCookies()
      const page = await openTab({ tolerate, close: 'tab' })
      if (only === 'phone') await page.setViewportSize({ width: 390, height: 900 })
      const scene = { page, run: portal, locale, at: (place: string) => inLocale(locale, place) }
      await before?.(scene)
      await page.goto(inLocale(locale, path))
      await page.locator('h1').first().waitFor()
      await steps?.(scene)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await findings(page)]).toEqual([width, []])
        expect([width, await sideways(page)]).toEqual([width, 0])
      }
    },
  )

  const profiles = new Map<string, Awaited<ReturnType<typeof portal.openProfile>>>()

  /** One profile for all states of a customer in a language, who signs in once; and one for visitors. What it has compiled once it need not compile again. */
  async function profileOf(customer: string | undefined, locale: Locale) {
    const known = profiles.get(`${customer} ${locale}`)
    if (known) return known
    const profile = await portal.openProfile({ locale, viewport: { width: 1440, height: 900 } })
    profiles.set(`${customer} ${locale}`, profile)
    if (customer) await portal.signIn(await profile.openTab({ tolerate, close: 'tab' }), customer, { locale })
    return profile
  }
}
