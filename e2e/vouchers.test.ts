import { expect, test } from 'vitest'
import { listDocuments } from '../contract/documents.ts'
import { limits } from '../contract/limits.ts'
import { putDocumentCase } from '../contract/provider/provider-documents.ts'
import { getVoucherCode, putCaseStatus, putVoucherCodes } from '../contract/provider/provider-vouchers.ts'
import { listVoucherCases, redeemVoucher } from '../contract/vouchers.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { chooseByTyping, desktop, phone, untilFocused, plain } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { refuse } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { openProviderClient, request } from './testing/portal-calls.ts'

const portal = await openPortal()
const provider = await openProviderClient(portal)
const expiresAt = new Date(Date.now() + 1e9).toISOString()

const locale = language('pl')
const { button, waitForText, translate } = inLanguage(locale)
const labels = {
  code: translate('Kod voucher', 'Voucher code'),
  use: translate('Użyj kodu', 'Use code'),
  invalid: translate('Nieprawidłowy kod dostępu', 'Invalid access code'),
}

test('HOM-2 VCH-4 a voucher entered at home opens a case, whose status the provider sets', async () => {
  const page = await portal.openPage({ locale, viewport: { pl: phone, en: desktop }[locale] })
  const person = translate('nowy', 'tomasz')
  await portal.signIn(page, person, { locale, to: '/my-cases' })
  await page.getByRole('link', { name: translate('Wpisz kod voucher', 'Enter a voucher code') }).click()

  const id = crypto.randomUUID()
  const made = { id, kind: 'voucher', process: 'card-seal', customer: null, expiresAt } as const
  const { code } = (await provider.call(putVoucherCodes, { body: { codes: [made] } })).codes[0]!
  const field = page.getByRole('textbox', { name: labels.code })
  await page.locator('.voucher button[type=submit]:enabled').waitFor()
  // A wrong code is an error at the field, which keeps the text and has the focus.
  await field.fill('0000 0000 0000 0000')
  await page.keyboard.press('Enter')
  await page.locator('.voucher').getByText(labels.invalid).waitFor()
  await expect.poll(() => field.inputValue()).toBe('0000 0000 0000 0000')
  await untilFocused(field)
  // A malformed code is an error before it is sent.
  await field.fill('ABC')
  await page.getByRole('button', { name: labels.use }).click()
  await waitForText(page, /Kod ma 16/, /The code has 16/)

  await field.fill(` ${code.toLowerCase().replaceAll('-', ' ')}`)
  await page.keyboard.press('Enter')
  await waitForText(page, 'Przyjęliśmy Twój kod', 'We’ve accepted your code')
  const { case: number } = await provider.call(getVoucherCode, { params: { code: id } })
  const outcome = page.locator('.voucher__outcome')
  await untilFocused(page.locator('#voucher'))
  expect(plain(await outcome.innerText())).toContain(number!)

  await page.getByRole('link', { name: translate('Zobacz sprawę', 'View case') }).click()
  const row = page.getByRole('row', { name: number! })
  await waitForText(row, 'W toku', 'In progress')
  await waitForText(row, /Gdy będzie wynik, napiszemy/, /We’re working on your application/)
  expect(plain(await row.innerText())).toMatch(
    translate(/Wniosek o pieczęć na karcie lub tokenie/, /Application for a seal on a card or token/),
  )

  const note = { pl: 'Brakuje pełnomocnictwa.', en: 'The power of attorney is missing.' }
  const report = { status: 'Odmowa wydania', at: new Date().toISOString(), note }
  await provider.call(putCaseStatus, { params: { case: number! }, body: report })
  await page.reload()
  await waitForText(row, 'Nie zrealizowano', 'Unsuccessful')
  await page.getByText(note[locale]).waitFor()
  const opener = button(row, /szczegóły sprawy/, /details of case/)
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: number! })
  await dialog.getByText(translate('Odmowa wydania', 'Issuance refused'), { exact: true }).waitFor()
  await dialog.getByText(code, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(opener)
})

test('VCH-2 after too many wrong codes a renewal code is answered with whom to contact, and until when', async () => {
  const page = await portal.openAs('bruno', { locale, to: '/certificates/signatures' })
  for (let i = 0; i < limits.voucher.wrongPerAccount.limit; i++)
    await expect(request(page, redeemVoucher.path, { code: `0000-0000-0000-000${i}` })).rejects.toThrow(
      /refused|attempts/,
    )
  await button(page, /^Odnów/, /^Renew/)
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=code]').fill('0000-0000-0000-0009')
  await page.keyboard.press('Enter')
  await waitForText(
    dialog,
    /Przekroczyłeś limit prób na wpisanie kodu voucher\. Skontaktuj się z.nami\./,
    /You’ve made too many attempts to enter a voucher code\. Contact us\./,
  )
  await waitForText(dialog, /Kolejny kod możesz wpisać od/, /You can enter another code from/)
  expect(await dialog.locator('a[href^="tel:"]').count()).toBe(1)
})

