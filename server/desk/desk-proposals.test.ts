import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readSession, signIn } from '../../contract/account.ts'
import { listActivity } from '../../contract/activity.ts'
import { readDeskCustomer, unmaskDeskCustomer } from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import * as deskProposals from '../../contract/desk/desk-proposals.ts'
import { eraseCustomer, getCustomer, putCustomer } from '../../contract/provider/provider-customers.ts'
import { openBrowser } from '../testing/browser.ts'
import { runBehindLock } from '../testing/concurrency.ts'
import { letStaffIn, openDesk, readStaffEntries } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { addAccount, signInDirectly } from '../testing/samples/ready-customers.ts'
import { askForReset, goodPassword, passPassword } from '../testing/test-customers.ts'
import { deskFeature } from './desk-feature.ts'

const portal = await openPortal()
const desk = await openDesk(portal)

let people = 0
/** Signs in a member of the staff whose look-ups have not been counted yet. */
const person = (role: 'reader' | 'agent' | 'auditor' | 'administrator', subject = `person-${people++}`) =>
  letStaffIn(portal, desk, { subject, roles: [role] })

const reason = 'Zgłoszenie 4711'
type Staff = Awaited<ReturnType<typeof person>>

async function propose(staff: Staff, account: string, change: deskProposals.ProposedChange) {
  const { status, body, problem } = await staff.call(deskProposals.proposeAtDesk, {
    params: { id: account },
    body: change,
  })
  expect([status, problem?.code]).toEqual([200, undefined])
  return body.proposals.find(({ kind, outcome }) => kind === change.kind && !outcome)!.id
}

const approve = (staff: Staff, id: string) => staff.call(deskProposals.approveProposal, { params: { id } })
const refuse = (staff: Staff, id: string, why = reason) =>
  staff.call(deskProposals.refuseProposal, { params: { id }, body: { reason: why } })
const refusal = ({ status, problem }: Awaited<ReturnType<typeof approve>>) => [status, problem.code, problem.reason]

const entriesOf = async (account: string) =>
  (await readStaffEntries(portal, account)).filter(({ act }) => act !== 'desk-customer-read')
const subjectsTo = (email: string) => portal.mails.filter(({ to }) => to === email).map(({ subject }) => subject)
const stateOf = async ({ id }: { id: string }) =>
  (await openBrowser(portal).call(getCustomer, { params: { customer: id } })).body

