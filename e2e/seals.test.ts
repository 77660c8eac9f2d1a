import { generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test, beforeAll } from 'vitest'
import { putSeal, putSealUser } from '../contract/provider/provider-seals.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { chooseByTyping, phone, readFocusedText, plain, untilFocused } from './testing/browser-pages.ts'
import { customerOf, enterSmsCode, acceptAll } from './testing/demonstration-run.ts'
import { openSigner } from './testing/document-cases.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { openProviderClient } from './testing/portal-calls.ts'

const portal = await openPortal()
const locale = language('pl')
const { at, button, translate, heading, waitForText } = inLanguage(locale)
const path = '/certificates/seals'

/** Administrator of a seal, and the person without an account whom they invite. */
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

const activate = translate('Aktywuj dostęp', 'Activate access')

test.runIf(exhaustive)('SEA-1 SEA-2 STP-3 an Administrator has a seal and its users, a user a contact', async () => {
  const page = await portal.openAs('malgorzata', { locale, to: path })
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
  const removed = page.getByText(translate('Usunięci użytkownicy', 'Removed users'))
  expect(await page.getByText('Agnieszka Wójcik').count()).toBe(0)
  await removed.click()
  await page.getByText('Agnieszka Wójcik').waitFor()

  await page.context().clearCookies()
  await portal.signIn(page, 'tomasz', { locale, to: path })
  await page.getByRole('main').getByText('m.wisniewska@kancelaria-zrodlo.example').waitFor()
  expect([await page.getByRole('table').count(), await suspend.count()]).toEqual([0, 0])
  expect(await button(page, 'Dodaj użytkownika', 'Add user').count()).toBe(0)
})

test('SEA-7 SEA-12 a PSD2 seal says what its owner may do, and filters find each product', async () => {
  const page = await portal.openAs('irena', { locale, to: path })
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
  const manager = await portal.openAs(admin, { locale, to: path })
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
  await dialog.locator('.error-summary').waitFor()
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
  await expect.poll(() => readFocusedText(invited)).toBe(organisation)
  expect(await invited.getByRole('button', { name: activate }).count()).toBe(0)

  await manager.reload()
  await waitForText(row, 'Aktywny', 'Active')
  await button(row, 'Usuń dostęp', 'Remove access').press('Enter')
  const confirmation = manager.getByRole('alertdialog')
  await confirmation.getByText('Żaneta Kaźmierczak').waitFor()
  // The safe button has the focus.
  await expect.poll(() => readFocusedText(manager)).toBe(translate('Anuluj', 'Cancel'))
  await manager.keyboard.press('Tab')
  await manager.keyboard.press('Enter')
  await manager.getByText(translate('Dostęp usunięty', 'Access removed'), { exact: true }).waitFor()
  await expect.poll(() => row.count()).toBe(0)
  await expect.poll(() => readFocusedText(manager)).toContain(translate('Użytkownicy: ', 'Users: '))
  // R40: with the next request.
  await invited.reload()
  await waitForText(invited, 'Brak danych', 'No data')
})

const provider = await openProviderClient(portal)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const [lodz, bank, union] = ['Łódzka Spółdzielnia', 'Żółty Bank S.A.', 'Stowarzyszenie Łączność']
/** Seals with their ends in days; 30 is the only one that expires soon, and -10 has expired. */
const given = [
  { organisation: lodz, identifier: 'VATPL-5250001090', ends: 30 },
  { organisation: bank, identifier: 'NTRPL-0000123456', ends: 100 },
  { organisation: lodz, identifier: 'VATPL-5250001090', ends: 200 },
  { organisation: union, identifier: 'NTRPL-0000012345', ends: 210 },
  { organisation: bank, identifier: 'NTRPL-0000123456', ends: 220 },
  { organisation: lodz, identifier: 'VATPL-5250001090', ends: 230 },
  { organisation: union, identifier: 'NTRPL-0000012345', ends: 240 },
  { organisation: bank, identifier: 'NTRPL-0000123456', ends: 250 },
  { organisation: lodz, identifier: 'VATPL-5250001090', ends: -10 },
]

