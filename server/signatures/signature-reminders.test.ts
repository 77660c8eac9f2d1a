import { describe, expect, test } from 'vitest'
import { putSignature } from '../../contract/provider/provider-signatures.ts'
import { changeReminders, readReminders } from '../../contract/signatures.ts'
import { moveRenewal } from '../renewal/renewal-moves.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { runOnAllNodes } from '../testing/concurrency.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { openDraft } from '../testing/samples/sample-renewals.ts'
import type { Person } from '../testing/test-customers.ts'
import { remindOfSignatures } from './signature-reminders.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

const end = new Date('2027-03-01T11:00:00.000Z')
const before = (days: number, ms = 0) => new Date(end.getTime() - days * 86_400_000 + ms)

/** Makes a customer with a certificate that ends at `end`, stored at `storedAt`. */
async function makeOwner(over: Parameters<typeof addCustomer>[1] = {}, storedAt = before(200)) {
  await portal.clock.stopAt(storedAt)
  const person = await addCustomer(portal, over)
  return { person, signature: await giveSignature(person) }
}

async function giveSignature(person: Person) {
  const signature = `s-${crypto.randomUUID()}`
  const body = await provider.signedBody(person.id, { from: before(365), to: end })
  const put = (change: Partial<typeof body>) =>
    openBrowser(portal).call(putSignature, { params: { signature }, body: { ...body, ...change } })
  expect((await put({})).status).toBe(200)
  return { name: signature, put }
}

async function runReminders(at: Date) {
  await portal.clock.stopAt(at)
  await runOnAllNodes(portal, remindOfSignatures)
  await portal.deliver()
}

/** Returns the reminders to a customer, newest first. */
const mailsTo = ({ email }: Person) =>
  portal.mails.filter(({ to, subject }) => to === email && /wygasa|expires/.test(subject))

/** Makes a renewal signed, which takes many calls otherwise. */
async function signRenewal(uid: string) {
  await portal.owner.query('alter table renewals disable trigger user')
  await portal.owner.query(
    `update renewals set state = 'signed', signed_key = 'x', agreement_key = 'x', agreement_sha256 = 'x' where id = $1`,
    [uid],
  )
  await portal.owner.query('alter table renewals enable trigger user')
}

/** Counts a customer's mails at each of these numbers of days before the end. */
async function countReminders(person: Person, days: readonly number[]) {
  const found: number[] = []
  for (const left of days) {
    await runReminders(before(left))
    found.push(mailsTo(person).length)
  }
  return found
}

