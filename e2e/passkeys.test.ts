import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode, passPassword, signInHere } from '../tools/demonstration-run.ts'
import { phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'

const portal = await openPortal()

/** A device with a fingerprint reader, as Chromium plays one; it stays with the tab. */
async function addDevice(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether the finger is the owner's. */
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Whether somebody touches it when it asks; without, what the login field offers is not taken up. */
    isTouched: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

async function findings(page: Page) {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  })
}

const logins = { pl: 'malgorzata', en: 'tomasz' } as const

describe.each(languages('pl'))('%s', (locale) => {
  const at = (path: string) => inLocale(locale, path)
  const words = (pl: string, en: string) => say(locale, { pl, en })
  const login = logins[locale]

  test('R121 AUT-8 AUT-2 AUT-7 a passkey is added, named, used instead of the SMS code at sign-in and for an act, used alone, and removed; the code stays', async () => {
    const page = await (await portal.openProfile({ locale, named: true })).openTab({ close: 'profile' })
    const device = await addDevice(page)
    const dialog = page.getByRole('dialog')
    const card = page.locator('section[aria-labelledby=passkeys-title]')
    const use = dialog.getByRole('button', { name: words('Użyj klucza dostępu', 'Use a passkey') })
    await page.goto(at('/my-data'))
    await signInHere(page, portal, login)
    await card.getByText(words('Nie masz jeszcze klucza dostępu', 'You have no passkey yet')).waitFor()

    // By keyboard: the name that is proposed can be typed over at once.
    await card.getByRole('button', { name: words('Dodaj klucz dostępu', 'Add a passkey') }).press('Enter')
    const name = dialog.locator('input[name=name]')
    await name.waitFor()
    expect(await name.inputValue()).toBe('Chrome, Linux')
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await findings(page)).toEqual([])
    await name.fill('')
    await name.press('Enter')
    await dialog.getByText(words('Pole musi być wypełnione', 'The field must be completed')).waitFor()
    await name.fill('Laptop w biurze')
    await name.press('Enter')
    await enterSmsCode(page, portal, login)
    const row = card.getByRole('listitem').filter({ hasText: 'Laptop w biurze' })
    await row.waitFor()
    await dialog.waitFor({ state: 'detached' })

    await row.getByRole('button', { name: words('Zmień nazwę', 'Rename') }).click()
    await name.fill('Laptop w domu')
    await name.press('Enter')
    await card.getByRole('heading', { name: 'Laptop w domu' }).waitFor()
    await dialog.waitFor({ state: 'detached' })

    // A sensitive act: the passkey in place of the code.
    await page.goto(at('/certificates/signatures'))
    await page
      .getByRole('button', { name: words('Pokaż kod QR', 'QR code') })
      .first()
      .click()
    await use.waitFor()
    expect(await findings(page)).toEqual([])
    await use.press('Enter')
    await dialog.locator('.qr').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // The sign-in: no message is sent, and what the device does not verify opens nothing.
    const leave = async () => {
      await device.isTouched(false)
      await page.locator('button.who').click()
      await page.getByRole('menuitem', { name: words('Wyloguj się', 'Log out') }).click()
      await page.waitForURL(/reason=signed-out/)
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
    await dialog.getByText(words('Urządzenie nie użyło klucza dostępu', 'The device did not use a passkey')).waitFor()
    await device.verifies(true)
    await use.click()
    await page.locator('.who__name').waitFor({ state: 'attached' })
    expect(await texts()).toBe(before)

    // The passkey alone (R121): no name, no password, no message; what the device does not verify opens nothing.
    await leave()
    const alone = page.getByRole('button', { name: words('Zaloguj się kluczem dostępu', 'Log in with a passkey') })
    await alone.press('Enter')
    await page.getByText(words('Czekamy na urządzenie', 'Waiting for the device')).waitFor()
    expect(await findings(page)).toEqual([])
    await page.reload()
    await device.verifies(false)
    await device.isTouched(true)
    await alone.press('Enter')
    await page.getByText(words('Urządzenie nie użyło klucza dostępu', 'The device did not use a passkey')).waitFor()
    expect(await findings(page)).toEqual([])
    await device.verifies(true)
    await alone.press('Enter')
    await page.locator('.who__name').waitFor({ state: 'attached' })
    // And as what the browser offers for the login field.
    await leave()
    expect(await page.locator('input[name=login]').getAttribute('autocomplete')).toBe('username webauthn')
    await device.isTouched(true)
    await page.reload()
    await page.locator('.who__name').waitFor({ state: 'attached' })
    expect(await texts()).toBe(before)

    // Who would rather have the code gets it.
    await leave()
    await passPassword(page, login)
    await dialog.getByRole('button', { name: words('Użyj kodu SMS', 'Use a text-message code') }).click()
    await enterSmsCode(page, portal, login)
    await page.locator('.who__name').waitFor({ state: 'attached' })

    await page.goto(at('/my-data'))
    await card.getByText(words('ostatnio użyty', 'last used')).waitFor()
    await page
      .locator('section.activity')
      .getByText(words('samym kluczem dostępu', 'by passkey alone'))
      .first()
      .waitFor()
    await card.getByRole('button', { name: words('Usuń: Laptop w domu', 'Remove: Laptop w domu') }).click()
    const warning = page.getByRole('alertdialog')
    await warning.getByText(words('To Twój ostatni klucz', 'It is your last one')).waitFor()
    await warning.getByRole('button', { name: words('Usuń klucz', 'Remove the passkey') }).click()
    await device.isTouched(true)
    await use.click()
    await card.getByText(words('Nie masz jeszcze klucza dostępu', 'You have no passkey yet')).waitFor()
    await page.locator('section.activity').getByText(words('Usunięty klucz dostępu', 'Passkey removed')).waitFor()
    await leave()
    await signInHere(page, portal, login)
  })
})

test('AUT-8 at an address without a name the page says where passkeys work, and the sign-in goes on by SMS by itself', async () => {
  const page = await portal.openPage({ viewport: phone })
  await page.goto('/my-data')
  await signInHere(page, portal, 'ewa')
  const link = page.getByRole('link', { name: /localhost:\d+\/my-data/ })
  await link.waitFor()
  await portal.owner.query(
    `insert into passkeys (id, account_id, name, credential_id, public_key, counter, transports)
     select gen_random_uuid(), id, '', 'x', 'x', 0, '{}' from accounts where login = 'ewa'`,
  )
  await page.goto('/home')
  await page.locator('.tabbar button').click()
  await page.getByRole('button', { name: 'Wyloguj się' }).click()
  await page.waitForURL(/reason=signed-out/)
  await signInHere(page, portal, 'ewa')
})
