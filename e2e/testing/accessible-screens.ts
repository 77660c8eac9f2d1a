import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { locales, type Locale } from '../contract/enums.ts'
import { findPage, inLocale, pages } from '../contract/pages.ts'
import { screenStates, type ScreenState } from '../tools/screen-states.ts'
import { findings } from './axe-findings.ts'
import { openPortal } from './open-portal.ts'

const everyWidth = [1440, 390, 320]
const sideways = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement!
    const dialog = document.querySelector('dialog[open]')
    return scrollWidth - clientWidth + (dialog ? dialog.scrollWidth - dialog.clientWidth : 0)
  })

type View = { state: ScreenState; locale: Locale; widths: number[]; name: string }

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

/** The states of a group, once or in every combination; a file for each group, because they run side by side. */
export function viewsOf(who: 'visitors' | 'customers', exhaustive: boolean): View[] {
  const states = screenStates.filter(({ customer }) => (customer ? 'customers' : 'visitors') === who)
  return exhaustive ? everyCombination(states) : spread(states)
}

/** Faults of states that show one; all tabs of a profile see them. */
const tolerate = /software-screen|ERR_FAILED|CallFailed: offline|status of 503/

export async function testViews(views: View[]) {
  const portal = await openPortal()

  test.each(views)(
    'WCAG-2.2-AA 1.4.10 R64 $name has nothing that axe objects to and needs no scrolling sideways',
    async ({ state, locale, widths }) => {
      const page = await tabFor(state, locale)
      await page.setViewportSize({ width: widths[0]!, height: 800 })
      const scene = { page, run: portal, locale, at: (place: string) => inLocale(locale, place) }
      await state.before?.(scene)
      await page.goto(inLocale(locale, state.path))
      await page.locator('h1').first().waitFor()
      await state.steps?.(scene)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await findings(page)]).toEqual([width, []])
        expect([width, await sideways(page)]).toEqual([width, 0])
      }
    },
  )

  type Profile = Awaited<ReturnType<typeof portal.openProfile>>
  const profiles = new Map<string, { profile: Profile; tab?: Page }>()

  /**
   * One profile for all states of a customer in a language, who signs in once; and one for visitors. It has one tab, where
   * state follows state: what it has compiled once it need not compile again.
   */
  async function tabFor({ path, customer, ownTab }: ScreenState, locale: Locale): Promise<Page> {
    const key = `${customer} ${locale}`
    const known = profiles.get(key)
    const visit = known ?? { profile: await portal.openProfile({ locale }) }
    const { context, openTab, demandNoFaults } = visit.profile
    if (!customer) await context.clearCookies()
    else if (!known) await portal.enter(context, customer)
    profiles.set(key, visit)
    if (ownTab) return openTab({ tolerate, close: 'tab' })
    demandNoFaults(tolerate)
    if (!visit.tab || visit.tab.isClosed()) visit.tab = await context.newPage()
    // What the state before pretended is over.
    await visit.tab.unrouteAll({ behavior: 'ignoreErrors' })
    // A page for everyone asks who is signed in only where a page has shown it before.
    if (!known && customer && !isProtected(path)) {
      await visit.tab.goto(inLocale(locale, '/home'))
      await visit.tab.locator('.who__name').waitFor({ state: 'attached' })
    }
    return visit.tab
  }
}

const isProtected = (path: string) => {
  const name = findPage(path.split(/[?#]/)[0]!)
  return name !== undefined && pages[name].protected
}