/** Gives seals of three organisations to an Administrator, a customer who had none. */
async function giveSeals() {
  const { authority } = await openSigner(portal)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { email, phone: number, firstName, surname } = customerOf('ewa')
  for (const [i, { organisation, identifier, ends }] of given.entries()) {
    const commonName = `${organisation} – pieczęć ${i}`
    const to = new Date(Date.now() + ends * 86_400_000)
    const { certificate } = await authority.issue({
      subject: { kind: 'organisation', name: organisation, commonName, identifier, country: 'PL' },
      publicKey,
      notBefore: new Date(to.getTime() - 364 * 86_400_000),
      notAfter: to,
      device: true,
    })
    const seal = `e2e-seal-${i}`
    await provider.call(putSeal, {
      params: { seal },
      body: {
        product: i % 2 ? 'card' : 'app',
        period: '1_year',
        certificate: base64(certificate),
        chain: authority.chain.map(base64),
        status: 'good',
        agreementLanguage: 'pl',
      },
    })
    const user = { email, phone: number, firstName, surname, locale: 'pl', role: 'admin', status: 'active' }
    await provider.call(putSealUser, { params: { seal, user: 'ewa' }, body: user as never })
  }
}
beforeAll(giveSeals)

const open = async (page: Page, to = path) => portal.signIn(page, 'ewa', { locale, to })
const rows = (page: Page) => page.getByRole('article')
const found = (page: Page, count: number) =>
  page.getByText(translate(`Znaleziono: ${count}`, `${count} found`), { exact: true }).waitFor()

test('SEA-13 SEA-16 nine seals are rows in order of urgency, searched by name and identifier', async () => {
  const page = await portal.openPage({ locale })
  await open(page)
  await expect.poll(() => rows(page).count()).toBe(given.length)
  expect(await page.locator('.certificate-rows__group').allInnerTexts()).toEqual([
    translate('Wkrótce wygasają', 'Expiring soon'),
    bank,
    lodz,
    union,
  ])
  // Every row begins with the product, also where no heading names its organisation.
  const names = (await rows(page).getByRole('heading').allInnerTexts()).map(plain)
  const inApp = translate('Pieczęć w aplikacji mobilnej', 'Seal in the mobile app')
  expect(names[0]).toBe(inApp)
  expect(names[1]).toBe(translate('Pieczęć na karcie lub tokenie', 'Seal on a card or token'))
  expect(names.at(-1)).toBe(inApp)
  for (const each of [rows(page).first(), rows(page).last()])
    await expect.poll(() => each.locator('.certificate-row__main p').innerText()).toContain(`${lodz} – pieczęć`)
  // What has expired, or expires soon, leads to a new one, also where it has no app yet.
  const buy = { name: new RegExp(translate('^Kup pieczęć', '^Buy a seal')) }
  await rows(page).last().getByRole('link', buy).waitFor()
  const ending = rows(page).first()
  await ending.getByRole('link', buy).waitFor()
  expect(await rows(page).getByRole('link', buy).count()).toBe(2)
  await button(ending, /^Więcej/, /^More/).click()
  await button(ending, /^Połącz z\saplikacją/, /^Connect to the app/).waitFor()
  await heading(page, 'Nieaktywne', 'Inactive').waitFor()

  const search = page.getByRole('searchbox')
  await search.fill('zolty bank')
  await search.press('Enter')
  await page.waitForURL(/search=zolty%20bank$/)
  await found(page, 3)
  await untilFocused(search)
  await search.fill('0000012345')
  await search.press('Enter')
  await found(page, 2)
  await page.reload()
  await found(page, 2)
  await expect.poll(() => search.inputValue()).toBe('0000012345')
  await page.getByRole('combobox', { name: translate('Organizacja', 'Organisation') }).click()
  await page.getByRole('option', { name: lodz }).click()
  await waitForText(page, 'Nie znaleziono takiej pieczęci', 'No matching seals')
  await button(page, 'Wyczyść filtry', 'Clear filters').click()
  await expect.poll(() => rows(page).count()).toBe(given.length)
  expect(new URL(page.url()).search).toBe('')
})

