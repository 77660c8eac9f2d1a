import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  readHealth,
  readSwitches,
  requestChecks,
  listUndelivered,
  resendUndelivered,
} from '../../contract/desk/desk-operations.ts'
import {
  actOnDeskCase,
  readDeskCase,
  resendInvitationAtDesk,
  resendMessagesAtDesk,
} from '../../contract/desk/desk-cases.ts'
import { createCodesAtDesk, type NewCodes } from '../../contract/desk/desk-vouchers.ts'
import type { Body } from '../../contract/endpoint.ts'
import { featureNames } from '../../contract/features.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { jobs } from '../platform/observability/events.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { letStaffIn, openDesk } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { deskFeature } from './desk-feature.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { readDeskCustomer } from '../../contract/desk/desk-customers.ts'
import { encryptMessage, enqueue, sendDue } from '../platform/messages/outbox.ts'
import { deliveriesOf } from '../platform/operations/deliveries.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { addAccount } from '../testing/samples/ready-customers.ts'
import { indexesOf, statementsOf, wholeReads, withManyRows } from '../testing/statement-plans.ts'
import { openNodeReport, type NodeFinding } from '../platform/operations/background-reports.ts'
import { keysOf } from '../../contract/enums.ts'

const portal = await openPortal({ settings: { featuresOff: ['renewal'] } })
const desk = await openDesk(portal)
const administrator = await letStaffIn(portal, desk, { subject: 'Iga Zych', roles: ['administrator'] })
afterEach(() => portal.owner.query(`delete from rate_limits where name = 'desk-checks'; delete from nodes`))

const health = async () => (await administrator.call(readHealth)).body
const slow: NodeFinding = { name: 'mail', status: 'failed', text: 'The mail server refuses the login: check SMTP_URL.' }

test('DSK-31 a node is listed with its jobs and what its checks found, again when somebody asks, and is gone once it has stopped', async () => {
  let checked = 0
  const report = openNodeReport(portal.db, async () => (checked++, [slow]))
  const [reporting, checks] = report.jobs
  await reporting!.run()
  await jobs.do({ job: 'tidy' }, async () => {})
  await jobs.do({ job: 'archives' }, () => Promise.reject(new Error('no'))).catch(() => {})
  await report.found([{ ...slow, status: 'ok', text: 'It accepts the login.' }])
  const [node, ...others] = (await health()).nodes
  expect(others).toEqual([])
  expect(node).toMatchObject({
    isLive: true,
    isCheckWanted: false,
    jobs: [
      { name: 'tidy', isOk: true },
      { name: 'archives', isOk: false },
    ],
    findings: [{ name: 'mail', status: 'ok' }],
  })
  await checks!.run()
  expect(checked).toBe(0)

  expect((await administrator.call(requestChecks)).status).toBe(204)
  expect((await health()).nodes[0]).toMatchObject({ isCheckWanted: true })
  await checks!.run()
  expect(checked).toBe(1)
  expect((await health()).nodes[0]).toMatchObject({ isCheckWanted: false, findings: [slow] })
  const requests = await auditEntries(portal, { action: 'desk-checks-requested' })
  expect(requests.at(-1)!.details).toEqual({ actorName: 'Iga Zych', staff: 'Iga Zych' })

  await report.close()
  expect((await health()).nodes).toEqual([])
})

test('DSK-31 a node reports while its checks run; one that does not is not live, and is forgotten', async () => {
  const found = Promise.withResolvers<NodeFinding[]>()
  const report = openNodeReport(portal.db, () => found.promise)
  await report.found([])
  const [reporting, checks] = report.jobs
  await administrator.call(requestChecks)
  const running = checks!.run()
  const seen = (await health()).nodes[0]!.seenAt
  await reporting!.run()
  const [node] = (await health()).nodes
  expect(node!.seenAt).not.toBe(seen)
  expect(node).toMatchObject({ isCheckWanted: true, findings: [] })
  found.resolve([slow])
  await running
  expect((await health()).nodes).toMatchObject([{ isCheckWanted: false, findings: [slow] }])
  await portal.owner.query(`update nodes set seen_at = portal_now() - interval '3 minutes'`)
  expect((await health()).nodes).toMatchObject([{ isLive: false }])
  await portal.owner.query(`update nodes set seen_at = portal_now() - interval '25 hours'`)
  await deskFeature.tidy!(portal.portal)
  expect((await health()).nodes).toEqual([])
  await report.close()
})

