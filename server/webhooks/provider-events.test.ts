import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { changeMarketingConsent } from '../../contract/consents.ts'
import { moveAtDesk } from '../../contract/desk/desk-moves.ts'
import { confirmFileSigning, signFiles, startFileSigning } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { requestLostPhoneLink, suspendAfterLoss } from '../../contract/lost-phone.ts'
import { setPassword } from '../../contract/password-link.ts'
import { readMyData } from '../../contract/personal-data.ts'
import * as phoneChange from '../../contract/phone-change.ts'
import { listEvents, ProviderEvent } from '../../contract/provider/events.ts'
import { blockCustomer, putCustomer } from '../../contract/provider/provider-customers.ts'
import { finishDocumentCase, removeDocumentCase } from '../../contract/provider/provider-documents.ts'
import { reportStatusChanged } from '../../contract/provider/provider-status-requests.ts'
import { putCaseStatus } from '../../contract/provider/provider-vouchers.ts'
import { register } from '../../contract/registration.ts'
import { finishRenewal } from '../../contract/renewal.ts'
import { removeSealUser } from '../../contract/seal-users.ts'
import { confirmSealPairing, startSealPairing } from '../../contract/seals.ts'
import { confirmSignaturePairing, listSignatures, startSignaturePairing } from '../../contract/signatures.ts'
import { requestRevocation, requestSuspension } from '../../contract/status-requests.ts'
import { fromBase32, totp } from '../../pki/totp.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { assignPositions } from '../platform/audit/provider-events-feed.ts'
import { unblockAccount } from '../platform/authentication/account-block.ts'
import type { Tx } from '../platform/database/database.ts'
import { tidyUp } from '../platform/operations/tidying.ts'
import { endOverdue } from '../renewal/renewal-moves.ts'
import { endOfFeed, readFeed } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { findAccountId } from '../testing/database-state.ts'
import { letStaffIn, openDesk } from '../testing/open-desk.ts'
import { now, openTestPortal, sampleIdentification, samplePerson, type TestPortal } from '../testing/portal-nodes.ts'
import { ownSecrets, shownSecret } from '../testing/samples/activation-samples.ts'
import { registrationForm, wordingHashes } from '../testing/samples/registration-forms.ts'
import {
  trustTestAuthorities,
  continued,
  downloadFile,
  giveDocument,
  putSigned,
  uploadSigned,
} from '../testing/samples/sample-documents.ts'
import {
  renewUntilAgreement,
  at,
  expectedOf,
  openDraft,
  openRenewalPortal,
  read,
  signAgreementByCode,
  type RenewalPortal,
} from '../testing/samples/sample-renewals.ts'
import { insertStepUp, inviteTo, makeSeal, mobile, signInToManage } from '../testing/samples/sample-seals.ts'
import { openVoucherCase } from '../testing/samples/sample-vouchers.ts'
import { linkToken, mailedCode, smsCode } from '../testing/sent-messages.ts'
import { goodPassword, makeCustomer, signInAs, stepUp } from '../testing/test-customers.ts'

let renewals: RenewalPortal
let portal: TestPortal
beforeAll(async () => {
  renewals = await openRenewalPortal()
  portal = renewals.portal
})
afterAll(() => renewals.close())

const block = (customer: string, of = portal) => openBrowser(of).call(blockCustomer, { params: { customer } })

async function eventsOf(after: number, object: { [name: string]: string }) {
  const events = await readFeed(portal, after)
  for (const event of events) expect(ProviderEvent.parse(event)).toEqual(event)
  return events
    .filter(({ data }) =>
      Object.entries(object).every(([name, value]) => (data as { [key: string]: unknown })[name] === value),
    )
    .map(({ type, data }) => ({ type, ...data }))
}

/** Creates a customer; returns the ids that events have of the customer, and the end of the feed before. */
async function begin(over: Parameters<typeof makeCustomer>[1] = {}) {
  const after = await endOfFeed(portal)
  const person = await makeCustomer(portal, over)
  return { after, person, ids: { customer: person.id, account: await findAccountId(portal, person) } }
}

