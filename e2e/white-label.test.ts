import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { featureNames } from '../contract/features.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { findings } from './testing/axe-findings.ts'
import { phone } from './testing/browser-pages.ts'
import { openPortal, say, inLanguage } from './testing/open-portal.ts'

// A provider with its own branding that has turned off every optional feature.
const portal = await openPortal({
  BRAND_FILE: join(import.meta.dirname, '../docs/examples/wawel-brand.json'),
  FEATURES_OFF: featureNames.join(' '),
})

const unavailable = { pl: 'Funkcjonalność jest obecnie niedostępna', en: 'This feature is currently unavailable' }
const colourOf = (page: Page, selector: string, property: string) =>
  page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

const locale = language('en')
const { at, button, heading, link, translate } = inLanguage(locale)
test('ERR-5 R64 a visitor sees the provider’s brand, and nothing of what is off', async () => {
  const page = await portal.openPage({ locale, tolerate: /503/ })
  await page.goto(at('/'))
  await expect.poll(() => page.title()).toMatch(/ – Wawel ID$/)
  const mark = page.locator('.auth__bar .brand image')
  expect(await mark.getAttribute('href')).toMatch(/^\/brand\/mark-[\da-f]{16}\.svg$/)
  expect((await mark.boundingBox())!.width).toBe(36)
  expect(await colourOf(page, '.btn--primary', 'background-color')).toBe('rgb(85, 41, 95)')
  expect(await page.getByText(/Sygnet/).count()).toBe(0)
  expect(await findings(page)).toEqual([])
  expect(await link(page, 'Załóż konto', 'Create an account').count()).toBe(0)
  const answer = await page.goto(at('/register'))
  expect(answer!.status()).toBe(503)
  await page.getByRole('heading', { level: 1, name: unavailable[locale] }).waitFor()
  // STP-7
  await page.goto(at('/password-reset'))
  const lostPhone = page.getByText(translate('Telefon zginął?', 'Lost your phone?'))
  expect(await lostPhone.filter({ visible: true }).count()).toBe(0)
  // FAQ-1
  await page.goto(at('/faq'))
  await page.locator('.faq__topic').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')))
  const questions = page.locator('.faq summary')
  expect(await questions.and(page.locator('#lost-number')).isVisible()).toBe(true)
  expect(await questions.and(page.locator('#change-number')).filter({ visible: true }).count()).toBe(0)
})

test.runIf(exhaustive)('ERR-5 NAV-1 the menu has what is on; a page that is off says so, others omit it', async () => {
  const page = await portal.openPage({ locale })
  await portal.signIn(page, 'malgorzata', { locale })
  const menu = page.getByRole('navigation', { name: translate('Menu główne', 'Main menu') })
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
  expect(await page.locator('.tile:visible').count()).toBe(0)
  expect(await button(page, 'Użyj kodu', 'Use code').count()).toBe(0)
  expect(await page.getByText(unavailable[locale]).count()).toBe(0)
  expect(await findings(page)).toEqual([])

  await page.goto(at('/my-data'))
  const labels = {
    phone: { pl: 'Zmień numer telefonu', en: 'Change phone number' },
    passkeys: { pl: 'Klucze dostępu', en: 'Passkeys' },
    reminders: { pl: /^Przypomnienia o/, en: /^Certificate expiry reminders/ },
  }
  await heading(page, 'Kontakt', 'Contact').waitFor()
  expect(await page.getByText(labels.phone[locale]).count()).toBe(0)
  expect(await page.getByRole('heading', { name: labels.reminders[locale] }).count()).toBe(0)
  expect(await page.getByText(unavailable[locale]).count()).toBe(0)

  await page.goto(at('/security'))
  await heading(page, 'Aktywne sesje', 'Active sessions').waitFor()
  expect(await page.getByRole('heading', { name: labels.passkeys[locale] }).count()).toBe(0)
  expect(await page.getByText(unavailable[locale]).count()).toBe(0)

  // Next to the password there is no passkey option either; the data is there once nothing is loading.
  await page.goto(at('/change-password'))
  await page.locator('input[name=currentPassword]').waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  expect(await page.getByText(unavailable[locale]).count()).toBe(0)

  // One function decides about all pages (server/tests/features.test.ts tries each); this one has a parameter.
  await page.goto(at(`/renewal/${crypto.randomUUID()}`))
  await page.getByRole('heading', { level: 1, name: unavailable[locale] }).waitFor()
  await expect.poll(() => page.title()).toBe(`${unavailable[locale]} – Wawel ID`)
  expect(await findings(page)).toEqual([])
  await link(page, 'Wróć do strony Start', 'Back to Home').click()
  await page.waitForURL(portal.origin + at('/home'))
  await page.setViewportSize(phone)
  const bar = page.getByRole('navigation', { name: translate('Skróty', 'Shortcuts') })
  await expect.poll(() => bar.locator('li:visible').count()).toBe(3)
})
