import { expect, test } from 'vitest'
import {
  cancelDocumentAtDesk,
  judgeIdentityAtDesk,
  listDeskTasks,
  refuseUploadAtDesk,
  unmaskIdentityDocument,
} from '../../contract/desk/desk-tasks.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { readDeskSession } from '../../contract/desk/desk-session.ts'
import { listActivity } from '../../contract/activity.ts'
import { rolesFor, type DeskRole } from '../../contract/desk/desk-permissions.ts'
import type { IdentityDocument } from '../../contract/personal-data.ts'
import { enterIdentityDocument } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import { putPersonalData, readPersonalData } from '../personal-data/personal-data-store.ts'
import { letStaffIn, openDesk } from '../testing/open-desk.ts'
import { closingWithFile } from '../testing/open-portal.ts'
import { portalId } from '../testing/portal-ids.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'
import { indexesOf, pretendManyRows, statementsOf, wholeReads } from '../testing/statement-plans.ts'
import { at, expectedOf, opened, openRenewalPortal, read, renewalIn } from '../testing/samples/sample-renewals.ts'

const { portal, makeRenewable } = await closingWithFile(openRenewalPortal, ({ close }) => close())
const desk = await openDesk(portal)

let people = 0
const person = (role: DeskRole) => letStaffIn(portal, desk, { subject: `person-${++people}`, roles: [role] })
const agent = await person('agent')

const expired: IdentityDocument = { type: 'DO', number: 'ABA300000', validTo: '2025-01-31', issuedBy: 'Burmistrz' }
const fresh: IdentityDocument = { ...expired, validTo: '2033-01-31' }

/** A customer whose renewal waits for the judgement of a document. */
async function makeAsking(document = fresh) {
  const renewing = await makeRenewable({ identification: { document: expired } })
  const { browser, person: customer } = renewing
  const draft = await opened(renewing)
  const enter = async (next: IdentityDocument) => {
    const body = { expected: expectedOf(await read(browser, draft)), document: next }
    return renewalIn(await browser.call(enterIdentityDocument, { params: at(draft), body }))
  }
  await enter(document)
  const account = await portalId(portal, 'accounts', customer.id)
  return { browser, customer, draft, enter, account, params: { id: account, renewal: draft.uid } }
}

async function makeUpload() {
  const customer = await addCustomer(portal)
  const { documentCase } = await giveDocument(portal, customer.id)
  for (const status of ['subscriber-downloaded', 'subscriber-uploaded'])
    await portal.owner.query('update document_cases set status = $2 where id = $1', [documentCase, status])
  const account = await portalId(portal, 'accounts', customer.id)
  return { customer, params: { id: account, document: documentCase } }
}

const staffEntries = async (account: string) =>
  (
    await portal.owner.query<{ act: string; details: Record<string, unknown> }>(
      `select act, details from audit where account_id = $1 and actor = 'staff' order by id`,
      [account],
    )
  ).rows

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
  await portal.owner.query(`update document_cases set updated_at = portal_now() - interval '3 days' where id = $1`, [
    upload.params.document,
  ])
  const pages = await allTasks()
  expect(pages.flat()).toMatchObject([
    { kind: 'upload', case: upload.params.document, customer: { account: upload.params.id } },
    { kind: 'identity', case: asking.draft.uid, number: renewalNumber(asking.draft.uid) },
  ])
  expect(JSON.stringify(pages)).not.toMatch(/Nowak|ABA300000|90010112345/)
  expect(await staffEntries(asking.account)).toMatchObject([{ act: 'desk-tasks-read' }])

  // More than a page, many of the same moment.
  await portal.owner.query(
    `insert into document_cases (id, provider_id, account_id, application, document, process, signer, status, updated_at)
     select gen_random_uuid(), 'many-' || n, account_id, application, document, process, signer, status, date_trunc('hour', portal_now()) + interval '123456 microseconds'
     from document_cases, generate_series(1, $2) n where id = $1`,
    [upload.params.document, 2 * deskLimits.tasks],
  )
  const long = await allTasks()
  expect(long.map((page) => page.length)).toEqual([deskLimits.tasks, deskLimits.tasks, 2])
  expect(new Set(long.flat().map((task) => task.case)).size).toBe(2 * deskLimits.tasks + 2)
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
  const judge = async () =>
    (await person('agent')).call(judgeIdentityAtDesk, {
      params,
      body: { document: seen.document, verdict: 'confirmed' },
    })
  expect((await Promise.all([judge(), judge()])).map(({ status }) => status)).toEqual([200, 200])
  expect(await read(browser, draft)).toMatchObject({ identityCheck: { state: 'confirmed' }, stops: [] })
  expect((await readPersonalData(portal.db, portal.portal.keys, account))?.document).toEqual(fresh)
  // The second judgement changed nothing, and both replies show the case (R237, DSK-16).
  expect(await staffEntries(account)).toMatchObject([
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
  expect(await staffEntries(account)).toEqual([])
  // Where the number of the document identifies the customer, another one would be another person.
  const known = (await readPersonalData(portal.db, portal.portal.keys, account))!
  const store = (identification: typeof known) =>
    portal.db
      .transaction()
      .execute((tx) => putPersonalData(tx, portal.portal.keys, new Map([[account, identification]])))
  await store({ ...known, identifierType: 'IDC', identificationNumber: 'AAA000000' })
  expect((await judge(fresh, 'confirmed')).problem).toMatchObject({ reason: 'DATA_MISMATCH' })
  // The certificate names somebody whom the customer's data do not fit any more.
  await store({ ...known, identifierType: 'PNO', identificationNumber: '44051401359' })
  expect((await judge(fresh, 'confirmed')).problem).toMatchObject({ reason: 'DATA_MISMATCH' })
  await store(known)
  expect(await staffEntries(account)).toEqual([])
  expect((await judge(fresh, 'refused')).body).toMatchObject({ kind: 'renewal', id: draft.uid })
  expect(await read(browser, draft)).toMatchObject({ identityCheck: { state: 'refused' }, stops: ['DOC_EXPIRED'] })
  expect((await readPersonalData(portal.db, portal.portal.keys, account))?.document).toEqual(expired)
})

