import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { untilFocused, downloadBy, readFocusedText, addAuthenticator, findViolations } from './testing/browser-pages.ts'
import { customerOf, enterSmsCode, passPassword, signInHere } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const locale = language('pl')
const { at, waitForText, translate, button, heading } = inLanguage(locale)

const login = translate('malgorzata', 'tomasz')

test('AUT-9 AUT-11 AUT-5 a session on another device is ended, then all others, and leads to the login', async () => {
  const here = await portal.openPage({ locale })
  const third = await portal.openPage({ locale })
  const { context: there } = await portal.openProfile({ locale })
  await portal.enter(there, login)
  await portal.signIn(third, login, { locale })
  await portal.signIn(here, login, { locale, to: '/security' })
  const card = here.locator('section[aria-labelledby=sessions-title]')
  const rows = card.getByRole('listitem')
  await rows.nth(2).waitFor()
  expect(await here.locator('main h2:visible').allTextContents()).toEqual(
    {
      pl: ['Klucze dostępu', 'Aktywne sesje', 'Kopia wszystkich danych', 'Historia aktywności'],
      en: ['Passkeys', 'Active sessions', 'Copy of all your data', 'Activity history'],
    }[locale],
  )
  await expect.poll(() => rows.first().textContent()).toContain(translate('Ta przeglądarka', 'This browser'))
  await expect.poll(() => rows.first().textContent()).toContain('Chrome, Linux')
  const end = translate('Zakończ sesję', 'End session')
  expect(await rows.first().getByRole('button').count()).toBe(0)

  // After the own session, the most recently used one.
  await rows.nth(1).getByRole('button', { name: end }).press('Enter')
  const dialog = here.getByRole('alertdialog')
  await button(dialog, 'Anuluj', 'Cancel').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => rows.count()).toBe(3)
  await rows.nth(1).getByRole('button', { name: end }).click()
  await dialog.getByRole('button', { name: end }).click()
  await expect.poll(() => rows.count()).toBe(2)
  await third.goto(at('/security'))
  await third.waitForURL(/reason=session-gone/)
  await waitForText(third, 'Ta sesja jest już zakończona', 'Your session was ended')

  await button(card, 'Zakończ wszystkie inne', 'End all other sessions').click()
  await button(dialog, 'Zakończ sesje', 'End sessions').click()
  await expect.poll(() => rows.count()).toBe(1)
  // The button is gone, and the heading of its card has the focus.
  await expect.poll(() => readFocusedText(here)).toBe(translate('Aktywne sesje', 'Active sessions'))
  expect((await there.request.get('/api/session')).status()).toBe(401)
  await waitForText(
    here
      .locator('section.activity tbody tr')
      .filter({ hasText: translate('Zakończono inną sesję', 'Another session ended') }),
    '2 razy',
    '2 times',
  )
})

test.runIf(exhaustive).each([
  // What has expired first is on the last page.
  { kind: 'signature', act: 'agreement-downloaded', from: 'signatures o', id: 'o.id', last: 'o.valid_to' },
  { kind: 'documentCase', act: 'document-downloaded', from: 'document_cases o', id: 'o.id', last: 'o.created_at' },
  { kind: 'voucherCase', act: 'voucher-redeemed', from: 'voucher_cases o', id: 'o.id', last: 'o.created_at' },
  {
    kind: 'timestampAccount',
    act: 'timestamp-password-changed',
    from: 'timestamp_accounts o',
    id: 'o.id',
    last: 'o.login desc',
  },
  {
    kind: 'seal',
    act: 'agreement-downloaded',
    from: `(select * from seal_users where status = 'active') o`,
    id: 'o.seal_id',
    last: 'o.number',
  },
])(
  'AUT-12 the name of a $kind in the history leads to this object alone; one press shows all',
  async ({ kind, act, from, id, last }) => {
    const { rows } = await portal.owner.query<{ login: string; id: string }>(
      `with object as (
           select a.id as account_id, a.login, ${id} as id from ${from} join accounts a on a.id = o.account_id
           order by count(*) over (partition by a.id) desc, a.login, ${last} limit 1
         ), entry as (
           insert into audit (chain, seq, id, at, act, account_id, actor, details, previous, mac) overriding system value
           select gen_random_uuid(), 1, nextval('audit_id_seq'), now() - interval '300 days', $1, account_id, 'customer', jsonb_build_object($2::text, id), '', ''
           from object
         )
         select login, id from object`,
      [act, kind],
    )
    const { login: owner, id: object } = rows[0]!
    const page = await portal.openPage({ locale })
    const search = `?to=${new Date(Date.now() - 299 * 86_400_000).toISOString().slice(0, 10)}`
    await portal.signIn(page, owner, { locale, to: `/security${search}` })
    const link = page.locator('section.activity tbody').getByRole('link').first()
    const name = (await link.textContent())!
    await link.press('Enter')
    await page.waitForURL(new RegExp(`[?&-]id=${object}$`))
    const main = page.locator('main')
    await main.getByText(translate('Znaleziono: 1', '1 found'), { exact: true }).waitFor()
    const items = (kind === 'voucherCase' ? main.locator('table').first() : main).locator('article, tbody tr')
    await expect.poll(() => items.count()).toBe(1)
    // The number, the login or the day at the end of the name.
    expect(await items.innerText()).toContain(name.split(' ').at(-1))
    await button(main, 'Pokaż wszystkie', 'Show all').press('Enter')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await untilFocused(main.getByRole('searchbox').first())
    await page.goBack()
    await link.waitFor()
    expect(new URL(page.url()).search).toBe(search)
  },
)