test.runIf(exhaustive)('VCH-4 VCH-5 a received case leads to its document; those that wait come first', async () => {
  const page = await portal.openAs('malgorzata', { to: '/my-cases' })
  const rows = page.getByRole('region', { name: 'Sprawy otrzymane' }).getByRole('row')
  await rows.nth(4).waitFor()
  const texts = (await rows.allInnerTexts()).slice(1, 6).map(plain)
  expect(texts.map((text) => /Przeczytaj i.podpisz|Przejdź do dokumentu/.exec(text)?.[0])).toEqual([
    'Przeczytaj i podpisz',
    'Przeczytaj i podpisz',
    'Przejdź do dokumentu',
    undefined,
    undefined,
  ])
  expect(texts[3]).toContain('Przygotowujemy')
  const link = page.getByRole('link', { name: 'Przejdź do dokumentu, sprawa W/2026/0944' })
  await link.click()
  await page.locator('tr:focus').getByText('W/2026/0944').waitFor()
})

test.runIf(exhaustive)('VCH-5 each list of My cases is searched by itself; the address has both searches', async () => {
  const page = await portal.openAs('kamila', { viewport: phone })
  const codes = Array.from({ length: 9 }, (_, i) => ({
    id: crypto.randomUUID(),
    kind: 'voucher' as const,
    process: i ? ('card-seal' as const) : ('timestamps' as const),
    customer: null,
    expiresAt,
  }))
  const made = (await provider.call(putVoucherCodes, { body: { codes } })).codes
  for (const { code } of made) await request(page, redeemVoucher.path, { code })
  const { case: number } = await provider.call(getVoucherCode, { params: { code: codes[0]!.id } })
  const report = { status: 'Zakończona pomyślnie', at: new Date().toISOString(), note: null }
  await provider.call(putCaseStatus, { params: { case: number! }, body: report })
  const { id: customer } = customerOf('kamila')
  const process = { pl: 'Umowa o\u00a0podpis', en: 'Signature agreement' }
  for (let i = 0; i < 9; i++) {
    const body = { customer, application: `W/O/${i}`, document: `O-${i}`, process, signer: 'PNOPL-85031212343' }
    await provider.call(putDocumentCase, { params: { case: `e2e-oliver-${i}` }, body })
  }

  await page.goto('/my-cases')
  const vouchers = page.getByRole('region', { name: 'Sprawy z\u00a0voucherów' })
  const received = page.getByRole('region', { name: 'Sprawy otrzymane' })
  await expect.poll(() => vouchers.getByRole('rowheader').count()).toBe(9)
  const search = (list: typeof vouchers) => list.getByRole('searchbox')
  await search(vouchers).fill(made[0]!.code)
  await search(vouchers).press('Enter')
  await vouchers.getByText('Znaleziono: 1', { exact: true }).waitFor()
  await search(received).fill('w/o/7')
  await search(received).press('Enter')
  await received.getByText('Znaleziono: 1', { exact: true }).waitFor()
  await vouchers.getByText('Znaleziono: 1', { exact: true }).waitFor()
  const filters = vouchers.getByRole('button', { name: /^Filtry/ })
  await filters.press('Enter')
  await chooseByTyping(vouchers.getByRole('combobox', { name: 'Status' }), 'w t')
  await vouchers.getByText('Nie znaleziono takiej sprawy.').waitFor()
  await page.reload()
  await vouchers.getByText('Nie znaleziono takiej sprawy.').waitFor()
  await received.getByText('W/O/7', { exact: true }).waitFor()
  await expect.poll(() => received.getByRole('rowheader').count()).toBe(1)
  await vouchers.getByRole('button', { name: 'Wyczyść filtry' }).click()
  await expect.poll(() => vouchers.getByRole('rowheader').count()).toBe(9)
  // The other list keeps its own.
  await expect.poll(() => received.getByRole('rowheader').count()).toBe(1)
  expect(new URL(page.url()).search).toBe('?received-search=w%2Fo%2F7')
  // Its link leads to the same search of the documents.
  await received.getByRole('link', { name: '(W/O/7)' }).click()
  await page.locator('tr:focus').getByText('W/O/7').waitFor()
})

test('UIX-20 ERR-5 the buttons that retry two failed lists have the names of their lists', async () => {
  const page = await portal.openPage({ tolerate: /503/ })
  for (const list of [listVoucherCases, listDocuments]) await refuse(list, 'unavailable')({ page })
  await portal.signIn(page, 'kamila', { to: '/my-cases' })
  const retry = page.getByRole('button', { name: 'Spróbuj ponownie' })
  await expect.poll(() => retry.count()).toBe(2)
  for (const list of ['sprawy z\u00a0voucherów', 'sprawy otrzymane'])
    await page.getByRole('button', { name: `Spróbuj ponownie – ${list}` }).waitFor()
})

test('VCH-6 ERR-5 a customer without any case sees one empty state, which leads to vouchers', async () => {
  const page = await portal.openAs('ewa', { to: '/my-cases' })
  await page.getByText('Brak danych').waitFor()
  expect(await page.locator('main .empty').count()).toBe(1)
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0)
  await page.getByRole('link', { name: 'Wpisz kod voucher' }).click()
  await page.waitForURL(portal.origin + '/home')
})