test('DSK-38 an upload is refused once by two at the same time, with its reason; a case is cancelled once', async () => {
  const { customer, params } = await makeUpload()
  const before = await mailsTo(customer.email)
  const refuse = () => agent.call(refuseUploadAtDesk, { params, body: { reason: 'other-signer' } })
  const answers = await Promise.all([refuse(), refuse()])
  for (const { body } of answers)
    expect(body).toMatchObject({ state: 'canceled', waits: null, refusal: { reason: 'other-signer', note: null } })
  expect(await staffEntries(params.id)).toMatchObject([
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
  expect((await staffEntries(other.params.id)).map(({ act }) => act)).toEqual([
    'document-canceled',
    'desk-case-read',
    'desk-case-read',
  ])
  const late = await agent.call(refuseUploadAtDesk, { params: other.params, body: { reason: 'other' } })
  expect(late.problem).toMatchObject({ code: 'state-passed', current: 'canceled' })
})

test('DSK-38 DSK-3 only an agent may, and only for the customer whose case it is', async () => {
  const asking = await makeAsking()
  const upload = await makeUpload()
  const stranger = await portalId(portal, 'accounts', (await addCustomer(portal)).id)
  const calls = [
    (by: typeof agent, id?: string) =>
      by.call(unmaskIdentityDocument, {
        params: { ...asking.params, ...(id && { id }) },
        body: { reason: 'Ticket 7' },
      }),
    (by: typeof agent, id?: string) =>
      by.call(judgeIdentityAtDesk, {
        params: { ...asking.params, ...(id && { id }) },
        body: { document: fresh, verdict: 'confirmed' },
      }),
    (by: typeof agent, id?: string) =>
      by.call(refuseUploadAtDesk, { params: { ...upload.params, ...(id && { id }) }, body: { reason: 'other' } }),
    (by: typeof agent, id?: string) =>
      by.call(cancelDocumentAtDesk, { params: { ...upload.params, ...(id && { id }) } }),
  ]
  for (const role of ['reader', 'auditor', 'administrator'] as const) {
    const other = await person(role)
    expect((await other.call(listDeskTasks)).status).toBe(403)
    for (const call of calls) expect((await call(other)).status).toBe(403)
  }
  for (const call of calls) expect((await call(agent, stranger)).status).toBe(404)
  for (const id of [asking.account, upload.params.id, stranger]) expect(await staffEntries(id)).toEqual([])
  expect(rolesFor(listDeskTasks)).toEqual(['agent'])
})

test('DSK-38 with `DESK_TASKS=off` the desk has no such call, and its session says so', async () => {
  expect((await agent.call(readDeskSession)).body.tasks).toBe(true)
  const { params } = await makeAsking()
  portal.portal.settings.deskTasks = false
  try {
    const off = await openDesk(portal)
    const other = await letStaffIn(portal, off, { subject: 'person-off', roles: ['agent'] })
    expect((await other.call(readDeskSession)).body.tasks).toBe(false)
    expect((await other.call(listDeskTasks)).status).toBe(404)
    const judged = await other.call(judgeIdentityAtDesk, { params, body: { document: fresh, verdict: 'confirmed' } })
    expect(judged.status).toBe(404)
  } finally {
    portal.portal.settings.deskTasks = true
  }
})

test('OPS-7 DSK-38 a page of the tasks is read along the indexes of their order, and nothing from end to end', async () => {
  await makeAsking()
  await makeUpload()
  await portal.owner.query(`delete from budgets where name like 'desk-%'`)
  const texts = await statementsOf(async () => {
    await allTasks()
  })
  const client = await portal.owner.connect()
  await client.query('set enable_seqscan = off')
  await pretendManyRows(client)
  const found: string[] = []
  const list = [...texts.keys()].filter((text) => text.includes('from document_cases c where'))
  expect(list.length).toBeGreaterThan(0)
  for (const text of list) {
    found.push(...(await wholeReads(client, text)))
    expect(await indexesOf(client, text)).toEqual(
      expect.arrayContaining(['renewals_waiting_for_identity', 'document_cases_waiting_for_check']),
    )
  }
  client.release(true)
  expect(found).toEqual([])
})
