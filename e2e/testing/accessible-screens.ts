import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { locales, type Locale, keysOf } from '../../contract/enums.ts'
import { findPage, inLocale, pages } from '../../contract/pages.ts'
import { showState, type ScreenState } from '../screens/screen-state.ts'
import { screenStates } from '../screens/screen-states.ts'
import { findViolations } from './browser-pages.ts'
import { openPortal } from './open-portal.ts'

const sideways = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement!
    const dialog = document.querySelector('dialog[open]')
    return scrollWidth - clientWidth + (dialog ? dialog.scrollWidth - dialog.clientWidth : 0)
  })

/**
 * Finds the buttons at the foot of a dialog that break UIX-15: the primary button must be last, and a button before it that only leaves the
 * dialog must be quiet. On phones the buttons of each line together must be as wide as the foot.
 */
const findFootProblems = (page: Page) =>
  page.evaluate(() => {
    const dialog = document.querySelector('dialog[open]')
    const buttons = [...(dialog?.querySelectorAll<HTMLElement>('.dialog__foot .button') ?? [])].filter((button) =>
      button.checkVisibility(),
    )
    const leaves = /^(?:Anuluj|Zamknij|Cancel|Close)$/
    const wrong = buttons.filter(
      (button, at) =>
        at < buttons.length - 1 &&
        (button.matches('.button--primary') || (leaves.test(button.textContent) && !button.matches('.button--quiet'))),
    )
    // Two that do the same in different formats may be one part.
    const partOf = (button: HTMLElement) => button.closest<HTMLElement>('.dialog__foot > *')!
    const parts = [...new Set(buttons.map(partOf))]
    const lineWidth = ({ offsetTop }: HTMLElement) =>
      parts.filter((part) => part.offsetTop === offsetTop).reduce((sum, part) => sum + part.offsetWidth, 0)
    const narrow = buttons.filter((button) => innerWidth <= 640 && lineWidth(partOf(button)) < innerWidth * 0.8)
    return [...wrong, ...narrow].map((button) => button.textContent)
  })

/** A state in a language; the widths it is looked at, the first of which it is opened at and axe judges. */
type View = { state: ScreenState; locale: Locale; widths: number[]; name: string }

/**
 * Returns the view of a state. Axe judges structure and colours at one width only, because they hardly differ between widths; what is too
 * wide depends on the words.
 */
function viewOf(state: ScreenState, locale: Locale, first: number): View {
  const widths = state.only === 'phone' ? [390, 320] : [1440, 390, 320]
  const judged = state.only === 'desktop' ? 1440 : widths[first % widths.length]!
  const others = widths.filter((width) => width !== judged)
  return { state, locale, widths: [judged, ...others], name: `${state.name} (${locale})` }
}

/**
 * Returns all states of a group in these languages. Axe judges each state at one width per language, and at another width in the other
 * language.
 */
export const statesFor = (who: 'visitors' | 'customers', inLocales: readonly Locale[]): View[] =>
  screenStates
    .filter(({ customer }) => (customer ? 'customers' : 'visitors') === who)
    .flatMap((state, index) => inLocales.map((locale) => viewOf(state, locale, index + locales.indexOf(locale))))

/** Returns each page as it opens, in one language and at one width; languages and widths alternate. */
export const pagesInTurn = (): View[] =>
  keysOf(pages).map((name, index) => {
    const states = screenStates.filter(({ path }) => pageOf(path) === name)
    const opened = states.find(({ before, steps }) => !before && !steps) ?? states[0]!
    const view = viewOf(opened, locales[index % locales.length]!, index)
    return { ...view, widths: view.widths.slice(0, 1) }
  })

const pageOf = (path: string) => findPage(path.split(/[?#]/)[0]!)

/** Faults of states that show one; all tabs of a profile see them. */
const tolerate = /software-screen|ERR_FAILED|ApiError: offline|status of 503/

/** Opens a portal; `check` checks a view of it. */
export async function openScreens() {
  const portal = await openPortal()

  async function check({ state, locale, widths }: View) {
    const [judged] = widths
    // A code that another view has asked for would be continued, and its message is passed over.
    await portal.owner.query('delete from codes; delete from rate_limits')
    const page = await openTabFor(state, locale)
    await page.setViewportSize({ width: judged!, height: 800 })
    await showState({ page, run: portal, locale }, state)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, await findFootProblems(page)]).toEqual([width, []])
      if (width === judged) expect([width, await findViolations(page)]).toEqual([width, []])
      expect([width, await sideways(page)]).toEqual([width, 0])
    }
  }

  type Profile = Awaited<ReturnType<typeof portal.openProfile>>
  const profiles = new Map<string, { profile: Profile; tab?: Page }>()

  /**
   * Returns the tab for a state. All states of a customer in a language share a profile, so that the customer signs in once; visitors share
   * another one. A profile has one tab for all its states, which compiles the scripts once.
   */
  async function openTabFor({ path, customer, ownTab }: ScreenState, locale: Locale): Promise<Page> {
    const key = `${customer} ${locale}`
    const known = profiles.get(key)
    const visit = known ?? { profile: await portal.openProfile({ locale }) }
    const { context, openTab, requireNoFaults } = visit.profile
    if (!customer) await context.clearCookies()
    else if (!known) await portal.enter(context, customer)
    profiles.set(key, visit)
    if (ownTab) return openTab({ tolerate, close: 'tab' })
    requireNoFaults(tolerate)
    if (!visit.tab || visit.tab.isClosed()) visit.tab = await context.newPage()
    // The fake replies of the state before end.
    await visit.tab.unrouteAll({ behavior: 'ignoreErrors' })
    // A public page reads the session only where a signed-in page was shown before.
    if (!known && customer && !isProtected(path)) {
      await visit.tab.goto(inLocale(locale, '/home'))
      await visit.tab.locator('.account-button__name').waitFor({ state: 'attached' })
    }
    return visit.tab
  }

  return { portal, check }
}

const isProtected = (path: string) => {
  const name = pageOf(path)
  return name !== undefined && pages[name].needsSignIn
}
