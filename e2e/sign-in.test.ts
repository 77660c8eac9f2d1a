import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { untilFocused } from './testing/browser-pages.ts'
import { openPortal, say } from './testing/open-portal.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'

const portal = await openPortal()

const login = (page: Page) => page.locator('input[name=login]')
const password = (page: Page) => page.locator('input[name=password]')
const summary = (page: Page) => page.locator('.esum')
const errorOf = (page: Page, name: string) => page.locator(`.field:has([name=${name}]) .error`)

describe.each(languages('pl'))('%s', (locale) => {
  const home = locale === 'pl' ? '/' : '/en'
  const at = (path: string) => (locale === 'pl' ? path : `/en${path}`)

  test('AUT-1 AUT-2 RTE-4 a customer signs in with login, password and SMS code by keyboard only, and lands on the home page', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(home)
    const focused = async (name: string) => {
      for (let tabs = 0; tabs < 12; tabs++) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate(() => document.activeElement?.getAttribute('name'))) === name) return
      }
      throw new Error(`Tab does not reach ${name}.`)
    }
    await page.locator('button[type=submit]:enabled').waitFor()
    await focused('login')
    await page.keyboard.type('oliver')
    await focused('password')
    await page.keyboard.type(customerOf('oliver').password)
    await page.keyboard.press('Enter')
    await page.locator('dialog input[name=code]:focus').waitFor()
    await page.keyboard.type(await portal.smsCode(customerOf('oliver').phone))
    await page.waitForURL(portal.origin + at('/home'))
    await page.getByRole('heading', { level: 1, name: 'Oliver Smith' }).waitFor()
    await page.goto(home)
    await page.waitForURL(portal.origin + at('/home'))
  })

  test('AUT-3 a wrong pair says so and what to do; the login stays, the password is emptied and focused', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(home)
    await passPassword(page, 'nobody.here', 'Wrong-Password-1!')
    await summary(page).waitFor()
    await expect
      .poll(() => summary(page).getByRole('heading').textContent())
      .toBe(
        say(locale, {
          pl: 'Login lub hasło się nie zgadza. Sprawdź je i\u00a0spróbuj ponownie.',
          en: 'The username or password is incorrect. Check them and try again.',
        }),
      )
    await expect.poll(() => login(page).inputValue()).toBe('nobody.here')
    expect(await password(page).inputValue()).toBe('')
    await untilFocused(password(page))
    await expect
      .poll(() => page.title())
      .toBe(say(locale, { pl: 'Błąd: Logowanie – Sygnet', en: 'Error: Sign in – Sygnet' }))
  })

  test('VAL-1 VAL-2 errors come when a field is left or changed, never while typing, in the words of the specification', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(home)
    await page.locator('button[type=submit]:enabled').click()
    await summary(page).waitFor()
    const required = say(locale, { pl: 'Wpisz login lub adres e-mail', en: 'Enter your username or e-mail address' })
    await expect.poll(() => errorOf(page, 'login').textContent()).toContain(required)
    await expect
      .poll(() => errorOf(page, 'password').textContent())
      .toContain(say(locale, { pl: 'Wpisz hasło', en: 'Enter your password' }))
    await login(page).pressSequentially('somebody')
    await expect.poll(() => errorOf(page, 'login').textContent()).toContain(required)
    await login(page).press('Tab')
    await expect.poll(() => errorOf(page, 'login').textContent()).toBe('')

    await page.goto(at('/password-reset'))
    await page.locator('button[type=submit]:enabled').waitFor()
    const email = page.locator('input[name=email]')
    await email.pressSequentially('no-address')
    expect(await errorOf(page, 'email').textContent()).toBe('')
    await email.press('Tab')
    await expect.poll(() => errorOf(page, 'email').textContent()).toContain('@')
    await email.fill('')
    await page.locator('form button[type=submit]').click()
    await expect
      .poll(() => errorOf(page, 'email').textContent())
      .toContain(say(locale, { pl: 'Pole musi być wypełnione', en: 'The field must be completed' }))
  })

  test('AUT-4 NAV-3 a blocked account sees the modal only after its correct password, and is unblocked with a new password', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(home)
    await passPassword(page, 'zablokowany', 'Wrong-Password-1!')
    await summary(page).waitFor()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await passPassword(page, 'zablokowany')
    const modal = page.getByRole('alertdialog')
    await modal.waitFor()
    await expect
      .poll(() => modal.getByRole('heading').textContent())
      .toBe(
        say(locale, {
          pl: 'Twoje konto zostało zablokowane. Wymagana zmiana hasła.',
          en: 'Your account has been blocked. A password change is required.',
        }),
      )
    await page.keyboard.press('Escape')
    await expect.poll(() => modal.isVisible()).toBe(true)
    await modal.getByRole('link', { name: say(locale, { pl: 'Ustaw nowe hasło', en: 'Set new password' }) }).click()
    await page.waitForURL(portal.origin + at('/password-reset'))
  })

  test('RTE-7 a protected page leads to sign-in and then back to the same page with its query', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(at('/certificates/signatures?status=inactive'))
    await page.waitForURL((url) => url.pathname === home)
    await passPassword(page, 'ewa')
    await enterSmsCode(page, portal, 'ewa')
    await page.waitForURL(portal.origin + at('/certificates/signatures?status=inactive'))
    await page.getByRole('article').first().waitFor()
  })
})

