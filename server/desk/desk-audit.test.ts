import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { AuditAction } from '../../contract/audit-actions.ts'
import {
  exportDeskAudit,
  listDeskAudit,
  listDeskReaders,
  readingActions,
  verifyDeskAudit,
  type TrailFilters,
} from '../../contract/desk/desk-audit.ts'
import { actOnDeskCase, resendMessagesAtDesk } from '../../contract/desk/desk-cases.ts'
import * as deskCustomers from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { blockAtDesk, proposeAtDesk, withdrawProposal } from '../../contract/desk/desk-proposals.ts'
import { cancelDocumentAtDesk } from '../../contract/desk/desk-tasks.ts'
import { staffActions } from '../../contract/desk/staff-actions.ts'
import { keysOf } from '../../contract/enums.ts'
import { getCustomer } from '../../contract/provider/provider-customers.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { signHead } from '../platform/audit/audit-head.ts'
import { isLongerThan, periodOfDay } from '../platform/audit/audit-verify.ts'
import { addAuditEntries } from '../platform/audit/audit.ts'
import { openBrowser } from '../testing/browser.ts'
import { letStaffIn, openDesk, uncountStaff, type StaffBrowser } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { addAccount } from '../testing/samples/ready-customers.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'

const portal = await openPortal()
const desk = await openDesk(portal)
let auditor: StaffBrowser

const newAuditor = () => letStaffIn(portal, desk, { subject: 'Adam Bąk', roles: ['auditor'] })

/** Resets the counts of what other tests did, and signs in again, because the clock has moved since the last session. */
beforeEach(async () => {
  await uncountStaff(portal)
  auditor = await newAuditor()
})

const add = (action: AuditAction, count: number, over: Partial<AuditEntry> = {}) =>
  portal.db.transaction().execute((tx) => {
    const entry = { action, accountId: null, actor: 'system' as const }
    const entries = Array.from({ length: count }, (_, i) => ({ ...entry, details: { i }, ...over }))
    return addAuditEntries(tx, entries)
  })

const list = async (query: TrailFilters & { cursor?: string } = {}) => {
  const answer = await auditor.call(listDeskAudit, { query })
  expect([query, answer.status]).toEqual([query, 200])
  return answer.body
}

/** The auditor’s own entries since the last call. */
let seen = '0'
async function ownEntries() {
  const { rows } = await sql<{ id: string; act: string; account: string | null; details: object }>`
    select id, act, account_id as account, details - 'staff' - 'actorName' as details from audit
    where id > ${seen} and act like 'desk-trail-%' and details ->> 'actorName' = 'Adam Bąk'
    order by id`.execute(portal.ownerDb)
  seen = rows.at(-1)?.id ?? seen
  return rows.map(({ id: _, ...row }) => row)
}

describe('DSK-13 the trail', () => {
  test('DSK-13 it is read from its newest entry back, page by page, each entry once', async () => {
    // No other test makes such entries.
    const action = 'passkey-renamed'
    await add(action, deskLimits.trail.page * 2 + 10)
    const positions: number[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 2; pages++) {
      const { items, next } = await list({ action, ...(cursor && { cursor }) })
      expect(items).toHaveLength(deskLimits.trail.page)
      positions.push(...items.map(({ position }) => position))
      cursor = next!
    }
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => b - a))
    const { items, next, readTo } = await list({ action, cursor: cursor! })
    expect([items.length, next, readTo]).toEqual([10, null, null])
    // A cursor belongs to its filters and its session.
    for (const [browser, query] of [
      [auditor, { cursor: cursor! }],
      [await newAuditor(), { action, cursor: cursor! }],
    ] as const)
      expect((await browser.call(listDeskAudit, { query })).problem).toMatchObject({ code: 'cursor-refused' })
  })

  test('DSK-13 it is filtered by actor, name, customer by either id, and days of the Polish calendar', async () => {
    const { person, account } = await addAccount(portal)
    await openBrowser(portal).call(getCustomer, { params: { customer: person.id } })
    for (const customer of [person.id, account])
      expect((await list({ customer, action: 'data-read' })).items).toMatchObject([
        { action: 'data-read', actor: 'provider', actorName: 'test', account, customer: person.id },
      ])
    expect((await list({ customer: 'nobody' })).items).toEqual([])
    const [own, ...others] = (await list({ actor: 'staff', name: 'ADAM BĄK' })).items
    expect(own).toMatchObject({ actor: 'staff', actorName: 'Adam Bąk', action: 'desk-trail-read' })
    expect(others.every(({ actorName }) => actorName === 'Adam Bąk')).toBe(true)
    expect((await list({ actor: 'customer', name: 'Adam Bąk' })).items).toEqual([])

    // 23:30 in Warsaw on the 9th, and 00:30 on the 10th.
    for (const at of ['2027-06-09T21:30:00Z', '2027-06-09T22:30:00Z']) {
      await portal.clock.stopAt(new Date(at))
      await add('password-set', 1, { accountId: account })
    }
    await portal.clock.advance(0)
    auditor = await newAuditor()
    const times = async (query: TrailFilters) =>
      (await list({ ...query, action: 'password-set', customer: person.id })).items.map(({ at }) => at.slice(0, 16))
    expect(await times({ from: '2027-06-09', to: '2027-06-09' })).toEqual(['2027-06-09T21:30'])
    expect(await times({ from: '2027-06-10' })).toEqual(['2027-06-09T22:30'])
  })
})

