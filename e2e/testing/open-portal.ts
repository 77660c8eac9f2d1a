import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, expect } from 'vitest'
import type { Locale } from '../../contract/enums.ts'
import { inLocale } from '../../contract/pages.ts'
import { startFilledDemonstration } from '../../server/testing/filled-demonstration.ts'
import { closingWithFile } from '../../server/testing/open-portal.ts'
import { betweenCalls, openPages, type PageOptions } from './browser-pages.ts'
import { enter, openMessages } from './demonstration-run.ts'

const root = join(import.meta.dirname, '../..')

/** Finds and opens what a page has in one language; each text is given in both. */
export function inLanguage(locale: Locale) {
  type Within = Page | Locator
  type Text = string | RegExp
  const translate = <T>(pl: T, en: T): T => ({ pl, en })[locale]
  const byRole = (role: 'button' | 'heading' | 'link') => (within: Within, pl: Text, en: Text) =>
    within.getByRole(role, { name: translate(pl, en) })
  return {
    at: (path: string) => inLocale(locale, path),
    translate,
    button: byRole('button'),
    heading: byRole('heading'),
    link: byRole('link'),
    waitForText: (within: Within, pl: Text, en: Text) => within.getByText(translate(pl, en)).waitFor(),
  }
}

/**
 * Opens the portal of a test file: the whole demonstration on its own database, with functions that open its pages. It ends with the file.
 */
export async function openPortal(environment: Record<string, string> = {}) {
  if (!existsSync(join(root, 'dist/web/pages.json')))
    spawnSync(process.execPath, ['build/build.ts'], {
      cwd: root,
      // As it is served; the test runner's own value would build React for development.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: 'inherit',
    })
  const { stop: _, ...demonstration } = await closingWithFile(
    () => startFilledDemonstration(environment),
    (running) => running.stop(),
  )
  const { origin } = demonstration
  const { openProfile, openPage, closeProfiles } = openPages(origin)
  afterAll(closeProfiles)
  const messages = await openMessages(origin)
  beforeEach(async () => {
    // A customer of many tests signs in more often than a person does in a day.
    await demonstration.owner.query('delete from rate_limits')
    // A code that the test before has asked for and not entered would be taken for the next one.
    const unsent = `select from outbox where channel = 'sms' and outcome is null`
    await expect.poll(async () => (await demonstration.owner.query(unsent)).rowCount, { message: unsent }).toBe(0)
    await messages.passOverTexts()
  })
  /** Advances the clock of the portal and of tabs. */
  const letPass = (seconds: number, ...tabs: Page[]) =>
    betweenCalls(tabs[0]!.context(), async () => {
      await demonstration.clock.advance(seconds)
      for (const tab of tabs) await tab.clock.fastForward(seconds * 1000)
    })
  /** Signs a profile in by the calls of the login page, which has its own journeys. */
  const enterProfile = (profile: BrowserContext, login: string) => enter({ origin, ...messages }, profile, login)

  /** Signs the profile of a page in, and opens `/home` there, or `to`. */
  async function signIn(page: Page, login: string, { locale = 'pl', to = '/home' }: Destination = {}) {
    await enterProfile(page.context(), login)
    await page.goto(inLocale(locale, to))
    await page.waitForURL(origin + inLocale(locale, to))
    await page.locator('.account-button__name').waitFor({ state: 'attached' })
    // The heading takes the focus, on which the following keys depend.
    await page.locator('h1').first().waitFor()
  }

  /** Opens a page for a customer who has signed in, at `/home` or `to`. */
  async function openAs(login: string, { to, ...options }: PageOptions & Destination = {}) {
    const page = await openPage(options)
    await signIn(page, login, { ...(options.locale && { locale: options.locale }), ...(to && { to }) })
    return page
  }
  return { ...demonstration, ...messages, enter: enterProfile, signIn, openAs, openProfile, openPage, letPass }
}

type Destination = { locale?: Locale; to?: string }
