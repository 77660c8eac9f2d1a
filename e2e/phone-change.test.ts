import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode, passPassword } from '../tools/demonstration-run.ts'
import { phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.replaceAll('\u00a0', ' ') ?? '')
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Whose number is changed, to what, and who fails. */
const people = {
  pl: { changer: 'malgorzata', document: ' aba 300-000 ', number: '+48600200355', failer: 'wilhelmina' },
  en: { changer: 'tomasz', document: 'aba600001', number: '+48600200356', failer: 'zofia' },
}

describe.each(languages('pl'))('%s', (locale) => {
  const words = (pl: string, en: string) => say(locale, { pl, en })
  const { changer, document, number, failer } = people[locale]
  const change = words('Zmień numer telefonu', 'Change phone number')
  const begin = async (page: Page, login: string) => {
    await portal.signIn(page, login, { locale, to: '/my-data' })
    await page.getByRole('button', { name: change }).press('Enter')
    await enterSmsCode(page, portal, login)
    await page.locator('input[name=documentNumber]').waitFor()
  }
  const submit = words('Wyślij kod e-mailem', 'Send a code by e-mail')

  test('DAT-1 AUT-7 numbers are covered until the eye is pressed and an SMS code entered, each by itself, and covered again by one more press', async () => {
    const page = await portal.openPage({ locale, viewport: phone })
    await portal.signIn(page, failer, { locale, to: '/my-data' })
    const eye = page.getByRole('button', {
      name: words('Pokaż cały numer: dowód', 'Show the whole number: identity card'),
    })
    await eye.waitFor()
    const held = customerOf(failer).identification!.document.number
    expect(await page.content()).not.toContain(held)
    await eye.press('Enter')
    await enterSmsCode(page, portal, failer)
    await page.getByText(held, { exact: true }).waitFor()
    expect(await eye.getAttribute('aria-pressed')).toBe('true')
    // The other numbers stay covered; the same confirmation opens them.
    const { identificationNumber } = customerOf(failer).identification!
    expect(await page.content()).not.toContain(identificationNumber)
    await eye.press('Enter')
    await page.getByText(held, { exact: true }).waitFor({ state: 'detached' })
  })

  test('DAT-2 DAT-3 DAT-5 by keyboard alone the number is changed in four steps; a reload and the way back ask for nothing twice, and the way home can be stopped', async () => {
    const page = await portal.openPage({ locale, clock: true })
    const { email, phone: before } = customerOf(changer)
    await begin(page, changer)
    await expect.poll(() => focused(page)).toContain(words('Krok 1 z 4', 'Step 1 of 4'))

    const field = page.locator('input[name=documentNumber]')
    await field.focus()
    await page.keyboard.type('ABC123456')
    await page.keyboard.press('Enter')
    await page
      .locator('.esum')
      .getByText(words('Numer dokumentu się nie zgadza', 'You have entered an invalid document number'))
      .waitFor()
    expect(await field.inputValue()).toBe('ABC123456')
    await field.fill(document)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(words('Krok 2 z 4', 'Step 2 of 4'))

    const code = page.locator('.task input[name=code]')
    const mailed = await portal.mailedCode(email)
    await code.fill(other(mailed))
    await page.keyboard.press('Enter')
    await page.getByText(words('Kod się nie zgadza', 'You have entered an invalid code')).waitFor()
    expect(await code.inputValue()).toBe(other(mailed))
    // Loaded anew, the page is where it was.
    await page.reload()
    await code.waitFor()
    await page.getByRole('heading', { name: words('Krok 2 z 4', 'Step 2 of 4') }).waitFor()
    await code.fill(mailed)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(words('Krok 3 z 4', 'Step 3 of 4'))

    await page.getByRole('button', { name: words('Wstecz', 'Back') }).press('Enter')
    await page.getByText(words('Nie podajesz go drugi raz', 'You need not enter it again')).waitFor()
    await expect.poll(() => focused(page)).toContain(words('Krok 2 z 4', 'Step 2 of 4'))
    await page.getByRole('button', { name: words('Dalej', 'Next') }).press('Enter')
    const tel = page.locator('.task input[type=tel]')
    await tel.fill(before.slice(3))
    await page.keyboard.press('Enter')
    await page.getByText(words('To jest Twój obecny numer', 'This is your present number')).first().waitFor()
    await tel.fill(number.slice(3))
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(words('Krok 4 z 4', 'Step 4 of 4'))
    const right = await portal.smsCode(number)
    await page.getByRole('button', { name: words('Wstecz', 'Back') }).press('Enter')
    expect((await tel.inputValue()).replaceAll(/\D/g, '')).toContain(number.slice(3))
    await page.getByRole('button', { name: words('Wyślij kod SMS', 'Send a code') }).press('Enter')
    await code.waitFor()
    await code.fill(right)
    // The seconds of the countdown are the test's from here on.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.keyboard.press('Enter')

    const heading = words('Numer telefonu zmieniony', 'Phone number changed')
    await page.getByRole('heading', { name: heading }).waitFor()
    await expect.poll(() => focused(page)).toBe(heading)
    await page.clock.runFor(3_000)
    await page.getByText(words('Za 7\u00a0s przejdziemy na stronę Start.', 'We will go to Home in 7\u00a0s.')).waitFor()
    // By the button, or by going on to something else on the page.
    if (locale === 'pl') await page.getByRole('button', { name: 'Zostań na tej stronie' }).press('Enter')
    else await page.getByRole('button', { name: 'Show the whole number: identity card' }).focus()
    await page.clock.runFor(15_000)
    await page.getByText(words('Zostajesz na tej stronie.', 'You stay on this page.')).waitFor()
    await page.clock.resume()
    await expect
      .poll(async () => plain(await page.locator('.my-data .rows').first().innerText()))
      .toContain(`+48 ••• ••• ${number.slice(-3)}`)
    await page.getByRole('button', { name: words('Przejdź teraz', 'Go now') }).press('Enter')
    await page.waitForURL(/\/home$/)

    const told = (await portal.messages()).filter(({ to }) => to === before || to === email)
    expect(
      told.some(({ channel, text }) => channel === 'sms' && /nie dostaje juz kodow|gets no more codes/.test(text)),
    ).toBe(true)
    expect(
      told.some(({ subject }) => /numer telefonu został zmieniony|phone number was changed/.test(subject ?? '')),
    ).toBe(true)
    // The next code goes to the new number, and the number can be changed again.
    const next = await portal.openPage({ locale, viewport: phone })
    await next.goto(words('/', '/en'))
    await passPassword(next, changer)
    await next.locator('dialog input[name=code]').fill(await portal.smsCode(number))
    await next.locator('.who__name').waitFor({ state: 'attached' })
  })

  test('DAT-4 five wrong entries block the change for 24 hours, with the time of its end, in another browser too; a change can be broken off before', async () => {
    const page = await portal.openPage({ locale, viewport: phone })
    await begin(page, failer)
    await page.getByRole('button', { name: words('Przerwij zmianę numeru', 'Cancel the change') }).press('Enter')
    await page.getByRole('button', { name: change }).press('Enter')
    const field = page.locator('input[name=documentNumber]')
    await field.waitFor()
    const attempt = async (nth: number) => {
      await field.fill(`ABC12345${nth}`)
      const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/phone-change/document'))
      await page.getByRole('button', { name: submit }).press('Enter')
      expect((await answered).status()).toBe(nth < 5 ? 422 : 429)
      if (nth < 5) await page.locator('.task form button[type=submit]:not(.is-busy)').waitFor()
    }
    for (let nth = 1; nth <= 4; nth++) await attempt(nth)
    await page.getByText(words('Pozostało: 1 próba', '1 attempt left')).first().waitFor()
    await attempt(5)
    const notice = page.getByText(
      words(
        'Przekroczono dozwoloną liczbę weryfikacji, spróbuj ponownie za 24h.',
        'You have exceeded the allowed number of verifications, try again in 24h.',
      ),
      { exact: true },
    )
    await notice.waitFor()
    await page.getByText(words('Dotychczasowy numer działa bez zmian', 'Your present number works as before')).waitFor()
    const until = await page.locator('.note--err time').getAttribute('datetime')
    expect(Math.abs(Date.parse(until!) - Date.now() - 86_400_000)).toBeLessThan(600_000)

    const another = await portal.openPage({ locale })
    await portal.signIn(another, failer, { locale, to: '/my-data' })
    await another.locator('.note--err').waitFor()
    expect(await another.locator('.note--err time').getAttribute('datetime')).toBe(until)
    expect(await another.getByRole('button', { name: change }).count()).toBe(0)
  })
})

