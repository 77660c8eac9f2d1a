import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { features, featureNames } from '../contract/features.ts'
import { inLocale, pages, type PageName } from '../contract/pages.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { findings } from './testing/axe-findings.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { openPortal, say, see } from './testing/open-portal.ts'

// A provider with its own branding that has turned off every optional feature.
const portal = await openPortal({
  BRAND_FILE: join(import.meta.dirname, '../docs/examples/wawel-brand.json'),
  FEATURES_OFF: featureNames.join(' '),
})

const unavailable = { pl: 'Funkcjonalność jest obecnie niedostępna', en: 'This feature is currently unavailable' }
const colourOf = (page: Page, selector: string, property: string) =>
  page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

describe.each(languages('en'))('%s', (locale) => {
  test.runIf(exhaustive)(
    'OPS-3 R64 the pages have the provider’s name, logo, colours and texts, before and after hydration',
    async () => {
      const bare = await portal.openPage({ locale, javaScriptEnabled: false })
      const alive = await portal.openPage({ locale })
      for (const page of [bare, alive]) {
        await page.goto(inLocale(locale, '/'))
        const mark = page.locator('.auth__bar .brand image')
        const address = await mark.getAttribute('href')
        expect(address).toMatch(/^\/brand\/mark-[\da-f]{16}\.svg$/)
        await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).toBe(address)
        expect((await mark.boundingBox())!.width).toBe(36)
        await expect.poll(() => page.title()).toMatch(/ – Wawel ID$/)
        await see(page, locale, { pl: 'Zaufanie, które widać', en: 'Trust that shows' })
        // The button has the colour once it is enabled.
        expect(await colourOf(page, 'html', '--brand-700')).toBe('#55295F')
        expect(await colourOf(page, '.auth__art stop >> nth=0', 'stop-color')).not.toBe('rgb(127, 224, 207)')
        await expect.poll(() => page.getByText(/Sygnet/).count()).toBe(0)
      }
      await expect.poll(() => colourOf(alive, '.btn--primary', 'background-color')).toBe('rgb(85, 41, 95)')
      expect(await findings(alive)).toEqual([])
    },
  )

  test('ERR-5 no link leads a visitor to a page that is off, and its address says so', async () => {
    const page = await portal.openPage({ locale, tolerate: /503/ })
    await page.goto(inLocale(locale, '/'))
    await page.getByRole('textbox').first().waitFor()
    expect(
      await page.getByRole('link', { name: say(locale, { pl: 'Załóż konto', en: 'Create an account' }) }).count(),
    ).toBe(0)
    const answer = await page.goto(inLocale(locale, '/register'))
    expect(answer!.status()).toBe(503)
    await page.getByRole('heading', { level: 1, name: unavailable[locale] }).waitFor()
  })

  test.runIf(exhaustive)(
    'FAQ-1 ERR-5 the FAQ says nothing about features that are off, before and after hydration',
    async () => {
      const bare = await portal.openPage({ locale, javaScriptEnabled: false })
      const alive = await portal.openPage({ locale })
      const rest = ['sign-in', 'codes', 'phone', 'blocking', 'certificates', 'portal']
      for (const page of [bare, alive]) {
        await page.goto(inLocale(locale, '/faq'))
        const ids = (selector: string) =>
          page.locator(selector).evaluateAll((all) => all.filter((each) => each.checkVisibility()).map(({ id }) => id))
        await expect.poll(() => ids('.faq__topic > summary')).toEqual(rest)
        await page.locator('.faq__topic').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')))
        const shown = await ids('.faq summary')
        expect(shown).toContain('lost-number')
        expect(shown).not.toContain('change-number')
        await expect
          .poll(() =>
            page
              .getByText(/klucz\w* dostępu|passkey/i)
              .filter({ visible: true })
              .count(),
          )
          .toBe(0)
      }
    },
  )

  test.runIf(exhaustive)(
    'ERR-5 the menu has the remaining pages, each page that is off says so within it, and home, My data and Security omit it',
    async () => {
      const page = await portal.openPage({ locale })
      await portal.signIn(page, 'malgorzata', { locale })
      const menu = page.getByRole('navigation', { name: say(locale, { pl: 'Menu główne', en: 'Main menu' }) })
      await expect
        .poll(() => menu.getByRole('link').allInnerTexts())
        .toEqual(
          say(locale, {
            pl: ['Start', 'Moje dane', 'Bezpieczeństwo', 'Zmiana hasła', 'Pytania i\u00a0odpowiedzi'],
            en: ['Home', 'My data', 'Security', 'Change password', 'FAQ'],
          }),
        )
      // An empty group has no heading either.
      await expect.poll(() => menu.locator('.nav__label:visible').count()).toBe(2)
      // A name of four lines moves the menu down, and covers nothing.
      const ours = page.locator('.side .brand b')
      await ours.evaluate((element) => void (element.textContent = 'Krajowe Centrum Certyfikacji i Podpisów'))
      const [named, first] = [await ours.boundingBox(), await menu.getByRole('link').first().boundingBox()]
      expect(named!.height).toBeGreaterThan(76)
      expect(named!.y).toBeGreaterThanOrEqual(0)
      expect(named!.y + named!.height).toBeLessThanOrEqual(first!.y)
      expect(await page.locator('.tile:visible').count()).toBe(0)
      expect(await page.getByRole('button', { name: say(locale, { pl: 'Użyj kodu', en: 'Use code' }) }).count()).toBe(0)
      expect(await page.getByText(unavailable[locale]).count()).toBe(0)
      expect(await findings(page)).toEqual([])

      await page.goto(inLocale(locale, '/my-data'))
      const labels = {
        phone: { pl: 'Zmień numer telefonu', en: 'Change phone number' },
        passkeys: { pl: 'Klucze dostępu', en: 'Passkeys' },
        reminders: { pl: /^Przypomnienia o/, en: /^Certificate expiry reminders/ },
      }
      await page.getByRole('heading', { name: say(locale, { pl: 'Kontakt', en: 'Contact' }) }).waitFor()
      expect(await page.getByText(labels.phone[locale]).count()).toBe(0)
      expect(await page.getByRole('heading', { name: labels.reminders[locale] }).count()).toBe(0)
      expect(await page.getByText(unavailable[locale]).count()).toBe(0)

      await page.goto(inLocale(locale, '/security'))
      await page.getByRole('heading', { name: say(locale, { pl: 'Aktywne sesje', en: 'Active sessions' }) }).waitFor()
      expect(await page.getByRole('heading', { name: labels.passkeys[locale] }).count()).toBe(0)
      expect(await page.getByText(unavailable[locale]).count()).toBe(0)

      // Next to the password there is no passkey option either; the data is there once nothing is loading.
      await page.goto(inLocale(locale, '/change-password'))
      await page.locator('input[name=currentPassword]').waitFor()
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
      expect(await page.getByText(unavailable[locale]).count()).toBe(0)

      const off = featureNames
        .flatMap((name): readonly PageName[] => features[name].pages)
        .filter((name) => pages[name].protected)
      // One function decides about all of them (server/tests/features.test.ts tries each); one of them has a parameter.
      for (const name of off) {
        await page.goto(inLocale(locale, pages[name].path.replace(':uid', crypto.randomUUID())))
        await page.getByRole('heading', { level: 1, name: unavailable[locale] }).waitFor()
        await expect.poll(() => page.title()).toBe(`${unavailable[locale]} – Wawel ID`)
      }
      expect(await findings(page)).toEqual([])
      await page.getByRole('link', { name: say(locale, { pl: 'Wróć do strony Start', en: 'Back to Home' }) }).click()
      await page.waitForURL(portal.origin + inLocale(locale, '/home'))
    },
  )
})

test.runIf(exhaustive)('ERR-5 NAV-1 the bar on a phone has no tab for features that are off', async () => {
  const page = await portal.openPage({ viewport: phone })
  await portal.signIn(page, 'oliver')
  const bar = page.getByRole('navigation', { name: 'Skróty' })
  await expect.poll(() => bar.locator('li:visible').allInnerTexts()).toEqual(['Start', 'Konto', 'Więcej'])
  await page.setViewportSize(desktop)
})

test('ERR-5 STP-7 the page for a forgotten password says nothing of a lost phone where that is off', async () => {
  const page = await portal.openPage()
  await page.goto('/password-reset')
  await page.locator('input[name=email]').waitFor()
  await expect.poll(() => page.getByText('Telefon zginął?').isVisible()).toBe(false)
})