const appCode = async (key: string) => totp(fromBase32(key)!, await now(portal.db))

test('OPS-4 a customer’s events: activated, blocked, unblocked, another number, another consent', async () => {
  const { after, person, ids } = await begin({ phone: mobile(), identification: sampleIdentification })
  await block(person.id)
  const unblock = (tx: Tx) => unblockAccount(tx, portal.portal.keys, { name: person.login }, { actor: 'operator' })
  expect(await portal.db.transaction().execute(unblock)).toBe(true)

  const browser = await signInAs(portal, person)
  for (const given of [true, false])
    await browser.call(changeMarketingConsent, {
      body: { given, locale: 'pl', wording: wordingHashes('pl').marketing },
    })
  const { id } = (await browser.call(readMyData)).body
  await stepUp(portal, browser, person, 'change-phone', id)
  await browser.call(phoneChange.startPhoneChange, { params: { id } })
  await browser.call(phoneChange.enterDocumentNumber, {
    body: { documentNumber: sampleIdentification.document.number },
  })
  await portal.deliver()
  await browser.call(phoneChange.enterEmailCode, { body: { code: mailedCode(portal, person.email) } })
  const phone = mobile()
  await browser.call(phoneChange.enterNewPhone, { body: { phone } })
  await portal.deliver()
  await browser.call(phoneChange.enterPhoneCode, { body: { code: smsCode(portal, phone) } })

  const { id: customer, password: _, ...stated } = person
  const { email } = samplePerson()
  await openBrowser(portal).call(putCustomer, { params: { customer }, body: { ...stated, phone, email } })

  const consent = { kind: 'marketing', version: expect.any(String) }
  expect(await eventsOf(after, { account: ids.account })).toEqual([
    { type: 'customer.activated', ...ids },
    { type: 'customer.blocked', ...ids },
    { type: 'customer.unblocked', ...ids },
    { type: 'customer.consent-changed', ...ids, ...consent, given: true },
    { type: 'customer.consent-changed', ...ids, ...consent, given: false },
    { type: 'customer.phone-changed', ...ids },
    { type: 'customer.contact-changed', ...ids, email: true, phone: false },
  ])
  // An event identifies its customer by ids alone (R86).
  const text = JSON.stringify(await readFeed(portal, after))
  for (const secret of [person.email, email, person.phone, phone, person.surname, person.firstName, person.login])
    expect(text).not.toContain(secret)
})

test('OPS-4 REG-4 events of a registered customer have no id of the provider’s until a PUT gives them one', async () => {
  const after = await endOfFeed(portal)
  const form = registrationForm()
  await openBrowser(portal).call(register, { body: form })
  await portal.deliver()
  const password = { newPassword: goodPassword, repeatPassword: goodPassword }
  await openBrowser(portal).call(setPassword, { body: { token: linkToken(portal, form.email), password } })
  const account = await findAccountId(portal, { login: form.email })
  const customer = `c-${crypto.randomUUID()}`
  const { terms: _, privacy: __, marketing: ___, botProof: ____, wordings: _____, ...person } = form
  const login = `reg-${account.slice(0, 8)}`
  const body = { ...person, secondName: null, locale: 'pl' as const, login }
  expect((await openBrowser(portal).call(putCustomer, { params: { customer }, body })).status).toBe(200)
  expect(await eventsOf(after, { account })).toEqual([
    { type: 'customer.activated', customer: null, account },
    { type: 'customer.adopted', customer, account },
  ])
})