describe('DSK-24 DSK-25 a change that two people make', () => {
  test('DSK-24 DSK-25 R116 a new e-mail: nothing changes at first; then old and new address are notified, sessions end, and links wait', async () => {
    const [agent, other] = [await person('agent', 'ewa'), await person('agent', 'jan')]
    const { person: customer, account } = await addAccount(portal)
    const browser = await signInDirectly(portal, customer)
    const { email } = samplePerson()
    const openFor = async (staff: Staff) => (await staff.call(deskProposals.countProposals)).body.open
    const before = [await openFor(agent), await openFor(other)] as const
    const id = await propose(agent, account, { kind: 'email', value: email, reason })
    expect(await stateOf(customer)).toMatchObject({ email: customer.email })
    expect((await browser.call(readSession)).status).toBe(200)
    expect([await openFor(agent), await openFor(other)]).toEqual([before[0], before[1] + 1])
    const { items } = (await other.call(deskProposals.listProposals)).body
    expect(items.find((item) => item.id === id)).toMatchObject({ kind: 'email', isOwn: false })
    // It is typed, and can name the customer.
    expect(JSON.stringify(items)).not.toContain(reason)

    expect((await approve(other, id)).status).toBe(204)
    expect(await stateOf(customer)).toMatchObject({ email, login: customer.login, phone: customer.phone })
    await portal.deliver()
    for (const address of [customer.email, email])
      expect(subjectsTo(address)).toContain('Sygnet: dane kontaktowe konta zostały zmienione')
    expect((await browser.call(readSession)).status).toBe(401)
    const sent = portal.mails.length
    await askForReset(portal, email, openBrowser(portal))
    expect(portal.mails.length).toBe(sent + 1)
    expect(portal.mails.find(({ to }) => to === email)!.subject).toContain('nowe hasło ustawisz od')
    const about = { proposal: id, kind: 'email', reason }
    expect(await entriesOf(account)).toMatchObject([
      { act: 'desk-change-proposed', details: { staff: 'ewa', ...about } },
      { act: 'desk-change-approved', details: { staff: 'jan', proposedBy: 'ewa', proposerName: 'ewa', ...about } },
      { act: 'customer-contact-changed', details: { staff: 'jan', proposal: id, email: true, phone: false } },
    ])
    const { body } = await agent.call(readDeskCustomer, { params: { id: account } })
    expect(body.proposals).toMatchObject([{ id, outcome: 'approved', decider: 'jan', proposed: null }])
  })

  test('DSK-25 a new number, for a customer without an id of the provider too: the old number gets a text message', async () => {
    const [agent, other] = [await person('agent'), await person('administrator')]
    const { person: customer, account } = await addAccount(portal)
    await sql`update accounts set provider_id = null, login = email, login_key = email_key
      where id = ${account}`.execute(portal.ownerDb)
    const { phone, email } = samplePerson()
    await approve(other, await propose(agent, account, { kind: 'phone', value: phone, reason }))
    await portal.deliver()
    const newestTo = (number: string) => portal.texts.find(({ to }) => to === number)?.text
    expect(newestTo(customer.phone)).toContain('inny numer')
    await passPassword(portal, { ...customer, login: customer.email, phone })
    expect(newestTo(phone)).toContain('kod')
    // The e-mail address is what this customer signs in with.
    await approve(other, await propose(agent, account, { kind: 'email', value: email, reason }))
    const again = await openBrowser(portal).call(signIn, { body: { login: email, password: goodPassword } })
    expect(again.status).toBe(200)
    const { rows } = await portal.owner.query('select from accounts where login_key = $1', [customer.email])
    expect(rows).toEqual([])
  })

  test('DSK-25 an address of another account is refused when it is approved, and the proposal stays', async () => {
    const [agent, other] = [await person('agent'), await person('agent')]
    const [{ person: customer, account }, taken] = [await addAccount(portal), await addAccount(portal)]
    const id = await propose(agent, account, { kind: 'email', value: taken.person.email, reason })
    expect(refusal(await approve(other, id))).toEqual([422, 'login-taken', undefined])
    const tried = { action: 'approval', proposal: id, cause: 'login-taken' }
    expect((await entriesOf(account)).at(-1)).toMatchObject({ act: 'desk-action-refused', details: tried })
    expect((await stateOf(customer)).email).toBe(customer.email)
    expect((await refuse(other, id, 'Adres innej osoby')).status).toBe(204)
    const { body } = await agent.call(readDeskCustomer, { params: { id: account } })
    expect(body.proposals).toMatchObject([{ outcome: 'refused', note: 'Adres innej osoby' }])
    const details = { reason: 'Adres innej osoby', proposal: id }
    expect((await entriesOf(account)).at(-1)).toMatchObject({ act: 'desk-change-refused', details })
  })

  test('DSK-24 one open proposal of a kind, only of what can change, and the proposer withdraws it', async () => {
    const [agent, other] = [await person('agent'), await person('agent')]
    const { person: customer, account } = await addAccount(portal)
    const tried = async (body: deskProposals.ProposedChange) => {
      const { status, problem } = await agent.call(deskProposals.proposeAtDesk, { params: { id: account }, body })
      return [status, problem?.reason]
    }
    expect(await tried({ kind: 'phone', value: customer.phone, reason })).toEqual([422, 'unchanged'])
    expect(await tried({ kind: 'hold-release', reason })).toEqual([422, 'not-held'])
    for (const wrong of [
      { kind: 'hold', reason: ' ' },
      { kind: 'hold', value: 'a@mail.example', reason },
      { kind: 'email', value: customer.phone, reason },
      { kind: 'phone', reason },
    ] as const)
      expect([wrong, ...(await tried(wrong))]).toEqual([wrong, 400, undefined])
    const [first, second] = await Promise.all([tried({ kind: 'hold', reason }), tried({ kind: 'hold', reason })])
    expect(new Set([first[0], second[0]])).toEqual(new Set([200, 422]))
    const { body: read } = await agent.call(readDeskCustomer, { params: { id: account } })
    const { id } = read.proposals[0]!
    const withdraw = (by: Staff) => by.call(deskProposals.withdrawProposal, { params: { id } })
    expect((await withdraw(other)).problem).toMatchObject({ code: 'state-passed', reason: 'not-own' })
    expect((await withdraw(agent)).body.proposals).toEqual([])
    expect((await approve(other, id)).status).toBe(404)
    expect((await entriesOf(account)).at(-1)).toMatchObject({ act: 'desk-change-withdrawn' })
  })
})