test.runIf(exhaustive)('AUT-9 DAT-6 the history is filtered by kind and day, paged, and downloaded', async () => {
  // More than a page holds: equal entries of a day are one row, so each is of another day.
  await portal.owner.query(
    `insert into audit (chain, seq, id, at, act, account_id, actor, details, previous, mac) overriding system value
       select gen_random_uuid(), n, nextval('audit_id_seq'), now() - (400 + n) * interval '1 day', 'agreement-downloaded', id, 'customer', '{}', '', ''
       from accounts, generate_series(1, 25) n where login = $1`,
    [login],
  )
  const page = await portal.openAs(login, { locale, to: '/security' })
  const card = page.locator('section.activity')
  const rows = card.locator('tbody tr')
  const downloaded = card.getByText(translate('Pobrano umowę', 'Agreement downloaded'))
  await waitForText(card, 'Strona 1', 'Page 1')
  await button(card, 'Następne', 'Next').click()
  await waitForText(card, 'Strona 2', 'Page 2')
  await downloaded.first().waitFor()

  await card.locator('select[name=kind]').selectOption('sign-in')
  await button(card, 'Pokaż', 'Show').click()
  await expect.poll(() => downloaded.count()).toBe(0)
  await untilFocused(button(card, 'Pokaż', 'Show'))
  // The filter is in the address, so a reload keeps it.
  expect(new URL(page.url()).search).toBe('?kind=sign-in')
  await page.reload()
  expect(await card.locator('select[name=kind]').inputValue()).toBe('sign-in')
  const downloading = downloadBy(page, () => button(card, 'Pobierz CSV', 'Download CSV').click())
  const text = readFileSync(await (await downloading).path(), 'utf8')
  expect(text).toContain(translate('Zalogowano do portalu', 'Signed in to the portal'))
  expect(text).not.toContain(translate('Pobrano umowę', 'Agreement downloaded'))

  // A period that ends before it begins is an error, and the list stays as it is.
  await card.locator('input[data-name=from]').fill('2020-01-02')
  await card.locator('input[data-name=to]').fill('2020-01-01')
  await button(card, 'Pokaż', 'Show').press('Enter')
  await waitForText(card, 'Wybierz ten sam dzień co „Od dnia”', 'Choose the same day as “From”')
  expect(await rows.count()).toBeGreaterThan(0)
  await card.locator('input[data-name=from]').fill('')
  await button(card, 'Pokaż', 'Show').click()
  await button(card, 'Wyczyść filtry', 'Clear filters').click()
  await waitForText(card, 'Strona 1', 'Page 1')
})