test('OPS-4 a seal’s users and every paired app have events', async () => {
  const { after, person, ids } = await begin()
  const { id, providerId: signature } = await renewals.provider.give(person)
  const browser = await signInAs(portal, person)
  await stepUp(portal, browser, person, 'pair-app', id)
  const { key } = shownSecret((await browser.call(startSignaturePairing, { params: { id } })).body)
  await browser.call(confirmSignaturePairing, { params: { id }, body: { code: await appCode(key) } })
  expect(await eventsOf(after, { signature })).toEqual([
    { type: 'signature.activation-shown', ...ids, signature },
    { type: 'signature.paired', ...ids, signature },
  ])

  const seal = await makeSeal(portal, renewals.provider, [{ person, role: 'admin', status: 'active' }])
  const guest = await inviteTo(portal, seal.providerId)
  const manager = await signInToManage(portal, person, seal.id)
  await insertStepUp(portal, person, 'pair-seal', seal.id)
  const { key: sealKey } = shownSecret((await manager.call(startSealPairing, { params: { id: seal.id } })).body)
  await manager.call(confirmSealPairing, { params: { id: seal.id }, body: { code: await appCode(sealKey) } })
  await manager.call(removeSealUser, { params: { id: seal.id, user: guest.id } })
  const own = { seal: seal.providerId, user: seal.users[0]!.providerId, role: 'admin', status: 'active' }
  const guestEvent = { seal: seal.providerId, user: guest.providerId, role: 'user' }
  expect(await eventsOf(after, { seal: seal.providerId })).toEqual([
    { type: 'seal-user.changed', ...own },
    { type: 'seal-user.changed', ...guestEvent, status: 'pending' },
    { type: 'seal-user.activation-shown', ...own },
    { type: 'seal-user.paired', ...own },
    { type: 'seal-user.changed', ...guestEvent, status: 'deleted' },
  ])
})

test('OPS-4 APP-5 what an app scans is requested by an event, where the provider gives it', async () => {
  const { person, ids } = await begin()
  const { id, providerId: signature } = await renewals.provider.give(person)
  const seal = await makeSeal(portal, renewals.provider, [{ person, role: 'admin', status: 'active' }])
  const after = await endOfFeed(portal)
  const browser = await signInAs(portal, person)
  await insertStepUp(portal, person, 'pair-app', id)
  await insertStepUp(portal, person, 'pair-seal', seal.id)
  portal.portal.ports.appActivation = { by: 'provider' }
  for (let i = 0; i < 2; i++) {
    await browser.call(startSignaturePairing, { params: { id } })
    await browser.call(startSealPairing, { params: { id: seal.id } })
  }
  portal.portal.ports.appActivation = ownSecrets
  const requested = { type: 'signature.activation-requested', ...ids, signature }
  expect(await eventsOf(after, { signature })).toEqual([requested])
  const own = { seal: seal.providerId, user: seal.users[0]!.providerId, role: 'admin', status: 'active' }
  expect(await eventsOf(after, { seal: seal.providerId })).toEqual([{ type: 'seal-user.activation-requested', ...own }])
})

test('OPS-4 DOC-2 a document case has an event at each change of its state, and no others', async () => {
  await trustTestAuthorities(portal)
  const { after, person, ids } = await begin()
  const browser = await signInAs(portal, person)
  const { documentCase, providerDocumentCase: name } = await giveDocument(portal, person.id)
  const signedFile = await uploadSigned(portal, browser, person.email, documentCase)
  await downloadFile(browser, documentCase)
  await putSigned(portal, name, continued(signedFile))
  await openBrowser(portal).call(finishDocumentCase, { params: { case: name } })
  const moved = { type: 'document-case.moved', ...ids, case: name }
  expect(await eventsOf(after, { case: name })).toEqual([
    { ...moved, status: 'subscriber-downloaded', version: 2 },
    { ...moved, status: 'subscriber-uploaded', version: 3 },
    { ...moved, status: 'issuer-uploaded', version: 4 },
    { ...moved, status: 'finished', version: 5 },
  ])
})

test('OPS-4 VCH-3 a redeemed voucher and the reports on its case have events', async () => {
  const { after, person, ids } = await begin()
  const { voucher, opened } = await openVoucherCase(portal, await signInAs(portal, person))
  const { number } = opened
  const body = { status: 'Zakończono pomyślnie', at: '2026-01-02T03:04:05.678Z', note: null }
  await openBrowser(portal).call(putCaseStatus, { params: { case: number }, body })
  const own = { ...ids, case: number, code: voucher.id, process: 'cloud-certificate' }
  expect(await eventsOf(after, { case: number })).toEqual([
    { type: 'voucher-case.opened', ...own, status: 'in-progress' },
    { type: 'voucher-case.moved', ...own, status: 'finished-successfully' },
  ])
})

