import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { phone } from './testing/browser-pages.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)
const titleOf = (page: Page) => page.evaluate(() => document.title)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

/** The people with an invitation and no password yet. */
const invited = { pl: 'helena', en: 'emma' }

/** The invitation was sent when the demonstration was filled; a new link is requested as for any lost invitation. */
async function mailedLink(page: Page, email: string, at: (path: string) => string) {
  await page.goto(at('/password-reset'))
  await field(page, 'email').fill(email)
  await page.locator('form button[type=submit]:enabled').click()
  await page.getByRole('dialog').waitFor()
  return portal.mailedLink(email)
}

describe.each(languages('en'))('%s', (locale) => {
  const at = (path: string) => (locale === 'pl' ? path : `/en${path === '/' ? '' : path}`)
  const translate = (pl: string, en: string) => say(locale, { pl, en })

  test('PWD-2 R10 an invited customer checks their data, sets a password by keyboard alone, and signs in with it; the token leaves the address at once', async () => {
    const page = await portal.openPage({ locale, viewport: phone })
    const person = customerOf(invited[locale])
    const link = await mailedLink(page, person.email, at)
    const token = link.split('/').at(-1)!
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(link)
    const heading = page.getByRole('heading', { level: 1, name: translate('Dzień dobry', 'Hello') })
    await heading.getByText(`${person.firstName} ${person.surname}`).waitFor()
    await expect.poll(() => focused(page)).toBe('H1')
    await expect.poll(() => page.url()).not.toContain(token)
    expect(asked.filter((url) => url.includes(token))).toEqual([link])
    // R86: no name in the title, which browser histories and other programs store.
    await expect.poll(() => titleOf(page)).toBe(`${translate('Ustaw hasło', 'Set a password')} – Sygnet`)

    const facts = await page.locator('.setup__facts').innerText()
    const { identificationNumber, birthDate, birthPlace, document } = person.identification!
    for (const shown of [person.email, person.login, identificationNumber.slice(-3), document.number.slice(-3)])
      expect(facts).toContain(shown)
    const whole = await page.content()
    for (const hidden of [
      person.phone,
      identificationNumber,
      birthDate,
      birthPlace,
      document.number,
      document.issuedBy,
    ])
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

    const password = `Pierwsze-Haslo-${locale}-2026!`
    await field(page, 'newPassword').focus()
    await page.keyboard.type(password)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByText(translate('Hasło ustawione', 'Password set'), { exact: true }).waitFor()
    await passPassword(page, person.login, password)
    await enterSmsCode(page, portal, person.login)
    await page.waitForURL(portal.origin + at('/home'))
  })
})

test('PWD-2 R11 an expired link says so, and sends a new one in its place, to the masked address of the account', async () => {
  const page = await portal.openPage()
  const { email } = customerOf('zofia')
  const link = await mailedLink(page, email, (path) => path)
  await portal.clock.advance(31 * 60)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Ten link wygasł' }).waitFor()
  await expect.poll(() => focused(page)).toBe('H1')
  await expect.poll(() => titleOf(page)).toBe('Ten link wygasł – Sygnet')
  await page.getByRole('button', { name: 'Wyślij nowy link' }).press('Enter')
  await page.getByRole('heading', { name: 'Sprawdź swoją skrzynkę' }).waitFor()
  await expect.poll(() => focused(page)).toBe('H1')
  await page.getByText('z•••@b•••.example').waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: /Wyślij ponownie za/ }).getAttribute('aria-disabled'))
    .toBe('true')
  await page.goto(await portal.mailedLink(email))
  await page.getByRole('heading', { level: 1, name: 'Ustaw nowe hasło' }).waitFor()
  // A reset shows its form and no personal data.
  expect(await page.locator('.setup__part').count()).toBe(0)
  // The replaced link stays invalid.
  await page.goto(link)
  await page.getByRole('heading', { name: 'Ten link wygasł' }).waitFor()
})

test('PWD-1 the confirmation, also for an unknown address, says how long the link is valid, where to look and what to do without the mailbox, and sends again after a minute', async () => {
  const page = await portal.openPage({ clock: true })
  await page.goto('/password-reset')
  await field(page, 'email').fill('nobody@nowhere.example')
  await page.locator('form button[type=submit]:enabled').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Sprawdź swoją skrzynkę')
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
