import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { Text } from '../contract/enums.ts'
import { readConfiguration } from '../server/platform/configuration/configuration.ts'
import { masterKeys } from '../server/platform/configuration/data-directory.ts'
import { readKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { recipientIndex } from '../server/platform/messages/outbox.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { findings } from './testing/axe-findings.ts'
import { customerOf, passPassword, smsField } from './testing/demonstration-run.ts'
import { deskPagesOf } from './testing/desk-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { freePort } from '../server/testing/processes.ts'

const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
const portal = await openPortal({ DESK_PORT: port, DESK_TASKS: 'on' })
const { settings, directory } = portal
const { openDeskAs } = deskPagesOf(origin)

const sql = async <Row extends object>(statement: string, ...values: unknown[]) =>
  (await portal.owner.query<Row>(statement, values)).rows
const accountOf = async (login: string) =>
  (await sql<{ id: string }>('select id from accounts where login = $1', login))[0]!.id

const locale = language('pl')
const say = (text: Text) => text[locale]
const { translate } = inLanguage(locale)

/** A support call: searches for the customer, and counts the clicks after that, which may be five. */
async function answerCall(caller: string) {
  const page = await openDeskAs(locale, 'Ewa Lis')
  await page.locator('#desk-search').fill(caller)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/desk\/customers\/[^/]+$/)
  await page.getByRole('heading', { name: translate('Produkty i sprawy klienta', 'What this customer has') }).waitFor()
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const button = (text: Text, within: Page | Locator = page) =>
    within.getByRole('button', { name: say(text), exact: true })
  return {
    page,
    button,
    click,
    /** A line of what the customer has. */
    line: (text: string) => page.locator('.desk-products tr', { hasText: text }),
    dialog: page.getByRole('alertdialog').or(page.getByRole('dialog')),
    see: (text: Text) => page.getByText(say(text)).first().waitFor(),
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

  const { button, click, dialog, see, end } = await answerCall('kamila')
  await see({ pl: 'The network does not answer.', en: 'The network does not answer.' })
  await click(button({ pl: 'Wyślij wiadomości ponownie', en: 'Send the messages again' }))
  await click(button({ pl: 'Wyślij wiadomości ponownie', en: 'Send the messages again' }, dialog))
  await see({ pl: 'Wiadomości czekają na wysłanie.', en: 'The messages are about to be sent.' })
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
  const { page, button, click, see, end } = await answerCall(row!.login)
  await click(page.locator(`.desk-products a[href$="/cases/renewal/${row!.id}"]`))
  await see({ pl: 'Czeka na usługę podpisu', en: 'Waiting for the signing service' })
  await click(button({ pl: 'Pozwól podpisać nowym kodem', en: 'Let the customer sign again' }))
  await see({ pl: 'Czeka na klienta', en: 'Waiting for the customer' })
  expect(await findings(page)).toEqual([])
  expect(await sql('select state, signing_failed from renewals where id = $1', row!.id)).toEqual([
    { state: 'signing', signing_failed: true },
  ])
  end()
})

test('DSK-5 DSK-11 a second link within a minute is refused in words of the desk, without the FAQ', async () => {
  const { page, button, dialog, see } = await answerCall('oliver')
  const send = { pl: 'Wyślij link do hasła', en: 'Send a password link' }
  for (const answer of [
    { pl: 'Link wysłany.', en: 'The link was sent.' },
    {
      pl: 'Nowego linku nie można jeszcze wysłać. Spróbuj ponownie za',
      en: 'Another link can’t be sent yet. Try again in',
    },
  ]) {
    await button(send).click()
    await button(send, dialog).click()
    await see(answer)
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
  const { button, click, dialog, line, see, end } = await answerCall('tomasz')
  const superfluous = line(translate('Zbędne: ma już dostęp', 'Superfluous: already has access'))
  await click(superfluous.getByRole('button', { name: translate('Wycofaj', 'Withdraw') }))
  await click(button({ pl: 'Wycofaj', en: 'Withdraw' }, dialog))
  await see({ pl: 'Zaproszenie wycofane.', en: 'The invitation was withdrawn.' })
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

  const { page, button, click, dialog, see, end } = await answerCall('zofia')
  const group = page.locator('section', { has: page.locator('#products-certificates') }).last()
  const moves = group.getByRole('button', { name: translate('Przenieś', 'Move') })
  const order = await sql<{ id: string }>(
    'select id from signatures where account_id = $1 order by valid_to desc, id desc',
    wrong,
  )
  await click(moves.nth(order.findIndex((each) => each.id === id)))
  await dialog.locator('[name=customer]').fill(customer)
  await click(button({ pl: 'Sprawdź', en: 'Check' }, dialog))
  await dialog.getByText('•••').first().waitFor()
  expect(await findings(page)).toEqual([])
  await click(button({ pl: 'Przenieś', en: 'Move' }, dialog))
  await see({ pl: 'Przeniesiono do właściwego klienta.', en: 'Moved to the right customer.' })
  expect(await sql('select account_id as owner from signatures where id = $1', id)).toEqual([{ owner }])
  end()
})

test.runIf(exhaustive)('DSK-38 an agent opens a task, reads who signed, and refuses the document', async () => {
  const page = await openDeskAs(locale, 'Ewa Lis')
  await page.getByRole('link', { name: translate('Zadania', 'Tasks'), exact: true }).click()
  const task = page.getByRole('row', { name: /O-20813/ })
  await task.waitFor()
  expect(await findings(page)).toEqual([])
  await task.getByRole('link').click()
  const check = page.locator('section', { has: page.locator('#upload-check') }).last()
  await check
    .getByText(translate('Podpisała osoba, która miała podpisać', 'Signed by the person who was to sign'))
    .waitFor()
  expect(await check.getByRole('definition').first().textContent()).toMatch(/^\p{L}••• \p{L}•••$/u)
  await page.getByRole('button', { name: translate('Odrzuć podpisany dokument', 'Refuse the signed document') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').click()
  await page.getByRole('option').first().click()
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: translate('Odrzuć dokument', 'Refuse the document') }).click()
  await page.getByText(translate('Dlaczego odrzucono', 'Why it was refused')).waitFor()
  const result = translate('Dokument odrzucony.', 'The document was refused.')
  const focused = () =>
    page.evaluate(() => [document.activeElement?.role, document.activeElement?.textContent] as const)
  await expect.poll(focused).toEqual(['status', expect.stringContaining(result)])
  expect(await findings(page)).toEqual([])
  expect(
    await sql(`select status, refusal ->> 'reason' as reason from document_cases where document = 'O-20813'`),
  ).toEqual([{ status: 'canceled', reason: 'signature-invalid' }])
  await page.getByRole('link', { name: translate('Zadania', 'Tasks'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: translate('Zadania', 'Tasks') }).waitFor()
  await expect.poll(() => task.count()).toBe(0)
})
