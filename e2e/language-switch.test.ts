import { expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { language } from '../server/testing/breadth.ts'
import { openPortal, say, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()

const locale = language('en')
const { at, button, link, translate } = inLanguage(locale)
test('RTE-1 UIX-4 the language switch keeps place, query and text, and lasts for 365 days', async () => {
  const otherLocale = locale === 'pl' ? 'en' : 'pl'
  const page = await portal.openPage({ locale })
  await page.goto(at('/password-reset?from=mail'))
  await page.locator('input[name=email]').fill('half@typed')
  await page
    .locator('.lang')
    .getByRole('link', { name: say(otherLocale, { pl: 'Polski', en: 'English' }) })
    .click()
  await page.waitForURL(portal.origin + inLocale(otherLocale, '/password-reset?from=mail'))
  await expect.poll(() => page.locator('input[name=email]').inputValue()).toBe('half@typed')
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'locale')
  expect(cookie?.value).toBe(otherLocale)
  expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(365)
  // RTE-12: whoever types the bare address gets the chosen language, and one press leads back for good.
  await page.goto('/?from=typed')
  expect(page.url()).toBe(portal.origin + inLocale(otherLocale, '/?from=typed'))
  await link(page.locator('.lang'), 'Polski', 'English').click()
  await page.waitForURL(portal.origin + at('/?from=typed'))
  await page.goto('/')
  expect(page.url()).toBe(portal.origin + at('/'))
  await page.goto(inLocale(otherLocale, '/faq'))
  expect(page.url()).toBe(portal.origin + inLocale(otherLocale, '/faq'))
})

test('RTE-1 a language switch warns before a typed password is lost, by keyboard', async () => {
  const otherLocale = locale === 'pl' ? 'en' : 'pl'
  const page = await portal.openPage({ locale })
  await page.goto(at('/?from=mail'))
  await page.locator('input[name=login]').fill('oliver')
  await page.locator('input[name=password]').fill('Half-typed')
  // A password that is shown as text is still a password.
  await button(page, 'Pokaż: Hasło', 'Show: Password').click()
  const choose = async () => {
    await page.locator('.lang [hreflang]:not([aria-current])').focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('alertdialog')
      .getByText(translate(/Hasło trzeba będzie wpisać ponownie/, /You’ll have to enter your password again/))
      .waitFor()
  }
  await choose()
  // The safe button has the focus.
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('hreflang'))).toBe(otherLocale)
  expect(new URL(page.url()).pathname).toBe(at('/'))
  expect(await page.locator('input[name=password]').inputValue()).toBe('Half-typed')
  await choose()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(portal.origin + inLocale(otherLocale, '/?from=mail'))
  await expect.poll(() => page.locator('input[name=login]').inputValue()).toBe('oliver')
  expect(await page.locator('input[name=password]').inputValue()).toBe('')
})
