import type { Page } from 'playwright-core'
import type { Locale } from '../../contract/enums.ts'
import { inLocale } from '../../contract/pages.ts'
import { type DemonstrationRun, enterSmsCode } from '../testing/demonstration-run.ts'

export type Scene = { page: Page; run: DemonstrationRun; locale: Locale }

/** One thing that is done on a page, or prepared before it is opened. */
export type Step = (scene: Scene) => Promise<unknown>

/** Settings and steps on the way to a state. */
type Details = {
  /** `/<page>` unless given. */
  path?: string
  /** Login of a customer of the demonstration; nobody unless given. */
  customer?: string
  /** Drawn at this size only, where the others do not have it. */
  only?: 'desktop' | 'phone'
  /** Set if what the state prepares lasts as long as its tab, so that no other state can follow in it. */
  ownTab?: true
  /** Steps before the page is opened. */
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

/**
 * Waits until a page is hydrated. Until then its controls are disabled and grey (UIX-5); a page that has just been opened has no other
 * disabled ones.
 */
const hydrated = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('button:disabled, fieldset:disabled'))

export async function showState(scene: Scene, { path, before = [], steps = [], shows }: ScreenState) {
  const { page, locale } = scene
  for (const step of [before].flat()) await step(scene)
  await page.goto(inLocale(locale, path))
  await page.locator('h1').first().waitFor()
  await hydrated(page)
  for (const step of [steps].flat()) await step(scene)
  if (shows) await page.locator(shows).first().waitFor()
}

/** The first `article` of a page, which most lists are made of. */
export const card = 'main article'
/** The button of a notice that says what failed. */
export const retryButton = '.notice .button'
export const submitButton = 'form button[type=submit]:enabled'
export const codeField = 'dialog[open] input[name=code]'
export const confirmButton = 'dialog .dialog__foot .button--primary'

export const waitFor =
  (selector: string): Step =>
  ({ page }) =>
    page.locator(selector).first().waitFor()

export const click =
  (selector: string): Step =>
  ({ page }) =>
    page.locator(selector).first().click()

/** Clicks the first button whose name fits, in either language. */
export const press =
  (name: RegExp, within = 'body'): Step =>
  ({ page }) =>
    page.locator(within).first().getByRole('button', { name }).first().click()

export const fill =
  (selector: string, text: string): Step =>
  ({ page }) =>
    page.locator(selector).first().fill(text)

/** A form can be used once its script runs. */
export const submit: Step[] = [waitFor(submitButton), click(submitButton)]

export const askForPairingCode = press(/^Połącz z.aplikacją|^Connect to the app/)

/** Opens the QR code of the first certificate. A step-up for it may still be fresh, and then no code is asked for. */
export const showPairingCode = (login: string): Step[] => [
  askForPairingCode,
  waitFor(`dialog .qr, ${codeField}`),
  async ({ page, run }) => {
    if (await page.locator(codeField).count()) await enterSmsCode(page, run, login)
  },
  waitFor('dialog .qr__code'),
]