test('OPS-4 REN-10 a renewal has events from its code to its end, also when it expires', async () => {
  const after = await endOfFeed(portal)
  const renewing = await renewals.makeRenewable()
  const renewal = await signAgreementByCode(
    renewals,
    renewing,
    await renewUntilAgreement(renewals, renewing, { start: 'immediately' }),
  )
  await renewals.backOffice.work()
  const issued = await read(renewing.browser, renewal)
  await renewing.browser.call(finishRenewal, { params: at(issued), body: { expected: expectedOf(issued) } })
  const events = await eventsOf(after, { renewal: renewal.uid })
  const states = events.map((event) => 'state' in event && event.state)
  expect(states).toEqual(['parameters', 'personal-data', 'signing', 'authorised', 'signed', 'issued', 'finished'])
  expect(events.at(-1)).toMatchObject({
    type: 'renewal.moved',
    customer: renewing.person.id,
    renews: renewing.signature.providerId,
    issued: `renewal-${renewal.uid}`,
  })

  const late = await renewals.makeRenewable()
  const uid = await openDraft(portal, late.signature.providerId, late.browser)
  await portal.clock.advance(limits.renewal.draft + 1)
  await endOverdue(portal.db, portal.portal.ports.documents)
  await portal.clock.advance(-limits.renewal.draft - 1)
  expect((await eventsOf(after, { renewal: uid })).map((event) => 'state' in event && event.state)).toEqual([
    'parameters',
    'expired',
  ])
})

test('STP-4 OPS-4 a request for another status has an event when it is made, replaced and decided', async () => {
  const after = await endOfFeed(portal)
  const { person, browser, signature } = await renewals.makeRenewable()
  const { id } = (await browser.call(listSignatures)).body.items[0]!
  for (const purpose of ['suspend', 'revoke'] as const) await insertStepUp(portal, person, purpose, id)
  const [params, reason] = [{ id }, 'superseded' as const]
  const first = await browser.call(requestSuspension, { params, body: { reason } })
  const second = await browser.call(requestRevocation, { params, body: { reason, confirmation: 'REVOKE' } })
  const request = second.body.id
  await openBrowser(portal).call(reportStatusChanged, { params: { request } })
  const events = await eventsOf(after, { signature: signature.providerId })
  expect(events).toMatchObject([
    { type: 'status-request.moved', request: first.body.id, change: 'suspend', state: 'requested', seal: null },
    { request: first.body.id, state: 'replaced' },
    { request, change: 'revoke', state: 'requested', deadline: second.body.deadline },
    { request, state: 'done' },
  ])
})

test('STP-7 OPS-4 the report of a lost phone has an event, and so has each request that it makes, replaces or keeps', async () => {
  const { person, browser, signature } = await renewals.makeRenewable()
  const kept = await renewals.makeRenewableOf(person)
  const account = await findAccountId(portal, person)
  const { id } = kept.signature
  await insertStepUp(portal, person, 'suspend', id)
  const earlier = await browser.call(requestSuspension, { params: { id }, body: { reason: 'superseded' } })
  const after = await endOfFeed(portal)
  const { call } = openBrowser(portal)
  await call(requestLostPhoneLink, { body: { login: person.login, botProof: crypto.randomUUID() } })
  await portal.deliver()
  const mail = portal.mails.find(({ to, text }) => to === person.email && text.includes('#link='))!
  const [, token = ''] = /#link=([\w-]{43})/.exec(mail.text)!
  const documentNumber = sampleIdentification.document.number
  expect((await call(suspendAfterLoss, { body: { token, documentNumber } })).status).toBe(200)
  expect(await eventsOf(after, { account })).toMatchObject([
    { type: 'customer.phone-lost', customer: person.id, account },
    { type: 'status-request.moved', request: earlier.body.id, change: 'suspend', state: 'requested' },
    { type: 'status-request.moved', signature: signature.providerId, change: 'suspend', state: 'requested' },
  ])
})

