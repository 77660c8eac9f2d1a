import { expect, test, describe } from 'vitest'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { eraseCustomer } from '../../contract/provider/provider-customers.ts'
import type { ProviderSeal } from '../../contract/provider/provider-seals.ts'
import * as sealRecipients from '../../contract/seal-recipients.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { codesOf, openBrowser, type TestBrowser } from '../testing/browser.ts'
import { runOnAllNodes } from '../testing/concurrency.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { insertStepUp, makeSeal, member } from '../testing/samples/sample-seals.ts'
import type { Person } from '../testing/test-customers.ts'
import { remindOfSeals } from './seal-end.ts'
import { remindRecipients } from './seal-recipients.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

const end = new Date('2027-03-01T11:00:00.000Z')
const before = (days: number) => new Date(end.getTime() - days * 86_400_000)
const newEmail = () => `office-${crypto.randomUUID()}@mail.example`

/** Makes a seal that ends at `end`, with an Administrator who may change who gets its reminders. */
async function makeAdministered() {
  await portal.clock.stopAt(before(100))
  const person = await addCustomer(portal)
  const options = { from: before(365), to: end, organisation: 'Kancelaria Źródło sp. z o.o.' }
  const seal = await makeSeal(portal, provider, [member(person)], options)
  const browser = await signInDirectly(portal, person)
  const params = { id: seal.id }
  expect((await browser.call(sealRecipients.removeSealRecipient, { params })).problem.code).toBe('step-up-required')
  await insertStepUp(portal, person, 'manage-seal-users', seal.id)
  return { person, seal, browser, params }
}

async function name(browser: TestBrowser, params: { id: string }, email = newEmail(), locale: Locale = 'pl') {
  const { status, body } = await browser.call(sealRecipients.nameSealRecipient, { params, body: { email, locale } })
  expect(status).toBe(200)
  await portal.deliver()
  return { email, recipient: body.recipient, token: tokenFor(email) }
}

