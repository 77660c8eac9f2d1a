import { describe, expect, test } from 'vitest'
import { listDocuments } from '../contract/documents.ts'
import { limits } from '../contract/limits.ts'
import { inLocale } from '../contract/pages.ts'
import { putDocumentCase } from '../contract/provider/provider-documents.ts'
import { getVoucherCode, putCaseStatus, putVoucherCodes } from '../contract/provider/provider-vouchers.ts'
import { listVoucherCases, redeemVoucher, type VoucherCase } from '../contract/vouchers.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { chooseByTyping, desktop, phone, untilFocused } from './testing/browser-pages.ts'
import { refuse, reply } from './testing/fake-replies.ts'
import { openPortal, say, see } from './testing/open-portal.ts'
import { openProviderClient } from './testing/provider-client.ts'
import { request } from './testing/renewal-calls.ts'

const portal = await openPortal()
const provider = await openProviderClient(portal)
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const expiresAt = new Date(Date.now() + 1e9).toISOString()

type CodeFields = { kind: 'voucher'; process: 'card-seal'; customer: null } | { kind: 'renewal'; signature: string }

async function makeCode(fields: CodeFields) {
  const codes = [{ id: crypto.randomUUID(), expiresAt, ...fields }]
  const made = await provider.call(putVoucherCodes, { body: { codes } })
  return made.codes[0]!
}

