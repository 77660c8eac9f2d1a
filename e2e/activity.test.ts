import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { listPasskeys } from '../contract/passkeys.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { isUsable, untilFocused } from './testing/browser-pages.ts'
import { refuseCall, reply } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()
const logins = { pl: 'malgorzata', en: 'oliver' } as const

describe.each(languages('pl'))('%s', (locale) => {
  const at = (path: string) => inLocale(locale, path)
  const translate = (pl: string, en: string) => say(locale, { pl, en })
  const login = logins[locale]

  test('AUT-9 AUT-5 a session on another device is listed and ended, and its page leads to the login with the reason; then all others are ended', async () => {
    const here = await portal.openPage({ locale })
    const third = await portal.openPage({ locale })
    const { context: there } = await portal.openProfile({ locale })
    await portal.enter(there, login)
    await portal.signIn(third, login, { locale })
    await portal.signIn(here, login, { locale, to: '/security' })
    const card = here.locator('section[aria-labelledby=sessions-title]')
    const rows = card.getByRole('listitem')
    await rows.nth(2).waitFor()
    await expect.poll(() => rows.first().textContent()).toContain(translate('Ta przeglądarka', 'This browser'))
    await expect.poll(() => rows.first().textContent()).toContain('Chrome, Linux')
    const end = translate('Zakończ sesję', 'End session')
    expect(await rows.first().getByRole('button').count()).toBe(0)

    // After the own session, the most recently used one.
    await rows.nth(1).getByRole('button', { name: end }).press('Enter')
    const dialog = here.getByRole('alertdialog')
    await dialog.getByRole('button', { name: translate('Anuluj', 'Cancel') }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => rows.count()).toBe(3)
    await rows.nth(1).getByRole('button', { name: end }).click()
    await dialog.getByRole('button', { name: end }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await third.goto(at('/security'))
    await third.waitForURL(/reason=session-gone/)

    await card.getByRole('button', { name: translate('Zakończ wszystkie inne', 'End all other sessions') }).click()
    await dialog.getByRole('button', { name: translate('Zakończ sesje', 'End sessions') }).click()
    await expect.poll(() => rows.count()).toBe(1)
    // The button is gone, and the heading of its card has the focus.
    await expect
      .poll(() => here.evaluate(() => document.activeElement?.textContent))
      .toBe(translate('Aktywne sesje', 'Active sessions'))
    expect((await there.request.get('/api/session')).status()).toBe(401)
    await here
      .locator('section.activity tbody tr')
      .filter({ hasText: translate('Zakończono inną sesję', 'Another session ended') })
      .getByText(translate('2 razy', '2 times'))
      .waitFor()
  })

  test.runIf(exhaustive)(
    'AUT-11 one page of the account has passkeys, sessions, the copy of all data and the history; My data has none of them, and what names passkeys leads there',
    async () => {
      const page = await portal.openPage({ locale })
      await portal.signIn(page, login, { locale, to: '/my-data' })
      const headings = () => page.locator('main h2:visible').allTextContents()
      const own = say(locale, {
        pl: ['Klucze dostępu', 'Aktywne sesje', 'Kopia wszystkich danych', 'Historia aktywności'],
        en: ['Passkeys', 'Active sessions', 'Copy of all your data', 'Activity history'],
      })
      const title = translate('Bezpieczeństwo', 'Security')
      await page.getByRole('heading', { name: translate('Zgody', 'Consents') }).waitFor()
      expect((await headings()).filter((heading) => own.includes(heading))).toEqual([])
      await page
        .getByRole('navigation', { name: translate('Menu główne', 'Main menu') })
        .getByRole('link', { name: title })
        .press('Enter')
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      expect(await headings()).toEqual(own)
      await expect.poll(() => page.title()).toBe(`${title} – Sygnet`)
      const passkey = { id: crypto.randomUUID(), name: 'Laptop', addedAt: new Date().toISOString(), usedAt: null }
      await reply(listPasskeys, { items: [passkey] })({ page })
      await page.goto(at('/change-password'))
      await page.getByRole('link', { name: translate('Przejrzyj klucze', 'Review your passkeys') }).press('Enter')
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    },
  )

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
    'AUT-12 the name of a $kind in the history leads to this object alone, on whichever page of its list it is; one press shows all, and Back is the filtered history',
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
      const day = new Date(Date.now() - 300 * 86_400_000)
      const [begin, end] = [-1, 1].map((days) => new Date(day.getTime() + days * 86_400_000).toISOString().slice(0, 10))
      const search = `?from=${begin}&to=${end}`
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
      await main.getByRole('button', { name: translate('Pokaż wszystkie', 'Show all') }).press('Enter')
      await expect.poll(() => new URL(page.url()).search).toBe('')
      await untilFocused(main.getByRole('searchbox').first())
      await page.goBack()
      await link.waitFor()
      expect(new URL(page.url()).search).toBe(search)
    },
  )

  test.runIf(exhaustive)(
    'AUT-9 DAT-6 the history is in plain words, and can be filtered by kind and day, paged, and downloaded',
    async () => {
      const page = await portal.openPage({ locale })
      await portal.signIn(page, login, { locale })
      // More than a page holds: equal entries of a day are one row, so each is of another day.
      await portal.owner.query(
        `insert into audit (chain, seq, id, at, act, account_id, actor, details, previous, mac) overriding system value
       select gen_random_uuid(), n, nextval('audit_id_seq'), now() - (400 + n) * interval '1 day', 'agreement-downloaded', id, 'customer', '{}', '', ''
       from accounts, generate_series(1, 25) n where login = $1`,
        [login],
      )
      await page.goto(at('/security'))
      const card = page.locator('section.activity')
      const rows = card.locator('tbody tr')
      const pages = card.getByRole('navigation')
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      await pages.getByText(translate('Strona 1', 'Page 1')).waitFor()
      await expect.poll(() => rows.count()).toBe(20)

      await card.locator('select[name=kind]').selectOption('sign-in')
      await card.getByRole('button', { name: translate('Pokaż', 'Show') }).click()
      await card
        .getByText(translate('Zalogowano do portalu kodem SMS', 'Signed in to the portal by text-\u2060message code'))
        .first()
        .waitFor()
      await expect.poll(() => focused()).toBe(translate('Pokaż', 'Show'))
      await expect.poll(() => card.getByText(translate('Pobrano umowę', 'Agreement downloaded')).count()).toBe(0)
      // The filter is in the address, so a reload keeps it.
      expect(new URL(page.url()).search).toBe('?kind=sign-in')
      await page.reload()
      await isUsable(page)
      expect(await card.locator('select[name=kind]').inputValue()).toBe('sign-in')
      await expect.poll(() => card.getByText(translate('Pobrano umowę', 'Agreement downloaded')).count()).toBe(0)

      const downloading = page.waitForEvent('download')
      await card.getByRole('button', { name: translate('Pobierz CSV', 'Download CSV') }).click()
      const text = readFileSync(await (await downloading).path(), 'utf8')
      expect(text).toContain(translate('Zalogowano do portalu', 'Signed in to the portal'))
      expect(text).not.toContain(translate('Pobrano umowę', 'Agreement downloaded'))
      // What is not available now is shown in its place, with the time it returns (ux 3.4).
      await page.route('**/api/activity/export?*', (route) =>
        refuseCall(route, 'too-many-attempts', { retryAfter: 3600 }),
      )
      await card.getByRole('button', { name: translate('Pobierz JSON', 'Download JSON') }).press('Enter')
      await card.getByText(translate('Za dużo prób.', 'Too many attempts.')).waitFor()

      // A period that ends before it begins is an error, and the list stays as it is.
      await card.locator('input[data-name=from]').fill('2020-01-02')
      await card.locator('input[data-name=to]').fill('2020-01-01')
      await card.getByRole('button', { name: translate('Pokaż', 'Show') }).press('Enter')
      await card
        .getByText(
          translate(
            'Wybierz ten sam dzień co „Od dnia” albo późniejszy',
            'Choose the same day as “From”, or a later one',
          ),
        )
        .waitFor()
      await expect.poll(() => rows.count()).toBeGreaterThan(0)
      await card.locator('input[data-name=from]').fill('')
      await card.getByRole('button', { name: translate('Pokaż', 'Show') }).click()
      await card
        .getByText(translate('W\u00a0tym okresie nic się nie wydarzyło.', 'There’s no activity in this period.'))
        .waitFor()
      await card.getByRole('button', { name: translate('Wyczyść filtry', 'Clear filters') }).click()
      await expect.poll(() => rows.count()).toBe(20)
      expect(await card.locator('input[data-name=to]').inputValue()).toBe('')
      await expect.poll(() => focused()).toBe(translate('Historia aktywności', 'Activity history'))

      await pages.getByRole('button', { name: translate('Następne', 'Next') }).click()
      await pages.getByText(translate('Strona 2', 'Page 2')).waitFor()
      await card.getByText(translate('Pobrano umowę', 'Agreement downloaded')).first().waitFor()
      await pages.getByRole('button', { name: translate('Poprzednie', 'Previous') }).click()
      await pages.getByText(translate('Strona 1', 'Page 1')).waitFor()
    },
  )
})

test.runIf(exhaustive)(
  'AUT-9 a session that has ended meanwhile counts as ended, and sessions of one device are distinguished',
  async () => {
    const here = await portal.openPage()
    const { context: there } = await portal.openProfile()
    await portal.enter(there, 'tomasz')
    await portal.signIn(here, 'tomasz', { to: '/security' })
    const card = here.locator('section[aria-labelledby=sessions-title]')
    const end = card.getByRole('button', { name: /^Zakończ sesję: Chrome, Linux, od \d+\.\d+\.\d{4}, \d\d:\d\d$/ })
    await end.click()
    const dialog = here.getByRole('alertdialog')
    await dialog.getByText(/^Chrome, Linux, 127\.0\.0\.1, od \d/).waitFor()
    await portal.owner.query(
      `delete from sessions where id = (select s.id from sessions s join accounts a on a.id = account_id
       where login = 'tomasz' order by started_at limit 1)`,
    )
    await dialog.getByRole('button', { name: 'Zakończ sesję' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => card.getByRole('listitem').count()).toBe(1)
  },
)