const mailsTo = (email: string) => portal.mails.filter(({ to }) => to === email)
/** Returns the token of the newest mail that asks; a customer may have got other mails with it. */
const tokenFor = (email: string) =>
  mailsTo(email)
    .flatMap(({ text }) => /\/reminder-recipient#([\w-]{43})/.exec(text)?.[1] ?? [])
    .at(0)!

const answer = (token: string, said: 'confirm' | 'refuse' = 'confirm', node = 0) =>
  openBrowser(portal).call(sealRecipients.answerSealRecipient, { body: { token, answer: said } }, node)

async function remind(days: number) {
  await portal.clock.stopAt(before(days))
  await runOnAllNodes(portal, remindRecipients)
  await portal.deliver()
}

test('SEA-19 UIX-6 a named address gets the reminders from its confirmation on, once at each step, by any node', async () => {
  const { person, seal, browser, params } = await makeAdministered()
  expect((await browser.call(sealRecipients.readSealRecipient, { params })).body).toEqual({ recipient: null })
  const { email, recipient, token } = await name(browser, params)
  expect(recipient).toEqual({
    email,
    confirmedAt: null,
    expiresAt: new Date(before(100).getTime() + limits.link.recipient * 1000).toISOString(),
  })
  const [question] = mailsTo(email)
  // The organisation's name already ends with a full stop, which is not doubled (UIX-6).
  expect(question!.text).toMatch(/Organizacja: Kancelaria Źródło sp\. z o\.o\.(?!\.)/)
  await remind(60)
  expect(mailsTo(email)).toHaveLength(1)

  await portal.clock.stopAt(before(99))
  expect((await answer(token)).status).toBe(204)
  // A repeated confirmation, also by another node, gets the same answer.
  expect((await answer(token, 'confirm', 1)).status).toBe(204)
  // The first session has ended by then.
  const later = await signInDirectly(portal, person)
  expect((await later.call(sealRecipients.readSealRecipient, { params })).body.recipient).toEqual({
    email,
    confirmedAt: before(99).toISOString(),
    expiresAt: null,
  })
  const counts = []
  for (const days of [61, 60, 59, 30, 14, 14, 7, 3, 1, 0]) {
    await remind(days)
    counts.push(mailsTo(email).length - 1)
  }
  expect(counts).toEqual([0, 1, 1, 2, 3, 3, 4, 5, 6, 6])
  const [last] = mailsTo(email)
  expect(last!.subject).toBe('Sygnet: pieczęć wygasa jutro')
  expect(last!.text).not.toContain('Moich danych')
  expect(last!.attachment!.content).toContain('\r\nDTSTART:20270301T110000Z\r\n')
  const named = await auditEntries(portal, { login: person.login, action: 'seal-recipient-named' })
  expect(named.map(({ details }) => details)).toMatchObject([{ seal: seal.id }])
})

test('R216 unknown, expired and replaced links confirm nothing, and a refused one ends the reminders', async () => {
  const { person, browser, params } = await makeAdministered()
  expect((await answer('x'.repeat(43))).problem.code).toBe('link-unknown')
  const first = await name(browser, params)
  const second = await name(browser, params, newEmail(), 'en')
  // Its mail has nothing that the Administrator typed, and the token is stored as a hash only.
  const [question] = mailsTo(second.email)
  expect(question!.subject).toBe('Sygnet: confirm the reminders about a seal')
  for (const part of [person.firstName, person.surname, person.email]) expect(question!.text).not.toContain(part)
  const stored = await portal.owner.query('select t::text as row from seal_recipients t where seal_id = $1', [
    params.id,
  ])
  const { token } = second
  for (const secret of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')])
    expect(stored.rows).toEqual([{ row: expect.not.stringContaining(secret) }])
  expect((await answer(first.token)).problem.code).toBe('link-unknown')
  const expiry = before(100).getTime() + limits.link.recipient * 1000
  await portal.clock.stopAt(new Date(expiry))
  expect((await answer(second.token)).problem.code).toBe('link-expired')
  await portal.clock.stopAt(new Date(expiry - 1))
  expect((await answer(second.token)).status).toBe(204)
  // Who has confirmed may still refuse.
  expect((await answer(second.token, 'refuse')).status).toBe(204)
  expect((await answer(second.token, 'refuse')).problem.code).toBe('link-unknown')
  const later = await signInDirectly(portal, person)
  expect((await later.call(sealRecipients.readSealRecipient, { params })).body).toEqual({ recipient: null })
  await remind(14)
  expect([mailsTo(first.email).length, mailsTo(second.email).length]).toEqual([1, 1])
})

test('R216 one address gets few such mails in a day, whoever names it and for whichever seal', async () => {
  const email = newEmail()
  const seals = await Promise.all([makeAdministered(), makeAdministered()])
  const { limit } = limits.seal.recipients
  const answers = []
  for (let i = 0; i <= limit; i += 1) {
    const { browser, params } = seals[i % 2]!
    const body = { email: i % 2 ? email : email.toUpperCase(), locale: 'pl' as const }
    answers.push(await browser.call(sealRecipients.nameSealRecipient, { params, body }))
  }
  await portal.deliver()
  expect(codesOf(answers)).toEqual([...Array<string>(limit).fill('ok'), 'sends-spent'])
  expect(portal.mails.filter(({ to }) => to.toLowerCase() === email)).toHaveLength(limit)
})

test('R217 a removed address gets no reminder any more, and neither does the one of an erased customer', async () => {
  const [removed, erased] = [await makeAdministered(), await makeAdministered()]
  const one = await name(removed.browser, removed.params)
  expect((await answer(one.token)).status).toBe(204)
  expect((await removed.browser.call(sealRecipients.removeSealRecipient, { params: removed.params })).status).toBe(204)
  // There is nothing to remove any more.
  expect((await removed.browser.call(sealRecipients.removeSealRecipient, { params: removed.params })).status).toBe(204)
  const customer = await addCustomer(portal)
  const two = await name(erased.browser, erased.params, customer.email)
  expect((await answer(two.token)).status).toBe(204)
  expect((await openBrowser(portal).call(eraseCustomer, { params: { customer: customer.id } })).status).toBe(200)
  await portal.deliver()
  const sent = mailsTo(customer.email).length
  await remind(30)
  expect([mailsTo(one.email).length, mailsTo(customer.email).length]).toEqual([1, sent])
})

const psd2 = { roles: ['PSP_AI' as const], authority: { name: 'Financial Supervision Authority', id: 'PL-PFSA' } }

/** Makes a seal that ends at `end`, stored when it was issued, with an Administrator. */
async function makeEnding(over: Partial<ProviderSeal> = {}, length = 365, others: Person[] = []) {
  await portal.clock.stopAt(before(length))
  const person = await addCustomer(portal, { locale: 'pl' })
  const members = [member(person), ...others.map((other) => member(other, 'user'))]
  const options = { from: before(length), to: end, ...(over.product === 'psd2-card' && { psd2 }), ...over }
  return { person, seal: await makeSeal(portal, provider, members, options) }
}

/** Returns the reminders to a person, newest first. */
const remindersTo = ({ email }: Person) =>
  portal.mails.filter(({ to, subject }) => to === email && /wygasa|expires/.test(subject))

/** Counts a person's mails at each of these numbers of days before the end, with every node running the job twice at once. */
async function countReminders(person: Person, days: readonly number[]) {
  const found: number[] = []
  for (const left of days) {
    await portal.clock.stopAt(before(left))
    await runOnAllNodes(portal, remindOfSeals)
    await portal.deliver()
    found.push(remindersTo(person).length)
  }
  return found
}

describe('SEA-11 reminders of seals', () => {
  test('SEA-11 the Administrator is reminded once at each step, by any node, with the product', async () => {
    const { person, seal } = await makeEnding({ product: 'psd2-card' })
    expect(await countReminders(person, [61, 60, 59, 30, 14, 14, 7, 3, 1, 0])).toEqual([0, 1, 1, 2, 3, 3, 4, 5, 6, 6])
    const [{ subject, text, attachment } = { subject: '', text: '', attachment: undefined }] = remindersTo(person)
    expect(subject).toBe('Sygnet: pieczęć wygasa jutro')
    const plain = text.replaceAll('\u00a0', ' ')
    const parts = ['Pieczęć PSD2 na karcie', 'Stowarzyszenie Łączność', '1 marca 2027, 12:00', '/certificates/seals']
    for (const part of parts) expect(plain).toContain(part)
    expect(attachment!.content).toContain('\r\nDTSTART:20270301T110000Z\r\n')
    const entries = await auditEntries(portal, { login: person.login, action: 'seal-reminder-sent' })
    expect(entries).toHaveLength(6)
    expect(entries[0]!.details).toMatchObject({ seal: seal.id })
  })

  test('SEA-11 SIG-7 a short seal is announced in the second half of its validity only', async () => {
    expect(await countReminders((await makeEnding({ period: '30_days' }, 30)).person, [30, 16, 14, 7])).toEqual([
      0, 0, 1, 2,
    ])
    expect(await countReminders((await makeEnding({ period: '1_day' }, 1)).person, [1, 0.5, 0.1])).toEqual([0, 0, 0])
  })

  test('SEA-11 only active Administrators get it, not of a suspended seal, and the early ones only who wants them', async () => {
    const user = await addCustomer(portal, { locale: 'pl' })
    const { person } = await makeEnding({}, 365, [user])
    await portal.owner.query('update accounts set early_reminders = false where email = $1', [person.email])
    expect(await countReminders(person, [60, 30, 3])).toEqual([0, 0, 1])
    expect(remindersTo(user)).toEqual([])
    const { person: suspended } = await makeEnding({ status: 'suspended' })
    expect(await countReminders(suspended, [30])).toEqual([0])
    const { person: removed, seal } = await makeEnding()
    await portal.owner.query(`update seal_users set status = 'deleted', deleted_at = portal_now() where seal_id = $1`, [
      seal.id,
    ])
    expect(await countReminders(removed, [30])).toEqual([0])
  })
})