describe('R239 who audits is audited', () => {
  test('DSK-17 R239 each question is an entry with its filters; a customer is in it as the account, and a typed name only if the trail has it', async () => {
    const { person, account } = await addAccount(portal)
    await ownEntries()
    await list({ customer: person.id, from: '2026-01-01', action: 'desk-trail-read' })
    await list({ customer: person.email, name: person.surname, actor: 'staff' })
    await list({ name: 'adam bąk', actor: 'staff' })
    await auditor.call(listDeskReaders, { query: { customer: account } })
    await auditor.call(exportDeskAudit, { query: { customer: person.id, format: 'csv', locale: 'pl' } })
    await auditor.call(verifyDeskAudit, { body: { day: '2026-01-01' } })
    const entries = await ownEntries()
    expect(entries).toEqual([
      { act: 'desk-trail-read', account, details: { from: '2026-01-01', action: 'desk-trail-read', found: 0 } },
      { act: 'desk-trail-read', account: null, details: { by: 'staff', found: 0 } },
      { act: 'desk-trail-read', account: null, details: { by: 'staff', name: 'adam bąk', found: expect.any(Number) } },
      { act: 'desk-trail-read', account, details: { readers: true, found: 1 } },
      { act: 'desk-trail-exported', account, details: { format: 'csv', found: expect.any(Number) } },
      { act: 'desk-trail-verified', account: null, details: { day: '2026-01-01', entries: 0, findings: 0 } },
    ])
    for (const secret of [person.email, person.surname]) expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('R239 nothing is read if its entry cannot be written', async () => {
    await add('signed-out', 1)
    await portal.owner.query(`alter table audit add constraint refused check (act not like 'desk-trail-%') not valid`)
    const answers = [
      await auditor.call(listDeskAudit),
      await auditor.call(listDeskReaders),
      await auditor.call(exportDeskAudit, { query: { format: 'ndjson', locale: 'en', action: 'signed-out' } }),
      await auditor.call(verifyDeskAudit, { body: { day: '2026-01-01' } }),
    ]
    await portal.owner.query('alter table audit drop constraint refused')
    for (const { status, problem } of answers) expect([status, problem.code]).toEqual([500, 'unexpected'])
  })
})

describe('DSK-15 files', () => {
  const save = (query: TrailFilters & { format: string; locale: string }) =>
    auditor.visit(`${exportDeskAudit.path}?${new URLSearchParams(query as Record<string, string>)}`)

  test('DSK-15 R241 a file has all entries of the filter, the newest first, and no cell of it is a formula', async () => {
    const { account } = await addAccount(portal)
    const details = { actorName: '=1+1', client: '@x' }
    await add('code-sent', 2100, { actor: 'operator', accountId: account, details })
    const csv = await save({ customer: account, action: 'code-sent', format: 'csv', locale: 'pl' })
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(csv.headers.get('content-disposition')).toContain('audit.csv')
    const bytes = new Uint8Array(await csv.arrayBuffer())
    expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2101)
    expect(lines[0]).toContain('"Kiedy (UTC)";"Działanie"')
    expect(lines[1]).toContain(`"code-sent";"`)
    expect(lines[1]).toContain(`;"operator";"'=1+1";"${account}";"";"{""client"":""@x""}"`)

    const json = await save({ customer: account, action: 'code-sent', format: 'ndjson', locale: 'pl' })
    const entries = (await json.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { position: string })
    expect(entries).toHaveLength(2100)
    expect(entries[0]).toMatchObject({ action: 'code-sent', actorName: '=1+1', account })
    const numbers = entries.map(({ position }) => Number(position.split('-')[0]))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a))
    expect((await ownEntries()).slice(-2)).toMatchObject([
      { details: { format: 'csv', action: 'code-sent', found: 2100 } },
      { details: { format: 'ndjson', found: 2100 } },
    ])
  })

  test('DSK-15 R241 more entries than a file may have are refused before the first byte, and while an entry may still come', async () => {
    await sql`insert into audit (id, chain, seq, act, actor, previous, mac) overriding system value
      select nextval('audit_id_seq'), md5('many')::uuid, n, 'session-ended', 'system', '\\x00', '\\x00'
      from generate_series(1, ${deskLimits.trail.exported + 1}::int) n`.execute(portal.ownerDb)
    await ownEntries()
    const wide = await save({ action: 'session-ended', format: 'ndjson', locale: 'en' })
    expect([wide.status, await wide.json()]).toMatchObject([400, { code: 'invalid-input' }])
    expect(await ownEntries()).toEqual([])
    await portal.owner.query(`delete from audit where chain = md5('many')::uuid`)

    const finish = Promise.withResolvers<void>()
    onTestFinished(() => finish.resolve())
    const written = Promise.withResolvers<void>()
    const writer = portal.db.transaction().execute(async (tx) => {
      await addAuditEntries(tx, [{ action: 'session-ended', accountId: null, actor: 'system' }])
      await now(tx)
      written.resolve()
      await finish.promise
    })
    await written.promise
    const early = await save({ action: 'session-ended', format: 'ndjson', locale: 'en' })
    expect([early.status, await early.json()]).toMatchObject([503, { code: 'unavailable' }])
    finish.resolve()
    await writer
    const whole = await save({ action: 'session-ended', format: 'ndjson', locale: 'en' })
    expect((await whole.text()).trimEnd().split('\n')).toHaveLength(1)
  })

  test('R240 one person saves 20 files in an hour', async () => {
    const { limit } = deskLimits.trail.exports
    const query = { name: 'nobody', format: 'csv', locale: 'pl' }
    const statuses: number[] = []
    for (let i = 0; i <= limit; i++) statuses.push((await save(query)).status)
    expect(statuses).toEqual([...Array.from({ length: limit }, () => 200), 429])
  })
})

