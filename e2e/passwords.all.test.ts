import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { phone, readFocusedText } from './testing/browser-pages.ts'
import { customerOf, enterSmsCode, passPassword, accept } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

const errorOf = (page: Page, name: string) => page.locator(`.field:has([name=${name}]) .error`)
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)
const submit = (page: Page) => page.locator('form button[type=submit]:enabled')

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

/** Requests a link, as for a forgotten password or a lost invitation. */
async function mailedLink(page: Page, email: string) {
  await page.goto('/password-reset')
  await field(page, 'email').fill(email)
  await submit(page).click()
  await page.getByRole('dialog').getByText('Jeśli konto istnieje, wysłaliśmy link na podany adres.').waitFor()
  return portal.mailedLink(email)
}

test('PWD-3 PWD-5 a password is changed under its rules, and every session ends', async () => {
  const person = customerOf('wilhelmina')
  const page = await portal.openPage()
  const { context: elsewhere } = await portal.openProfile()
  await portal.enter(elsewhere, person.login)
  await portal.signIn(page, person.login, { to: '/change-password' })

  await submit(page).click()
  await errorOf(page, 'currentPassword').getByText('Wpisz obecne hasło').waitFor()

  await field(page, 'currentPassword').fill(person.password)
  await field(page, 'newPassword').fill(person.password)
  await field(page, 'repeatPassword').fill(person.password)
  await submit(page).click()
  await errorOf(page, 'newPassword').getByText('Nie można użyć poprzedniego hasła').waitFor()

  await field(page, 'currentPassword').fill(person.password)
  await field(page, 'newPassword').fill('Inne-Haslo-2026!')
  await field(page, 'repeatPassword').fill('Inne-Haslo-2026!')
  await submit(page).click()
  await page.waitForURL(`${portal.origin}/?reason=password-changed`)
  await page.getByText('Hasło zmienione', { exact: true }).waitFor()
  expect((await elsewhere.request.get('/api/session')).status()).toBe(401)
  await passPassword(page, person.login, 'Inne-Haslo-2026!')
  await enterSmsCode(page, portal, person.login)
})

test('PWD-2 R10 an invited customer checks their data, and sets a password by keyboard alone', async () => {
  const page = await portal.openPage({ viewport: phone })
  const person = customerOf('helena')
  const link = await mailedLink(page, person.email)
  const token = link.split('/').at(-1)!
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  const heading = page.getByRole('heading', { level: 1, name: 'Dzień dobry' })
  await heading.getByText(`${person.firstName} ${person.surname}`).waitFor()
  await expect.poll(() => focused(page)).toBe('H1')
  await expect.poll(() => page.url()).not.toContain(token)
  expect(asked.filter((url) => url.includes(token))).toEqual([link])
  // R86: no name in the title, which browser histories and other programs store.
  await expect.poll(() => page.title()).toBe('Ustaw hasło – Sygnet')

  const facts = await page.locator('.setup__facts').innerText()
  const { identificationNumber, birthDate, birthPlace, document } = person.identification!
  for (const shown of [person.email, person.login, identificationNumber.slice(-3), document.number.slice(-3)])
    expect(facts).toContain(shown)
  const whole = await page.content()
  for (const hidden of [person.phone, identificationNumber, birthDate, birthPlace, document.number, document.issuedBy])
    expect(whole).not.toContain(hidden)

  // Wrong data are reported to the support: three summaries, each with the contact.
  const wrong = page.locator('details summary')
  await expect.poll(() => wrong.count()).toBe(3)
  await wrong.first().press('Enter')
  await page.locator('details[open] a[href^="tel:"]').waitFor()
  await page.locator('details[open] a[href^="mailto:"]').waitFor()

  // A reload and the other language keep the page, without the token.
  await page.reload()
  await heading.waitFor()

  const password = 'Pierwsze-Haslo-pl-2026!'
  await field(page, 'newPassword').focus()
  await page.keyboard.type(password)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  // REG-8: what the provider has not reported is accepted with the password.
  await page.locator('.check--all input').press('Space')
  for (const kind of ['terms', 'privacy'] as const) await accept(page, 'pl', kind)
  await field(page, 'repeatPassword').press('Enter')
  await page.getByText('Hasło ustawione', { exact: true }).waitFor()
  await passPassword(page, person.login, password)
  await enterSmsCode(page, portal, person.login)
  await page.waitForURL(`${portal.origin}/home`)
})

test('PWD-2 R11 a link that has expired says so, and leads to a new one', async () => {
  const page = await portal.openPage()
  const { email } = customerOf('zofia')
  const link = await mailedLink(page, email)
  await portal.clock.advance(31 * 60)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Ten link wygasł' }).waitFor()
  await expect.poll(() => focused(page)).toBe('H1')
  await expect.poll(() => page.title()).toBe('Ten link wygasł – Sygnet')
  await page.getByRole('button', { name: 'Wyślij nowy link' }).press('Enter')
  await page.getByRole('heading', { name: 'Sprawdź swoją skrzynkę' }).waitFor()
  await expect.poll(() => focused(page)).toBe('H1')
  await page.goto(await portal.mailedLink(email))
  await page.getByRole('heading', { level: 1, name: 'Ustaw nowe hasło' }).waitFor()
  // A reset shows its form and no personal data.
  expect(await page.locator('.setup__part').count()).toBe(0)
  // The replaced link stays invalid.
  await page.goto(link)
  await page.getByRole('heading', { name: 'Ten link wygasł' }).waitFor()
})

test('PWD-1 the confirmation, also for an unknown address, says what to do, and sends again', async () => {
  const page = await portal.openPage({ clock: true })
  await page.goto('/password-reset')
  await field(page, 'email').fill('nobody@nowhere.example')
  await page.locator('form button[type=submit]:enabled').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await expect.poll(() => readFocusedText(page)).toBe('Sprawdź swoją skrzynkę')
  await dialog.getByText('Jeśli konto istnieje, wysłaliśmy link na podany adres.').waitFor()
  for (const said of ['Link działa 30 minut', 'Sprawdź folder spam', 'Nie masz dostępu do tej skrzynki? Zadzwoń'])
    await dialog.getByText(said).waitFor()
  const again = dialog.getByRole('button', { name: /Wyślij ponownie/ })
  await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true')
  await page.clock.fastForward(61_000)
  await dialog.getByRole('button', { name: 'Wyślij ponownie', exact: true }).click()
  await dialog.getByText('Jeśli konto istnieje, wysłaliśmy nowy link. Użyj najnowszego.').waitFor()
  await dialog.getByRole('link', { name: 'Wróć do logowania' }).click()
  await page.waitForURL(`${portal.origin}/`)
})
