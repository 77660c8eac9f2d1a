import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { phone } from './testing/browser-pages.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.replaceAll('\u00a0', ' ') ?? '')
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Whose number is changed, to what, and who fails. */
const people = {
  pl: { changer: 'malgorzata', document: ' aba 300-000 ', number: '+48600200355', failer: 'wilhelmina' },
  en: { changer: 'tomasz', document: 'aba600001', number: '+48600200356', failer: 'zofia' },
}

describe.each(languages('pl'))('%s', (locale) => {
  const translate = (pl: string, en: string) => say(locale, { pl, en })
  const { changer, document, number, failer } = people[locale]
  const change = translate('Zmień numer telefonu', 'Change phone number')
  const begin = async (page: Page, login: string) => {
    await portal.signIn(page, login, { locale, to: '/my-data' })
    await page.getByRole('button', { name: change }).press('Enter')
    await enterSmsCode(page, portal, login)
    await page.locator('input[name=documentNumber]').waitFor()
  }
  const submit = translate('Wyślij kod e-\u2060mailem', 'E-mail me a code')

  test.runIf(exhaustive)(
    'DAT-1 DAT-7 numbers are masked until the eye is pressed, each by itself and without a code, and masked again by another press',
    async () => {
      const page = await portal.openPage({ locale, viewport: phone })
      await portal.signIn(page, failer, { locale, to: '/my-data' })
      const texts = async () => (await portal.messages()).filter(({ channel }) => channel === 'sms').length
      const before = await texts()
      const eyeOf = (pl: string, en: string) =>
        page.getByRole('button', { name: translate(`Pokaż cały numer: ${pl}`, `Show the whole number: ${en}`) })
      const eye = eyeOf('dowód', 'identity card')
      await eye.waitFor()
      const { document: held, identificationNumber } = customerOf(failer).identification!
      const shown = () => page.locator('.my-data').innerText()
      expect(await shown()).not.toContain(held.number)
      await eye.press('Enter')
      await page.getByText(held.number, { exact: true }).waitFor()
      await expect.poll(() => eye.getAttribute('aria-pressed')).toBe('true')
      // The other numbers stay masked, each with its last characters.
      expect(await shown()).not.toContain(identificationNumber)
      expect(await shown()).toContain(`••••${identificationNumber.slice(-3)}`)
      await eye.press('Enter')
      await page.getByText(held.number, { exact: true }).waitFor({ state: 'detached' })
      await eyeOf('telefon', 'phone').press('Enter')
      await expect.poll(async () => (await shown()).replaceAll(/\s/g, '')).toContain(customerOf(failer).phone)
      expect(await texts()).toBe(before)
    },
  )

  test.runIf(exhaustive)(
    'DAT-8 before anything is sent, the page lists the five steps and says whom to call without the current number',
    async () => {
      const page = await portal.openPage({ locale })
      await portal.signIn(page, failer, { locale, to: '/my-data' })
      const plan = page.locator('.task__plan')
      await plan.getByText(translate('Jak zmienisz numer: 5\u00a0kroków', 'How to change it: 5\u00a0steps')).click()
      const steps = (await plan.getByRole('listitem').allInnerTexts()).map(plain)
      expect(steps).toHaveLength(5)
      expect(steps[0]).toContain(translate('kod SMS wysłany na obecny numer', 'the code texted to your current number'))
      await plan.getByText(translate('Nie masz już obecnego numeru', 'Don’t have your current number')).waitFor()
      expect(await plan.locator('a[href^="tel:"]').count()).toBe(1)
    },
  )

  test('DAT-9 a change is the only task of the page: no other data, above all not the number that a step asks for, and a phone shows the progress', async () => {
    const page = await portal.openPage({ locale, viewport: phone })
    await portal.signIn(page, failer, { locale, to: '/my-data' })
    const headings = () =>
      page
        .locator('main h2')
        .allTextContents()
        .then((all) => all.map(plain))
    const consents = translate('Zgody', 'Consents')
    const eyes = page.getByRole('button', { name: translate('Pokaż cały numer', 'Show the whole number') })
    const held = customerOf(failer).identification!.document.number
    await page.getByRole('heading', { name: consents }).waitFor()
    // A number that is shown before does not stay.
    await eyes.last().click()
    await page.getByText(held, { exact: true }).waitFor()
    await page.getByRole('button', { name: change }).press('Enter')
    await enterSmsCode(page, portal, failer)
    await page.locator('input[name=documentNumber]').waitFor()
    await expect.poll(async () => (await headings()).length).toBe(2)
    expect((await headings())[0]).toContain(translate('Numer dokumentu', 'Document number'))
    await page.getByRole('heading', { level: 1, name: change }).waitFor()
    expect(await eyes.count()).toBe(0)
    expect(await page.locator('main').innerText()).not.toContain(held)
    const line = page.locator('.task .stepline')
    await expect.poll(async () => plain(await line.innerText())).toContain(translate('Krok 2 z 5', 'Step 2 of 5'))
    expect(await line.getByRole('progressbar').getAttribute('value')).toBe('2')
    await page
      .locator('.task form .btns')
      .getByRole('button', { name: translate('Anuluj zmianę', 'Cancel change') })
      .click()
    await page.getByRole('heading', { name: consents }).waitFor()
    expect(await page.locator('main').innerText()).not.toContain(held)
    await page.getByRole('button', { name: change }).waitFor()
  })

  test('DAT-2 DAT-3 DAT-5 DAT-8 by keyboard only the number is changed in five steps, the first of them confirmed by the current number; a reload and going back repeat nothing, and the redirect home can be stopped', async () => {
    const page = await portal.openPage({ locale, clock: true })
    const { email, phone: before, identification } = customerOf(changer)
    const held = identification!.document.number
    await begin(page, changer)
    await expect.poll(() => focused(page)).toContain(translate('Krok 2 z 5', 'Step 2 of 5'))
    expect(plain(await page.locator('.task .steps .done').innerText())).toContain(
      translate('Obecny numer', 'Current number'),
    )
    await page
      .getByText(translate(`kończy się na ${held.slice(-3)}`, `number ends in ${held.slice(-3)}`))
      .first()
      .waitFor()

    const field = page.locator('input[name=documentNumber]')
    await field.focus()
    await page.keyboard.type('ABC123456')
    await page.keyboard.press('Enter')
    await page
      .locator('.task .error')
      .getByText(translate('Numer dokumentu się nie zgadza', 'You have entered an invalid document number'))
      .waitFor()
    await expect.poll(() => field.inputValue()).toBe('ABC123456')
    await field.fill(document)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(translate('Krok 3 z 5', 'Step 3 of 5'))

    const code = page.locator('.task input[name=code]')
    const mailed = await portal.mailedCode(email)
    await code.fill(wrongCode(mailed))
    await page.keyboard.press('Enter')
    await page.getByText(translate('Kod się nie zgadza', 'You have entered an invalid code')).waitFor()
    await expect.poll(() => code.inputValue()).toBe(wrongCode(mailed))
    // After a reload the page is at the same step.
    await page.reload()
    await code.waitFor()
    await page.getByRole('heading', { name: translate('Krok 3 z 5', 'Step 3 of 5') }).waitFor()
    await code.fill(mailed)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(translate('Krok 4 z 5', 'Step 4 of 5'))

    await page.getByRole('button', { name: translate('Wstecz', 'Back') }).press('Enter')
    await page.getByText(translate('Nie musisz podawać go ponownie', 'You don’t need to enter it again')).waitFor()
    await expect.poll(() => focused(page)).toContain(translate('Krok 3 z 5', 'Step 3 of 5'))
    await page.getByRole('button', { name: translate('Dalej', 'Next') }).press('Enter')
    const tel = page.locator('.task input[type=tel]')
    await tel.fill(before.slice(3))
    await page.keyboard.press('Enter')
    await page.getByText(translate('To jest Twój obecny numer', 'This is your current number')).first().waitFor()
    await tel.fill(number.slice(3))
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain(translate('Krok 5 z 5', 'Step 5 of 5'))
    const right = await portal.smsCode(number)
    await page.getByRole('button', { name: translate('Wstecz', 'Back') }).press('Enter')
    await expect.poll(async () => (await tel.inputValue()).replaceAll(/\D/g, '')).toContain(number.slice(3))
    await page.getByRole('button', { name: translate('Wyślij kod SMS', 'Send code') }).press('Enter')
    await code.waitFor()
    await code.fill(right)
    // From here on the test controls the countdown.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.keyboard.press('Enter')

    const heading = translate('Numer telefonu zmieniony', 'Phone number changed')
    await page.getByRole('heading', { name: heading }).waitFor()
    await expect.poll(() => focused(page)).toBe(heading)
    await page.clock.runFor(3_000)
    await page
      .getByText(translate('Za 7\u00a0s przejdziemy na stronę Start.', 'We’ll go to Home in 7\u00a0s.'))
      .waitFor()
    // By the button, or by using another control on the page.
    if (locale === 'pl') await page.getByRole('button', { name: 'Zostań na tej stronie' }).press('Enter')
    else await page.getByRole('button', { name: 'Show the whole number: identity card' }).focus()
    await page.clock.runFor(15_000)
    await expect.poll(() => page.locator('.task--done [role=timer]').count()).toBe(0)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.clock.resume()
    await expect
      .poll(async () => plain(await page.locator('.my-data .rows').first().innerText()))
      .toContain(`+48 ••• ••• ${number.slice(-3)}`)
    await page.getByRole('button', { name: translate('Wróć do strony Start', 'Back to Home') }).press('Enter')
    await page.waitForURL(/\/home$/)

    const notifications = (await portal.messages()).filter(({ to }) => to === before || to === email)
    expect(
      notifications.some(
        ({ channel, text }) => channel === 'sms' && /wysylamy juz na inny numer|no longer go to this number/.test(text),
      ),
    ).toBe(true)
    expect(
      notifications.some(({ subject }) =>
        /numer telefonu został zmieniony|phone number was changed/.test(subject ?? ''),
      ),
    ).toBe(true)
    // The next code goes to the new number, and the number can be changed again.
    const next = await portal.openPage({ locale, viewport: phone })
    await next.goto(translate('/', '/en'))
    await passPassword(next, changer)
    await next.locator('dialog input[name=code]').fill(await portal.smsCode(number))
    await next.locator('.who__name').waitFor({ state: 'attached' })
  })

  test.runIf(exhaustive)(
    'DAT-4 five wrong entries block the change for 24 hours and show until when, in another browser too; a change can be cancelled before',
    async () => {
      const page = await portal.openPage({ locale, viewport: phone })
      await begin(page, failer)
      await page.getByRole('button', { name: translate('Anuluj zmianę', 'Cancel change') }).press('Enter')
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
      await page.getByText(translate('Zostało: 1 próba', '1 attempt left')).first().waitFor()
      await attempt(5)
      const notice = page.getByText(
        translate(
          'Przekroczono dozwoloną liczbę weryfikacji, spróbuj ponownie za 24h.',
          'You have exceeded the allowed number of verifications, try again in 24h.',
        ),
        { exact: true },
      )
      await notice.waitFor()
      await page
        .getByText(translate('Dotychczasowy numer działa bez zmian', 'Your current number works as before'))
        .waitFor()
      const until = await page.locator('.note--err time').getAttribute('datetime')
      expect(Math.abs(Date.parse(until!) - Date.now() - 86_400_000)).toBeLessThan(600_000)

      const another = await portal.openPage({ locale })
      await portal.signIn(another, failer, { locale, to: '/my-data' })
      await another.locator('.note--err').waitFor()
      await expect.poll(() => another.locator('.note--err time').getAttribute('datetime')).toBe(until)
      expect(await another.getByRole('button', { name: change }).count()).toBe(0)
    },
  )
})

test.runIf(exhaustive)('DAT-2 after the change the page goes home by itself after ten seconds', async () => {
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

test.runIf(exhaustive)(
  'DAT-2 a change that was cancelled in another tab says so, and can be started again',
  async () => {
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
    await page.locator('.toast').getByText('Zmiana numeru poszła dalej').waitFor()
    await begin.waitFor()
    await expect.poll(() => focused(page)).toBe('Moje dane')
  },
)