describe('DSK-14 the chain', () => {
  const verify = async (day: string) => auditor.call(verifyDeskAudit, { body: { day } })

  test('DSK-14 a day is too long if it has more entries than can be verified at the desk', async () => {
    // Entries of a day with no others; they are in no chain.
    await sql`insert into audit (id, at, act, actor, details, chain, seq, previous, mac)
      select 100000000 + n, '2025-06-15T10:00:00Z', 'signed-out', 'system', '{}', gen_random_uuid(), 1, '', ''
      from generate_series(1, 3) n`.execute(portal.ownerDb)
    const period = periodOfDay(new Date('2025-06-15T00:00:00Z'))
    const isLonger = (most: number) => portal.db.transaction().execute((tx) => isLongerThan(tx, period, most))
    expect([await isLonger(2), await isLonger(3)]).toEqual([true, false])
    await portal.owner.query(`delete from audit where id > 100000000`)
  })

  test('DSK-14 a day is verified with the signed head, and what was changed or removed is found', async () => {
    await portal.clock.stopAt(new Date('2027-07-01T10:00:00Z'))
    auditor = await newAuditor()
    await add('signed-out', 20)
    expect((await verify('2027-07-01')).body).toMatchObject({ head: null, found: 0, findings: [] })
    await signHead(portal.db, portal.portal.keys, desk.directory)
    const whole = await verify('2027-07-01')
    expect(whole).toMatchObject({ status: 200, body: { found: 0, findings: [], head: { ordinal: 1 } } })
    expect(whole.body.entries).toBeGreaterThan(20)
    expect(whole.body.chains).toBeGreaterThan(0)
    await sql`update audit set details = '{"i": 99}'
      where act = 'signed-out' and at = ${'2027-07-01T10:00:00Z'} and details ->> 'i' = '7'`.execute(portal.ownerDb)
    const changed = await verify('2027-07-01')
    expect(changed.body).toMatchObject({ found: 1, findings: [{ what: 'changed' }] })
    expect((await verify('2001-01-01')).body).toMatchObject({ entries: 0, found: 0 })
    await portal.clock.advance(0)
  })

  test('R240 one verification runs at a time', async () => {
    const other = await portal.owner.connect()
    onTestFinished(() => other.release(true))
    await other.query('begin')
    await other.query(`select pg_advisory_xact_lock(hashtext('sygnet-audit-verification'))`)
    expect(await verify('2026-01-01')).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
    await other.query('rollback')
    expect((await verify('2026-01-01')).status).toBe(200)
  })
})

