import type { Page } from 'playwright-core'
import type { Locale } from '../../contract/enums.ts'
import { inLocale } from '../../contract/pages.ts'
import type { DemonstrationRun } from '../testing/demonstration-run.ts'

export type Scene = { page: Page; run: DemonstrationRun; locale: Locale }

/** One thing that is done on a page, or prepared before it is opened. */
export type Step = (scene: Scene) => Promise<unknown>

/** What is done on the way to a state. */
type Details = {
  /** `/<page>` unless given. */
  path?: string
  /** Login of a customer of the demonstration; nobody unless given. */
  customer?: string
  /** Drawn at this size only, where the others do not have it. */
  only?: 'desktop' | 'phone'
  /** What it prepares lasts as long as its tab, so no other state can follow in it. */
  ownTab?: true
  /** Before the page is opened. */
  before?: Step | Step[]
  steps?: Step | Step[]
  /** Selector of an element that is there when all is done. */
  shows?: string
}

/** One picture of the portal: a page, who looks at it, and what is done there first. */
export type ScreenState = Details & {
  /** `<page>--<state>`, the name of its pictures. */
  name: string
  path: string
}

/** The states of a page: first what they have in common, then each by its name. */
export const statesOf =
  (page: string, common: Details = {}) =>
  (states: Record<string, Details>): ScreenState[] =>
    Object.entries(states).map(([name, own]) => ({ path: `/${page}`, ...common, ...own, name: `${page}--${name}` }))

/** Until a page is hydrated, its controls are disabled and grey (UIX-5); a page that has just been opened has no other disabled ones. */
const hydrated = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('button:disabled, fieldset:disabled'))

/** Opens the page of a state and does its steps. */
export async function showState(scene: Scene, { path, before = [], steps = [], shows }: ScreenState) {
  const { page, locale } = scene
  for (const step of [before].flat()) await step(scene)
  await page.goto(inLocale(locale, path))
  await page.locator('h1').first().waitFor()
  await hydrated(page)
  for (const step of [steps].flat()) await step(scene)
  if (shows) await page.locator(shows).first().waitFor()
}