describe.each(languages('pl'))('%s', (locale) => {
  const labels = {
    code: say(locale, { pl: 'Kod voucher', en: 'Voucher code' }),
    use: say(locale, { pl: 'Użyj kodu', en: 'Use code' }),
    invalid: say(locale, { pl: 'Nieprawidłowy kod dostępu', en: 'Invalid access code' }),
    blocked: say(locale, {
      pl: 'Przekroczyłeś limit prób na wpisanie kodu voucher. Skontaktuj się z nami.',
      en: 'You’ve made too many attempts to enter a voucher code. Contact us.',
    }),
  }

  test('HOM-2 VCH-1 VCH-3 VCH-4 a voucher entered on the home page opens a case, which is in the list with the status that the provider sets', async () => {
    const page = await portal.openPage({ locale, viewport: say(locale, { pl: phone, en: desktop }) })
    const person = say(locale, { pl: 'nowy', en: 'tomasz' })
    await portal.signIn(page, person, { locale, to: '/my-cases' })
    await page.getByRole('link', { name: say(locale, { pl: 'Wpisz kod voucher', en: 'Enter a voucher code' }) }).click()

    const { code, id } = await makeCode({ kind: 'voucher', process: 'card-seal', customer: null })
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
    await see(page, locale, { pl: /Kod ma 16/, en: /The code has 16/ })

    await field.fill(` ${code.toLowerCase().replaceAll('-', ' ')}`)
    await page.keyboard.press('Enter')
    await see(page, locale, { pl: 'Przyjęliśmy Twój kod', en: 'We’ve accepted your code' })
    const { case: number } = await provider.call(getVoucherCode, { params: { code: id } })
    const outcome = page.locator('.voucher__outcome')
    await untilFocused(page.locator('#voucher'))
    expect(plain(await outcome.innerText())).toContain(number!)

    await page.getByRole('link', { name: say(locale, { pl: 'Zobacz sprawę', en: 'View case' }) }).click()
    const row = page.getByRole('row', { name: number! })
    await see(row, locale, { pl: 'W toku', en: 'In progress' })
    await see(row, locale, { pl: /Gdy będzie wynik, napiszemy/, en: /We’re working on your application/ })
    expect(plain(await row.innerText())).toMatch(
      say(locale, { pl: /Wniosek o pieczęć na karcie lub tokenie/, en: /Application for a seal on a card or token/ }),
    )

    const note = { pl: 'Brakuje pełnomocnictwa.', en: 'The power of attorney is missing.' }
    const report = { status: 'Odmowa wydania', at: new Date().toISOString(), note }
    await provider.call(putCaseStatus, { params: { case: number! }, body: report })
    await page.reload()
    await see(row, locale, { pl: 'Nie zrealizowano', en: 'Unsuccessful' })
    await page.getByText(note[locale]).waitFor()
    const opener = row.getByRole('button', { name: say(locale, { pl: /szczegóły sprawy/, en: /details of case/ }) })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: number! })
    await dialog.getByText(say(locale, { pl: 'Odmowa wydania', en: 'Issuance refused' }), { exact: true }).waitFor()
    await dialog.getByText(code, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(opener)
  })

  test.runIf(exhaustive)(
    'VCH-2 HOM-2 after five wrong codes a notice with time and phone replaces the field, also after another sign-in',
    async () => {
      const page = await portal.openPage({ locale })
      const person = say(locale, { pl: 'ewa', en: 'oliver' })
      await portal.signIn(page, person, { locale })
      const box = page.locator('.voucher')
      const field = box.getByRole('textbox', { name: labels.code })
      for (let tries = 1; tries <= 5; tries++) {
        await field.fill(`0000-0000-0000-000${tries}`)
        const answered = page.waitForResponse((response) => response.url().endsWith('/api/vouchers/redemption'))
        await box.locator('button[type=submit]:enabled:not([aria-disabled])').click()
        expect((await answered).status()).toBe(tries < 5 ? 422 : 429)
        if (tries < 5) await box.getByText(labels.invalid).waitFor()
      }
      const blockedNotice = async () => {
        await box.getByText(labels.blocked).waitFor()
        await expect.poll(() => field.count()).toBe(0)
        return plain(await box.innerText())
      }
      expect(await blockedNotice()).toMatch(/\d{4}, \d\d:\d\d[^]*\+48 22 100 20 30/)
      await page.context().clearCookies()
      await portal.signIn(page, person, { locale })
      expect(await blockedNotice()).toContain('+48 22 100 20 30')
    },
  )

  test.runIf(exhaustive)(
    'HOM-2 VCH-1 a renewal code is not used up there: the box says that buying it is not yet the renewal',
    async () => {
      const page = await portal.openPage({ locale })
      const person = say(locale, { pl: 'malgorzata', en: 'bruno' })
      await portal.signIn(page, person, { locale })
      const { code, id } = await makeCode({ kind: 'renewal', signature: `demo-${person}-app` })
      await page.locator('.voucher button[type=submit]:enabled').waitFor()
      await page.getByRole('textbox', { name: labels.code }).fill(code)
      await page.keyboard.press('Enter')
      await page
        .getByRole('heading', {
          name: say(locale, {
            pl: 'Twój kod służy do odnowienia',
            en: 'Your code is for a renewal',
          }),
        })
        .waitFor()
      await see(page, locale, {
        pl: /^Zakup kodu to jeszcze nie odnowienie/,
        en: /^Buying a code doesn’t renew your signature yet/,
      })
      // It is the card's only heading.
      expect(await page.locator('.voucher :is(h2, h3)').count()).toBe(1)
      await untilFocused(page.locator('#voucher'))
      // The page has one primary button: the next step with the code.
      const start = say(locale, { pl: 'Rozpocznij odnowienie', en: 'Start renewal' })
      expect(await page.locator('main .btn--primary').allInnerTexts()).toEqual([start])
      expect((await provider.call(getVoucherCode, { params: { code: id } })).status).toBe('unused')
      await page.getByRole('button', { name: say(locale, { pl: 'Wpisz inny kod', en: 'Enter another code' }) }).click()
      await page.locator('.voucher input[name=code]:focus').waitFor()
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: start }).click()
      await page.waitForURL(new RegExp(`${inLocale(locale, '/renewal/')}[0-9a-f-]{36}$`))
    },
  )
})

test.runIf(exhaustive)(
  'VCH-4 VCH-5 a received case leads to the row of its document, on any page of the list, and those that wait come first, with a button',
  async () => {
    const page = await portal.openPage()
    await portal.signIn(page, 'malgorzata', { to: '/my-cases' })
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

    const { id: customer } = customerOf('malgorzata')
    const process = { pl: 'Umowa o\u00a0podpis', en: 'Signature agreement' }
    for (let i = 0; i < limits.list.size; i++) {
      const body = { customer, application: `W/N/${i}`, document: `N-${i}`, process, signer: 'PNOPL-85031212343' }
      await provider.call(putDocumentCase, { params: { case: `e2e-many-${i}` }, body })
    }
    await page.goto('/my-cases')
    const list = page.getByRole('region', { name: 'Sprawy otrzymane' })
    await list.getByText('W/N/19', { exact: true }).waitFor()
    await expect.poll(() => link.count()).toBe(0)
    await list.getByRole('button', { name: 'Następne' }).click()
    await link.click()
    await page.locator('tr:focus').getByText('W/2026/0944').waitFor()
  },
)