describe('R247 R248 R250 who decides, how often, and about what', () => {
  test('R247 R258 nobody approves or refuses an own proposal, in another session or by the database', async () => {
    const agent = await person('agent', 'sneaky')
    const again = await person('agent', 'sneaky')
    const asAdministrator = await person('administrator', 'sneaky')
    const { person: customer, account } = await addAccount(portal)
    const id = await propose(agent, account, { kind: 'phone', value: samplePerson().phone, reason })
    for (const own of [agent, again, asAdministrator]) {
      expect(refusal(await approve(own, id))).toEqual([422, 'state-passed', 'own'])
      expect(refusal(await refuse(own, id))).toEqual([422, 'state-passed', 'own'])
    }
    expect((await stateOf(customer)).phone).toBe(customer.phone)
    const refusals = (await entriesOf(account)).filter(({ act }) => act === 'desk-action-refused')
    expect(refusals).toHaveLength(6)
    expect(refusals.slice(0, 2)).toMatchObject(
      ['approval', 'refusal'].map((action) => ({ details: { action, proposal: id, cause: 'own', staff: 'sneaky' } })),
    )
    const bySql =
      sql`update desk_proposals set outcome = 'approved', content = null, decided_by = 'sneaky', decider = 'x'
      where id = ${id}`.execute(portal.ownerDb)
    await expect(bySql).rejects.toThrow('desk_proposals_four_eyes')
  })

  test('R248 of twenty approvals at once one makes the change, and none after the decision', async () => {
    const agent = await person('agent')
    const others = await Promise.all(Array.from({ length: 20 }, () => person('agent')))
    const { person: customer, account } = await addAccount(portal)
    const { phone } = samplePerson()
    const id = await propose(agent, account, { kind: 'phone', value: phone, reason })
    await portal.deliver()
    const texts = portal.texts.length
    const answers = await Promise.all(others.map((other) => approve(other, id)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ problem }) => problem?.reason === 'decided')).toHaveLength(19)
    await portal.deliver()
    expect(portal.texts.length).toBe(texts + 1)
    const changes = (await entriesOf(account)).filter(({ act }) => act === 'customer-contact-changed')
    expect(changes).toHaveLength(1)
    // The customer has the old number again; the same approval does not change it a second time.
    await approve(others[0]!, await propose(agent, account, { kind: 'phone', value: customer.phone, reason }))
    expect(refusal(await approve(others[1]!, id))).toEqual([422, 'state-passed', 'decided'])
    expect(refusal(await refuse(others[1]!, id))).toEqual([422, 'state-passed', 'decided'])
    expect((await stateOf(customer)).phone).toBe(customer.phone)
  })

  test('R248 a proposal is decided within a day only; then it is removed, and another one can be made', async () => {
    const { person: customer, account } = await addAccount(portal)
    const { phone } = samplePerson()
    const id = await propose(await person('agent'), account, { kind: 'phone', value: phone, reason })
    await portal.clock.advance(deskLimits.proposal)
    const [agent, other] = [await person('agent'), await person('agent')]
    expect(refusal(await approve(other, id))).toEqual([422, 'state-passed', 'expired'])
    expect((await other.call(deskProposals.readProposal, { params: { id } })).problem.reason).toBe('expired')
    expect((await other.call(deskProposals.listProposals)).body.items).toEqual([])
    const again = await propose(agent, account, { kind: 'phone', value: phone, reason })
    expect(again).not.toBe(id)
    expect((await approve(other, id)).status).toBe(404)
    expect((await stateOf(customer)).phone).toBe(customer.phone)
    await portal.clock.advance(2 * deskLimits.proposal)
    await deskFeature.tidy!(portal.portal)
    expect((await portal.owner.query('select from desk_proposals')).rows).toEqual([])
    await portal.clock.advance(0)
  })

  test.each(['email', 'phone', 'login'] as const)(
    'R250 a proposal is void when the %s has changed since, and says so',
    async (changed) => {
      const [agent, other] = [await person('agent'), await person('agent')]
      const { person: customer, account } = await addAccount(portal)
      const value = samplePerson().email
      const id = await propose(agent, account, { kind: 'email', value, reason })
      const { id: own, password: _, ...data } = customer
      const newer = { ...data, [changed]: samplePerson()[changed] }
      await openBrowser(portal).call(putCustomer, { params: { customer: own }, body: newer })
      expect(refusal(await approve(other, id))).toEqual([422, 'state-passed', 'void'])
      expect(refusal(await approve(other, id))).toEqual([422, 'state-passed', 'decided'])
      expect((await stateOf(customer)).email).toBe(newer.email)
      const { body } = await agent.call(readDeskCustomer, { params: { id: account } })
      expect(body.proposals).toMatchObject([{ outcome: 'void' }])
      const entry = (await entriesOf(account)).find(({ act }) => act === 'desk-change-void')
      expect(entry!.details).toMatchObject({ proposal: id })
    },
  )

  test('R250 an approval waits for a change of the customer that is under way, and is void after it', async () => {
    const [agent, other] = [await person('agent'), await person('agent')]
    const { person: customer, account } = await addAccount(portal)
    const id = await propose(agent, account, { kind: 'email', value: samplePerson().email, reason })
    const approved = await runBehindLock(
      portal,
      [`update accounts set login = 'changed-meanwhile', login_key = 'changed-meanwhile' where id = $1`, [account]],
      () => approve(other, id),
    )
    expect(refusal(approved)).toEqual([422, 'state-passed', 'void'])
    expect((await stateOf(customer)).email).toBe(customer.email)
  })
})

