import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode } from '../tools/demonstration-run.ts'
import { desktop, phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const path = '/certificates/seals'
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** Who administers a seal, and whom they invite: nobody that the portal knows. */
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

describe.each(languages('pl'))('%s', (locale) => {
  const words = (pl: string, en: string) => say(locale, { pl, en })
  const at = (place: string) => (locale === 'pl' ? place : `/en${place}`)
  const activate = words('Aktywuj dostęp', 'Activate access')

  test('SEA-1 SEA-2 an Administrator sees the seal and its users, a user whom to ask, a newcomer that there is nothing', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale, to: path })
    const seal = page.getByRole('article', { name: 'Kancelaria Źródło sp. z o.o.' })
    await seal.waitFor()
    const text = plain(await seal.innerText())
    for (const part of words(
      'Aktywna|VATPL-1234563218|2 lata|Ważna do|Administrator|Pokaż kod QR|Pobierz umowę',
      'Active|VATPL-1234563218|2 years|Valid until|Administrator|Show QR code|Download agreement',
    ).split('|'))
      expect(text).toContain(part)
    const table = page.getByRole('table')
    await table.getByRole('row').nth(3).waitFor()
    const own = table.getByRole('row', { name: /Małgorzata Wiśniewska/ })
    expect(plain(await own.innerText())).toContain('+48 ••• ••• 417')
    expect(await own.getByRole('button').count()).toBe(0)
    const removed = page.getByText(words('Usunięci użytkownicy', 'Removed users'))
    expect(await page.getByText('Agnieszka Wójcik').count()).toBe(0)
    await removed.click()
    await page.getByText('Agnieszka Wójcik').waitFor()

    // Cards on a phone keep the roles of the table, and every action tells whose it is.
    await page.setViewportSize(phone)
    expect(await table.first().getByRole('rowheader').count()).toBe(3)
    await page
      .getByRole('button', { name: words('Usuń dostęp: Tomasz Czekaj', 'Remove access: Tomasz Czekaj') })
      .waitFor()

    await page.setViewportSize(desktop)
    await page.context().clearCookies()
    const user = page
    await portal.signIn(user, 'tomasz', { locale, to: path })
    await user.getByRole('main').getByText('m.wisniewska@kancelaria-zrodlo.example').waitFor()
    expect(await user.getByRole('table').count()).toBe(0)
    expect(await user.getByRole('button', { name: words('Dodaj użytkownika', 'Add user') }).count()).toBe(0)

    await page.context().clearCookies()
    const newcomer = page
    await portal.signIn(newcomer, 'nowy', { locale, to: path })
    await newcomer.getByText(words('Brak danych', 'No data')).waitFor()
  })

  test('SEA-3 SEA-4 SEA-5 AUT-7 by keyboard alone an Administrator invites somebody without an account, who is led through the password to the activation, and is removed again', async () => {
    const { admin, email, phone: number, organisation } = journeys[locale]
    const manager = await portal.openPage({ locale })
    await portal.signIn(manager, admin, { locale, to: path })
    await manager.getByRole('row').nth(1).waitFor()
    const add = manager.getByRole('button', { name: words('Dodaj użytkownika', 'Add user') })
    await add.press('Enter')
    const dialog = manager.getByRole('dialog', { name: words('Dodaj użytkownika pieczęci', 'Add a seal user') })
    await dialog.waitFor()
    const field = (name: string) => dialog.locator(`input[name=${name}]`)
    // VAL-1: what is missing is said, and nothing typed is lost.
    await field('firstName').focus()
    await manager.keyboard.type('Żaneta')
    await manager.keyboard.press('Enter')
    await dialog.locator('.esum').waitFor()
    expect(await field('firstName').inputValue()).toBe('Żaneta')
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
    expect(plain(await row.innerText())).toContain(words('Oczekuje', 'Awaiting activation'))
    await manager.getByText(words('Zaproszenie wysłane', 'Invitation sent'), { exact: true }).waitFor()

    const invited = await portal.openPage({ locale, viewport: phone })
    // The mail speaks the language of the one who invites; the portal that of its address.
    const mailed = new URL(await portal.mailedLink(email))
    await invited.goto(at(mailed.pathname.replace(/^\/en/, '')))
    await invited.getByText(organisation).waitFor()
    const password = `Pierwsze-Haslo-${locale}-2026!`
    for (const name of ['newPassword', 'repeatPassword']) await invited.locator(`input[name=${name}]`).fill(password)
    await invited.keyboard.press('Enter')
    await invited.getByRole('button', { name: words('Wyślij kod SMS', 'Send a code') }).click()
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
    await row.getByText(words('Aktywny', 'Active')).waitFor()
    await row.getByRole('button', { name: words('Usuń dostęp', 'Remove access') }).press('Enter')
    const ask = manager.getByRole('alertdialog')
    await ask.getByText('Żaneta Kaźmierczak').waitFor()
    // The safe button has the focus.
    expect(await focusedText(manager)).toBe(words('Anuluj', 'Cancel'))
    await manager.keyboard.press('Tab')
    await manager.keyboard.press('Enter')
    await manager.getByText(words('Dostęp usunięty', 'Access removed'), { exact: true }).waitFor()
    await expect.poll(() => row.count()).toBe(0)
    await expect.poll(() => focusedText(manager)).toContain(words('Użytkownicy pieczęci', 'Seal users'))
    // R40: the very next look.
    await invited.reload()
    await invited.getByText(words('Brak danych', 'No data')).waitFor()
  })
})