describe('SIG-5 reminders', () => {
  test('SIG-5 60, 30, 14, 7, 3 and 1 days before the end its owner is reminded once each, by any node and however often it runs', async () => {
    const { person } = await makeOwner()
    await runReminders(before(60, -1))
    expect(mailsTo(person)).toEqual([])
    expect(await countReminders(person, [60, 59, 31, 30, 30, 15, 14, 8, 7, 4, 3, 2, 1, 0.5, 0])).toEqual([
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

  test('SIG-5 a reminder says when the signature ends and how to renew it, in its owner’s language, with a calendar file', async () => {
    const { person } = await makeOwner({ locale: 'en' })
    await runReminders(before(14))
    const [{ subject, text, attachment } = { subject: '', text: '', attachment: undefined }] = mailsTo(person)
    expect(subject).toBe('Sygnet: your signature expires in\u00a014 days')
    expect(text).toContain('1 March 2027, 12:00')
    expect(text).toContain('https://portal.example/en/certificates/signatures')
    expect(attachment).toMatchObject({ name: 'signature-end.ics', type: 'text/calendar; charset=utf-8' })
    expect(attachment!.content).toContain('\r\nDTSTART:20270301T110000Z\r\n')
    // An alarm at the end itself would be too late.
    expect(attachment!.content.match(/TRIGGER:\S+/g)).toEqual(['TRIGGER:-PT168H', 'TRIGGER:-PT24H', 'TRIGGER:-PT2H'])
    // The recipient is only in the mail's address, because calendars are shared.
    expect(attachment!.content).not.toContain(person.surname)
  })

  test('SIG-5 after an outage only the newest reminder is sent, and none after the end', async () => {
    const { person } = await makeOwner()
    expect(await countReminders(person, [60, 5, 5, 3])).toEqual([1, 2, 2, 3])
    // A missed reminder is not stored as sent.
    const rows = await portal.rows(
      `select m.step from signature_reminders m join signatures s on s.id = m.signature_id join accounts a on a.id = s.account_id
        where a.provider_id = $1 order by m.step desc`,
      [person.id],
    )
    expect(rows.map(({ step }) => step)).toEqual([60, 7, 3])
    const { person: late } = await makeOwner()
    expect(await countReminders(late, [-0.001])).toEqual([0])
  })

  test('SIG-5 a certificate that is issued after a step gets its first reminder at the next step', async () => {
    const { person } = await makeOwner({}, before(20))
    expect(await countReminders(person, [20, 16, 14])).toEqual([0, 0, 1])
  })

  test.each([
    ['30_days' as const, 30, [30, 16, 14, 8, 7, 3, 1], [0, 0, 1, 1, 2, 3, 4]],
    ['1_day' as const, 1, [1, 0.5, 0.1], [0, 0, 0]],
    ['1_year' as const, 365, [60, 30, 14], [1, 2, 3]],
  ])(
    'SIG-7 a certificate of %s is announced in the second half of its validity only',
    async (period, length, days, sent) => {
      // Filed before it begins, as a provider does: on its first day the end is already near.
      const storedAt = before(length + 5)
      await portal.clock.stopAt(storedAt)
      const person = await addCustomer(portal)
      await provider.give(person, { period, from: before(length), to: end })
      expect(await countReminders(person, days)).toEqual(sent)
    },
  )

  test('SIG-10 SIG-5 a certificate that another one continues gets no reminder', async () => {
    const { person } = await makeOwner()
    expect(await countReminders(person, [60])).toEqual([1])
    await provider.give(person, { from: end, to: before(-365) })
    expect(await countReminders(person, [30, 14, 1])).toEqual([1, 1, 1])
  })

  test('SIG-5 a revoked, suspended or renewed certificate gets no reminder', async () => {
    const { person, signature } = await makeOwner()
    await signature.put({ status: 'suspended' })
    expect(await countReminders(person, [60])).toEqual([0])
    await signature.put({ status: 'good' })
    const browser = await signInDirectly(portal, person)
    const uid = await openDraft(portal, signature.name, browser)
    // The mail links to an open renewal for as long as it is kept.
    expect(await countReminders(person, [60])).toEqual([1])
    expect(mailsTo(person)[0]!.text).toContain(`https://portal.example/renewal/${uid}`)
    expect(await countReminders(person, [30])).toEqual([2])
    expect(mailsTo(person)[0]!.text).toContain('https://portal.example/certificates/signatures')
    await signRenewal(uid)
    expect(await countReminders(person, [14])).toEqual([2])
  })

  test('SIG-5 only the owner can switch all reminders but the last two off, and on again', async () => {
    const { person } = await makeOwner()
    const { person: neighbour } = await makeOwner()
    const browser = await signInDirectly(portal, person)
    expect((await browser.call(readReminders)).body).toEqual({ isEarly: true })
    for (let twice = 0; twice < 2; twice += 1)
      expect((await browser.call(changeReminders, { body: { isEarly: false } })).status).toBe(204)
    expect((await browser.call(readReminders)).body).toEqual({ isEarly: false })
    expect(await countReminders(person, [60, 30, 14, 7, 3, 1])).toEqual([0, 0, 0, 0, 1, 2])
    expect(mailsTo(neighbour)).toHaveLength(6)
    expect(await auditEntries(portal, { login: person.login, action: 'reminders-switched' })).toMatchObject([
      { details: { early: false } },
    ])

    const { person: changing } = await makeOwner()
    const theirs = await signInDirectly(portal, changing)
    await theirs.call(changeReminders, { body: { isEarly: false } })
    expect(await countReminders(changing, [30])).toEqual([0])
    // What spared it is gone at the same step.
    await (await signInDirectly(portal, changing)).call(changeReminders, { body: { isEarly: true } })
    expect(await countReminders(changing, [29])).toEqual([1])
  })
})

describe('SIG-5 when a certificate is looked at', () => {
  const looked = async ({ name }: { name: string }) => {
    const rows = await portal.rows(
      `select case when reminder_at = 'infinity' then 'never' else extract(day from valid_to - reminder_at)::text end as at from signatures where provider_id = $1`,
      [name],
    )
    return rows[0]!.at
  }

  test('SIG-5 OPS-7 it is left alone until sixty days before its end, and then until the next step', async () => {
    const { signature } = await makeOwner()
    await runReminders(before(61))
    expect(await looked(signature)).toBe(null)
    const found = []
    for (const days of [60, 35, 29, 5, 1]) {
      await runReminders(before(days))
      found.push(await looked(signature))
    }
    expect(found).toEqual(['30', '30', '14', '3', 'never'])
  })

  test('SIG-5 its reminder is sent after all if its renewal fails at the same step', async () => {
    const { person, signature } = await makeOwner()
    await portal.clock.stopAt(before(40))
    const uid = await openDraft(portal, signature.name, await signInDirectly(portal, person))
    await signRenewal(uid)
    expect(await countReminders(person, [29])).toEqual([0])
    await portal.db.transaction().execute((tx) => moveRenewal(tx, { id: uid, state: 'signed' }, 'failed'))
    expect(await countReminders(person, [28])).toEqual([1])
  })
})
