import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listActivity } from '../../contract/activity.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { rolesFor, type DeskRole } from '../../contract/desk/desk-permissions.ts'
import { readDeskSession } from '../../contract/desk/desk-session.ts'
import {
  cancelDocumentAtDesk,
  judgeIdentityAtDesk,
  listDeskTasks,
  refuseUploadAtDesk,
  unmaskIdentityDocument,
} from '../../contract/desk/desk-tasks.ts'
import type { IdentityDocument } from '../../contract/identification.ts'
import { enterIdentityDocument } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { putPersonalData, findPersonalData } from '../personal-data/personal-data-store.ts'
import { readPortalId } from '../testing/database-state.ts'
import { letStaffIn, openDesk, readStaffEntries, uncountStaff } from '../testing/open-desk.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { addAccount } from '../testing/samples/ready-customers.ts'
import { giveDocument, moveDocument } from '../testing/samples/sample-documents.ts'
import { at, expectedOf, startRenewal, read, renewalIn } from '../testing/samples/sample-renewals.ts'
import { findIndexes, recordStatements, findWholeReads, withManyRows } from '../testing/statement-plans.ts'

const { portal, makeRenewable } = await openPortalWithRenewals()
const desk = await openDesk(portal)

let people = 0
const person = (role: DeskRole) => letStaffIn(portal, desk, { subject: `person-${++people}`, roles: [role] })
const agent = await person('agent')

const expired: IdentityDocument = { type: 'DO', number: 'ABA300000', validTo: '2025-01-31', issuedBy: 'Burmistrz' }
const fresh: IdentityDocument = { ...expired, validTo: '2033-01-31' }

/** Creates a customer whose renewal waits for a decision on a document. */
async function makeAsking(document = fresh) {
  const renewing = await makeRenewable({ identification: { document: expired } })
  const { browser, person: customer } = renewing
  const draft = await startRenewal(renewing)
  const enter = async (next: IdentityDocument) => {
    const body = { expected: expectedOf(await read(browser, draft)), document: next }
    return renewalIn(await browser.call(enterIdentityDocument, { params: at(draft), body }))
  }
  await enter(document)
  const account = await readPortalId(portal, 'accounts', customer.id)
  return { browser, customer, draft, enter, account, params: { id: account, renewal: draft.uid } }
}

async function makeUpload() {
  const { person: customer, account } = await addAccount(portal)
  const { documentCase } = await giveDocument(portal, customer.id)
  await moveDocument(portal, documentCase, 'subscriber-uploaded')
  return { customer, params: { id: account, document: documentCase } }
}

const entriesOf = (account: string) => readStaffEntries(portal, account)

const mailsTo = async (to: string) => {
  await portal.deliver()
  return portal.mails.filter((mail) => mail.to === to).length
}

async function allTasks() {
  const { items, next } = (await agent.call(listDeskTasks)).body
  const pages = [items]
  for (let cursor = next; cursor;) {
    const { body } = await agent.call(listDeskTasks, { query: { cursor } })
    pages.push(body.items)
    cursor = body.next
  }
  return pages
}

test('DSK-38 R235 tasks are listed by page, the oldest first, with masked customers and an entry for each; not of an erased one', async () => {
  const asking = await makeAsking()
  const upload = await makeUpload()
  const erased = await makeUpload()
  await portal.owner.query(`insert into erasures (account_id) values ($1)`, [erased.params.id])
  await sql`update document_cases set updated_at = portal_now() - interval '3 days'
    where id = ${upload.params.document}`.execute(portal.ownerDb)
  const pages = await allTasks()
  const accounts = [asking.account, upload.params.id, erased.params.id]
  expect(pages.flat().filter(({ customer }) => accounts.includes(customer.account))).toMatchObject([
    { kind: 'upload', case: upload.params.document, customer: { account: upload.params.id } },
    { kind: 'identity', case: asking.draft.uid, number: renewalNumber(asking.draft.uid) },
  ])
  expect(JSON.stringify(pages)).not.toMatch(/Nowak|ABA300000|90010112345/)
  expect(await entriesOf(asking.account)).toMatchObject([{ act: 'desk-tasks-read' }])

  // More than a page, many of the same moment.
  await sql`insert into document_cases (id, provider_id, account_id, application, document, process, signer, status, updated_at)
    select gen_random_uuid(), 'many-' || n, account_id, application, document, process, signer, status,
      date_trunc('hour', portal_now()) + interval '123456 microseconds'
    from document_cases, generate_series(1, ${2 * deskLimits.tasks}) n
    where id = ${upload.params.document}`.execute(portal.ownerDb)
  const long = await allTasks()
  expect(long.slice(0, -1).map(({ length }) => length)).toEqual(long.slice(0, -1).map(() => deskLimits.tasks))
  expect(new Set(long.flat().map((task) => task.case)).size).toBe(pages.flat().length + 2 * deskLimits.tasks)
  const moments = long.flat().map(({ since }) => since)
  expect(moments).toEqual(moments.toSorted())
  await portal.owner.query(`delete from document_cases where provider_id like 'many-%'`)
})

