import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  actOnDeskCase,
  readDeskCase,
  resendInvitationAtDesk,
  resendMessagesAtDesk,
  withdrawInvitationAtDesk,
} from '../../contract/desk/desk-cases.ts'
import { readDeskCustomer, searchDesk } from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { approveProposal, proposeAtDesk } from '../../contract/desk/desk-proposals.ts'
import type { UploadReport } from '../../contract/document-report.ts'
import { limits } from '../../contract/limits.ts'
import { refuseUpload } from '../../contract/provider/provider-documents.ts'
import { signAgreement } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { setReport } from '../documents/document-case-store.ts'
import { enqueue, recipientIndex } from '../platform/messages/outbox.ts'
import { endOverdue } from '../renewal/renewal-moves.ts'
import { openBrowser } from '../testing/browser.ts'
import { fill } from '../testing/calls.ts'
import { runBehindLock } from '../testing/concurrency.ts'
import { readPortalId } from '../testing/database-state.ts'
import { letStaffIn, openDesk, signInStaff, readStaffEntries, uncountStaff } from '../testing/open-desk.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { addAccount, addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveDocument, moveDocument, trustTestAuthorities, uploadSigned } from '../testing/samples/sample-documents.ts'
import type { Objects } from '../testing/samples/sample-objects.ts'
import { renewUntilAgreement, at, readCodeFor, read, shownOf } from '../testing/samples/sample-renewals.ts'
import { inviteTo, makeSeal } from '../testing/samples/sample-seals.ts'
import { giveTimestamps } from '../testing/samples/sample-timestamps.ts'
import { openVoucherCase } from '../testing/samples/sample-vouchers.ts'

const renewalPortal = await openPortalWithRenewals()
const { portal, provider, service, makeRenewable } = renewalPortal
const desk = await openDesk(portal)
const agent = await signInStaff(desk, 'staff-1')

const accountOf = (customer: string) => readPortalId(portal, 'accounts', customer)

const entriesOf = (account: string) => readStaffEntries(portal, account)

beforeEach(() => uncountStaff(portal))

const mailsTo = (to: string) => portal.mails.filter((mail) => mail.to === to)

test('DSK-18 R235 the page of a customer lists what they have, with what waits for whom, and no full number or name', async () => {
  const renewing = await makeRenewable()
  const { person, browser, signature } = renewing
  const renewal = await renewUntilAgreement(renewalPortal, renewing)
  const given = await giveDocument(portal, person.id)
  const { opened } = await openVoucherCase(portal, browser)
  const used = await makeSeal(portal, provider, [{ person, role: 'admin', status: 'active' }])
  const invited = await makeSeal(portal, provider, [{ person, role: 'user', status: 'pending' }])
  await giveTimestamps(portal, person.id)
  const { body } = await agent.call(readDeskCustomer, { params: { id: await accountOf(person.id) } })
  const { products } = body
  expect(products).toMatchObject({
    certificates: { items: [{ filed: signature.providerId, status: 'good', isPaired: false }], hasMore: false },
    seals: { items: [{ filed: used.providerId, role: 'admin' }] },
    invitations: { items: [{ filed: invited.providerId, isExpired: false, isSuperfluous: false }] },
    renewals: { items: [{ number: renewalNumber(renewal.uid), state: 'signing', waits: 'renewal-signature' }] },
    documents: { items: [{ filed: given.providerDocumentCase, waits: 'document-signature', refusal: null }] },
    vouchers: { items: [{ number: opened.number, waits: 'voucher-case' }] },
    statusRequests: { items: [] },
    timestamps: { items: [{ isActive: true, packages: 1 }] },
  })
  expect(products.certificates.items[0]!.serial).toMatch(/^•+[0-9A-F]{3}$/)
  expect(JSON.stringify(products)).not.toMatch(/Nowak|Anna|Łączność|90010112345/)
})