test('DAT-2 after the change the page goes home by itself when ten seconds are over', async () => {
  const page = await portal.openPage({ clock: true })
  await portal.signIn(page, 'ewa', { to: '/my-data' })
  await page.getByRole('button', { name: 'Zmień numer telefonu' }).click()
  await enterSmsCode(page, portal, 'ewa')
  await page.locator('input[name=documentNumber]').fill('ABA500004')
  await page.keyboard.press('Enter')
  const code = page.locator('.task input[name=code]')
  await code.fill(await portal.mailedCode(customerOf('ewa').email))
  await page.keyboard.press('Enter')
  await page.locator('.task input[type=tel]').fill('600200357')
  await page.keyboard.press('Enter')
  await code.fill(await portal.smsCode('+48600200357'))
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('Enter')
  await page.getByText(/^Za 10\s+s przejdziemy na stronę Start/).waitFor()
  await page.clock.runFor(9_000)
  await page.getByText(/^Za 1\s+s przejdziemy na stronę Start/).waitFor()
  await page.clock.runFor(1_500)
  await page.waitForURL(/\/home$/)
})

test('DAT-1 AUT-7 two numbers that are asked for at once on a slow network are shown by one code', async () => {
  const page = await portal.openPage()
  const { identification, phone: number } = customerOf('zofia')
  const both = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/api/my-data/**', async (route) => {
    if (++asked === 2) both.resolve()
    await both.promise
    await route.continue()
  })
  await portal.signIn(page, 'zofia', { to: '/my-data' })
  const codes = async () => (await portal.messages()).filter(({ channel, to }) => channel === 'sms' && to === number)
  const before = (await codes()).length
  const eyes = page.getByRole('button', { name: 'Pokaż cały numer: ' })
  await eyes.first().click()
  await eyes.nth(1).click()
  await enterSmsCode(page, portal, 'zofia')
  await page.getByText(identification!.document.number, { exact: true }).waitFor()
  await page.getByText(identification!.identificationNumber, { exact: true }).waitFor()
  expect((await codes()).length).toBe(before + 1)
})

test('DAT-2 a change that was broken off in another tab is said to be, and can be begun anew', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'oliver', { to: '/my-data' })
  const begin = page.getByRole('button', { name: 'Zmień numer telefonu' })
  await begin.press('Enter')
  await enterSmsCode(page, portal, 'oliver')
  const field = page.locator('input[name=documentNumber]')
  await field.fill(customerOf('oliver').identification!.document.number)
  await portal.owner.query(
    `delete from phone_changes where account_id = (select id from accounts where login = 'oliver')`,
  )
  await field.press('Enter')
  await page.locator('.toast').getByText('Zmiana numeru potoczyła się dalej').waitFor()
  await begin.waitFor()
  await expect.poll(() => focused(page)).toBe('Moje dane')
})
