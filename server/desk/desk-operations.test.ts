import { afterEach, expect, test } from 'vitest'
import { readHealth, readSwitches, requestChecks } from '../../contract/desk/desk-operations.ts'
import { actOnDeskCase, readDeskCase, resendInvitationAtDesk } from '../../contract/desk/desk-cases.ts'
import { createCodesAtDesk, type NewCodes } from '../../contract/desk/desk-vouchers.ts'
import { featureNames } from '../../contract/features.ts'
import { keysOf } from '../../contract/keys-of.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { jobs } from '../platform/observability/events.ts'
import { openNodeReport, type NodeFinding } from '../platform/operations/node-report.ts'
import { letStaffIn, openDesk } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { deskFeature } from './desk-feature.ts'

const portal = await openPortal({ settings: { featuresOff: ['renewal'] } })
const desk = await openDesk(portal)
const administrator = await letStaffIn(portal, desk, { subject: 'Iga Zych', roles: ['administrator'] })
afterEach(() => portal.owner.query(`delete from budgets where name = 'desk-checks'; delete from nodes`))

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
  const { rows } = await portal.owner.query<{ details: object }>(
    `select details from audit where act = 'desk-checks-requested'`,
  )
  expect(rows).toEqual([{ details: { actorName: 'Iga Zych', staff: 'Iga Zych' } }])

  await report.close()
  expect((await health()).nodes).toEqual([])
})

test('DSK-31 a node that does not report any more is not live, and is forgotten after a day', async () => {
  const report = openNodeReport(portal.db, async () => [])
  await report.jobs[0]!.run()
  await portal.owner.query(`update nodes set seen_at = portal_now() - interval '3 minutes'`)
  expect((await health()).nodes).toMatchObject([{ isLive: false, checkedAt: null }])
  await portal.owner.query(`update nodes set seen_at = portal_now() - interval '25 hours'`)
  await deskFeature.tidy!(portal.portal)
  expect((await health()).nodes).toEqual([])
  await report.close()
})

test('DSK-31 a node goes on to report while its checks run', async () => {
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
  await portal.owner.query(
    `insert into outbox (id, channel, message, outcome, tries, failure, created_at) values
      (gen_random_uuid(), 'sms', 'x', 'dead', 83, 'no', portal_now()),
      (gen_random_uuid(), 'sms', 'x', null, 3, 'no', portal_now() - interval '90 seconds')`,
  )
  const sms = (await health()).outbox.find(({ channel }) => channel === 'sms')
  expect(sms).toMatchObject({ waiting: 1, failed: 1, oldestSeconds: expect.closeTo(90, -2) })
  for (const about of ['one', 'other']) raiseAlarm(portal.portal, { name: 'webhook-given-up', about })
  await expect
    .poll(async () => (await health()).alarms.map(({ name, about, times }) => [name, about, times]))
    .toEqual(
      expect.arrayContaining([
        ['webhook-given-up', 'one', 1],
        ['webhook-given-up', 'other', 1],
      ]),
    )
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
