import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { enterSignInCode, readSession, signIn } from '../../contract/account.ts'
import { listActivity } from '../../contract/activity.ts'
import {
  endSessionsAtDesk,
  readDeskCustomer,
  searchDesk,
  sendLinkAtDesk,
  unblockAtDesk,
  unmaskDeskCustomer,
} from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { limits } from '../../contract/limits.ts'
import { requestLostPhoneLink, suspendAfterLoss } from '../../contract/lost-phone.ts'
import { blockCustomer, eraseCustomer, putCustomer } from '../../contract/provider/provider-customers.ts'
import { listProviderStatusRequests, reportStatusChanged } from '../../contract/provider/provider-status-requests.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { features } from '../features.ts'
import { codeLimitKeys } from '../platform/authentication/code-limits.ts'
import { charge, settle } from '../platform/rate-limits/rate-limits.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { runBehindLock } from '../testing/concurrency.ts'
import { letStaffIn, openDesk, signInStaff, readStaffEntries, uncountStaff } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import { openTestProvider } from '../testing/provider.ts'
import { addAccount, addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveDocument, moveDocument } from '../testing/samples/sample-documents.ts'
import { makeSeal } from '../testing/samples/sample-seals.ts'
import { smsCode } from '../testing/sent-messages.ts'
import { recordStatements, findWholeReads, withManyRows } from '../testing/statement-plans.ts'
import { goodPassword } from '../testing/test-customers.ts'
import { findDeskRow } from './desk-customer-store.ts'

const portal = await openPortal()
const desk = await openDesk(portal)
const agent = await signInStaff(desk, 'staff-1')

const entriesOf = (account: string) => readStaffEntries(portal, account)

beforeEach(() => uncountStaff(portal))

async function findOnly(text: string) {
  const { status, body } = await agent.call(searchDesk, { body: { text } })
  expect([text, status, body.items.length]).toEqual([text, 200, 1])
  return body.items[0]!
}

describe('DSK-8 one box', () => {
  test('DSK-8 a customer is found by e-mail, login, phone, PESEL and the provider’s id, each as people write it', async () => {
    const data = samplePerson({ identification: sampleIdentification })
    const customer = `c-${crypto.randomUUID()}`
    await openBrowser(portal).call(putCustomer, { params: { customer }, body: data })
    for (const text of [data.email.toUpperCase(), data.login, data.phone, data.phone.slice(3), customer])
      expect(await findOnly(text)).toMatchObject({ name: 'Małgorzata W•••', state: 'invited' })
    const { body } = await agent.call(searchDesk, { body: { text: '440514 01458' } })
    expect(body.items.length).toBeGreaterThan(0)
    expect((await agent.call(searchDesk, { body: { text: 'nobody@mail.example' } })).body.items).toEqual([])
  })

  test('DSK-9 a search that finds more than the desk shows names the customers whom it has shown, and no others', async () => {
    const shared = samplePerson()
    for (let i = 0; i <= deskLimits.found; i++) {
      const params = { customer: `c-${crypto.randomUUID()}` }
      const stated = { ...samplePerson(), phone: shared.phone }
      expect((await openBrowser(portal).call(putCustomer, { params, body: stated })).status).toBe(200)
    }
    const { body } = await agent.call(searchDesk, { body: { text: shared.phone } })
    expect([body.items.length, body.hasMore]).toEqual([deskLimits.found, true])
    const own = await auditEntries(portal, { action: 'desk-searched', details: { found: deskLimits.found } })
    expect(own.map(({ account }) => String(account)).toSorted()).toEqual(
      body.items.map(({ account }) => account).toSorted(),
    )
  })

  test('R235 no full data leave the server before a reason was given, and the reason is in the trail', async () => {
    const { person, account } = await addAccount(portal, { identification: sampleIdentification })
    const found = await findOnly(person.login)
    const { body: read } = await agent.call(readDeskCustomer, { params: { id: account } })
    const { identificationNumber, document } = sampleIdentification
    expect(read.identificationNumber).toMatch(/^•+\d{3}$/)
    const { email, phone, login } = person
    for (const secret of [email, phone, login, 'Wiśniewska', identificationNumber, document.number])
      expect(JSON.stringify([found, read])).not.toContain(secret)
    const unmask = (reason: string) => agent.call(unmaskDeskCustomer, { params: { id: account }, body: { reason } })
    expect((await unmask('Zgłoszenie 1234')).body).toMatchObject({ email, phone, login, identificationNumber })
    expect((await unmask('')).status).toBe(400)
    expect(await entriesOf(account)).toMatchObject([
      { act: 'desk-searched', details: { actorName: 'Ewa Lis', staff: 'staff-1', found: 1 } },
      { act: 'desk-customer-read', details: { actorName: 'Ewa Lis' } },
      { act: 'desk-customer-unmasked', details: { actorName: 'Ewa Lis', reason: 'Zgłoszenie 1234' } },
    ])
  })

  test('R237 look-ups of one person are limited together, and reaching the limit raises an alarm', async () => {
    const { person, account } = await addAccount(portal)
    const other = await letStaffIn(portal, desk, { subject: 'staff-5', roles: ['agent'] })
    const { limit } = deskLimits.lookUps
    const lookUp = (i: number) =>
      i % 2
        ? other.call(searchDesk, { body: { text: person.login } })
        : other.call(readDeskCustomer, { params: { id: account } })
    const statuses: number[] = []
    // Ten at a time, since a busy machine would let more connections wait for too long.
    while (statuses.length < limit + 10)
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => lookUp(i)))).map(({ status }) => status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    await expect.poll(() => portal.alarms).toContainEqual({ name: 'staff-reads-many', about: 'staff-5' })
    // One, in the trail as well, though ten calls were refused.
    await portal.deliver()
    expect(portal.alarms.filter(({ name }) => name === 'staff-reads-many')).toHaveLength(1)
    const raised = await auditEntries(portal, { action: 'alarm-raised', details: { name: 'staff-reads-many' } })
    expect(raised).toHaveLength(1)
    // A colleague is not affected.
    expect((await agent.call(searchDesk, { body: { text: person.login } })).status).toBe(200)
  })
})