test('DSK-16 DSK-17 an auditor sees who has looked at whom, how often and why, by person and by customer, and no data but ids', async () => {
  const { person, account } = await addAccount(portal)
  const agent = await letStaffIn(portal, desk, { subject: 'Zofia Lew', roles: ['agent'] })
  await agent.call(deskCustomers.searchDesk, { body: { text: person.login } })
  for (let i = 0; i < 2; i++) await agent.call(deskCustomers.readDeskCustomer, { params: { id: account } })
  await agent.call(deskCustomers.unmaskDeskCustomer, { params: { id: account }, body: { reason: 'Zgłoszenie 12' } })
  await openBrowser(portal).call(getCustomer, { params: { customer: person.id } })
  const byCustomer = await auditor.call(listDeskReaders, { query: { customer: person.id } })
  const byAgent = {
    actor: 'staff',
    actorName: 'Zofia Lew',
    staff: 'Zofia Lew',
    account,
    customer: person.id,
    times: 4,
    last: expect.any(String),
    actions: ['desk-customer-read', 'desk-customer-unmasked', 'desk-searched'],
    reasons: ['Zgłoszenie 12'],
  }
  expect(byCustomer.body).toMatchObject({ hasMore: false, readTo: null })
  expect(byCustomer.body.items).toEqual([
    { ...byAgent, actor: 'provider', actorName: 'test', staff: null, times: 1, actions: ['data-read'], reasons: [] },
    byAgent,
  ])
  expect((await auditor.call(listDeskReaders, { query: { name: 'zofia lew' } })).body.items).toEqual([byAgent])
  const day = (await now(portal.db)).toISOString().slice(0, 10)
  const later = `${Number(day.slice(0, 4)) + 1}-01-01`
  expect((await auditor.call(listDeskReaders, { query: { name: 'Zofia Lew', from: later } })).body.items).toEqual([])
  const all = JSON.stringify([byCustomer.body, await list({ customer: account })])
  for (const secret of [person.email, person.phone, person.login, person.surname]) expect(all).not.toContain(secret)
})

test('DSK-16 whoever acts on a customer or a case has read what the answer shows', async () => {
  const { person, account } = await addAccount(portal)
  const { documentCase } = await giveDocument(portal, person.id)
  const agent = await letStaffIn(portal, desk, { subject: 'Olga Ptak', roles: ['agent'] })
  const params = { id: account }
  const proposal = { kind: 'hold', reason: 'Pismo 7' } as const
  const ofCase = { ...params, kind: 'document', case: documentCase } as const
  const calls = [
    () => agent.call(deskCustomers.unblockAtDesk, { params }),
    () => agent.call(deskCustomers.endSessionsAtDesk, { params }),
    () => agent.call(deskCustomers.sendLinkAtDesk, { params }),
    () => agent.call(resendMessagesAtDesk, { params }),
    () => agent.call(blockAtDesk, { params }),
    () => agent.call(deskCustomers.unblockAtDesk, { params }),
    () => agent.call(proposeAtDesk, { params, body: proposal }),
    async () => {
      const { body } = await agent.call(deskCustomers.readDeskCustomer, { params })
      return agent.call(withdrawProposal, { params: { id: body.proposals[0]!.id } })
    },
    () => agent.call(actOnDeskCase, { params: ofCase, body: { action: 'send-notice' } }),
    () => agent.call(cancelDocumentAtDesk, { params: { ...params, document: documentCase } }),
  ]
  const readings = []
  for (const call of calls) {
    const { status, problem } = await call()
    expect([status, problem?.code]).toEqual([200, undefined])
    const { items } = (await auditor.call(listDeskReaders, { query: { customer: person.id } })).body
    readings.push(items.find(({ actorName }) => actorName === 'Olga Ptak')?.times ?? 0)
  }
  // The withdrawal has a reading of its own before it.
  expect(readings).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10, 11])
  const { items } = (await auditor.call(listDeskReaders, { query: {} })).body
  expect(items.find(({ actorName }) => actorName === 'Olga Ptak')).toMatchObject({ account, times: 11 })
})

test('DSK-16 every reading at the desk is in the list, and two people of one name are apart', async () => {
  const readings = keysOf(staffActions).filter((action) => /-(?:read|unmasked)$/.test(action))
  expect(readings.length).toBeGreaterThan(5)
  expect(readings.filter((action) => !readingActions.some((each) => each === action))).toEqual([])
  const { person, account } = await addAccount(portal)
  for (const staff of ['sub-1', 'sub-2'])
    await add('desk-case-read', 1, { accountId: account, actor: 'staff', details: { staff, actorName: 'Jan Dwa' } })
  const { items } = (await auditor.call(listDeskReaders, { query: { customer: person.id } })).body
  // The latest first.
  expect(items.map(({ actorName, staff, times }) => [actorName, staff, times])).toEqual([
    ['Jan Dwa', 'sub-2', 1],
    ['Jan Dwa', 'sub-1', 1],
  ])
})