test('DSK-31 the last run of the checks is when they ran, with their result, however often the node looks for requests', async () => {
  let findings: NodeFinding[] = []
  const report = openNodeReport(portal.db, async () => findings)
  const [reporting, requests] = report.jobs
  const look = () => jobs.do({ job: requests!.name }, requests!.run).catch(() => {})
  const lastRuns = async () => {
    await look()
    await reporting!.run()
    const [node] = (await health()).nodes
    return Object.fromEntries(node!.jobs.map(({ name, at, isOk }) => [name, { at, isOk }]))
  }
  expect(Object.keys(await lastRuns())).toEqual(['node-check-requests'])
  await report.found([{ ...slow, status: 'warning' }])
  const first = (await lastRuns())['node-checks']!
  expect(first.isOk).toBe(true)
  expect((await lastRuns())['node-checks']).toEqual(first)

  findings = [slow]
  await portal.owner.query('update nodes set check_wanted = true')
  const second = (await lastRuns())['node-checks']!
  expect(second).toEqual({ at: expect.any(String), isOk: false })
  expect(second.at > first.at).toBe(true)
  expect((await lastRuns())['node-checks']).toEqual(second)
  await report.close()
})

test('DSK-31 messages that wait and alarms are counted', async () => {
  await sql`insert into outbox (id, channel, message, outcome, tries, failure, created_at) values
      (gen_random_uuid(), 'sms', 'x', 'dead', 83, 'no', portal_now()),
      (gen_random_uuid(), 'sms', 'x', null, 3, 'no', portal_now() - interval '90 seconds')`.execute(portal.ownerDb)
  const sms = (await health()).outbox.find(({ channel }) => channel === 'sms')
  expect(sms).toMatchObject({ waiting: 1, failed: 1, oldestSeconds: expect.closeTo(90, -2) })
  for (const about of ['one', 'other']) raiseAlarm(portal.portal, { name: 'webhook-given-up', about })
  const counted = ['one', 'other'].map((about) =>
    expect.objectContaining({ name: 'webhook-given-up', about, times: 1 }),
  )
  await expect.poll(async () => (await health()).alarms).toEqual(expect.arrayContaining(counted))
})

test('R255 checks are requested once a minute, however many ask', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => administrator.call(requestChecks)))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(19)
})

test('DSK-36 the features are listed, with those that are off', async () => {
  const { items } = (await administrator.call(readSwitches)).body
  expect(items.map(({ name }) => name)).toEqual(featureNames)
  expect(items.filter(({ isOn }) => !isOn)).toEqual([{ name: 'renewal', isOn: false }])
})

test('DSK-36 what would lead a customer to a feature that is off is refused, and nothing else', async () => {
  const agent = await letStaffIn(portal, desk, { subject: 'Ewa Lis', roles: ['agent'] })
  const id = crypto.randomUUID()
  const attempts = {
    renewal: [
      () => agent.call(actOnDeskCase, { params: { id, kind: 'renewal', case: id }, body: { action: 'sign-again' } }),
      () => makeCodes({ kind: 'renewal', signature: 'none', days: 30 }),
    ],
    documents: [
      () => agent.call(actOnDeskCase, { params: { id, kind: 'document', case: id }, body: { action: 'send-notice' } }),
    ],
    vouchers: [
      () => agent.call(actOnDeskCase, { params: { id, kind: 'voucher', case: id }, body: { action: 'send-notice' } }),
      () => makeCodes({ kind: 'voucher', process: 'timestamps', customer: 'nobody', count: 1, days: 30 }),
    ],
    seals: [() => agent.call(resendInvitationAtDesk, { params: { id, invitation: id } })],
  } as const
  const makeCodes = (codes: NewCodes) => administrator.call(createCodesAtDesk, { body: { codes } })
  const { settings } = portal.portal
  const before = settings.featuresOff
  try {
    for (const off of keysOf(attempts)) {
      settings.featuresOff = [off]
      for (const feature of keysOf(attempts))
        for (const attempt of attempts[feature]) {
          const { status, problem } = await attempt()
          expect([off, feature, status, problem.reason]).toEqual(
            off === feature ? [off, feature, 503, 'switched-off'] : [off, feature, 404, undefined],
          )
        }
    }
    settings.featuresOff = ['renewal']
    expect((await agent.call(readDeskCase, { params: { id, kind: 'renewal', case: id } })).status).toBe(404)
  } finally {
    settings.featuresOff = before
  }
})