test('DSK-38 DSK-9 an identity document is seen in full for a reason, and confirmed once by two at the same time; it replaces the one on file', async () => {
  const { browser, customer, draft, account, params } = await makeAsking()
  const before = await mailsTo(customer.email)
  const none = await agent.call(unmaskIdentityDocument, { params, body: { reason: ' ' } })
  expect(none.problem.code).toBe('invalid-input')
  const { body: seen } = await agent.call(unmaskIdentityDocument, { params, body: { reason: 'Ticket 7' } })
  expect(seen).toMatchObject({ document: fresh, filed: expired, identificationNumber: expect.any(String) })
  const body = { document: seen.document, verdict: 'confirmed' } as const
  const judge = async () => (await person('agent')).call(judgeIdentityAtDesk, { params, body })
  expect((await Promise.all([judge(), judge()])).map(({ status }) => status)).toEqual([200, 200])
  expect(await read(browser, draft)).toMatchObject({ identityCheck: { state: 'confirmed' }, stops: [] })
  expect((await findPersonalData(portal.db, portal.portal.keys, account))?.document).toEqual(fresh)
  // The second judgement changed nothing, and both replies show the case (R237, DSK-16).
  expect(await entriesOf(account)).toMatchObject([
    { act: 'desk-identity-unmasked', details: { renewal: draft.uid, reason: 'Ticket 7', actorName: 'person-1' } },
    { act: 'renewal-document-judged', details: { renewal: draft.uid, verdict: 'confirmed' } },
    { act: 'customer-updated' },
    { act: 'desk-case-read', details: { renewal: draft.uid } },
    { act: 'desk-case-read', details: { renewal: draft.uid } },
  ])
  expect((await mailsTo(customer.email)) - before).toBe(1)
  // Neither is it refused afterwards, nor shown again.
  const late = await agent.call(judgeIdentityAtDesk, { params, body: { document: fresh, verdict: 'refused' } })
  expect(late).toMatchObject({ status: 422, problem: { code: 'state-passed' } })
  const again = await agent.call(unmaskIdentityDocument, { params, body: { reason: 'Ticket 7' } })
  expect(again.problem.code).toBe('state-passed')
  // The customer sees that somebody has read it (DSK-27).
  const { body: history } = await browser.call(listActivity, { query: { kind: 'personal-data' } })
  expect(history.items.map(({ act }) => act)).toContain('data-read-by-support')
})

test('DSK-38 a document that has expired, is another one since, or would be another identity is not confirmed; the customer’s data stay', async () => {
  const { draft, browser, enter, account, params } = await makeAsking({ ...fresh, validTo: '2025-06-30' })
  const judge = (document: IdentityDocument, verdict: 'confirmed' | 'refused') =>
    agent.call(judgeIdentityAtDesk, { params, body: { document, verdict } })
  const old = { ...fresh, validTo: '2025-06-30' }
  expect((await judge(old, 'confirmed')).problem).toMatchObject({ code: 'renewal-refused', reason: 'DOC_EXPIRED' })
  await enter(fresh)
  expect((await judge(old, 'refused')).problem.code).toBe('state-passed')
  expect((await judge({ ...fresh, number: 'ABA300001' }, 'confirmed')).status).not.toBe(200)
  expect(await entriesOf(account)).toEqual([])
  // Where the number of the document identifies the customer, another one would be another person.
  const known = (await findPersonalData(portal.db, portal.portal.keys, account))!
  const store = (identification: typeof known) => {
    const stated = new Map([[account, identification]])
    return portal.db.transaction().execute((tx) => putPersonalData(tx, portal.portal.keys, stated))
  }
  await store({ ...known, identifierType: 'IDC', identificationNumber: 'AAA000000' })
  expect((await judge(fresh, 'confirmed')).problem).toMatchObject({ reason: 'DATA_MISMATCH' })
  // The certificate names somebody whom the customer's data do not fit any more.
  await store({ ...known, identifierType: 'PNO', identificationNumber: '44051401359' })
  expect((await judge(fresh, 'confirmed')).problem).toMatchObject({ reason: 'DATA_MISMATCH' })
  await store(known)
  expect(await entriesOf(account)).toEqual([])
  expect((await judge(fresh, 'refused')).body).toMatchObject({ kind: 'renewal', id: draft.uid })
  expect(await read(browser, draft)).toMatchObject({ identityCheck: { state: 'refused' }, stops: ['DOC_EXPIRED'] })
  expect((await findPersonalData(portal.db, portal.portal.keys, account))?.document).toEqual(expired)
})

