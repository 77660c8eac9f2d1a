import { expect, test } from 'vitest'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { addAuthenticator } from './testing/authenticator.ts'
import { findings } from './testing/axe-findings.ts'
import { customerOf, enterSmsCode, passPassword, signInHere } from './testing/demonstration-run.ts'
import { untilFocused } from './testing/browser-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()

const logins = { pl: 'malgorzata', en: 'tomasz' } as const

const locale = language('pl')
const { at, button, heading, translate } = inLanguage(locale)
const login = logins[locale]

test('R121 AUT-8 a passkey is added, named, used in place of the code and alone, and removed', async () => {
  const page = await (await portal.openProfile({ locale, named: true })).openTab({ close: 'profile' })
  const device = await addAuthenticator(page)
  const dialog = page.getByRole('dialog')
  const card = page.locator('section[aria-labelledby=passkeys-title]')
  const use = button(dialog, 'Użyj klucza dostępu', 'Use a passkey')
  await page.goto(at('/security'))
  await signInHere(page, portal, login)
  await card.getByText(translate('Nie masz jeszcze kluczy dostępu', 'You have no passkeys yet')).waitFor()

  // By keyboard: the suggested name can be overwritten at once.
  await button(card, 'Dodaj klucz dostępu', 'Add passkey').press('Enter')
  const name = dialog.locator('input[name=name]')
  await name.waitFor()
  await expect.poll(() => name.inputValue()).toBe('Chrome, Linux')
  await untilFocused(name)
  expect(await findings(page)).toEqual([])
  await name.fill('')
  await name.press('Enter')
  await dialog.getByText(translate('Pole musi być wypełnione', 'The field must be completed')).waitFor()
  await name.fill('Laptop w biurze')
  await name.press('Enter')
  await enterSmsCode(page, portal, login)
  const row = card.getByRole('listitem').filter({ hasText: 'Laptop w biurze' })
  await row.waitFor()
  // What comes next is said, and one button leads back.
  const added = heading(dialog, 'Klucz dostępu jest dodany', 'Your passkey is ready')
  await untilFocused(added)
  expect(await findings(page)).toEqual([])
  await button(dialog, 'Gotowe', 'Done').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(button(card, 'Dodaj klucz dostępu', 'Add passkey'))

  await button(row, 'Zmień nazwę', 'Rename').click()
  await name.fill('Laptop w domu')
  await name.press('Enter')
  await card.getByRole('heading', { name: 'Laptop w domu' }).waitFor()
  await dialog.waitFor({ state: 'detached' })

  // A step-up: the passkey instead of the code.
  await page.goto(at('/certificates/signatures'))
  await button(page, 'Połącz z aplikacją', 'Connect to the app').first().click()
  await use.waitFor()
  expect(await findings(page)).toEqual([])
  await use.press('Enter')
  await dialog.locator('.qr').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // The sign-in: no message is sent, and an answer without user verification is refused.
  const ready = () => page.locator('form button[type=submit]:enabled').waitFor()
  const leave = async () => {
    await device.isTouched(false)
    await page.locator('button.who').click()
    await page.getByRole('menuitem', { name: translate('Wyloguj się', 'Sign out') }).click()
    await page.waitForURL(/reason=signed-out/)
    await ready()
  }
  await leave()
  const texts = async () => (await portal.messages()).filter(({ to }) => to === customerOf(login).phone).length
  const before = await texts()
  await passPassword(page, login)
  await use.waitFor()
  expect(await findings(page)).toEqual([])
  await device.verifies(false)
  await device.isTouched(true)
  await use.click()
  await dialog.getByText(translate('Urządzenie nie użyło klucza dostępu', 'Your device didn’t use a passkey')).waitFor()
  await device.verifies(true)
  await use.click()
  await page.locator('.who__name').waitFor({ state: 'attached' })
  expect(await texts()).toBe(before)

  // The passkey alone (R121): no name, no password, no message; an answer without user verification is refused.
  await leave()
  const alone = button(page, 'Zaloguj się kluczem dostępu', 'Sign in with a passkey')
  await alone.press('Enter')
  await page.getByText(translate('Czekamy na urządzenie', 'Waiting for your device')).waitFor()
  expect(await findings(page)).toEqual([])
  await page.reload()
  await ready()
  await device.verifies(false)
  await device.isTouched(true)
  await alone.press('Enter')
  await page.getByText(translate('Urządzenie nie użyło klucza dostępu', 'Your device didn’t use a passkey')).waitFor()
  expect(await findings(page)).toEqual([])
  await device.verifies(true)
  await alone.press('Enter')
  await page.locator('.who__name').waitFor({ state: 'attached' })
  // And through the autofill of the login field.
  await leave()
  await expect.poll(() => page.locator('input[name=login]').getAttribute('autocomplete')).toBe('username webauthn')
  await device.isTouched(true)
  await page.reload()
  await page.locator('.who__name').waitFor({ state: 'attached' })
  expect(await texts()).toBe(before)

  // The code remains an alternative.
  await leave()
  await passPassword(page, login)
  await button(dialog, 'Użyj kodu SMS', 'Use a text-\u2060message code').click()
  await enterSmsCode(page, portal, login)
  await page.locator('.who__name').waitFor({ state: 'attached' })

  await page.goto(at('/security'))
  await card.getByText(translate('ostatnio użyty', 'last used')).waitFor()
  await page
    .locator('section.activity')
    .getByText(translate('samym kluczem dostępu', 'by passkey only'))
    .first()
    .waitFor()
  await button(card, 'Usuń: Laptop w domu', 'Remove: Laptop w domu').click()
  const warning = page.getByRole('alertdialog')
  await warning.getByText(translate('To Twój ostatni klucz', 'It’s your last passkey')).waitFor()
  await button(warning, 'Usuń klucz', 'Remove passkey').click()
  await device.isTouched(true)
  await use.click()
  await card.getByText(translate('Nie masz jeszcze kluczy dostępu', 'You have no passkeys yet')).waitFor()
  await page.locator('section.activity').getByText(translate('Usunięto klucz dostępu', 'Passkey removed')).waitFor()
  await leave()
  await signInHere(page, portal, login)
})

test.runIf(exhaustive)('AUT-8 at an IP address the page says where passkeys work', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'ewa', { to: '/security' })
  const link = page.getByRole('link', { name: /^Dodaj klucz na localhost:\d+/ })
  await expect.poll(() => link.getAttribute('href')).toMatch(/^http:\/\/localhost:\d+\/security$/)
})
