import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { screenStates } from '../tools/screen-states.ts'
import { locales, openPortal } from './open-portal.ts'

const portal = await openPortal()
/** The two languages differ in the length of words, which the narrowest screen feels most. */
const widths = { pl: [1440, 390, 320], en: [1440, 320] }
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const left = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()

/** What axe finds, as one line for each element. */
async function findings(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

const sideways = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement!
    const dialog = document.querySelector('dialog[open]')
    return scrollWidth - clientWidth + (dialog ? dialog.scrollWidth - dialog.clientWidth : 0)
  })

describe.each(locales)('%s', (locale) => {
  test.each(screenStates)(
    'WCAG-2.2-AA 1.4.10 R64 $name has nothing that axe objects to and needs no scrolling sideways at desktop and phone width, down to 320 px',
    async ({ path, customer, only, before, steps }) => {
      const page = await portal.openPage({
        locale,
        tolerate: /software-screen|ERR_FAILED|status of 503/,
        viewport: { width: only === 'phone' ? 390 : 1440, height: 900 },
      })
      if (customer) await enter(page, customer)
      const scene = { page, run: portal, locale, at: (place: string) => inLocale(locale, place) }
      await before?.(scene)
      await page.goto(inLocale(locale, path))
      await page.locator('h1').first().waitFor()
      await steps?.(scene)
      for (const width of widths[locale].filter((each) => only !== 'phone' || each < 1024)) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await findings(page)]).toEqual([width, []])
        expect([width, await sideways(page)]).toEqual([width, 0])
      }
      if (customer) await leave(page, customer)
    },
  )

  /** Signs in once for all states of a customer. */
  async function enter(page: Page, customer: string) {
    const known = left.get(`${customer} ${locale}`)
    if (known) await page.context().addCookies(known)
    else await portal.signIn(page, customer, { locale })
  }

  /** A confirmed act gives the session a new cookie, so the next state begins with the one that this one ends with. */
  async function leave(page: Page, customer: string) {
    left.set(`${customer} ${locale}`, await page.context().cookies())
  }
})

test('R64 a script that was put into the page does not run', async () => {
  const page = await portal.openPage({ tolerate: /script-src|Content Security Policy|CSP/ })
  await page.goto('/')
  await page.locator('button[type=submit]:enabled').waitFor()
  const violation = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
          once: true,
        }),
      ),
  )
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.documentElement.dataset.injected = "yes"'
    document.body.append(script)
    const image = document.createElement('div')
    image.innerHTML = '<img src="data:," onerror="document.documentElement.dataset.injected = \'yes\'">'
    document.body.append(image)
  })
  expect(await violation).toMatch(/^script-src/)
  expect(await page.evaluate(() => document.documentElement.dataset['injected'])).toBeUndefined()
})

test('R8 after signing out, the back button of the browser shows nothing personal', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata')
  await page.getByRole('link', { name: 'Podpis kwalifikowany' }).first().click()
  await page.getByRole('article').first().waitFor()
  await page.getByRole('button', { name: 'Małgorzata Wiśniewska' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/')
  await page.locator('button[type=submit]:enabled').waitFor()
  expect(await page.content()).not.toMatch(/Małgorzata|Wiśniewska|850312/)
})