test.skipIf(exhaustive)(
  'AUT-2 a wrong code says so and how many are left, keeps its digits selected; the fifth ends the attempt',
  async () => {
    const page = await portal.openPage()
    await page.goto('/')
    await passPassword(page, 'tomasz')
    const code = page.locator('dialog input[name=code]')
    const right = await portal.smsCode(customerOf('tomasz').phone)
    const wrong = right === '000000' ? '000001' : '000000'
    await code.fill(wrong)
    await errorOf(page, 'code').getByText('Kod się nie zgadza. Sprawdź ostatni SMS albo wyślij nowy kod.').waitFor()
    await expect.poll(() => code.inputValue()).toBe(wrong)
    expect(await code.evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd])).toEqual([0, 6])
    for (const left of [null, 2, 1]) {
      const answered = page.waitForResponse(/sign-in\/code$/)
      await code.press('Enter')
      await answered
      if (left) await errorOf(page, 'code').getByText(`Zostało: ${left} prób`).waitFor()
      else await page.locator('dialog button[type=submit]:not(.is-busy)').waitFor()
    }
    await code.press('Enter')
    await page.getByText('Tego kodu nie można już użyć', { exact: true }).waitFor()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
  },
)

test.runIf(exhaustive)(
  'AUT-10 R20 after ten wrong codes the dialog says when to try again and what to do until then, without a field or a countdown',
  async () => {
    const page = await portal.openPage()
    const code = page.locator('dialog input[name=code]')
    let right = ''
    const refused = () => page.waitForResponse(/sign-in\/code$/)
    for (let entries = 0; entries <= 10; entries++) {
      if (entries % 4 === 0) {
        await page.goto('/')
        await passPassword(page, 'bruno')
        await code.waitFor()
        right = await portal.smsCode(customerOf('bruno').phone)
      }
      const answered = refused()
      await code.fill(String((Number(right) + 1 + entries) % 1_000_000).padStart(6, '0'))
      await answered
      await page.locator('dialog button[type=submit]:not(.is-busy), dialog .note').first().waitFor()
    }
    const dialog = page.getByRole('dialog', { name: 'Logowanie zablokowane' })
    await dialog.getByText('Za dużo błędnych kodów').waitFor()
    await dialog.getByText('nie przyjmujemy kodów SMS do logowania do').waitFor()
    const until = await dialog.locator('.note time').getAttribute('datetime')
    expect(Math.abs(Date.parse(until!) - Date.now() - 86_400_000)).toBeLessThan(600_000)
    await expect.poll(() => dialog.locator('input, .resend').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Zamknij' }).last().click()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
  },
)

test.runIf(exhaustive)(
  'AUT-2 a new code can be sent after the countdown of 60 s, and the previous one is void',
  async () => {
    const page = await portal.openPage({ clock: true })
    await page.goto('/')
    await passPassword(page, 'nowy')
    const resend = page.locator('.resend button')
    await resend.getByText(/Wyślij ponownie za (?:1:00|0:[345]\d)/).waitFor()
    await expect.poll(() => resend.getAttribute('aria-disabled')).toBe('true')
    const first = await portal.smsCode(customerOf('nowy').phone)
    await portal.clock.advance(61)
    await page.clock.fastForward(61_000)
    await page.getByRole('button', { name: 'Wyślij nowy kod' }).click()
    await page.getByText('Nowy kod wysłany').waitFor()
    const second = await portal.smsCode(customerOf('nowy').phone)
    expect(second).not.toBe(first)
    await page.locator('dialog input[name=code]').fill(first)
    await errorOf(page, 'code')
      .getByText(/Kod się nie zgadza/)
      .waitFor()
    await page.locator('dialog input[name=code]').fill(second)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${portal.origin}/home`)
  },
)

test.runIf(exhaustive)(
  'AUT-2 an expired code is a warning, and another one the only thing that can be sent, at once',
  async () => {
    const page = await portal.openPage({ clock: true })
    await page.goto('/')
    await passPassword(page, 'nowy')
    const dialog = page.getByRole('dialog')
    await dialog.locator('button[type=submit]:not([aria-disabled])').waitFor()
    await page.clock.fastForward(601_000)
    await dialog.locator('.resend .note--warn').getByText('Ten kod wygasł.').waitFor()
    await dialog.locator('.resend .btn--primary:not([aria-disabled])', { hasText: 'Wyślij nowy kod' }).waitFor()
    await expect.poll(() => dialog.locator('button[type=submit]').getAttribute('aria-disabled')).toBe('true')
  },
)

test.runIf(exhaustive)(
  'AUT-1 AUT-4 RTE-7 from the third attempt on the browser solves the bot check by itself; a return address outside the portal is ignored',
  async () => {
    const page = await portal.openPage()
    const challenges: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/bot-challenge')) challenges.push(request.url())
    })
    await page.goto('/?returnTo=//evil.example/home')
    for (const _ of [1, 2, 3]) {
      await passPassword(page, 'wilhelmina', 'Wrong-Password-1!')
      await summary(page).getByText('Login lub hasło się nie zgadza.').waitFor()
      await page.locator('button[type=submit]:not(.is-busy)').waitFor()
    }
    await passPassword(page, 'wilhelmina')
    await enterSmsCode(page, portal, 'wilhelmina')
    await page.waitForURL(`${portal.origin}/home`)
    expect(challenges.length).toBeGreaterThan(0)
  },
)

// e2e/session-tabs.test.ts does it with four tabs.
test.runIf(exhaustive)('AUT-6 signing out in one tab ends the session on the server and in every tab', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/faq')
  await otherTab.goto('/software')
  await otherTab.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Małgorzata Wiśniewska', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  for (const tab of [page, otherTab]) {
    await tab.waitForURL(`${portal.origin}/?reason=signed-out`)
    await tab.getByText('Wylogowano', { exact: true }).waitFor()
  }
  expect((await page.request.get('/api/session')).status()).toBe(401)
})

test.runIf(exhaustive)(
  'AUT-5 AUT-6 the form appears together with the notice above it, so nothing moves while it is pressed',
  async () => {
    const page = await portal.openPage()
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => scripts.promise.then(() => route.continue()))
    const resetLink = page.getByRole('link', { name: 'Nie pamiętasz hasła?' })
    await page.goto('/')
    await expect.poll(() => resetLink.isVisible()).toBe(true)
    await page.goto('/?reason=signed-out')
    await page.getByRole('banner').waitFor()
    expect(await resetLink.isVisible()).toBe(false)
    scripts.resolve()
    await resetLink.click()
    await page.waitForURL(`${portal.origin}/password-reset`)
  },
)

test('ERR-4 a notice that never arrives does not keep the login page hidden', async () => {
  const page = await portal.openPage({ tolerate: /ERR_FAILED/ })
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/?reason=signed-out')
  await page.locator('.unloaded').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Nie pamiętasz hasła?' }).isVisible()).toBe(true)
})

test.runIf(exhaustive)(
  'HTT-1 a sign-in that gets no answer says so, also when the texts of failures do not load, and works when the network is back',
  async () => {
    const page = await portal.openPage({ tolerate: /ERR_FAILED/ })
    await page.route(/\/api\/sign-in$|\/assets\/failures-/, (route) => route.abort())
    await page.goto('/')
    await passPassword(page, 'oliver', 'not the password')
    await page.getByRole('alert').getByText('Nie ma połączenia z\u00a0portalem.').waitFor()
    await page.unrouteAll()
    await passPassword(page, 'oliver', 'not the password')
    await page.getByRole('alert').getByText('Login lub hasło się nie zgadza.').waitFor()
  },
)