beforeEach(() => portal.owner.query('delete from outbox'))

type State = { outcome?: 'dead' | 'sent'; failure?: string; dropAt?: string }

/** A message in the outbox, as it would be after its tries. */
async function store(channel: 'mail' | 'sms', { outcome, failure = 'refused', dropAt }: State = {}) {
  const id = crypto.randomUUID()
  const text = 'Kod 123456, https://portal.example/setup-password/tajny'
  const message = encryptMessage(
    portal.portal.keys,
    id,
    channel === 'sms'
      ? { channel, to: '+48600100417', text }
      : { channel, to: 'anna.nowak@mail.example', subject: 'Kod', text, html: text },
  )
  await sql`insert into outbox (id, channel, message, outcome, tries, failure, drop_at, next_try_at)
    values (${id}, ${channel}, ${message}, ${outcome ?? null}, 5, ${failure}, ${dropAt ?? null},
      portal_now() + interval '1 hour')`.execute(portal.ownerDb)
  return id
}

const stateOf = async (id: string) => {
  const { rows } = await sql<{ outcome: string | null; tries: number }>`select outcome, tries from outbox
    where id = ${id}`.execute(portal.ownerDb)
  return rows[0]
}

test('DSK-32 R254 undelivered messages are listed with causes and masked, without content', async () => {
  const dead = await store('mail', { outcome: 'dead', failure: 'HTTP 500' })
  const waiting = await store('sms')
  await store('sms', { outcome: 'sent' })
  const { body } = await administrator.call(listUndelivered)
  expect(body).toMatchObject({
    more: false,
    items: [
      { id: dead, channel: 'mail', tries: 5, cause: 'HTTP 500', nextTryAt: null },
      { id: waiting, channel: 'sms', cause: 'refused', nextTryAt: expect.any(String) as string },
    ],
    causes: [{ channel: 'mail', cause: 'HTTP 500', messages: 1 }],
  })
  for (const whole of ['anna.nowak', 'mail.example', '600100417', '123456', 'setup-password', 'Kod'])
    expect(JSON.stringify(body)).not.toContain(whole)
  expect(body.items.map(({ recipient }) => recipient)).toEqual([
    expect.stringContaining('•••'),
    expect.stringMatching(/417$/),
  ])
  const response = await administrator.visit('/desk/api/operations/messages?channel=sms')
  expect(await response.json()).toMatchObject({ items: [{ id: waiting }], causes: [] })
  expect(await auditEntries(portal, { action: 'desk-messages-read' })).toMatchObject(
    [2, 1].map((found) => ({ actor: 'staff', details: { actorName: 'Iga Zych', found } })),
  )
})

