import { expect, test } from 'vitest'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { acceptAll } from './testing/consent-boxes.ts'
import { customerOf, enterSmsCode } from './testing/demonstration-run.ts'
import { chooseByTyping, phone, focusedText, plain } from './testing/browser-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const path = '/certificates/seals'

/** Who administers a seal, and whom they invite: a person without an account. */
const journeys = {
  pl: {
    admin: 'malgorzata',
    email: 'zaneta.nowa@poczta.example',
    phone: '+48600100831',
    organisation: 'Kancelaria Źródło sp. z o.o.',
  },
  en: {
    admin: 'wilhelmina',
    email: 'newcomer@mail.example',
    phone: '+48600100832',
    organisation: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie',
  },
}

const locale = language('pl')
const { at, button, translate } = inLanguage(locale)
const activate = translate('Aktywuj dostęp', 'Activate access')

test.runIf(exhaustive)('SEA-1 SEA-2 STP-3 an Administrator has a seal and its users, a user a contact', async () => {
  const page = await portal.openPage({ locale })
  await portal.signIn(page, 'malgorzata', { locale, to: path })
  const seal = page.getByRole('article', { name: 'Kancelaria Źródło sp. z o.o.' })
  await seal.waitFor()
  const text = plain(await seal.innerText())
  for (const part of translate(
    'Aktywna|VATPL-1234563218|2 lata|Ważna od|Administrator|Połącz z aplikacją|Pobierz umowę',
    'Active|VATPL-1234563218|2 years|Valid from|Administrator|Connect to the app|Download agreement',
  ).split('|'))
    expect(text).toContain(part)
  const suspend = button(page, /^Zawieś lub unieważnij/, /^Suspend or revoke/)
  expect(await suspend.count()).toBe(1)
  const table = page.getByRole('table')
  await table.getByRole('row').nth(3).waitFor()
  const own = table.getByRole('row', { name: /Małgorzata Wiśniewska/ })
  expect(plain(await own.innerText())).toContain('+48 ••• ••• 417')
  // Nobody removes themselves.
  expect(await button(own, 'Usuń dostęp', 'Remove access').count()).toBe(0)
  const other = table.getByRole('row', { name: /Tomasz Czekaj/ })
  const number = customerOf('tomasz').phone
  expect(plain(await other.innerText())).not.toContain(number.slice(6))
  await button(other, 'Pokaż cały numer: telefon', 'Show the whole number: phone').click()
  await expect.poll(async () => (await other.innerText()).replaceAll(/\s/g, '')).toContain(number)
  const removed = page.getByText(translate('Usunięci użytkownicy', 'Removed users'))
  expect(await page.getByText('Agnieszka Wójcik').count()).toBe(0)
  await removed.click()
  await page.getByText('Agnieszka Wójcik').waitFor()

  await page.context().clearCookies()
  const user = page
  await portal.signIn(user, 'tomasz', { locale, to: path })
  await user.getByRole('main').getByText('m.wisniewska@kancelaria-zrodlo.example').waitFor()
  expect([await user.getByRole('table').count(), await suspend.count()]).toEqual([0, 0])
  expect(await button(user, 'Dodaj użytkownika', 'Add user').count()).toBe(0)

  await page.context().clearCookies()
  const newcomer = page
  await portal.signIn(newcomer, 'nowy', { locale, to: path })
  await newcomer.getByText(translate('Brak danych', 'No data')).waitFor()
})

test('SEA-7 SEA-12 a PSD2 seal says what its owner may do, and filters find each product', async () => {
  const page = await portal.openPage({ locale })
  await portal.signIn(page, 'irena', { locale, to: path })
  const cards = page.getByRole('article', { name: 'Grosik Instytucja Płatnicza S.A.' })
  await cards.nth(1).waitFor()
  const [psd2 = '', file = ''] = (await cards.allInnerTexts()).map(plain)
  for (const part of translate(
    'Pieczęć PSD2 na karcie|PSDPL-PFSA-1234563218|2 lata|Inicjowanie płatności PSP_PI|wykonuje przelew|Informacja o rachunkach PSP_AI|Organ nadzoru|Komisja Nadzoru Finansowego PL-PFSA',
    'PSD2 seal on a card|PSDPL-PFSA-1234563218|2 years|Payment initiation PSP_PI|Starts a payment|Account information PSP_AI|Competent authority|Komisja Nadzoru Finansowego PL-PFSA',
  ).split('|'))
    expect(psd2).toContain(part)
  // A role that the certificate does not state is not shown.
  expect(psd2).not.toMatch(/PSP_AS|PSP_IC/)
  expect(file).toContain(translate('Pieczęć w pliku', 'Seal in a file'))
  expect(file).not.toContain('PSD2')

  const found = (count: number) =>
    page.getByText(translate(`Znaleziono: ${count}`, `${count} found`), { exact: true }).waitFor()
  // A short list has filters where its address has one.
  await page.goto(at(`${path}?product=psd2-card`))
  await found(1)
  await cards.getByText(translate('Pieczęć PSD2 na karcie', 'PSD2 seal on a card')).first().waitFor()
  await chooseByTyping(page.getByRole('combobox', { name: translate('Rodzaj', 'Type') }), translate('w pl', 'in a f'))
  await page.waitForURL(/product=file$/)
  await found(1)
  await cards.getByText(translate('Pieczęć w pliku', 'Seal in a file')).first().waitFor()
})

