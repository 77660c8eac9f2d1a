import { expect, test } from 'vitest'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

/** Source of the content that the customer's app scans (APP-1). */
const option = exhaustive ? 'provider' : 'service'
const portal = await openPortal({ APP_ACTIVATION: option })
const locale = language('en')
const { button, heading } = inLanguage(locale)

test(`APP-2 APP-3 APP-5 APP-6 AUT-7 by ${option}: the code is shown once, and then the app is active`, async () => {
  const login = locale === 'pl' ? 'wilhelmina' : 'oliver'
  const page = await portal.openAs(login, { locale, to: '/certificates/signatures' })
  await button(page, 'Połącz z aplikacją', 'Connect to the app').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=code]').fill(await portal.smsCode(customerOf(login).phone))
  // The embedded provider makes the code now, as the customer waits.
  await dialog.getByRole('img', { name: /QR/ }).waitFor()
  const code = (await dialog.locator('.qr__key').textContent())!
  expect(code).toMatch(/^[A-Z2-7]{24}$/)
  // Nothing is said that is true only of the portal's own secrets.
  expect(await dialog.innerText()).not.toMatch(/30|sześć cyfr|six digits/)
  expect(await dialog.locator('input').count()).toBe(0)

  const activate = () => page.request.post(`${portal.origin}/demo/activation/${code}`)
  expect((await activate()).status()).toBe(200)
  await heading(dialog, 'Aplikacja jest połączona', 'The app is connected').waitFor()
  expect((await activate()).status()).toBe(410)
  await dialog.locator('.dialog__foot').getByRole('button').click()

  // Another phone gets another code.
  await button(page, 'Połącz z aplikacją', 'Connect to the app').click()
  await dialog.getByRole('img', { name: /QR/ }).waitFor()
  expect(await dialog.locator('.qr__key').textContent()).not.toBe(code)
})