test('DSK-32 R254 one message is sent again, or those of a cause, at most 500', async () => {
  const dead = await store('mail', { outcome: 'dead' })
  const untouched = [
    await store('mail', { outcome: 'sent' }),
    await store('sms', { outcome: 'dead', dropAt: '2020-01-01' }),
    await store('sms', { outcome: 'dead', failure: 'another cause' }),
  ]
  const before = await Promise.all(untouched.map(stateOf))
  const resend = async (which: Body<typeof resendUndelivered>['which']) =>
    (await administrator.call(resendUndelivered, { body: { which } })).body.resent
  for (const id of untouched.slice(0, 2)) expect(await resend({ id })).toBe(0)
  expect(await resend({ id: dead })).toBe(1)
  expect(await stateOf(dead)).toEqual({ outcome: null, tries: 0 })

  const webhook = crypto.randomUUID()
  await sql`with hook as (insert into webhooks (provider_id, url, position) values ('erp', 'https://hooks.example/', 0) returning id),
      happened as (insert into events (position, type, subject, data) values (1000000, 'customer.blocked', 'a', '{}') returning position)
      insert into outbox (id, channel, message, outcome, tries, failure, webhook_id, event, lane)
      select ${webhook}, 'webhook', 'x', 'dead', 83, 'refused', id, position, 'a'
      from hook, happened`.execute(portal.ownerDb)
  expect(await resend({ id: webhook })).toBe(0)

  const most = deskLimits.resent
  await portal.owner.query(
    `insert into outbox (id, channel, message, outcome, tries, failure) select gen_random_uuid(), 'sms', 'x', 'dead', 83, 'refused'
      from generate_series(1, ${most + 1})`,
  )
  const cause = { channel: 'sms', cause: 'refused' } as const
  expect([await resend(cause), await resend(cause)]).toEqual([most, 1])
  expect(await Promise.all(untouched.map(stateOf))).toEqual(before)
  expect(await stateOf(webhook)).toEqual({ outcome: 'dead', tries: 83 })
  const resent = (await auditEntries(portal, { action: 'messages-resent' })).at(-1)!
  expect(resent).toMatchObject({ actor: 'staff', details: { actorName: 'Iga Zych', messages: 1 } })
})

test('DSK-10 OPS-7 what was not delivered to a customer is found by an index', async () => {
  const { person, account } = await addAccount(portal)
  await portal.owner.query('delete from outbox')
  const agent = await letStaffIn(portal, desk, { subject: 'Ewa Lis', roles: ['agent'] })
  const { keys } = portal.portal
  const [mail, sms] = await portal.db
    .transaction()
    .execute(async (tx) => [
      await enqueue(tx, keys, { channel: 'mail', to: person.email, subject: 's', text: 't', html: 't' }),
      await enqueue(tx, keys, { channel: 'sms', to: person.phone, text: 'code' }),
    ])
  const failing = (isPermanent: boolean) => async () => {
    throw new DeliveryFailed('no answer', isPermanent)
  }
  await sendDue(portal.db, keys, { ...deliveriesOf(portal.portal), mail: failing(true), sms: failing(false) })
  await sql`insert into outbox (id, channel, message, recipient_index, outcome, tries, failure, created_at)
     select gen_random_uuid(), 'mail', 'x', case when n % 2 = 0 then sha256(n::text::bytea) end, case when n % 3 = 0 then 'dead' end, 5, 'x',
       portal_now() + interval '1 minute' from generate_series(1, 2000) n`.execute(portal.ownerDb)
  const found = async () => {
    const { body } = await agent.call(readDeskCustomer, { params: { id: account } })
    return body.obstacles.filter(({ kind }) => kind === 'undelivered')
  }
  const expected = [
    { channel: 'mail', cause: 'no answer', tries: 1, isFinal: true },
    { channel: 'sms', cause: 'no answer', tries: 1, isFinal: false },
  ]
  expect(await found()).toMatchObject(expected)

  const texts = await statementsOf(async () => expect(await found()).toMatchObject(expected))
  const plans = [...texts.keys()].filter((text) => text.includes('recipient_index') && /^\s*\(?select/.test(text))
  const indexes: string[] = []
  await withManyRows(portal, async (client) => {
    for (const text of plans) {
      expect(await wholeReads(client, text)).toEqual([])
      indexes.push(...new Set(await indexesOf(client, text)))
    }
  })
  expect(indexes).toEqual(['outbox_by_recipient'])

  await agent.call(resendMessagesAtDesk, { params: { id: account } })
  await portal.deliver()
  const { rows } = await sql`select outcome, recipient_index from outbox
    where id = any(${[mail, sms]})`.execute(portal.ownerDb)
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ outcome: 'sent', recipientIndex: null })))
})