test('SGN-28 OPS-4 signed files have an event with their number and the certificate', async () => {
  const after = await endOfFeed(portal)
  const { person, browser, signature } = await renewals.makeRenewable()
  const signer = (await browser.call(listSignatures)).body.items[0]!.id
  const digests = [Buffer.alloc(32, 7).toString('base64')]
  const { body: begun } = await browser.call(startFileSigning, { body: { signer, digests } })
  await portal.deliver()
  const params = { id: begun.signing.id }
  await browser.call(confirmFileSigning, { params, body: { code: smsCode(portal, person.phone) } })
  expect((await browser.call(signFiles, { params })).body.state).toBe('signed')
  const { providerId } = signature
  const ids = { customer: person.id, account: await findAccountId(portal, person) }
  expect(await eventsOf(after, { signature: providerId })).toEqual([
    { type: 'files.signed', ...ids, signature: providerId, seal: null, files: 1 },
  ])
})

test('PRV-3 OPS-4 a removed object has an event with its id and the reason', async () => {
  const { after, person } = await begin()
  const { providerDocumentCase: filed } = await giveDocument(portal, person.id, { pdf: null })
  await openBrowser(portal).call(removeDocumentCase, { params: { case: filed }, query: { reason: 'duplicate' } })
  expect(await eventsOf(after, { filed })).toEqual([
    { type: 'object.removed', object: 'document-case', filed, reason: 'duplicate' },
  ])
})

test('DSK-21 OPS-4 a misfiled object that the staff have moved has an event with both customers', async () => {
  const after = await endOfFeed(portal)
  const wrong = await makeCustomer(portal)
  const right = await makeCustomer(portal, { identification: sampleIdentification })
  const signer = 'PNOPL-44051401458'
  const { documentCase: object, providerDocumentCase: filed } = await giveDocument(portal, wrong.id, { signer })
  const [id, account] = [await findAccountId(portal, wrong), await findAccountId(portal, right)]
  const desk = await openDesk(portal)
  const agent = await letStaffIn(portal, desk, { subject: 'staff-1', roles: ['agent'] })
  const { status } = await agent.call(moveAtDesk, { params: { id, kind: 'document', object }, body: { to: account } })
  expect(status).toBe(200)
  expect(await eventsOf(after, { filed })).toEqual([
    { type: 'object.moved', customer: right.id, account, object: 'document-case', filed, previous: wrong.id },
  ])
})

/** Blocks in a transaction that the test ends. */
function blockSlowly(accountId: string) {
  const written = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  // A transaction that a failed test leaves open would keep its portal from closing.
  onTestFinished(() => end.resolve())
  const over = portal.db.transaction().execute(async (tx) => {
    await addAuditEntry(tx, { action: 'account-blocked', accountId, actor: 'system' })
    written.resolve()
    await end.promise
  })
  return {
    written: written.promise,
    commit: () => {
      end.resolve()
      return over
    },
    undo: async () => {
      end.reject(new Error('undone'))
      await over.catch(() => {})
    },
  }
}

test('OPS-4 no reader misses an event that was written first and committed last', async () => {
  const [early, late, never] = await Promise.all([1, 2, 3].map(() => makeCustomer(portal)))
  const after = await endOfFeed(portal)
  const slow = blockSlowly(await findAccountId(portal, early!))
  await slow.written
  const undone = blockSlowly(await findAccountId(portal, never!))
  await undone.written
  await block(late!.id)
  const first = await readFeed(portal, after, 0)
  expect(first.map(({ data }) => 'customer' in data && data.customer)).toEqual([late!.id])
  await slow.commit()
  await undone.undo()
  // A reader continues from its position, on any node.
  const second = await readFeed(portal, first[0]!.position, 1)
  expect(second.map(({ data }) => 'customer' in data && data.customer)).toEqual([early!.id])
  expect(await readFeed(portal, after)).toEqual([...first, ...second])
})