test('R249 it is encrypted, masked for everybody but those who decide, in no entry, and gone with the decision', async () => {
  const [agent, other, reader] = [await person('agent'), await person('administrator'), await person('reader')]
  const { person: customer, account } = await addAccount(portal)
  const value = 'nowy.kanarek-7419@poczta.example'
  const id = await propose(agent, account, { kind: 'email', value, reason })
  expect(findIn(await dumpDatabase(portal.owner), value)).toEqual([])
  const own = await agent.call(deskProposals.readProposal, { params: { id } })
  const seen = await reader.call(readDeskCustomer, { params: { id: account } })
  expect(seen.body.proposals).toHaveLength(1)
  for (const masked of [own.body, seen.body, (await other.call(deskProposals.listProposals)).body])
    for (const full of [value, customer.email, customer.phone, customer.login])
      expect(JSON.stringify(masked)).not.toContain(full)
  const { body } = await other.call(deskProposals.readProposal, { params: { id } })
  expect(body).toMatchObject({ present: customer.email, proposed: value, isOwn: false, customer: { account } })
  expect((await entriesOf(account)).slice(-2)).toMatchObject([
    { act: 'desk-change-read' },
    { act: 'desk-change-unmasked', details: { proposal: id, reason } },
  ])
  await refuse(other, id)
  const { rows } = await portal.owner.query('select content from desk_proposals where id = $1', [id])
  expect(rows).toEqual([{ content: null }])
  expect((await other.call(deskProposals.readProposal, { params: { id } })).problem.reason).toBe('decided')
  await portal.deliver()
  expect(findIn(await dumpDatabase(portal.owner), value)).toEqual([])
})

