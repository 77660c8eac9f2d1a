import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putSignature } from '../contract/provider-api.ts'
import { changeReminders, readReminders } from '../contract/reminders.ts'
import { remind } from './signature-reminders.ts'
import { openPortal } from './testing/open-portal.ts'
import { openBrowser, type Person } from './testing/browser.ts'
import { addCustomer, letIn } from './testing/ready-customers.ts'
import { openTestProvider, type TestProvider } from './testing/provider.ts'
import { openDraft } from './testing/sample-renewals.ts'

let provider: TestProvider
const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  provider = await openTestProvider(portal)
})
afterAll(async () => {
  provider.close()
})

const end = new Date('2027-03-01T11:00:00.000Z')
const before = (days: number, ms = 0) => new Date(end.getTime() - days * 86_400_000 + ms)

/** Somebody with a certificate that ends then, stored so many days before. */
async function makeOwner(over: Parameters<typeof addCustomer>[1] = {}, storedAt = before(200)) {
  await portal.clock.stopAt(storedAt)
  const person = await addCustomer(portal, over)
  return { person, signature: await giveSignature(person) }
}

async function giveSignature(person: Person) {
  const signature = `s-${crypto.randomUUID()}`
  const body = await provider.draw(person.id, { from: before(365), to: end })
  const put = (change: Partial<typeof body>) =>
    openBrowser(portal).call(putSignature, { params: { signature }, body: { ...body, ...change } })
  expect((await put({})).status).toBe(200)
  return { name: signature, put }
}

/** Every node looks at that time, twice at once, and what comes of it is delivered. */
async function lookAt(at: Date) {
  await portal.clock.stopAt(at)
  const failures: unknown[] = []
  const report = (error: unknown) => failures.push(error)
  await Promise.all([...portal.nodes, ...portal.nodes].map((node) => remind(node.portal, report)))
  expect(failures).toEqual([])
  await portal.deliver()
}

/** Newest first. */
const mailsTo = ({ email }: Person) =>
  portal.mails.filter(({ to, subject }) => to === email && /wygasa|expires/.test(subject))

/** How many mails somebody has once time has come to so many days before the end. */
async function counts(person: Person, days: readonly number[]) {
  const found: number[] = []
  for (const left of days) {
    await lookAt(before(left))
    found.push(mailsTo(person).length)
  }
  return found
}