describe('DSK-19 DSK-20 one case', () => {
  test('DSK-19 DSK-20 a renewal that the signing service holds up says so; an agent has it asked again, or lets the customer sign again', async () => {
    const renewing = await makeRenewable()
    const { person, browser } = renewing
    const ready = await renewUntilAgreement(renewalPortal, renewing)
    const code = await readCodeFor(renewalPortal, renewing, ready)
    service.failure = 'unreachable'
    await browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
    await portal.deliver()
    const account = await accountOf(person.id)
    const params = { id: account, kind: 'renewal', case: ready.uid } as const
    const stuck = (await agent.call(readDeskCase, { params })).body
    expect(stuck).toMatchObject({
      number: renewalNumber(ready.uid),
      state: 'authorised',
      waits: 'signing-service',
      failure: { cause: expect.stringContaining('signing service'), tries: 1, nextTryAt: expect.any(String) },
      actions: ['retry-signing', 'sign-again'],
    })
    expect(stuck.steps.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['renewal-opened', 'renewal-data-confirmed', 'renewal-authorised']),
    )
    expect(stuck.steps.map(({ at: moment }) => moment)).toEqual(stuck.steps.map(({ at: moment }) => moment).toSorted())

    // The renewal moves on after it was read.
    const doAs = (action: 'sign-again' | 'retry-signing') => agent.call(actOnDeskCase, { params, body: { action } })
    const moved: [string, unknown[]] = ['update renewals set version = version + 1 where id = $1', [params.case]]
    const raced = await runBehindLock(portal, moved, () => doAs('sign-again'))
    expect(raced).toMatchObject({ status: 422, problem: { code: 'state-passed' } })

    const again = await doAs('sign-again')
    expect(again.body).toMatchObject({ state: 'signing', waits: 'renewal-signature-again', actions: ['send-notice'] })
    expect((await read(browser, ready)).hasSigningFailed).toBe(true)
    delete service.failure
    const next = await readCodeFor(renewalPortal, renewing, await read(browser, ready))
    service.failure = 'unreachable'
    const now = await read(browser, ready)
    await browser.call(signAgreement, { params: at(now), body: { ...shownOf(now), code: next } })
    await portal.deliver()
    delete service.failure
    // The job tries between the reading and the action.
    const order = 'where id = (select signing_order from renewals where id = $1)'
    const sent: [string, unknown[]] = [`update outbox set outcome = 'sent' ${order}`, [params.case]]
    const tooLate = await runBehindLock(portal, sent, () => doAs('retry-signing'))
    expect(tooLate).toMatchObject({ status: 422, problem: { code: 'state-passed' } })
    await portal.owner.query(`update outbox set outcome = null ${order}`, [params.case])
    // The next try would be seconds away.
    expect((await doAs('retry-signing')).status).toBe(200)
    await portal.deliver()
    const done = (await agent.call(readDeskCase, { params })).body
    expect(done).toMatchObject({ state: 'signed', waits: 'certificate', failure: null, actions: ['send-notice'] })
    const acts = ['desk-case-read', 'desk-signing-reopened', 'desk-signing-retried', 'desk-case-read']
    expect((await entriesOf(account)).map(({ act }) => act)).toEqual(acts)
    const passed = { code: 'state-passed', current: 'signed' }
    expect(await doAs('sign-again')).toMatchObject({ status: 422, problem: passed })
  })

  const endEarly = (renewal: string) =>
    portal.owner.query(`update renewals set ends_at = portal_now() - interval '3 days' where id = $1`, [renewal])

  test('DSK-18 DSK-19 a renewal that has expired has ended at its end, before and after its row says so', async () => {
    const renewing = await makeRenewable()
    const renewal = await renewUntilAgreement(renewalPortal, renewing)
    const account = await accountOf(renewing.person.id)
    await endEarly(renewal.uid)
    const params = { id: account, kind: 'renewal', case: renewal.uid } as const
    const shown = async () => {
      const { body: one } = await agent.call(readDeskCase, { params })
      const { body: customer } = await agent.call(readDeskCustomer, { params: { id: account } })
      return [one, ...customer.products.renewals.items].map(({ state, since }) => [state, since])
    }
    const { rows } = await sql<{ end: Date }>`select ends_at as end from renewals
      where id = ${renewal.uid}`.execute(portal.ownerDb)
    const expired = ['expired', rows[0]!.end.toISOString()]
    expect(await shown()).toEqual([expired, expired])
    await endOverdue(portal.db, portal.portal.ports.documents)
    expect(await shown()).toEqual([expired, expired])
  })

  test('DSK-26 R251 what was entered in a renewal that expires during a legal hold stays until the hold is released', async () => {
    const renewing = await makeRenewable()
    const renewal = await renewUntilAgreement(renewalPortal, renewing)
    const account = await accountOf(renewing.person.id)
    const kept = async () => {
      const { rows } = await sql<Record<string, unknown>>`
        select state, parameters is not null as parameters, terms is not null as terms, agreement_key as agreement
        from renewals where id = ${renewal.uid}`.execute(portal.ownerDb)
      return rows[0]!
    }
    const other = await letStaffIn(portal, desk, { subject: 'staff-8', roles: ['agent'] })
    const decide = async (kind: 'hold' | 'hold-release') => {
      const { body } = await agent.call(proposeAtDesk, { params: { id: account }, body: { kind, reason: 'Pismo 7' } })
      const { id } = body.proposals.find((proposal) => proposal.kind === kind && !proposal.outcome)!
      expect((await other.call(approveProposal, { params: { id } })).status).toBe(204)
    }
    await decide('hold')
    const { agreement } = await kept()
    expect(agreement).toEqual(expect.any(String))
    await endEarly(renewal.uid)
    const { documents } = portal.portal.ports
    await endOverdue(portal.db, documents)
    expect(await kept()).toEqual({ state: 'expired', parameters: true, terms: true, agreement })
    const discarded = async () =>
      (await portal.owner.query('select from discarded_files where file = $1', [agreement])).rows.length
    expect(await discarded()).toBe(0)
    await decide('hold-release')
    expect(await kept()).toEqual({ state: 'expired', parameters: false, terms: false, agreement: null })
    expect(await discarded()).toBe(1)
  })

  test('DSK-19 R245 a refused document says why; its notice is sent again, once a minute', async () => {
    const { person, account } = await addAccount(portal)
    const { documentCase, providerDocumentCase } = await giveDocument(portal, person.id)
    await moveDocument(portal, documentCase, 'subscriber-uploaded')
    const refusal = { reason: 'other-signer', note: { pl: 'Podpisał kolega.', en: 'A colleague signed.' } } as const
    await openBrowser(portal).call(refuseUpload, { params: { case: providerDocumentCase }, body: refusal })
    await portal.deliver()
    const params = { id: account, kind: 'document', case: documentCase } as const
    const canceled = { state: 'canceled', waits: null, refusal, actions: ['send-notice'] }
    expect((await agent.call(readDeskCase, { params })).body).toMatchObject(canceled)
    const { settings } = portal.portal
    const on = settings.featuresOff
    settings.featuresOff = ['documents']
    const offered = (await agent.call(readDeskCase, { params })).body.actions
    settings.featuresOff = on
    expect(offered).toEqual([])
    await sql`update accounts set email = 'new@mail.example', email_key = 'new@mail.example'
      where id = ${account}`.execute(portal.ownerDb)
    const before = mailsTo(person.email).length
    const send = () => agent.call(actOnDeskCase, { params, body: { action: 'send-notice' } })
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 429])
    // An id in capitals is the same case.
    const capitals = { ...params, case: documentCase.toUpperCase() }
    const repeated = await agent.call(actOnDeskCase, { params: capitals, body: { action: 'send-notice' } })
    expect(repeated).toMatchObject({ status: 429, problem: { code: 'resend-too-early' } })
    const same = (await agent.call(readDeskCase, { params: capitals })).body
    expect(same).toMatchObject({ id: documentCase, steps: (await agent.call(readDeskCase, { params })).body.steps })
    expect(same.steps.map(({ action }) => action)).toContain('desk-notice-resent')
    await portal.deliver()
    expect(mailsTo(person.email)).toHaveLength(before)
    expect(mailsTo('new@mail.example')).toMatchObject([{ text: expect.stringMatching(/A colleague|kolega/) }])
  })

  test('DSK-19 R235 the check of an upload is shown with masked signers, also where somebody has issued their certificate themselves', async () => {
    await trustTestAuthorities(portal)
    const { person, account } = await addAccount(portal)
    const { documentCase } = await giveDocument(portal, person.id)
    const params = { id: account, kind: 'document', case: documentCase } as const
    expect((await agent.call(readDeskCase, { params })).body.uploadCheck).toBeNull()
    await uploadSigned(portal, await signInDirectly(portal, person), person.email, documentCase)
    const { body } = await agent.call(readDeskCase, { params })
    expect(body).toMatchObject({ waits: 'document-check', uploadCheck: { verdict: 'accepted', problems: [] } })
    const [found] = body.uploadCheck!.signatures
    expect(found).toMatchObject({ kind: 'signature', signer: 'A••• N•••', issuer: expect.any(String), trusted: true })
    expect(JSON.stringify(body)).not.toMatch(/Anna|Nowak/)
    expect((await entriesOf(account)).map(({ act }) => act)).toEqual(['desk-case-read', 'desk-case-read'])

    const upload = 'select upload_file as id from document_cases where id = $1'
    const { rows } = await portal.owner.query<{ id: string }>(upload, [documentCase])
    const own: UploadReport['signatures'][number] = {
      ...found!,
      level: null,
      trusted: false,
      signer: 'NOWAK  Jan-Maria',
      issuer: 'NOWAK Jan-Maria',
      problems: [{ code: 'path-untrusted', severity: 'wait' }],
    }
    const report: UploadReport = {
      verdict: 'pending',
      document: 'same-content',
      problems: [{ code: 'not-comparable', severity: 'wait' }],
      signatures: [own, { ...own, signer: null, issuer: null }],
    }
    await setReport(portal.db, portal.portal.keys, rows[0]!.id, report)
    const again = (await agent.call(readDeskCase, { params })).body
    const { level: _, ...shown } = { ...own, signer: 'N••• J•••', issuer: null }
    expect(again.uploadCheck).toEqual({ ...report, signatures: [shown, { ...shown, signer: null }] })
    expect(JSON.stringify(again)).not.toMatch(/NOWAK|Jan|Maria/)
  })

  test('DSK-19 a voucher case says that the provider has to act, and its notice is sent again', async () => {
    const { person, account } = await addAccount(portal)
    const { opened } = await openVoucherCase(portal, await signInDirectly(portal, person))
    await portal.deliver()
    const before = mailsTo(person.email).length
    const params = { id: account, kind: 'voucher', case: opened.id } as const
    expect((await agent.call(readDeskCase, { params })).body).toMatchObject({
      number: opened.number,
      waits: 'voucher-case',
      steps: [{ action: 'voucher-redeemed', actor: 'customer' }],
    })
    expect((await agent.call(actOnDeskCase, { params, body: { action: 'send-notice' } })).status).toBe(200)
    await portal.deliver()
    expect(mailsTo(person.email).length - before).toBe(1)
  })

  test('R244 a case is found by its own customer only, and not once that one is erased', async () => {
    const { person: owner, account } = await addAccount(portal)
    const { account: foreign } = await addAccount(portal)
    const { documentCase } = await giveDocument(portal, owner.id)
    const { opened } = await openVoucherCase(portal, await signInDirectly(portal, owner))
    const renewing = await makeRenewable()
    const renewal = await renewUntilAgreement(renewalPortal, renewing)
    const cases = { document: documentCase, voucher: opened.id, renewal: renewal.uid } as const
    for (const [kind, id] of Object.entries(cases) as [keyof typeof cases, string][]) {
      const params = { id: foreign, kind, case: id }
      expect([kind, (await agent.call(readDeskCase, { params })).status]).toEqual([kind, 404])
      const acted = await agent.call(actOnDeskCase, { params, body: { action: 'send-notice' } })
      expect([kind, acted.status]).toEqual([kind, 404])
    }
    expect(await entriesOf(foreign)).toEqual([])
    await portal.owner.query(`insert into erasures (account_id) values ($1)`, [account])
    const params = { id: account, kind: 'document', case: documentCase } as const
    expect((await agent.call(readDeskCase, { params })).status).toBe(404)
  })
})