test('HOM-3 SEA-4 home names the access that waits and leads to it, and a seal that ends soon', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata')
  // Documents to sign and a certificate of 12 days come before it.
  const matter = page.getByRole('listitem').filter({ hasText: 'Dostęp do pieczęci' })
  await matter.getByText('Oczekuje na aktywację').waitFor()
  await page
    .getByRole('link', { name: /Pieczęć kwalifikowana/ })
    .getByText('1 aktywna, 1 oczekuje')
    .waitFor()
  await page.getByRole('link', { name: 'Przejdź do aktywacji' }).click()
  await page.waitForURL(portal.origin + path)
  const card = page.getByRole('region', { name: 'Stowarzyszenie Łączność udostępnia Ci pieczęć' })
  await card.getByRole('button', { name: 'Aktywuj dostęp' }).press('Enter')
  const code = page.locator('dialog input[name=code]')
  await code.waitFor()
  const right = await portal.smsCode(customerOf('malgorzata').phone)
  await code.fill(right === '123456' ? '654321' : '123456')
  await page.getByText('Kod się nie zgadza', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  expect(await focusedText(page)).toContain('Aktywuj dostęp')

  // Activated in one of two tabs, it no longer waits in the other.
  const tab = await page.context().newPage()
  await tab.goto(path)
  for (const each of [page, tab]) {
    await each.getByRole('button', { name: 'Aktywuj dostęp' }).press('Enter')
    await each.locator('dialog input[name=code]').waitFor()
  }
  // The same code in both within a moment is one entry (R112).
  for (const each of [page, tab]) {
    await each.locator('dialog input[name=code]').fill(right)
    await each.getByText('Dostęp jest aktywny', { exact: true }).waitFor()
    await each.getByRole('article', { name: 'Stowarzyszenie Łączność' }).waitFor()
    expect(await each.getByRole('button', { name: 'Aktywuj dostęp' }).count()).toBe(0)
  }

  await page.context().clearCookies()
  await portal.signIn(page, 'zofia')
  await page.getByText('Stowarzyszenie Łączność', { exact: false }).first().waitFor()
})

test('SEA-3 the button that sends an invitation stays under the finger that presses it', async () => {
  const page = await portal.openPage({ viewport: phone })
  await portal.signIn(page, 'malgorzata', { to: path })
  await page.getByRole('button', { name: 'Dodaj użytkownika' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dodaj użytkownika pieczęci' })
  for (const [name, value] of Object.entries({ firstName: 'Jan', surname: 'Lis', email: 'jan.lis@poczta.example' }))
    await dialog.locator(`input[name=${name}]`).fill(value)
  await dialog.locator('input[type=tel]').fill('600100833')
  // The last field is left by this very press.
  await dialog.getByRole('button', { name: 'Wyślij zaproszenie' }).click()
  await page.locator('dialog input[name=code]').waitFor()
})