test('SEA-3 SEA-5 by keyboard somebody without an account is invited, activates, and is removed', async () => {
  const { admin, email, phone: number, organisation } = journeys[locale]
  const manager = await portal.openPage({ locale })
  await portal.signIn(manager, admin, { locale, to: path })
  await manager.getByRole('row').nth(1).waitFor()
  const add = button(manager, 'Dodaj użytkownika', 'Add user')
  await add.press('Enter')
  const dialog = manager.getByRole('dialog', { name: translate('Dodaj użytkownika pieczęci', 'Add seal user') })
  await dialog.waitFor()
  const field = (name: string) => dialog.locator(`input[name=${name}]`)
  // VAL-1: missing fields are named, and nothing typed is lost.
  await field('firstName').focus()
  await manager.keyboard.type('Żaneta')
  await manager.keyboard.press('Enter')
  await dialog.locator('.esum').waitFor()
  await expect.poll(() => field('firstName').inputValue()).toBe('Żaneta')
  await field('surname').focus()
  await manager.keyboard.type('Kaźmierczak')
  await manager.keyboard.press('Tab')
  await manager.keyboard.type(email)
  await manager.keyboard.press('Tab')
  await manager.keyboard.press('Tab')
  await manager.keyboard.type(number.slice(3))
  await manager.keyboard.press('Tab')
  await dialog.getByText(email, { exact: false }).last().waitFor()
  await manager.keyboard.press('Enter')
  await enterSmsCode(manager, portal, admin)
  const row = manager.getByRole('row', { name: /Żaneta Kaźmierczak/ })
  await row.waitFor()
  expect(plain(await row.innerText())).toContain(translate('Oczekuje', 'Awaiting activation'))
  await manager.getByText(translate('Zaproszenie wysłane', 'Invitation sent'), { exact: true }).waitFor()
  // A browser's translator leaves the name and the address as they are.
  expect(await manager.locator('.toast [translate=no]').innerText()).toBe(`Żaneta Kaźmierczak, ${email}`)

  const invited = await portal.openPage({ locale, viewport: phone })
  // SEA-9: the mail is in the language of the page on which the person was invited, since no other was chosen.
  const mailed = new URL(await portal.mailedLink(email))
  expect(mailed.pathname.startsWith(at('/setup-password/'))).toBe(true)
  await invited.goto(mailed.pathname)
  await invited.getByText(organisation).waitFor()
  const password = `Pierwsze-Haslo-${locale}-2026!`
  const passwords = ['newPassword', 'repeatPassword'].map((name) => invited.locator(`input[name=${name}]`))
  for (const input of passwords) await input.fill(password)
  await invited.keyboard.press('Enter')
  // REG-8: what is missing is said at its box, and nothing is lost.
  for (const [name, problem] of [
    ['terms', translate('Zaakceptuj regulamin', 'Accept the terms')],
    ['privacy', translate('Potwierdź, że znasz', 'Confirm that you’ve read')],
  ] as const) {
    const box = invited.locator(`input[name=${name}]`)
    await expect.poll(() => box.getAttribute('aria-invalid')).toBe('true')
    await invited.locator('.check-field', { has: box }).locator('.error').getByText(problem).waitFor()
  }
  await acceptAll(invited, locale)
  expect(await Promise.all(passwords.map((input) => input.inputValue()))).toEqual([password, password])
  await invited.locator('form button[type=submit]:enabled').click()
  await button(invited, 'Wyślij kod SMS', 'Send code').click()
  await invited.locator('input[name=code]').fill(await portal.smsCode(number))
  await invited.keyboard.press('Enter')
  await invited.waitForURL(portal.origin + at(path))
  await invited.getByRole('button', { name: activate }).press('Enter')
  await invited.locator('dialog input[name=code]').waitFor()
  await invited.locator('dialog input[name=code]').fill(await portal.smsCode(number))
  await invited.getByRole('article', { name: organisation }).waitFor()
  await expect.poll(() => focusedText(invited)).toBe(organisation)
  expect(await invited.getByRole('button', { name: activate }).count()).toBe(0)

  await manager.reload()
  await row.getByText(translate('Aktywny', 'Active')).waitFor()
  await button(row, 'Usuń dostęp', 'Remove access').press('Enter')
  const confirmation = manager.getByRole('alertdialog')
  await confirmation.getByText('Żaneta Kaźmierczak').waitFor()
  // The safe button has the focus.
  await expect.poll(() => focusedText(manager)).toBe(translate('Anuluj', 'Cancel'))
  await manager.keyboard.press('Tab')
  await manager.keyboard.press('Enter')
  await manager.getByText(translate('Dostęp usunięty', 'Access removed'), { exact: true }).waitFor()
  await expect.poll(() => row.count()).toBe(0)
  await expect.poll(() => focusedText(manager)).toContain(translate('Użytkownicy: ', 'Users: '))
  // R40: with the next request.
  await invited.reload()
  await invited.getByText(translate('Brak danych', 'No data')).waitFor()
})