test('DSK-38 an upload is refused once by two at the same time, with its reason; a case is cancelled once', async () => {
  const { customer, params } = await makeUpload()
  const before = await mailsTo(customer.email)
  const refuse = () => agent.call(refuseUploadAtDesk, { params, body: { reason: 'other-signer' } })
  const answers = await Promise.all([refuse(), refuse()])
  for (const { body } of answers)
    expect(body).toMatchObject({ state: 'canceled', waits: null, refusal: { reason: 'other-signer', note: null } })
  expect(await entriesOf(params.id)).toMatchObject([
    { act: 'document-upload-refused' },
    { act: 'desk-case-read', details: { documentCase: params.document } },
    { act: 'desk-case-read', details: { documentCase: params.document } },
  ])
  const otherwise = await agent.call(refuseUploadAtDesk, { params, body: { reason: 'changed' } })
  expect(otherwise.problem).toMatchObject({ code: 'state-passed', current: 'canceled' })
  expect((await mailsTo(customer.email)) - before).toBe(1)

  const other = await makeUpload()
  const cancel = () => agent.call(cancelDocumentAtDesk, { params: other.params })
  expect((await Promise.all([cancel(), cancel()])).map(({ body }) => body.state)).toEqual(['canceled', 'canceled'])
  const acts = (await entriesOf(other.params.id)).map(({ act }) => act)
  expect(acts).toEqual(['document-canceled', 'desk-case-read', 'desk-case-read'])
  const late = await agent.call(refuseUploadAtDesk, { params: other.params, body: { reason: 'other' } })
  expect(late.problem).toMatchObject({ code: 'state-passed', current: 'canceled' })
})

test('DSK-38 DSK-3 only an agent may, and only for the customer whose case it is', async () => {
  const [asking, upload] = [await makeAsking(), await makeUpload()]
  const { account: id } = await addAccount(portal)
  const renewal = { ...asking.params, id }
  const document = { ...upload.params, id }
  const answers = [
    await agent.call(unmaskIdentityDocument, { params: renewal, body: { reason: 'Ticket 7' } }),
    await agent.call(judgeIdentityAtDesk, { params: renewal, body: { document: fresh, verdict: 'confirmed' } }),
    await agent.call(refuseUploadAtDesk, { params: document, body: { reason: 'other' } }),
    await agent.call(cancelDocumentAtDesk, { params: document }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  for (const account of [asking.account, upload.params.id, id]) expect(await entriesOf(account)).toEqual([])
  const calls = [listDeskTasks, unmaskIdentityDocument, judgeIdentityAtDesk, refuseUploadAtDesk, cancelDocumentAtDesk]
  for (const call of calls) expect([call.path, rolesFor(call)]).toEqual([call.path, ['agent']])
})

test('DSK-38 with `DESK_TASKS=off` the desk has no such call, and its session says so', async () => {
  expect((await agent.call(readDeskSession)).body.hasTasks).toBe(true)
  const { params } = await makeAsking()
  portal.portal.settings.hasDeskTasks = false
  try {
    const off = await openDesk(portal)
    const other = await letStaffIn(portal, off, { subject: 'person-off', roles: ['agent'] })
    expect((await other.call(readDeskSession)).body.hasTasks).toBe(false)
    expect((await other.call(listDeskTasks)).status).toBe(404)
    const judged = await other.call(judgeIdentityAtDesk, { params, body: { document: fresh, verdict: 'confirmed' } })
    expect(judged.status).toBe(404)
  } finally {
    portal.portal.settings.hasDeskTasks = true
  }
})

test('OPS-7 DSK-38 a page of the tasks is read along the indexes of their order, and nothing from end to end', async () => {
  await makeAsking()
  await makeUpload()
  await uncountStaff(portal)
  const texts = await recordStatements(async () => {
    await allTasks()
  })
  const list = [...texts.keys()].filter((text) => text.includes('from document_cases c where'))
  expect(list.length).toBeGreaterThan(0)
  await withManyRows(portal, async (client) => {
    for (const text of list) {
      expect(await findWholeReads(client, text)).toEqual([])
      const indexes = ['renewals_waiting_for_identity', 'document_cases_waiting_for_check']
      expect(await findIndexes(client, text)).toEqual(expect.arrayContaining(indexes))
    }
  })
})