test('R237 R244 every call about a customer counts as a look-up', async () => {
  const { account } = await addAccount(portal)
  const other = await letStaffIn(portal, desk, { subject: 'staff-9', roles: ['agent'] })
  const look = () => other.call(searchDesk, { body: { text: 'nobody@mail.example' } })
  for (let i = 0; i < deskLimits.lookUps.limit; i += 10) await Promise.all(Array.from({ length: 10 }, look))
  const calls = desk.app.endpoints.filter(({ path }) => path.startsWith('/desk/api/customers/:id'))
  expect(calls.length).toBeGreaterThan(10)
  for (const endpoint of calls) {
    const filled = await fill(endpoint, { account, providerCustomer: 'c-1' } as Objects, provider)
    const { status } = await other.send(endpoint, filled)
    expect([endpoint.path, status]).toEqual([endpoint.path, 429])
  }
})

describe('DSK-22 messages and invitations', () => {
  test('DSK-22 R245 undelivered messages to the present address and number are sent again now, an expired code is not', async () => {
    const { person, account } = await addAccount(portal)
    const past = new Date(Date.now() - 60_000)
    const text = { channel: 'mail', subject: 'sample', text: 'sample', html: 'sample' } as const
    const ids = await portal.db.transaction().execute(async (tx) => ({
      dead: await enqueue(tx, portal.portal.keys, { ...text, to: person.email }),
      waiting: await enqueue(tx, portal.portal.keys, { ...text, to: person.email }),
      former: await enqueue(tx, portal.portal.keys, { ...text, to: 'former@mail.example' }),
      expired: await enqueue(tx, portal.portal.keys, { channel: 'sms', to: person.phone, text: 'code' }),
    }))
    const set = (id: string, recipient: string, outcome: string | null, dropAt: Date | null = null) =>
      sql`update outbox set outcome = ${outcome}, failure = 'The mailbox is full.', tries = 5, drop_at = ${dropAt},
        next_try_at = portal_now() + interval '1 hour', recipient_index = ${recipientIndex(portal.portal.keys, recipient)}
        where id = ${id}`.execute(portal.ownerDb)
    await set(ids.dead, person.email, 'dead')
    await set(ids.waiting, person.email, null)
    await set(ids.former, 'former@mail.example', 'dead')
    await set(ids.expired, person.phone, 'dead', past)
    const { body, status } = await agent.call(resendMessagesAtDesk, { params: { id: account } })
    expect([status, body.account]).toEqual([200, account])
    await portal.deliver()
    const outcomes = await sql<{ id: string; outcome: string | null }>`select id, outcome from outbox
      where id = any(${Object.values(ids)})`.execute(portal.ownerDb)
    const outcomeOf = (id: string) => outcomes.rows.find((row) => row.id === id)!.outcome
    expect([ids.dead, ids.waiting, ids.former, ids.expired].map(outcomeOf)).toEqual(['sent', 'sent', 'dead', 'dead'])
    const details = { messages: 2, actorName: 'Ewa Lis' }
    expect((await entriesOf(account)).at(-1)).toMatchObject({ act: 'desk-messages-resent', details })
    expect((await agent.call(resendMessagesAtDesk, { params: { id: account } })).problem.code).toBe('resend-too-early')
  })

  test('DSK-22 an invitation that the portal does not show, because its seal is used already, is shown as superfluous and withdrawn', async () => {
    const { person, account } = await addAccount(portal)
    const seal = await makeSeal(portal, provider, [{ person, role: 'user', status: 'active' }])
    // The address of the access is an earlier one.
    await sql`update seal_users set email = 'earlier@mail.example', email_key = 'earlier@mail.example'
      where id = ${seal.users[0]!.id}`.execute(portal.ownerDb)
    const second = await inviteTo(portal, seal.providerId, { email: person.email })
    const { body } = await agent.call(readDeskCustomer, { params: { id: account } })
    expect(body.products.invitations.items).toMatchObject([{ id: second.id, isSuperfluous: true }])
    const params = { id: account, invitation: second.id }
    const foreign = { id: (await addAccount(portal)).account, invitation: second.id }
    for (const call of [resendInvitationAtDesk, withdrawInvitationAtDesk])
      expect((await agent.call(call, { params: foreign })).status).toBe(404)
    const withdrawn = await agent.call(withdrawInvitationAtDesk, { params })
    expect(withdrawn.body.products).toMatchObject({ invitations: { items: [] }, seals: { items: [{ role: 'user' }] } })
    const acts = (await entriesOf(account)).slice(-2).map(({ act }) => act)
    expect(acts).toEqual(['seal-user-removed', 'desk-customer-read'])
  })

  test('DSK-22 an invitation is sent again with its full time, once a minute', async () => {
    const { person, account } = await addAccount(portal)
    const { users } = await makeSeal(portal, provider, [{ person, role: 'user', status: 'pending' }])
    await portal.deliver()
    const params = { id: account, invitation: users[0]!.id }
    expect((await agent.call(resendInvitationAtDesk, { params })).problem.code).toBe('resend-too-early')
    await sql`update seal_users set invited_at = portal_now() - interval '8 days', expires_at = portal_now() - interval '1 day'
      where id = ${params.invitation}`.execute(portal.ownerDb)
    const before = mailsTo(person.email).length
    const { body } = await agent.call(resendInvitationAtDesk, { params })
    expect(body.products.invitations.items).toMatchObject([{ isExpired: false }])
    await portal.deliver()
    expect(mailsTo(person.email).length - before).toBe(1)
    // The limit for one address counts what the desk sends (R74).
    const statuses = []
    for (let time = 0; time < limits.seal.invitations.limit; time++) {
      await sql`update seal_users set invited_at = portal_now() - interval '1 hour'
        where id = ${params.invitation}`.execute(portal.ownerDb)
      const { status, problem } = await agent.call(resendInvitationAtDesk, { params })
      statuses.push(status === 200 ? status : problem.code)
    }
    expect(statuses.at(-1)).toBe('sends-spent')
    expect(statuses.slice(0, -1)).toEqual(statuses.slice(1).map(() => 200))
  })

  test('DSK-22 R40 an invitation that is activated while it is withdrawn stays access', async () => {
    const { person, account } = await addAccount(portal)
    const { users } = await makeSeal(portal, provider, [
      { person: await addCustomer(portal), role: 'admin', status: 'active' },
      { person, role: 'user', status: 'pending' },
    ])
    const invitation = users[1]!.id
    // The activation holds the lock of the seal here, and ends while the withdrawal waits for it.
    const withdrawn = await runBehindLock(
      portal,
      ['select from seals where id = (select seal_id from seal_users where id = $1) for no key update', [invitation]],
      () => agent.call(withdrawInvitationAtDesk, { params: { id: account, invitation } }),
      {
        change: [
          `update seal_users set status = 'active', account_id = $2, acquired_at = portal_now() where id = $1`,
          [invitation, account],
        ],
      },
    )
    expect(withdrawn.status).toBe(404)
    const { rows } = await portal.owner.query('select status from seal_users where id = $1', [invitation])
    expect(rows).toEqual([{ status: 'active' }])
  })
})
