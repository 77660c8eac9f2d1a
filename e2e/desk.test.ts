import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test, onTestFinished } from 'vitest'
import { internalActions } from '../contract/desk/internal-actions.ts'
import { staffActions } from '../contract/desk/staff-actions.ts'
import type { Text } from '../contract/enums.ts'
import { readConfiguration } from '../server/platform/configuration/configuration.ts'
import { masterKeys } from '../server/platform/configuration/data-directory.ts'
import { readKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { recipientIndex } from '../server/platform/messages/outbox.ts'
import { language, exhaustive } from '../server/testing/breadth.ts'
import { freePort } from '../server/testing/processes.ts'
import { untilFocused, findViolations } from './testing/browser-pages.ts'
import { customerOf, passPassword, smsField } from './testing/demonstration-run.ts'
import { openDeskPages } from './testing/desk-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
const portal = await openPortal({ DESK_PORT: port, DESK_TASKS: 'on' })
const locale = language('pl')
const { button, waitForText, translate, heading } = inLanguage(locale)
const { openDesk, chooseStaff, openDeskAs } = openDeskPages(origin)

test('DSK-5 DSK-12 by keyboard the arrows move in what was found, and sessions are listed', async () => {
  const page = await openDeskAs(locale, 'Ewa Lis')
  await page.locator('#desk-search').fill('mal')
  await page.keyboard.press('Enter')
  await waitForText(page, 'Nikogo nie znaleziono', 'Nobody found')

  // Three customers share a number.
  await portal.owner.query(
    `update accounts set phone_index = (select phone_index from accounts where login = 'oliver') where login in ('emma', 'helena')`,
  )
  await page.locator('#desk-search').fill(customerOf('oliver').phone)
  await page.keyboard.press('Enter')
  const links = page.locator('.desk-found a')
  await expect.poll(() => links.count()).toBe(3)
  expect(await findViolations(page)).toEqual([])
  await page.locator('#desk-search').press('ArrowDown')
  await untilFocused(links.nth(0))
  await page.keyboard.press('ArrowUp')
  await untilFocused(page.locator('#desk-search'))
  await page.keyboard.press('ArrowDown')
  await untilFocused(links.nth(0))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await untilFocused(links.nth(2))
  await page.keyboard.press('ArrowUp')
  await untilFocused(links.nth(1))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/desk\/customers\//)

  await page.getByRole('button', { name: 'Ewa Lis' }).click()
  await page.getByRole('menuitem', { name: translate('Sesje', 'Sessions') }).click()
  await page.getByRole('heading', { level: 1, name: translate('Sesje', 'Sessions') }).waitFor()
  await waitForText(page, 'Ta sesja', 'This session')
  await page.getByRole('cell', { name: 'Chrome, Linux' }).first().waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('DSK-23 `/` can be switched off and on, and an address of another role is the start', async () => {
  const page = await openDeskAs(locale, 'Ewa Lis')
  // The key is switched off, also for the next document, and on again.
  const change = async (pl: string, en: string) => {
    await page.getByRole('button', { name: 'Ewa Lis' }).click()
    await page.getByRole('menuitem', { name: translate(pl, en) }).click()
  }
  const box = page.locator('#desk-search')
  await change('Wyłącz skrót „/”', 'Turn off the “/” key')
  await page.reload()
  await box.waitFor()
  await page.keyboard.press('/')
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(false)
  expect(await box.getAttribute('aria-describedby')).toBeNull()
  await change('Włącz skrót „/”', 'Turn on the “/” key')
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await untilFocused(box)

  // An address that an agent may not read.
  await page.goto('/desk/operations/client-keys')
  await page.getByRole('heading', { level: 1, name: translate('Konsola obsługi', 'Support desk') }).waitFor()

  await page.getByRole('button', { name: 'Ewa Lis' }).click()
  await page.getByText(translate('Wyloguj się', 'Sign out')).click()
  // At the OpenID provider too (DSK-29).
  await page.getByRole('button', { name: 'Sign out' }).click()
  await button(page, 'Zaloguj się', 'Sign in').waitFor()
})

test('R86 R235 the page of a customer has no name in its title, and is read when a person acts', async () => {
  const page = await openDesk(locale)
  await page.clock.install()
  await chooseStaff(page, locale, 'Ewa Lis')
  const readings: string[] = []
  page.on('request', (request) => void (request.url().includes('/desk/api/customers/') && readings.push(request.url())))
  await page.locator('#desk-search').fill('zablokowany')
  await page.keyboard.press('Enter')
  await page.locator('[name=reason]').waitFor()
  expect(await page.title()).toBe(translate('Klient – Sygnet', 'Customer – Sygnet'))
  expect(readings).toHaveLength(1)
  // The reading is old by then, and the page asks for its session by itself.
  const session = page.waitForResponse((response) => response.url().endsWith('/desk/api/session'))
  await page.clock.fastForward(60_000)
  await session
  await page.evaluate(() => {
    for (const name of ['visibilitychange', 'focus', 'online']) dispatchEvent(new Event(name))
    return fetch('/desk/api/session')
  })
  expect(readings).toHaveLength(1)

  // DSK-9: all of the data for a reason, for this look only.
  await page.locator('[name=reason]').fill('Zgłoszenie 77')
  await page.getByRole('button', { name: translate('Pokaż dane', 'Show the data'), exact: true }).click()
  await page.locator('dd', { hasText: /^zablokowany$/ }).waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('DSK-3 somebody without a role is told so', async () => {
  const page = await openDesk(locale)
  await chooseStaff(page, locale, 'Jan Kot')
  await waitForText(page, 'Twoje konto nie ma dostępu do konsoli', 'Your account has no access to the desk')
})

test('DSK-1 no file of the customers has anything of the desk, nor a text that only staff read', () => {
  const assets = join(import.meta.dirname, '../dist/web/assets')
  const files = readdirSync(assets).filter((name) => /\.(?:js|css)$/.test(name))
  expect(files.length).toBeGreaterThan(10)
  const texts = Object.values({ ...internalActions, ...staffActions }).map(({ pl }) => pl)
  for (const name of files) {
    const content = readFileSync(join(assets, name), 'utf8')
    const found = [
      /\/desk\/|\.desk[-_{ ]|desk-customer/.exec(content)?.[0],
      texts.find((text) => content.includes(`\`${text}\``)),
    ]
    expect([name, ...found]).toEqual([name, undefined, undefined])
  }
})

const { settings, directory } = portal

const sql = async <Row extends object>(statement: string, ...values: unknown[]) =>
  (await portal.owner.query<Row>(statement, values)).rows
const accountOf = async (login: string) =>
  (await sql<{ id: string }>('select id from accounts where login = $1', login))[0]!.id

/** Answers a support call: searches for the customer, and counts the clicks after that, which may be five. */
async function answerCall(caller: string) {
  const page = await openDeskAs(locale, 'Ewa Lis')
  await page.locator('#desk-search').fill(caller)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/desk\/customers\/[^/]+$/)
  await heading(page, 'Produkty i sprawy klienta', 'What this customer has').waitFor()
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const buttonNamed = (text: Text, within: Page | Locator = page) =>
    within.getByRole('button', { name: text[locale], exact: true })
  return {
    page,
    buttonNamed,
    click,
    /** A line of what the customer has. */
    line: (text: string) => page.locator('.desk-products tr', { hasText: text }),
    dialog: page.getByRole('alertdialog').or(page.getByRole('dialog')),
    isShown: (text: Text) => page.getByText(text[locale]).first().waitFor(),
    end: () => expect(clicks).toBeLessThanOrEqual(5),
  }
}

test('DSK-22 “no SMS”: the agent has the message sent again, and the customer signs in', async () => {
  const { phone } = customerOf('kamila')
  const keys = await readKeys(settings.DATABASE_URL, masterKeys(readConfiguration(settings), directory))
  // The network of the number is down: what a failed try stores.
  await sql(`create function hold_sms() returns trigger language plpgsql as $$ begin
      if new.channel = 'sms' then
        new.tries := 3; new.failure := 'The network does not answer.'; new.next_try_at := portal_now() + interval '1 hour';
        new.recipient_index := '\\x${recipientIndex(keys, phone).toString('hex')}';
      end if;
      return new; end $$`)
  await sql('create trigger hold_sms before insert on outbox for each row execute function hold_sms()')
  onTestFinished(() => sql('drop function if exists hold_sms cascade').then(() => {}))
  const customer = await portal.openPage({ locale })
  await customer.goto(locale === 'pl' ? '/' : '/en')
  await passPassword(customer, 'kamila')
  const field = await smsField(customer)
  await sql('drop function hold_sms cascade')

  const { buttonNamed, click, dialog, isShown, end } = await answerCall('kamila')
  await isShown({ pl: 'The network does not answer.', en: 'The network does not answer.' })
  await click(buttonNamed({ pl: 'Wyślij wiadomości ponownie', en: 'Send the messages again' }))
  await click(buttonNamed({ pl: 'Wyślij wiadomości ponownie', en: 'Send the messages again' }, dialog))
  await isShown({ pl: 'Wiadomości czekają na wysłanie.', en: 'The messages are about to be sent.' })
  await field.fill(await portal.smsCode(phone))
  await customer.waitForURL(/\/home$/)
  end()
})

test.runIf(exhaustive)('DSK-20 “my renewal is stuck”: the agent sees why, and lets it be signed again', async () => {
  const [row] = await sql<{ id: string; login: string }>(
    `insert into renewals (account_id, signature_id, code_id, state, agreement_key, agreement_bytes, agreement_sha256, terms, terms_sha256, ends_at)
     select s.account_id, s.id, v.id, 'authorised', 'agreements/none', 1, repeat('a', 64), null, null, s.valid_to
     from signatures s join accounts a on a.id = s.account_id
       cross join lateral (select id from voucher_codes c where c.kind = 'renewal' and not exists (select from renewals r where r.code_id = c.id) limit 1) v
     where s.product = 'app' and s.status = 'good' and a.provider_id is not null and a.blocked_at is null and a.login <> 'kamila'
       and not exists (select from renewals r where r.signature_id = s.id) limit 1
     returning id, (select login from accounts where id = account_id) as login`,
  )
  const { page, buttonNamed, click, isShown, end } = await answerCall(row!.login)
  await click(page.locator(`.desk-products a[href$="/cases/renewal/${row!.id}"]`))
  await isShown({ pl: 'Czeka na usługę podpisu', en: 'Waiting for the signing service' })
  await click(buttonNamed({ pl: 'Pozwól podpisać nowym kodem', en: 'Let the customer sign again' }))
  await isShown({ pl: 'Czeka na klienta', en: 'Waiting for the customer' })
  expect(await findViolations(page)).toEqual([])
  expect(await sql('select state, signing_failed from renewals where id = $1', row!.id)).toEqual([
    { state: 'signing', signing_failed: true },
  ])
  end()
})

test('DSK-5 DSK-11 a second link within a minute is refused in words of the desk, without the FAQ', async () => {
  const { page, buttonNamed, dialog, isShown } = await answerCall('oliver')
  const send = { pl: 'Wyślij link do hasła', en: 'Send a password link' }
  for (const answer of [
    { pl: 'Link wysłany.', en: 'The link was sent.' },
    {
      pl: 'Nowego linku nie można jeszcze wysłać. Spróbuj ponownie za',
      en: 'Another link can’t be sent yet. Try again in',
    },
  ]) {
    await buttonNamed(send).click()
    await buttonNamed(send, dialog).click()
    await isShown(answer)
  }
  expect(await page.locator('a[href*="/faq"]').count()).toBe(0)
})

test('DSK-22 “I was invited twice”: the agent withdraws the superfluous invitation', async () => {
  // An access under an earlier address, and an invitation to the present one.
  const [seat] = await sql<{ id: string }>(
    `update seal_users set email = 'earlier@mail.example', email_key = 'earlier@mail.example'
       where status = 'active' and account_id = $1 returning id`,
    await accountOf('tomasz'),
  )
  const [second] = await sql<{ id: string }>(
    `insert into seal_users (seal_id, provider_id, number, email, email_key, phone, first_name, surname, role, status, locale, expires_at)
       select seal_id, gen_random_uuid()::text, 99, a.email, a.email_key, u.phone, u.first_name, u.surname, 'user', 'pending', 'pl', portal_now() + interval '7 days'
       from seal_users u join accounts a on a.id = u.account_id where u.id = $1 returning id`,
    seat!.id,
  )
  const { buttonNamed, click, dialog, line, isShown, end } = await answerCall('tomasz')
  const superfluous = line(translate('Zbędne: ma już dostęp', 'Superfluous: already has access'))
  await click(button(superfluous, 'Wycofaj', 'Withdraw'))
  await click(buttonNamed({ pl: 'Wycofaj', en: 'Withdraw' }, dialog))
  await isShown({ pl: 'Zaproszenie wycofane.', en: 'The invitation was withdrawn.' })
  await superfluous.waitFor({ state: 'detached' })
  expect(await sql('select status from seal_users where id = $1', second!.id)).toEqual([{ status: 'deleted' }])
  end()
})

test.runIf(exhaustive)('DSK-21 “I see a colleague’s certificate”: the agent moves it to whom it names', async () => {
  const wrong = await accountOf('zofia')
  const [filed] = await sql<{ id: string; owner: string; customer: string }>(
    `select s.id, s.account_id as owner, a.provider_id as customer
       from signatures s join accounts a on a.id = s.account_id join personal_data p on p.account_id = a.id
       where a.id <> $1 and s.status = 'good' and s.valid_to > portal_now() and a.provider_id is not null
         and not exists (select from pairings where signature_id = s.id) and not exists (select from status_requests where signature_id = s.id)
         and not exists (select from renewals r where s.id in (r.signature_id, r.issued_signature)) limit 1`,
    wrong,
  )
  const { id, owner, customer } = filed!
  await sql('update signatures set account_id = $2 where id = $1', id, wrong)

  const { page, buttonNamed, click, dialog, isShown, end } = await answerCall('zofia')
  const group = page.locator('section', { has: page.locator('#products-certificates') }).last()
  const moves = button(group, 'Przenieś', 'Move')
  const order = await sql<{ id: string }>(
    'select id from signatures where account_id = $1 order by valid_to desc, id desc',
    wrong,
  )
  await click(moves.nth(order.findIndex((each) => each.id === id)))
  await dialog.locator('[name=customer]').fill(customer)
  await click(buttonNamed({ pl: 'Sprawdź', en: 'Check' }, dialog))
  await dialog.getByText('•••').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await click(buttonNamed({ pl: 'Przenieś', en: 'Move' }, dialog))
  await isShown({ pl: 'Przeniesiono do właściwego klienta.', en: 'Moved to the right customer.' })
  expect(await sql('select account_id as owner from signatures where id = $1', id)).toEqual([{ owner }])
  end()
})

test.runIf(exhaustive)('DSK-38 an agent opens a task, reads who signed, and refuses the document', async () => {
  const page = await openDeskAs(locale, 'Ewa Lis')
  await page.getByRole('link', { name: translate('Zadania', 'Tasks'), exact: true }).click()
  const task = page.getByRole('row', { name: /O-20813/ })
  await task.waitFor()
  expect(await findViolations(page)).toEqual([])
  await task.getByRole('link').click()
  const check = page.locator('section', { has: page.locator('#upload-check') }).last()
  await waitForText(check, 'Podpisała osoba, która miała podpisać', 'Signed by the person who was to sign')
  expect(await check.getByRole('definition').first().textContent()).toMatch(/^\p{L}••• \p{L}•••$/u)
  await button(page, 'Odrzuć podpisany dokument', 'Refuse the signed document').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').click()
  await page.getByRole('option').first().click()
  expect(await findViolations(page)).toEqual([])
  await button(dialog, 'Odrzuć dokument', 'Refuse the document').click()
  await waitForText(page, 'Dlaczego odrzucono', 'Why it was refused')
  const result = translate('Dokument odrzucony.', 'The document was refused.')
  const focused = () =>
    page.evaluate(() => [document.activeElement?.role, document.activeElement?.textContent] as const)
  await expect.poll(focused).toEqual(['status', expect.stringContaining(result)])
  expect(await findViolations(page)).toEqual([])
  expect(
    await sql(`select status, refusal ->> 'reason' as reason from document_cases where document = 'O-20813'`),
  ).toEqual([{ status: 'canceled', reason: 'signature-invalid' }])
  await page.getByRole('link', { name: translate('Zadania', 'Tasks'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: translate('Zadania', 'Tasks') }).waitFor()
  await expect.poll(() => task.count()).toBe(0)
})