test('OPS-4 readers on two nodes see the same feed while it is written: every event once, none before a position already read, each customer’s in order', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(portal)))
  const accounts = await Promise.all(people.map((person) => findAccountId(portal, person)))
  const after = await endOfFeed(portal)
  let isWriting = true
  const write = async (accountId: string, n: number) => {
    for (let i = 0; i < 8; i++)
      await portal.nodes[(n + i) & 1]!.db.transaction().execute(async (tx) => {
        await sql`select from accounts where id = ${accountId} for update`.execute(tx)
        const details = { kind: 'marketing', version: String(i) }
        await addAuditEntry(tx, { action: 'consent-given', accountId, actor: 'system', details })
      })
  }
  const follow = async (node: number) => {
    const seen: ProviderEvent[] = []
    const readOn = async () => seen.push(...(await readFeed(portal, seen.at(-1)?.position ?? after, node)))
    while (isWriting) await readOn()
    await readOn()
    return seen
  }
  const readers = [follow(0), follow(1), follow(0), follow(1)]
  // Two writers for each account, so that the lock of its row decides their order.
  await Promise.all([...accounts, ...accounts].map(write))
  isWriting = false
  const [first, ...rest] = await Promise.all(readers)
  expect(first).toHaveLength(8 * 8)
  expect(first!.map(({ position }) => position)).toEqual(first!.map((_, i) => after + 1 + i))
  for (const events of rest) expect(events).toEqual(first)
  const { rows } = await sql<{ id: string }>`select id from events
    where position > ${after} order by subject, ordinal`.execute(portal.ownerDb)
  const bySubject = first!.toSorted((a, b) => {
    const [left, right] = [a, b].map(({ data }) => ('account' in data ? data.account : ''))
    return left! < right! ? -1 : left! > right! ? 1 : a.position - b.position
  })
  expect(bySubject.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
})

test('OPS-4 the feed is paged, answers its end with the same position, and refuses a position that it does not have', async () => {
  for (let i = 0; i < 4; i++) await block((await makeCustomer(portal)).id)
  const all = await readFeed(portal)
  const list = (query: { after?: string; limit?: string }) => openBrowser(portal).call(listEvents, { query })
  const page = await list({ after: String(all[2]!.position), limit: '3' })
  expect(page.body).toEqual({ items: all.slice(3, 6), next: all[5]!.position })
  expect((await list({})).body.items[0]).toEqual(all[0])
  const last = all.at(-1)!.position
  expect((await list({ after: String(last) })).body).toEqual({ items: [], next: last })
  for (const after of [String(last + 1), '999999999999999'])
    expect([after, (await list({ after })).problem.code]).toEqual([after, 'cursor-refused'])
  for (const query of [{ after: '-1' }, { after: 'x' }, { limit: '0' }, { limit: '501' }, { after: '1e3' }])
    expect([query, (await list(query)).problem.code]).toEqual([query, 'invalid-input'])
})

test('OPS-4 events are kept for 90 days; a later reader has to start again and cannot miss events unnoticed', async () => {
  const own = await openTestPortal()
  onTestFinished(() => own.close())
  const list = (query: { after?: string }) => openBrowser(own).call(listEvents, { query })
  const person = await makeCustomer(own)
  const old = await endOfFeed(own)
  await own.clock.advance(limits.events.kept - 60)
  await tidyUp(own.portal)
  expect((await readFeed(own, old - 1)).map(({ position }) => position)).toEqual([old])
  await block(person.id, own)
  await assignPositions(own.db)
  await own.clock.advance(120)
  await tidyUp(own.portal)
  expect((await list({ after: String(old - 1) })).problem.code).toBe('cursor-refused')
  for (const query of [{ after: String(old) }, {}])
    expect((await list(query)).body).toMatchObject({ items: [{ position: old + 1, type: 'customer.blocked' }] })
  await own.clock.advance(limits.events.kept)
  await tidyUp(own.portal)
  expect((await list({ after: String(old) })).problem.code).toBe('cursor-refused')
  expect((await list({})).body).toEqual({ items: [], next: old + 1 })
  // Positions continue.
  await block(person.id, own)
  expect((await list({ after: String(old + 1) })).body).toMatchObject({ items: [{ position: old + 2 }] })
})