describe('SIG-5 reminders', () => {
  test('SIG-5 60, 30, 14, 7, 3 and 1 days before the end its owner is told once each, whoever looks and however often', async () => {
    const { person } = await makeOwner()
    await lookAt(before(60, -1))
    expect(mailsTo(person)).toEqual([])
    expect(await counts(person, [60, 59, 31, 30, 30, 15, 14, 8, 7, 4, 3, 2, 1, 0.5, 0])).toEqual([
      1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6,
    ])
    expect(mailsTo(person).map(({ subject }) => subject.replaceAll('\u00a0', ' '))).toEqual([
      'Sygnet: Twój podpis wygasa jutro',
      'Sygnet: Twój podpis wygasa za 3 dni',
      'Sygnet: Twój podpis wygasa za 7 dni',
      'Sygnet: Twój podpis wygasa za 14 dni',
      'Sygnet: Twój podpis wygasa za 30 dni',
      'Sygnet: Twój podpis wygasa za 60 dni',
    ])
  })

  test('SIG-5 a reminder says the end and the way to renew, in the language of its owner, and brings it for the calendar', async () => {
    const { person } = await makeOwner({ locale: 'en' })
    await lookAt(before(14))
    const [{ subject, text, attachment } = { subject: '', text: '', attachment: undefined }] = mailsTo(person)
    expect(subject).toBe('Sygnet: your signature expires in\u00a014 days')
    expect(text).toContain('1 March 2027, 12:00')
    expect(text).toContain('https://portal.example/en/certificates/signatures')
    expect(attachment).toMatchObject({ name: 'signature-end.ics', type: 'text/calendar; charset=utf-8' })
    expect(attachment!.content).toContain('\r\nDTSTART:20270301T110000Z\r\n')
    // At the end itself it would be too late.
    expect(attachment!.content.match(/TRIGGER:\S+/g)).toEqual(['TRIGGER:-PT168H', 'TRIGGER:-PT24H', 'TRIGGER:-PT2H'])
    // Who is told stands in the mail's address alone: calendars are shared.
    expect(attachment!.content).not.toContain(person.surname)
  })

  test('SIG-5 after an outage the newest reminder alone is sent, and none after the end', async () => {
    const { person } = await makeOwner()
    expect(await counts(person, [60, 5, 5, 3])).toEqual([1, 2, 2, 3])
    // What was missed is not kept as if it had been told.
    const { rows } = await portal.owner.query<{ step: number }>(
      `select m.step from signature_reminders m join signatures s on s.id = m.signature_id join accounts a on a.id = s.account_id
        where a.provider_id = $1 order by m.step desc`,
      [person.id],
    )
    expect(rows.map(({ step }) => step)).toEqual([60, 7, 3])
    const { person: late } = await makeOwner()
    expect(await counts(late, [-0.001])).toEqual([0])
  })

  test('SIG-5 who gets a certificate when its time has come already is told at the next step', async () => {
    const { person } = await makeOwner({}, before(20))
    expect(await counts(person, [20, 16, 14])).toEqual([0, 0, 1])
  })

  test('SIG-5 a revoked or suspended certificate, and one that is renewed, ends without a word', async () => {
    const { person, signature } = await makeOwner()
    await signature.put({ status: 'suspended' })
    expect(await counts(person, [60])).toEqual([0])
    await signature.put({ status: 'good' })
    const browser = await letIn(portal, person)
    const uid = await openDraft(portal, signature.name, browser)
    // A renewal that waits for its owner is what the mail leads to, for as long as it is kept.
    expect(await counts(person, [60])).toEqual([1])
    expect(mailsTo(person)[0]!.text).toContain(`https://portal.example/renewal/${uid}`)
    expect(await counts(person, [30])).toEqual([2])
    expect(mailsTo(person)[0]!.text).toContain('https://portal.example/certificates/signatures')
    await portal.owner.query(`alter table renewals disable trigger user`)
    await portal.owner.query(
      `update renewals set state = 'signed', signed_key = 'x', agreement_key = 'x', agreement_sha256 = 'x' where id = $1`,
      [uid],
    )
    expect(await counts(person, [14])).toEqual([2])
    await portal.owner.query(`alter table renewals enable trigger user`)
  })

  test('SIG-5 all but the last two can be switched off, and on again, by their owner alone', async () => {
    const { person } = await makeOwner()
    const { person: other } = await makeOwner()
    const browser = await letIn(portal, person)
    expect((await browser.call(readReminders)).body).toEqual({ early: true })
    for (let twice = 0; twice < 2; twice += 1)
      expect((await browser.call(changeReminders, { body: { early: false } })).status).toBe(204)
    expect((await browser.call(readReminders)).body).toEqual({ early: false })
    expect(await counts(person, [60, 30, 14, 7, 3, 1])).toEqual([0, 0, 0, 0, 1, 2])
    expect(mailsTo(other)).toHaveLength(6)
    const { rows } = await portal.owner.query<{ details: object }>(
      `select details from audit where act = 'reminders-switched' and account_id = (select id from accounts where email = $1)`,
      [person.email],
    )
    expect(rows).toEqual([{ details: { early: false } }])

    const { person: changing } = await makeOwner()
    const theirs = await letIn(portal, changing)
    await theirs.call(changeReminders, { body: { early: false } })
    expect(await counts(changing, [30])).toEqual([0])
    await portal.owner.query(`update accounts set early_reminders = true where email = $1`, [changing.email])
    expect(await counts(changing, [14])).toEqual([1])
  })
})