test.runIf(exhaustive)(
  'VCH-5 UIX-11 each list of My cases is searched for itself, and the address keeps the search, the filter and the page of both',
  async () => {
    const page = await portal.openPage({ viewport: phone })
    await portal.signIn(page, 'kamila')
    const codes = Array.from({ length: 9 }, (_, i) => ({
      id: crypto.randomUUID(),
      kind: 'voucher' as const,
      process: i ? ('card-seal' as const) : ('timestamps' as const),
      customer: null,
      expiresAt,
    }))
    const made = (await provider.call(putVoucherCodes, { body: { codes } })).codes
    for (const { code } of made) await request(page, redeemVoucher.path, { code })
    const [{ code, case: none }] = made as [(typeof made)[number]]
    expect(none).toBeNull()
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
    expect(plain(await vouchers.getByRole('rowheader').last().innerText())).toContain(number!)
    const search = (list: typeof vouchers) => list.getByRole('searchbox')
    for (const list of [vouchers, received]) {
      const button = list.getByRole('button', { name: /^Filtry/ })
      const [field, beside] = [(await search(list).boundingBox())!, (await button.boundingBox())!]
      expect(Math.round(field.y)).toBe(Math.round(beside.y))
    }
    // By the whole code, in any spelling.
    await search(vouchers).fill(code.toLowerCase().replaceAll('-', ' '))
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
  },
)

const failedCase = (i: number, note: VoucherCase['note']): VoucherCase => ({
  id: crypto.randomUUID(),
  number: `S-7K2M-9Q0${i}`,
  code: `ABCD-EFGH-JKMN-100${i}`,
  process: 'cloud-seal',
  status: 'finished-unsuccessfully',
  providerStatus: 'Odrzucono',
  note,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
})

test.runIf(exhaustive)(
  'VCH-5 what to do about refused cases is said once for several of them, and each row says why it was refused',
  async () => {
    const page = await portal.openPage()
    const note = { pl: 'Brak zgody pełnomocnika.', en: 'The proxy’s consent is missing.' }
    const advice = page.getByText(/co zrobić dalej/)
    await reply(listVoucherCases, { items: [failedCase(1, note)], next: null })({ page })
    await portal.signIn(page, 'kamila', { to: '/my-cases' })
    await page.locator('tr.t-note', { has: advice }).getByText(note.pl).waitFor()
    await reply(listVoucherCases, { items: [failedCase(1, note), failedCase(2, null)], next: null })({ page })
    await page.reload()
    await page.locator('tr.t-note').getByText(note.pl).waitFor()
    await expect.poll(() => advice.count()).toBe(1)
    expect(await page.locator('tr.t-note').count()).toBe(1)
    expect(await page.locator('tr').filter({ has: advice }).count()).toBe(0)
  },
)

test('UIX-20 ERR-5 the buttons that retry two failed lists have the names of their lists', async () => {
  const page = await portal.openPage({ tolerate: /503/ })
  for (const list of [listVoucherCases, listDocuments]) await refuse(list, 'unavailable')({ page })
  await portal.signIn(page, 'kamila', { to: '/my-cases' })
  const retry = page.getByRole('button', { name: 'Spróbuj ponownie' })
  await expect.poll(() => retry.count()).toBe(2)
  for (const list of ['sprawy z\u00a0voucherów', 'sprawy otrzymane'])
    await page.getByRole('button', { name: `Spróbuj ponownie – ${list}` }).waitFor()
})

test('VCH-6 ERR-5 a customer without any case sees one empty state, which leads to where a voucher is entered', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'ewa', { to: '/my-cases' })
  await page.getByText('Brak danych').waitFor()
  expect(await page.locator('main .empty').count()).toBe(1)
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0)
  await page.getByRole('link', { name: 'Wpisz kod voucher' }).click()
  await page.waitForURL(portal.origin + '/home')
})
