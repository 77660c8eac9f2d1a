import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { phone, readFocusedText, plain } from './testing/browser-pages.ts'
import { customerOf, enterSmsCode, passPassword } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()

/** Customer whose number is changed, the new number, and customer whose change fails. */
const people = {
  pl: { changer: 'malgorzata', document: ' aba 300-000 ', number: '+48600200355', failer: 'wilhelmina' },
  en: { changer: 'tomasz', document: 'aba600001', number: '+48600200356', failer: 'zofia' },
}

const locale = language('pl')
const { button, translate, waitForText } = inLanguage(locale)
const { changer, document: itsNumber, number, failer } = people[locale]
const begin = async (page: Page, login: string) => {
  await portal.signIn(page, login, { locale, to: '/my-data' })
  await button(page, 'Zmień numer telefonu', 'Change phone number').press('Enter')
  await enterSmsCode(page, portal, login)
  await page.locator('input[name=documentNumber]').waitFor()
}

test('DAT-8 DAT-9 the steps of a phone change are listed before, and then the only task', async () => {
  const page = await portal.openAs(failer, { locale, viewport: phone, to: '/my-data' })
  const headings = () =>
    page
      .locator('main h2')
      .allTextContents()
      .then((all) => all.map(plain))
  const consents = translate('Zgody', 'Consents')
  const eyes = button(page, 'Pokaż cały numer', 'Show the whole number')
  const { document: card, identificationNumber } = customerOf(failer).identification!
  const held = card.number
  await page.getByRole('heading', { name: consents }).waitFor()
  // Each number is shown by itself, and masked again by another press.
  const eye = eyes.last()
  expect(await page.locator('main').innerText()).not.toContain(held)
  await eye.press('Enter')
  await page.getByText(held, { exact: true }).waitFor()
  expect(await page.locator('main').innerText()).toContain(`••••${identificationNumber.slice(-3)}`)
  await eye.press('Enter')
  await page.getByText(held, { exact: true }).waitFor({ state: 'detached' })
  // DAT-8: the steps are listed before anything is sent, with whom to call without the current number.
  const plan = page.locator('.task__plan')
  await plan.getByText(translate('Jak zmienisz numer: 5\u00a0kroków', 'How to change it: 5\u00a0steps')).click()
  expect(await plan.getByRole('listitem').count()).toBe(5)
  await waitForText(plan, 'Nie masz już obecnego numeru', 'Don’t have your current number')
  expect(await plan.locator('a[href^="tel:"]').count()).toBe(1)
  // A number that is shown before does not stay.
  await eye.press('Enter')
  await page.getByText(held, { exact: true }).waitFor()
  await button(page, 'Zmień numer telefonu', 'Change phone number').press('Enter')
  await enterSmsCode(page, portal, failer)
  await page.locator('input[name=documentNumber]').waitFor()
  await expect.poll(async () => (await headings()).length).toBe(2)
  expect((await headings())[0]).toContain(translate('Numer dokumentu', 'Document number'))
  await page
    .getByRole('heading', { level: 1, name: translate('Zmień numer telefonu', 'Change phone number') })
    .waitFor()
  expect(await eyes.count()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain(held)
  const line = page.locator('.task .stepper-line')
  await expect.poll(async () => plain(await line.innerText())).toContain(translate('Krok 2 z 5', 'Step 2 of 5'))
  expect(await line.getByRole('progressbar').getAttribute('value')).toBe('2')
  await button(page.locator('.task form .buttons'), 'Anuluj zmianę', 'Cancel change').click()
  await page.getByRole('heading', { name: consents }).waitFor()
  expect(await page.locator('main').innerText()).not.toContain(held)
  await button(page, 'Zmień numer telefonu', 'Change phone number').waitFor()
})

test('DAT-2 DAT-3 by keyboard only the number is changed in five steps; a reload repeats nothing', async () => {
  const page = await portal.openPage({ locale, clock: true })
  const { email, phone: before, identification } = customerOf(changer)
  const held = identification!.document.number
  await begin(page, changer)
  await expect.poll(() => readFocusedText(page)).toContain(translate('Krok 2 z 5', 'Step 2 of 5'))
  expect(plain(await page.locator('.task .stepper .is-done').innerText())).toContain(
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
  await waitForText(
    page.locator('.task .error'),
    'Numer dokumentu się nie zgadza',
    'You have entered an invalid document number',
  )
  await expect.poll(() => field.inputValue()).toBe('ABC123456')
  await field.fill(itsNumber)
  await page.keyboard.press('Enter')
  await expect.poll(() => readFocusedText(page)).toContain(translate('Krok 3 z 5', 'Step 3 of 5'))

  const code = page.locator('.task input[name=code]')
  const mailed = await portal.mailedCode(email)
  // After a reload the page is at the same step.
  await page.reload()
  await code.waitFor()
  await page.getByRole('heading', { name: translate('Krok 3 z 5', 'Step 3 of 5') }).waitFor()
  await code.fill(mailed)
  await page.keyboard.press('Enter')
  await expect.poll(() => readFocusedText(page)).toContain(translate('Krok 4 z 5', 'Step 4 of 5'))

  await button(page, 'Wstecz', 'Back').press('Enter')
  await waitForText(page, 'Nie musisz podawać go ponownie', 'You don’t need to enter it again')
  await expect.poll(() => readFocusedText(page)).toContain(translate('Krok 3 z 5', 'Step 3 of 5'))
  await button(page, 'Dalej', 'Next').press('Enter')
  const tel = page.locator('.task input[type=tel]')
  await tel.fill(before.slice(3))
  await page.keyboard.press('Enter')
  await page.getByText(translate('To jest Twój obecny numer', 'This is your current number')).first().waitFor()
  await tel.fill(number.slice(3))
  await page.keyboard.press('Enter')
  await expect.poll(() => readFocusedText(page)).toContain(translate('Krok 5 z 5', 'Step 5 of 5'))
  const right = await portal.smsCode(number)
  await button(page, 'Wstecz', 'Back').press('Enter')
  await expect.poll(async () => (await tel.inputValue()).replaceAll(/\D/g, '')).toContain(number.slice(3))
  await button(page, 'Wyślij kod SMS', 'Send code').press('Enter')
  await code.waitFor()
  await code.fill(right)
  // From here on the test controls the countdown.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('Enter')

  const heading = translate('Numer telefonu zmieniony', 'Phone number changed')
  await page.getByRole('heading', { name: heading }).waitFor()
  await expect.poll(() => readFocusedText(page)).toBe(heading)
  await page.clock.runFor(3_000)
  await waitForText(page, 'Za 7\u00a0s przejdziemy na stronę Start.', 'We’ll go to Home in 7\u00a0s.')
  // By the button, or by using another control on the page.
  if (locale === 'pl') {
    await page.getByRole('button', { name: 'Zostań na tej stronie' }).press('Enter')
    await page.clock.runFor(15_000)
    await expect.poll(() => page.locator('.task--done [role=timer]').count()).toBe(0)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.clock.resume()
    await expect
      .poll(async () => plain(await page.locator('.my-data .rows').first().innerText()))
      .toContain(`+48 ••• ••• ${number.slice(-3)}`)
    await page.getByRole('button', { name: 'Wróć do strony Start' }).press('Enter')
  } else await page.clock.runFor(7_500)
  await page.waitForURL(/\/home$/)
  const notifications = (await portal.messages()).filter(({ to }) => to === before || to === email)
  expect(
    notifications.some(
      ({ channel, text }) => channel === 'sms' && /wysylamy juz na inny numer|no longer go to this number/.test(text),
    ),
  ).toBe(true)
  expect(
    notifications.some(({ subject }) => /numer telefonu został zmieniony|phone number was changed/.test(subject ?? '')),
  ).toBe(true)
  // The next code goes to the new number, and the number can be changed again.
  const next = await portal.openPage({ locale, viewport: phone })
  await next.goto(translate('/', '/en'))
  await passPassword(next, changer)
  await next.locator('dialog input[name=code]').fill(await portal.smsCode(number))
  await next.locator('.account-button__name').waitFor({ state: 'attached' })
})

test.runIf(exhaustive)('DAT-2 a change that was cancelled in another tab says so, and starts again', async () => {
  const page = await portal.openAs('oliver', { to: '/my-data' })
  const change = page.getByRole('button', { name: 'Zmień numer telefonu' })
  await change.press('Enter')
  await enterSmsCode(page, portal, 'oliver')
  const field = page.locator('input[name=documentNumber]')
  await field.fill(customerOf('oliver').identification!.document.number)
  await portal.owner.query(
    `delete from phone_changes where account_id = (select id from accounts where login = 'oliver')`,
  )
  await field.press('Enter')
  await page.locator('.toast').getByText('Zmiana numeru poszła dalej').waitFor()
  await change.waitFor()
  await expect.poll(() => readFocusedText(page)).toBe('Moje dane')
})