test('DSK-26 R251 a held customer is not erased until two people release the hold', async () => {
  const [agent, other] = [await person('agent'), await person('agent')]
  const { person: customer, account } = await addAccount(portal)
  const erasure = await propose(agent, account, { kind: 'erasure', reason })
  await approve(other, await propose(agent, account, { kind: 'hold', reason }))
  const { body } = await agent.call(readDeskCustomer, { params: { id: account } })
  expect(body.heldSince).toMatch(/Z$/)
  expect(refusal(await approve(other, erasure))).toEqual([422, 'customer-in-use', 'legal-hold'])
  const byProvider = await openBrowser(portal).call(eraseCustomer, { params: { customer: customer.id } })
  expect(byProvider.problem).toMatchObject({ code: 'customer-in-use', reason: 'legal-hold' })
  const again = await agent.call(deskProposals.proposeAtDesk, {
    params: { id: account },
    body: { kind: 'hold', reason },
  })
  expect(again.problem.reason).toBe('held-already')
  await approve(other, await propose(agent, account, { kind: 'hold-release', reason }))
  await propose(agent, account, { kind: 'phone', value: samplePerson().phone, reason })
  expect((await approve(other, erasure)).status).toBe(204)
  // It erases, with the other open proposals.
  await portal.deliver()
  expect(subjectsTo(customer.email)).toContain('Sygnet: Twoje konto zostało usunięte')
  expect((await agent.call(readDeskCustomer, { params: { id: account } })).status).toBe(404)
  expect((await portal.owner.query('select from desk_proposals where account_id = $1', [account])).rows).toEqual([])
  expect((await entriesOf(account)).map(({ act }) => act)).toEqual(
    expect.arrayContaining(['customer-held', 'customer-hold-released', 'customer-erased']),
  )
})

describe('DSK-27 DSK-28', () => {
  test('DSK-27 the history shows that full data were read, without a name, if the operator wants that', async () => {
    const agent = await person('agent')
    const { person: customer, account } = await addAccount(portal)
    await agent.call(readDeskCustomer, { params: { id: account } })
    await agent.call(unmaskDeskCustomer, { params: { id: account }, body: { reason } })
    const browser = await signInDirectly(portal, customer)
    const history = async () => (await browser.call(listActivity, { query: { kind: 'personal-data' } })).body.items
    const created = { act: 'customer-created' }
    const shown = await history()
    expect(shown).toMatchObject([{ act: 'data-read-by-support', actor: 'provider', address: null, count: 1 }, created])
    expect(JSON.stringify(shown)).not.toMatch(/person-|4711|desk/)
    portal.portal.settings.areDeskReadsShown = false
    expect(await history()).toMatchObject([created])
    portal.portal.settings.areDeskReadsShown = true
  })

  test('DSK-28 one action blocks a customer and ends all sessions; the owner gets a notice', async () => {
    const agent = await person('agent')
    const { person: customer, account } = await addAccount(portal)
    const browser = await signInDirectly(portal, customer)
    const { body } = await agent.call(deskProposals.blockAtDesk, { params: { id: account } })
    expect(body).toMatchObject({ state: 'blocked', sessions: 0, obstacles: [{ kind: 'blocked', by: 'provider' }] })
    expect((await browser.call(readSession)).status).toBe(401)
    await portal.deliver()
    expect(subjectsTo(customer.email)).toContain('Sygnet: konto zostało zablokowane')
    expect((await entriesOf(account)).at(-1)).toMatchObject({ act: 'account-blocked' })
  })
})