test('R121 AUT-8 a passkey is added, named, used in place of the code and alone, and removed', async () => {
  const page = await (await portal.openProfile({ locale, named: true })).openTab({ close: 'profile' })
  const device = await addAuthenticator(page)
  const dialog = page.getByRole('dialog')
  const card = page.locator('section[aria-labelledby=passkeys-title]')
  const use = button(dialog, 'Użyj klucza dostępu', 'Use a passkey')
  await page.goto(at('/security'))
  await signInHere(page, portal, login)
  await waitForText(card, 'Nie masz jeszcze kluczy dostępu', 'You have no passkeys yet')

  // By keyboard: the suggested name can be overwritten at once.
  await button(card, 'Dodaj klucz dostępu', 'Add passkey').press('Enter')
  const name = dialog.locator('input[name=name]')
  await name.waitFor()
  await expect.poll(() => name.inputValue()).toBe('Chrome, Linux')
  await untilFocused(name)
  expect(await findViolations(page)).toEqual([])
  await name.fill('')
  await name.press('Enter')
  await waitForText(dialog, 'Pole musi być wypełnione', 'The field must be completed')
  await name.fill('Laptop w biurze')
  await name.press('Enter')
  await enterSmsCode(page, portal, login)
  const row = card.getByRole('listitem').filter({ hasText: 'Laptop w biurze' })
  await row.waitFor()
  // What comes next is said, and one button leads back.
  const added = heading(dialog, 'Klucz dostępu jest dodany', 'Your passkey is ready')
  await untilFocused(added)
  expect(await findViolations(page)).toEqual([])
  await button(dialog, 'Gotowe', 'Done').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(button(card, 'Dodaj klucz dostępu', 'Add passkey'))

  await button(row, 'Zmień nazwę', 'Rename').click()
  await name.fill('Laptop w domu')
  await name.press('Enter')
  await card.getByRole('heading', { name: 'Laptop w domu' }).waitFor()
  await dialog.waitFor({ state: 'detached' })

  // A step-up: the passkey instead of the code.
  await page.goto(at('/certificates/signatures'))
  await button(page, 'Połącz z aplikacją', 'Connect to the app').first().click()
  await use.waitFor()
  expect(await findViolations(page)).toEqual([])
  await use.press('Enter')
  await dialog.locator('.qr').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // The sign-in: no message is sent, and an answer without user verification is refused.
  const ready = () => page.locator('form button[type=submit]:enabled').waitFor()
  const leave = async () => {
    await device.isTouched(false)
    await page.locator('button.account-button').click()
    await page.getByRole('menuitem', { name: translate('Wyloguj się', 'Sign out') }).click()
    await page.waitForURL(/reason=signed-out/)
    await ready()
  }
  await leave()
  const texts = async () => (await portal.messages()).filter(({ to }) => to === customerOf(login).phone).length
  const before = await texts()
  await passPassword(page, login)
  await use.waitFor()
  expect(await findViolations(page)).toEqual([])
  await device.verifies(false)
  await device.isTouched(true)
  await use.click()
  await waitForText(dialog, 'Urządzenie nie użyło klucza dostępu', 'Your device didn’t use a passkey')
  await device.verifies(true)
  await use.click()
  await page.locator('.account-button__name').waitFor({ state: 'attached' })
  expect(await texts()).toBe(before)

  // The passkey alone (R121): no name, no password, no message; an answer without user verification is refused.
  await leave()
  const alone = button(page, 'Zaloguj się kluczem dostępu', 'Sign in with a passkey')
  await alone.press('Enter')
  await waitForText(page, 'Czekamy na urządzenie', 'Waiting for your device')
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await ready()
  await device.verifies(false)
  await device.isTouched(true)
  await alone.press('Enter')
  await waitForText(page, 'Urządzenie nie użyło klucza dostępu', 'Your device didn’t use a passkey')
  expect(await findViolations(page)).toEqual([])
  await device.verifies(true)
  await alone.press('Enter')
  await page.locator('.account-button__name').waitFor({ state: 'attached' })
  // And through the autofill of the login field.
  await leave()
  await expect.poll(() => page.locator('input[name=login]').getAttribute('autocomplete')).toBe('username webauthn')
  await device.isTouched(true)
  await page.reload()
  await page.locator('.account-button__name').waitFor({ state: 'attached' })
  expect(await texts()).toBe(before)

  // The code remains an alternative.
  await leave()
  await passPassword(page, login)
  await button(dialog, 'Użyj kodu SMS', 'Use a text-\u2060message code').click()
  await enterSmsCode(page, portal, login)
  await page.locator('.account-button__name').waitFor({ state: 'attached' })

  await page.goto(at('/security'))
  await waitForText(card, 'ostatnio użyty', 'last used')
  await page
    .locator('section.activity')
    .getByText(translate('samym kluczem dostępu', 'by passkey only'))
    .first()
    .waitFor()
  await button(card, 'Usuń: Laptop w domu', 'Remove: Laptop w domu').click()
  const warning = page.getByRole('alertdialog')
  await waitForText(warning, 'To Twój ostatni klucz', 'It’s your last passkey')
  await button(warning, 'Usuń klucz', 'Remove passkey').click()
  await device.isTouched(true)
  await use.click()
  await waitForText(card, 'Nie masz jeszcze kluczy dostępu', 'You have no passkeys yet')
  await waitForText(page.locator('section.activity'), 'Usunięto klucz dostępu', 'Passkey removed')
  await leave()
  await signInHere(page, portal, login)
})

test.runIf(exhaustive)('AUT-8 at an IP address the page says where passkeys work', async () => {
  const page = await portal.openAs('ewa', { to: '/security' })
  const link = page.getByRole('link', { name: /^Dodaj klucz na localhost:\d+/ })
  await expect.poll(() => link.getAttribute('href')).toMatch(/^http:\/\/localhost:\d+\/security$/)
})
