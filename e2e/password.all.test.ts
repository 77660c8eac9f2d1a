import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { openPortal, say, see } from './testing/open-portal.ts'

const portal = await openPortal()

const linkSent = {
  pl: 'Jeśli konto istnieje, wysłaliśmy link na podany adres.',
  en: 'If the account exists, we’ve sent a link to the address you gave.',
}
const errorOf = (page: Page, name: string) => page.locator(`.field:has([name=${name}]) .error`)
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)
const submit = (page: Page) => page.locator('form button[type=submit]:enabled')

/** The customers whose passwords the test resets or changes, by language. */
const resetting = { pl: 'tomasz', en: 'oliver' }
const changing = { pl: 'wilhelmina', en: 'malgorzata' }

describe.each(languages('en'))('%s', (locale) => {
  const at = (path: string) => (locale === 'pl' ? path : `/en${path === '/' ? '' : path}`)

  test('PWD-1 R10 a forgotten password is reset with the link of a mail, which leaves no trace in the address and works once', async () => {
    const page = await portal.openPage({ locale })
    const person = customerOf(resetting[locale])
    await page.goto(at('/'))
    await page.getByRole('link', { name: say(locale, { pl: 'Nie pamiętasz hasła?', en: 'Forgot password?' }) }).click()
    await page.waitForURL(portal.origin + at('/password-reset'))
    await field(page, 'email').fill(person.email)
    await submit(page).click()
    await page.getByRole('dialog').getByText(say(locale, linkSent)).waitFor()
    const link = await portal.mailedLink(person.email)
    const token = link.split('/').at(-1)!
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await page.goto(link)
    await field(page, 'newPassword').waitFor()
    await expect.poll(() => page.url()).not.toContain(token)
    expect(requests.map((request) => request.url()).filter((url) => url.includes(token))).toEqual([link])
    // As sent over the network: the developer tools may show a referrer that is not sent.
    const sent = await Promise.all(requests.map((request) => request.allHeaders()))
    expect(sent.length).toBeGreaterThan(1)
    expect(sent.filter(({ referer }) => referer?.includes(token))).toEqual([])

    // The link opens in the language of the request.
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
    const password = `Zupelnie-Nowe-${locale}-2026!`
    await field(page, 'newPassword').fill(password)
    await field(page, 'repeatPassword').fill(password)
    await submit(page).click()
    await page.getByText(say(locale, { pl: 'Hasło ustawione', en: 'Password set' }), { exact: true }).waitFor()
    await passPassword(page, person.login, password)
    await enterSmsCode(page, portal, person.login)
    await page.waitForURL(portal.origin + at('/home'))

    // Opening it again does not sign in.
    const late = page
    await late.context().clearCookies()
    await late.goto(link)
    await late
      .getByRole('heading', {
        name: say(locale, { pl: 'Ten link został już użyty', en: 'This link has already been used' }),
      })
      .waitFor()
    await late.getByRole('button', { name: say(locale, { pl: 'Wyślij nowy link', en: 'Get a new link' }) }).click()
    await late
      .getByRole('heading', { name: say(locale, { pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' }) })
      .waitFor()
    // Masked, because somebody else may have the mail with the old link by now.
    await late.getByText(`${person.email[0]}•••@${person.email.split('@')[1]![0]}•••.example`).waitFor()
    await late.goto(await portal.mailedLink(person.email))
    await field(late, 'newPassword').waitFor()
  })

  test('PWD-1 the answer is the same for an unknown address', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(at('/password-reset'))
    await field(page, 'email').fill('nobody@nowhere.example')
    await submit(page).click()
    await page.getByRole('dialog').getByText(say(locale, linkSent)).waitFor()
  })

  test('PWD-3 PWD-4 PWD-5 a password is changed under its rules, in the words of the specification, and every session ends', async () => {
    const person = customerOf(changing[locale])
    const page = await portal.openPage({ locale })
    const { context: elsewhere } = await portal.openProfile({ locale })
    await portal.enter(elsewhere, person.login)
    await portal.signIn(page, person.login, { locale, to: '/change-password' })

    await submit(page).click()
    await see(errorOf(page, 'currentPassword'), locale, {
      pl: 'Wpisz obecne hasło',
      en: 'Enter your current password',
    })

    const met = page.locator('.rules li.ok')
    const shown: [string, number][] = []
    for (const typed of ['a', 'aB', 'aB3', 'aB3!', 'aB3!aB3!aB3!x']) {
      await field(page, 'newPassword').fill(typed)
      shown.push([typed, await met.count()])
    }
    expect(shown.map(([, count]) => count)).toEqual([1, 2, 3, 4, 5])

    await field(page, 'currentPassword').fill('Wrong-Password-1!')
    await field(page, 'newPassword').fill('za-krotkie')
    await field(page, 'newPassword').press('Tab')
    await see(errorOf(page, 'newPassword'), locale, {
      pl: 'Twoje hasło nie spełnia kryteriów bezpieczeństwa',
      en: 'Your password doesn’t meet the security criteria',
    })
    await field(page, 'newPassword').fill('Inne-Haslo-2026!')
    await field(page, 'repeatPassword').fill('Inne-Haslo-2027!')
    await field(page, 'repeatPassword').press('Tab')
    await see(errorOf(page, 'repeatPassword'), locale, {
      pl: 'Hasła muszą być identyczne',
      en: 'The passwords must be identical',
    })

    await field(page, 'repeatPassword').fill('Inne-Haslo-2026!')
    await submit(page).click()
    await see(errorOf(page, 'currentPassword'), locale, {
      pl: 'Obecne hasło się nie zgadza.',
      en: 'The current password is incorrect.',
    })

    await field(page, 'currentPassword').fill(person.password)
    await field(page, 'newPassword').fill(person.password)
    await field(page, 'repeatPassword').fill(person.password)
    await submit(page).click()
    await see(errorOf(page, 'newPassword'), locale, {
      pl: 'Nie można użyć poprzedniego hasła',
      en: 'Can not use old password',
    })

    await field(page, 'currentPassword').fill(person.password)
    await field(page, 'newPassword').fill('Inne-Haslo-2026!')
    await field(page, 'repeatPassword').fill('Inne-Haslo-2026!')
    await submit(page).click()
    await page.waitForURL(`${portal.origin}${at('/')}?reason=password-changed`)
    await page.getByText(say(locale, { pl: 'Hasło zmienione', en: 'Password changed' }), { exact: true }).waitFor()
    expect((await elsewhere.request.get('/api/session')).status()).toBe(401)
    await passPassword(page, person.login, 'Inne-Haslo-2026!')
    await enterSmsCode(page, portal, person.login)
    await page.waitForURL(portal.origin + at('/home'))
  })
})

test('PWD-1 an incomplete link says so, and shows what to do', async () => {
  const page = await portal.openPage()
  await page.goto('/setup-password/cut-off')
  await page.getByRole('heading', { name: 'Ten link nie działa' }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Wyślij nowy link' }).getAttribute('href'))
    .toBe('/password-reset')
})

// e2e/set-up.all.test.ts checks what it leads to.
test('PWD-1 a link from yesterday has expired', async () => {
  const page = await portal.openPage()
  const { email } = customerOf('ewa')
  await page.goto('/password-reset')
  await field(page, 'email').fill(email)
  await submit(page).click()
  const link = await portal.mailedLink(email)
  await portal.clock.advance(31 * 60)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Ten link wygasł' }).waitFor()
})