/** Erases a customer; returns the account and the number of a document case that is kept as evidence. */
async function eraseOne() {
  const { person, account } = await addAccount(portal)
  const { providerDocumentCase: number, documentCase } = await giveDocument(portal, person.id)
  await moveDocument(portal, documentCase, 'finished')
  expect(await findOnly(number)).toMatchObject({ account, state: 'active' })
  const { body } = await openBrowser(portal).call(eraseCustomer, { params: { customer: person.id } })
  expect(body.heldUntil).toMatch(/Z$/)
  return { account, number }
}

test('R238 an erased customer is not found by a number that is kept, nor read, unmasked, unblocked or written to', async () => {
  const { account, number } = await eraseOne()
  const state = async () =>
    (await portal.owner.query('select * from accounts where id = $1', [account])).rows.concat(await entriesOf(account))
  const before = await state()
  expect((await agent.call(searchDesk, { body: { text: number } })).body).toEqual({ items: [], hasMore: false })
  const params = { id: account }
  const answers = [
    await agent.call(readDeskCustomer, { params }),
    await agent.call(unmaskDeskCustomer, { params, body: { reason: 'test' } }),
    await agent.call(unblockAtDesk, { params }),
    await agent.call(endSessionsAtDesk, { params }),
    await agent.call(sendLinkAtDesk, { params }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(await state()).toEqual(before)
})

describe('DSK-10 why somebody cannot sign in', () => {
  const obstaclesOf = async (id: string) => (await agent.call(readDeskCustomer, { params: { id } })).body.obstacles

  test('DSK-10 an invitation, and a block with its cause', async () => {
    const customer = `c-${crypto.randomUUID()}`
    const data = samplePerson()
    await openBrowser(portal).call(putCustomer, { params: { customer }, body: data })
    const invited = await findOnly(customer)
    expect(await obstaclesOf(invited.account)).toMatchObject([{ kind: 'no-password', sentAt: expect.any(String) }])

    const { person: blocked, account } = await addAccount(portal)
    for (let i = 0; i < limits.signIn.block.limit; i++) {
      const body = { login: blocked.login, password: 'Wrong-Password-1!', botProof: crypto.randomUUID() }
      await openBrowser(portal, { address: `10.9.${i}.1` }).call(signIn, { body })
    }
    expect(await obstaclesOf(account)).toMatchObject([{ kind: 'blocked', by: 'wrong-passwords' }])

    const other = await addAccount(portal)
    await openBrowser(portal).call(blockCustomer, { params: { customer: other.person.id } })
    expect(await obstaclesOf(other.account)).toMatchObject([{ kind: 'blocked', by: 'provider' }])
  })

  test('DSK-10 a code is shown while it can be entered, and not after its last wrong entry', async () => {
    const { person, account } = await addAccount(portal)
    const browser = openBrowser(portal)
    await browser.call(signIn, { body: { login: person.login, password: goodPassword } })
    await portal.deliver()
    const code = smsCode(portal, person.phone) === '000000' ? '000001' : '000000'
    const wrong = async () =>
      (await obstaclesOf(account)).flatMap((each) => (each.kind === 'code-pending' ? each.wrong : []))
    for (let entered = 0; entered < limits.code.entries; entered++) {
      expect(await wrong()).toEqual([entered])
      expect((await browser.call(enterSignInCode, { body: { code } })).status).toBe(422)
    }
    expect(await wrong()).toEqual([])
  })

  const pausesOf = async (id: string) =>
    (await obstaclesOf(id)).filter((each) => each.kind === 'limit' && each.limit === 'passwords-wrong')

  /** Enters wrong passwords in one browser until it has to pause. */
  async function mistype(browser: ReturnType<typeof openBrowser>, login: string) {
    for (let i = 0; i < limits.signIn.pause.limit; i++) {
      const body = { login, password: 'Wrong-Password-1!', botProof: crypto.randomUUID() }
      expect((await browser.call(signIn, { body })).problem.code).toBe('login-refused')
    }
  }

  test('DSK-10 wrong passwords pause a network or a known device, shown until the end', async () => {
    const nobody = await addAccount(portal)
    const { person: known, account: accountOfKnown } = await addAccount(portal)
    await mistype(await signInDirectly(portal, known), known.login)
    expect([(await pausesOf(accountOfKnown)).length, await pausesOf(nobody.account)]).toEqual([1, []])
    for (const name of ['login', 'email'] as const) {
      const { person, account } = await addAccount(portal)
      await mistype(openBrowser(portal, { address: '10.11.0.1' }), person[name])
      const [pause] = await pausesOf(account)
      expect(pause).toMatchObject({ kind: 'limit', until: expect.stringMatching(/Z$/) })
      const body = { login: person.login, password: goodPassword, botProof: crypto.randomUUID() }
      const again = await openBrowser(portal, { address: '10.11.0.1' }).call(signIn, { body })
      expect(again.status).not.toBe(200)
      await sql`update rate_limits set locked_until = locked_until - interval '1 day', spent = '{}'
        where name like 'sign-in-%'`.execute(portal.ownerDb)
      expect(await pausesOf(account)).toEqual([])
    }
  })

  test('DSK-10 text messages of a day are used up, also those whose codes were entered, and those of the range', async () => {
    const { account } = await addAccount(portal)
    const row = (await findDeskRow(portal.db, portal.portal.keys, account))!
    const { settings, keys } = portal.portal
    const before = settings.sms
    onTestFinished(() => void (settings.sms = before))
    settings.sms = { ...before, perRange: 3 }
    const limitKeys = codeLimitKeys(settings, account, row.phone)
    for (const name of ['codes-sent', 'codes-in-all', 'codes-in-all-known', 'codes-of-range'] as const) {
      while ((await charge(portal.db, keys, limitKeys[name])).ok);
      expect(await obstaclesOf(account)).toContainEqual(expect.objectContaining({ kind: 'limit', limit: name }))
      await settle(portal.db, keys, { clear: limitKeys[name] })
      expect(await obstaclesOf(account)).toEqual([])
    }
  })

  test('DSK-10 the operator’s settings that forbid text messages are an obstacle, and looking raises no alarm', async () => {
    const { account } = await addAccount(portal)
    const { settings } = portal.portal
    const before = settings.sms
    onTestFinished(() => void (settings.sms = before))
    const alarms = portal.alarms.length
    settings.sms = { ...before, countries: ['DE'] }
    expect(await obstaclesOf(account)).toEqual([{ kind: 'sms-refused', cause: 'sms-country-refused' }])
    settings.sms = { ...before, sending: false }
    expect(await obstaclesOf(account)).toEqual([{ kind: 'sms-refused', cause: 'sms-stopped' }])
    expect(portal.alarms).toHaveLength(alarms)
  })
})

describe('DSK-11 what an agent does', () => {
  test('R237 an action with nothing to change is an entry too, and none of another kind', async () => {
    const { account } = await addAccount(portal)
    for (const action of [unblockAtDesk, endSessionsAtDesk])
      expect((await agent.call(action, { params: { id: account } })).status).toBe(200)
    expect(await entriesOf(account)).toMatchObject([
      { act: 'desk-wrong-codes-reset', details: { actorName: 'Ewa Lis' } },
      { act: 'desk-sessions-ended', details: { actorName: 'Ewa Lis', sessions: 0 } },
    ])
  })

  test('DSK-11 an agent unblocks a customer, who signs in with the present password; the history says the provider did', async () => {
    const { person, account } = await addAccount(portal)
    await openBrowser(portal).call(blockCustomer, { params: { customer: person.id } })
    const { status, body } = await agent.call(unblockAtDesk, { params: { id: account } })
    expect([status, body.state, body.obstacles]).toEqual([200, 'active', []])
    const again = await openBrowser(portal).call(signIn, { body: { login: person.login, password: goodPassword } })
    expect(again.status).toBe(200)
    const history = await (await signInDirectly(portal, person)).call(listActivity)
    expect(history.body.items).toContainEqual(expect.objectContaining({ act: 'account-unblocked', actor: 'provider' }))
    expect(JSON.stringify(history.body)).not.toMatch(/Ewa|desk-/)
    expect((await entriesOf(account)).slice(-2)).toMatchObject([
      { act: 'account-unblocked', details: { actorName: 'Ewa Lis' } },
      { act: 'desk-customer-read', details: { actorName: 'Ewa Lis' } },
    ])
  })

  test('DSK-11 an agent ends all sessions of a customer', async () => {
    const { person, account } = await addAccount(portal)
    const browsers = [await signInDirectly(portal, person), await signInDirectly(portal, person)]
    expect((await agent.call(endSessionsAtDesk, { params: { id: account } })).body.sessions).toBe(0)
    for (const browser of browsers) expect((await browser.call(readSession)).status).toBe(401)
    expect((await entriesOf(account)).at(-1)).toMatchObject({ act: 'desk-sessions-ended', details: { sessions: 2 } })
  })

  test('R116 no link leaves during a change of contact details, nor after it within its delay', async () => {
    const { account } = await addAccount(portal)
    const params = { id: account }
    const sent = await runBehindLock(
      portal,
      [`update accounts set resets_from = portal_now() + interval '1 day' where id = $1`, [account]],
      () => agent.call(sendLinkAtDesk, { params }),
    )
    expect(sent).toMatchObject({ status: 429, problem: { code: 'resend-too-early' } })
    const links = "select from links where account_id = $1 and purpose = 'reset'"
    expect((await portal.owner.query(links, [account])).rows).toEqual([])
  })

  test('DSK-11 an agent sends the link for a password, once in a minute', async () => {
    const { person, account } = await addAccount(portal)
    await portal.deliver()
    const count = () =>
      portal.mails.filter(({ to, text }) => to === person.email && text.includes('setup-password')).length
    const before = count()
    const send = () => agent.call(sendLinkAtDesk, { params: { id: account } })
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
    await portal.deliver()
    expect(count() - before).toBe(1)
  })
})

const provider = await openTestProvider(portal)
const { person, account } = await addAccount(portal)

async function accountsFor(text: string) {
  const { status, body } = await agent.call(searchDesk, { body: { text } })
  expect([text, status]).toEqual([text, 200])
  return body.items.map((item) => item.account)
}

/** Returns the serial number of a certificate as programs show it: with colons, without separators, and in decimal. */
const spellings = (serial: string) => [
  serial.toUpperCase().replace(/..(?=.)/g, '$&:'),
  serial,
  BigInt(`0x${serial}`).toString(),
]

test('DSK-10 a report of a lost phone is shown, with what is suspended, until the number is changed', async () => {
  const data = samplePerson({ identification: sampleIdentification })
  const { person: owner, account: id } = await addAccount(portal, data)
  const lossOf = async () => {
    const { obstacles } = (await agent.call(readDeskCustomer, { params: { id } })).body
    return obstacles.filter(({ kind }) => kind === 'phone-lost')
  }
  await provider.give(owner)
  await provider.give(owner)
  const api = openBrowser(portal)
  await api.call(requestLostPhoneLink, { body: { login: owner.login, botProof: crypto.randomUUID() } })
  await portal.deliver()
  expect(await lossOf()).toEqual([])
  const token = portal.mails
    .filter(({ to }) => to === owner.email)
    .map(({ text }) => /\/lost-phone#link=([\w-]{43})/.exec(text)?.[1])
    .find((found) => found !== undefined)!
  const documentNumber = sampleIdentification.document.number
  await openBrowser(portal).call(suspendAfterLoss, { body: { token, documentNumber } })
  expect(await lossOf()).toEqual([{ kind: 'phone-lost', since: expect.any(String), suspended: 0, requested: 2 }])
  const { items } = (await api.call(listProviderStatusRequests, { query: { state: 'requested' } })).body
  const { request } = items.find(({ customer }) => customer === owner.id)!
  await api.call(reportStatusChanged, { params: { request } })
  expect(await lossOf()).toMatchObject([{ suspended: 1, requested: 1 }])
  // Another e-mail address is no other number.
  const contact = { ...data, email: samplePerson().email }
  await api.call(putCustomer, { params: { customer: owner.id }, body: contact })
  expect(await lossOf()).toHaveLength(1)
  await api.call(putCustomer, { params: { customer: owner.id }, body: { ...contact, phone: samplePerson().phone } })
  expect(await lossOf()).toEqual([])
})

test('DSK-8 a customer is found by the number of a document and of its case', async () => {
  await giveDocument(portal, person.id, { document: 'U-20991', application: 'W/2026/991' })
  await giveDocument(portal, (await addCustomer(portal)).id)
  for (const text of ['U-20991', 'u-20991', 'w/2026/991']) expect(await accountsFor(text)).toEqual([account])
  expect(await accountsFor('U-2099')).toEqual([])
})

test('DSK-8 a customer is found by the serial number of a certificate, however it is written', async () => {
  const { certificate } = await provider.signedBody(person.id)
  await provider.give(person, { certificate })
  const serial = readCertificate(Buffer.from(certificate, 'base64')).serialNumber
  for (const text of spellings(serial)) expect([text, await accountsFor(text)]).toEqual([text, [account]])
})

test('DSK-8 who has access to a seal is found by the serial number of its certificate', async () => {
  const { id } = await makeSeal(portal, provider, [{ person, role: 'user', status: 'active' }])
  const certificateOf = 'select certificate from seals where id = $1'
  const { rows } = await portal.owner.query<{ certificate: Buffer }>(certificateOf, [id])
  const serial = readCertificate(rows[0]!.certificate).serialNumber
  for (const text of spellings(serial)) expect([text, await accountsFor(text)]).toEqual([text, [account]])
})

test('OPS-7 DSK-8 no search reads a table from end to end', async () => {
  // Tables without a row have no plans of interest.
  await provider.give(person)
  await makeSeal(portal, provider, [{ person, role: 'user', status: 'active' }])
  const texts = await recordStatements(async (doing) => {
    for (const text of ['U-20991', '123456789012345', 'R-7KD2-0XQM', person.email, person.phone, '44051401458']) {
      doing(text)
      await accountsFor(text)
    }
    doing('index')
    for (const { name, run } of features.flatMap(({ jobs = [] }) => jobs))
      if (name.startsWith('index-')) await run(portal.portal, (error) => expect.fail(String(error)))
  })
  const found: string[] = []
  await withManyRows(portal, async (client) => {
    for (const [text, name] of texts)
      if (/^\s*(?:select|with)\b/.test(text))
        for (const read of await findWholeReads(client, text)) found.push(`${name}: ${read}`)
  })
  expect([...texts.keys()].some((text) => text.includes('document_cases'))).toBe(true)
  expect(found).toEqual([])
})
