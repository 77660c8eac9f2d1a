import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import type { Locale } from '../../contract/enums.ts'
import { openPages } from './browser-pages.ts'

/** Returns functions that open pages of the desk at this address, for a test file. */
export function openDeskPages(origin: string) {
  const { openPage, closeProfiles } = openPages(origin)
  afterAll(closeProfiles)

  /** Opens the page that starts the sign-in, in its own profile, because the staff sign in at another origin. */
  async function openDesk(locale: Locale): Promise<Page> {
    const tolerate = /^left the portal: http:\/\/127\.0\.0\.1:/
    const page = await openPage({ locale, alone: true, tolerate, viewport: { width: 1280, height: 800 } })
    await page.goto('/desk')
    return page
  }

  /** Signs in as somebody of the demonstration's staff. The desk is not waited for: not everybody may enter it. */
  async function chooseStaff(page: Page, locale: Locale, person: string, { isAgain = false } = {}) {
    const name = isAgain ? { pl: 'Zaloguj się ponownie', en: 'Sign in again' } : { pl: 'Zaloguj się', en: 'Sign in' }
    await page.getByRole('button', { name: name[locale], exact: true }).first().click()
    // The menu of the desk has the name too.
    await page.waitForURL((url) => url.origin !== origin)
    await page.getByRole('button', { name: person }).click()
  }

  async function openDeskAs(locale: Locale, person: string): Promise<Page> {
    const page = await openDesk(locale)
    await chooseStaff(page, locale, person)
    await page.waitForURL(`${origin}/desk`)
    return page
  }

  return { openDesk, chooseStaff, openDeskAs }
}