test('SEA-13 UIX-11 on a phone the filters of the seals are behind one button next to the search', async () => {
  const page = await portal.openPage({ locale, viewport: phone })
  await open(page)
  const search = page.getByRole('searchbox')
  const filters = button(page, /^Filtry/, /^Filters/)
  const tops = [(await search.boundingBox())!.y, (await filters.boundingBox())!.y].map(Math.round)
  expect(tops[0]).toBe(tops[1])
  const status = page.getByRole('combobox', { name: 'Status' })
  expect(await status.isVisible()).toBe(false)
  await filters.press('Enter')
  const sheet = page.getByRole('dialog', { name: translate('Filtry', 'Filters') })
  await untilFocused(sheet.getByRole('heading'))
  const box = (await sheet.boundingBox())!
  expect([box.x, box.width, Math.round(box.y + box.height)]).toEqual([0, phone.width, phone.height])
  // Neither end of the sheet leads to the page behind it.
  for (const key of ['Shift+Tab', 'Shift+Tab', 'Tab', 'Tab', 'Tab']) {
    await page.keyboard.press(key)
    expect(await page.evaluate(() => document.activeElement!.matches('body, dialog *'))).toBe(true)
  }
  await chooseByTyping(status, translate('nie', 'ina'))
  await sheet.getByRole('status').getByText(translate('Znaleziono: 1', '1 found'), { exact: true }).waitFor()
  await button(sheet, 'Wyczyść', 'Clear').click()
  await expect.poll(() => rows(page).count()).toBe(given.length)
  await status.press('Enter')
  await page.getByRole('option', { name: translate('Nieaktywne', 'Inactive') }).click()
  await page.waitForURL(/status=inactive$/)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await untilFocused(filters)
  await found(page, 1)
  await expect.poll(() => filters.innerText()).toMatch(/\(1\)$/)
})

test('SEA-15 UIX-10 the row of a new user is scrolled into view and marked, on any page', async () => {
  const page = await portal.openPage({ locale, viewport: phone })
  // So many that whoever is added last is on the second page.
  const seal = `e2e-seal-${translate(6, 7)}`
  for (let i = 0; i < 21; i++) {
    const user = { email: `u${i}@bank.example`, phone: `+486001008${40 + i}`, firstName: 'Jan', surname: `Lis ${i}` }
    const body = { ...user, locale: 'pl', role: 'user', status: 'pending' } as never
    await provider.call(putSealUser, { params: { seal, user: `u${i}` }, body })
  }
  const sealName = translate('Stowarzyszenie 6', 'Bank 7')
  await open(page, `${path}?search=${encodeURIComponent(sealName)}`)
  const card = rows(page).first()
  await button(card, /^Więcej/, /^More/).click()
  const users = page.getByRole('region', { name: new RegExp(translate('^Użytkownicy: ', '^Users: ')) })
  await users.getByRole('row').nth(20).waitFor()
  await button(users, /^Dodaj użytkownika/, /^Add user/).click()
  const dialog = page.getByRole('dialog', { name: translate('Dodaj użytkownika pieczęci', 'Add seal user') })
  for (const [name, value] of Object.entries({ firstName: 'Zoja', surname: 'Nowa', email: `zoja.${locale}@p.example` }))
    await dialog.locator(`input[name=${name}]`).fill(value)
  await dialog.locator('input[type=tel]').fill('600100899')
  await button(dialog, 'Wyślij zaproszenie', 'Send invitation').click()
  const code = page.locator('dialog input[name=code]')
  await code.waitFor()
  // The mark stays for two seconds, which a busy machine may take to look again.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const row = document.querySelector('tr.is-new')
      if (row) document.body.dataset['marked'] = row.textContent
    })
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] })
  })
  await code.fill(await portal.smsCode(customerOf('ewa').phone))
  const row = users.getByRole('row', { name: /Zoja Nowa/ })
  await row.waitFor()
  await expect.poll(() => page.locator('body').getAttribute('data-marked')).toContain('Zoja Nowa')
  // Its mark does not depend on motion, which the customer does not want here.
  expect(await row.evaluate((each) => getComputedStyle(each.firstElementChild!).animationName)).toBe('none')
  const box = (await row.boundingBox())!
  const middle = box.y + box.height / 2
  expect(Math.abs(middle - phone.height / 2)).toBeLessThan(phone.height / 4)
  // The toast does not cover its actions.
  const actions = row.getByRole('button', { name: /Zoja Nowa/ })
  for (const action of await actions.all())
    expect(
      await action.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }),
    ).toBe(true)
  await expect.poll(() => row.getAttribute('class')).toBeNull()
  // The row is compact until it is opened.
  const remove = button(row, /^Usuń dostęp/, /^Remove access/)
  expect(await remove.isVisible()).toBe(false)
  const more = button(row, /^Więcej/, /^More/)
  await more.press('Enter')
  await remove.waitFor()
  await row.getByRole('cell', { name: new RegExp(translate('Użytkownik$', 'User$')) }).waitFor()
  await button(row, /^Mniej/, /^Less/).press('Enter')
  await remove.waitFor({ state: 'hidden' })
  // Its number in the seal says nothing on a phone.
  expect(await row.getByRole('cell', { name: '22', exact: true }).count()).toBe(0)
})
