import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  actOnDeskCase,
  readDeskCase,
  resendInvitationAtDesk,
  resendMessagesAtDesk,
} from '../../contract/desk/desk-cases.ts'
import {
  createKeyAtDesk,
  listKeysAtDesk,
  revokeKeyAtDesk,
  rotateKeyAtDesk,
} from '../../contract/desk/desk-client-keys.ts'
import { readDeskCustomer } from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import {
  readHealth,
  readSwitches,
  requestChecks,
  listUndelivered,
  resendUndelivered,
  listReleasesAtDesk,
  putReleaseAtDesk,
  removeReleaseAtDesk,
} from '../../contract/desk/desk-operations.ts'
import { approveProposal } from '../../contract/desk/desk-proposals.ts'
import { finishDeskSignIn, readDeskSession, renewDeskSignIn } from '../../contract/desk/desk-session.ts'
import { createCodesAtDesk, type NewCodes } from '../../contract/desk/desk-vouchers.ts'
import {
  drawSecretAtDesk,
  listWebhooksAtDesk,
  putWebhookAtDesk,
  removeWebhookAtDesk,
  replayAtDesk,
} from '../../contract/desk/desk-webhooks.ts'
import type { Body } from '../../contract/endpoint.ts'
import { keysOf } from '../../contract/enums.ts'
import { featureNames } from '../../contract/features.ts'
import { getClientKey } from '../../contract/provider/client-keys.ts'
import { issueClientKey } from '../client-keys/client-keys.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { staffCookie } from '../platform/authentication/staff-session.ts'
import { encryptMessage, enqueue, sendDue } from '../platform/messages/outbox.ts'
import { jobs } from '../platform/observability/events.ts'
import { openNodeReport, type NodeFinding } from '../platform/operations/background-reports.ts'
import { createDeliveries } from '../platform/operations/deliveries.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { letStaffIn, openDesk, signInStaff, type StaffBrowser } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleRelease } from '../testing/provider.ts'
import { addAccount } from '../testing/samples/ready-customers.ts'
import { findIndexes, recordStatements, findWholeReads, withManyRows } from '../testing/statement-plans.ts'
import { deskFeature } from './desk-feature.ts'

const portal = await openPortal({ settings: { featuresOff: ['renewal'], webhookHosts: ['hooks.example'] } })
const desk = await openDesk(portal)
const administrator = await letStaffIn(portal, desk, { subject: 'Iga Zych', roles: ['administrator'] })
afterEach(() => portal.owner.query(`delete from rate_limits where name = 'desk-checks'; delete from nodes`))

const url = 'https://hooks.example/sygnet'
const newKey = (name: string) => ({ body: { name, scopes: ['events:read' as const], days: 30 } })
const readWith = (key: string) =>
  fetch(`${portal.origin}${getClientKey.path}`, { headers: { authorization: `Bearer ${key}` } })

const entriesOf = (staff: string) => auditEntries(portal, { details: { staff } })

test('DSK-33 a key is created, rotated and revoked, with the name of the person, by the rules of the command', async () => {
  const made = await administrator.call(createKeyAtDesk, newKey('crm'))
  expect(made.status).toBe(200)
  expect(await (await readWith(made.body.key)).json()).toMatchObject({ name: 'crm', scopes: ['events:read'] })
  expect((await administrator.call(createKeyAtDesk, newKey('crm'))).problem.code).toBe('object-in-use')
  for (const name of ['CRM', 'crm ', '', crypto.randomUUID(), 'ę'])
    expect([name, (await administrator.call(createKeyAtDesk, newKey(name))).status]).toEqual([name, 400])

  const params = { id: made.body.id }
  const rotated = await administrator.call(rotateKeyAtDesk, { params })
  expect((await readWith(rotated.body.key)).status).toBe(200)
  expect((await administrator.call(rotateKeyAtDesk, { params })).status).toBe(404)
  expect((await administrator.call(revokeKeyAtDesk, { params })).status).toBe(204)
  expect((await readWith(made.body.key)).status).toBe(401)
  expect((await administrator.call(revokeKeyAtDesk, { params })).status).toBe(404)
  expect((await readWith(rotated.body.key)).status).toBe(200)

  const { items } = (await administrator.call(listKeysAtDesk)).body
  expect(items.filter(({ name }) => name === 'crm').map(({ id, state }) => [id, state])).toEqual([
    [rotated.body.id, 'live'],
    [made.body.id, 'revoked'],
  ])
  expect((await entriesOf('Iga Zych')).filter(({ details }) => details['name'] === 'crm')).toMatchObject([
    { action: 'client-key-made', details: { actorName: 'Iga Zych', name: 'crm', scopes: 'events:read' } },
    { action: 'client-key-rotated', details: { actorName: 'Iga Zych', before: made.body.id } },
    { action: 'client-key-revoked', details: { actorName: 'Iga Zych', client: made.body.id } },
  ])
})

test('DSK-34 a webhook is added, changed and removed, on the hosts that the operator allows', async () => {
  const params = { webhook: 'erp' }
  const body = { url, types: null }
  const elsewhere = { ...body, url: 'https://evil.example/' }
  const foreign = await administrator.call(putWebhookAtDesk, { params, body: elsewhere })
  expect([foreign.status, foreign.problem.code]).toEqual([422, 'host-not-allowed'])
  expect((await administrator.call(putWebhookAtDesk, { params, body })).body.secret).toMatch(/^whsec_/)
  expect((await administrator.call(putWebhookAtDesk, { params, body })).body).toEqual({ secret: null })
  expect((await entriesOf('Iga Zych')).at(-1)).toMatchObject({ action: 'webhook-stored', details: { url } })
  expect((await administrator.call(drawSecretAtDesk, { params })).body.secret).toMatch(/^whsec_/)
  expect((await administrator.call(replayAtDesk, { params })).body).toEqual({ replayed: 0 })
  expect((await administrator.call(listWebhooksAtDesk)).body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ webhook: 'erp', url, deadLetters: 0 })]),
    hosts: ['hooks.example'],
  })
  expect((await administrator.call(removeWebhookAtDesk, { params })).status).toBe(204)
  for (const endpoint of [removeWebhookAtDesk, drawSecretAtDesk, replayAtDesk])
    expect((await administrator.call(endpoint, { params })).status).toBe(404)
})

test('DSK-35 a program is published, changed and withdrawn', async () => {
  const params = { release: 'signer' }
  for (const version of ['1', '2']) {
    const body = { ...sampleRelease, version }
    expect((await administrator.call(putReleaseAtDesk, { params, body })).status).toBe(204)
  }
  const list = async () => (await administrator.call(listReleasesAtDesk)).body.items
  expect(await list()).toMatchObject([{ release: 'signer', version: '2' }])
  const { url: address, sha256 } = sampleRelease
  expect((await entriesOf('Iga Zych')).at(-1)).toMatchObject({
    action: 'software-stored',
    details: { release: 'signer', version: '2', url: address, ...(sha256 && { sha256 }) },
  })
  for (let time = 0; time < 2; time++)
    expect((await administrator.call(removeReleaseAtDesk, { params })).status).toBe(204)
  expect(await list()).toEqual([])
})

/** Makes the calls whose effects outlive the session. */
const guarded = (browser: StaffBrowser) => [
  browser.call(createKeyAtDesk, newKey('guarded')),
  browser.call(putWebhookAtDesk, { params: { webhook: 'guarded' }, body: { url, types: null } }),
  browser.call(drawSecretAtDesk, { params: { webhook: 'kept' } }),
  browser.call(putReleaseAtDesk, { params: { release: 'guarded' }, body: sampleRelease }),
  browser.call(createCodesAtDesk, {
    body: { codes: { kind: 'voucher', process: 'timestamps', customer: null, count: 1, days: 30 } },
  }),
  browser.call(approveProposal, { params: { id: crypto.randomUUID() } }),
]

test('R252 a key, a webhook, a secret and a published program need a recent sign-in', async () => {
  const body = { url, types: null }
  await administrator.call(putWebhookAtDesk, { params: { webhook: 'kept' }, body })
  const { id } = (await administrator.call(createKeyAtDesk, newKey('kept'))).body
  const old = new Date(Date.now() - (deskLimits.recentSignIn + 60) * 1000)
  for (const authenticatedAt of [old, null]) {
    const browser = await letStaffIn(portal, desk, { subject: 'late', roles: ['administrator'], authenticatedAt })
    expect((await browser.call(readDeskSession)).body.recentUntil).toBeNull()
    const answers = await Promise.all([...guarded(browser), browser.call(rotateKeyAtDesk, { params: { id } })])
    expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual(
      answers.map(() => [403, 'step-up-required']),
    )
    expect((await browser.call(listKeysAtDesk)).status).toBe(200)
  }
  expect(await entriesOf('late')).toEqual([])
  const lists = [await administrator.call(listReleasesAtDesk), await administrator.call(listKeysAtDesk)]
  expect(JSON.stringify(lists.map(({ body: { items } }) => items))).not.toContain('guarded')
  expect((await portal.owner.query('select from voucher_codes')).rows).toEqual([])
})

test('R252 another sign-in makes the session recent, and ends the one before (DSK-29)', async () => {
  const browser = await signInStaff(desk, 'staff-3')
  await sql`update staff_sessions set authenticated_at = portal_now() - interval '1 hour'
    where subject = 'staff-3'`.execute(portal.ownerDb)
  expect((await browser.call(createKeyAtDesk, newKey('renewed'))).status).toBe(403)
  const before = browser.cookies.get(staffCookie)!
  const { url: address } = (await browser.call(renewDeskSignIn)).body
  expect(new URL(address).searchParams.get('prompt')).toBe('login')
  // The provider knows the person, and asks all the same.
  const back = await browser.choose(address, 'staff-3')
  const finished = await browser.call(finishDeskSignIn, { body: { answer: back.search.slice(1) } })
  expect(finished.body.recentUntil).not.toBeNull()
  expect((await browser.call(createKeyAtDesk, newKey('renewed'))).status).toBe(200)
  const session = (token: string) =>
    fetch(`${desk.origin}${readDeskSession.path}`, {
      headers: { 'sec-fetch-site': 'same-origin', cookie: `${staffCookie}=${token}` },
    })
  expect((await session(before)).status).toBe(401)
  expect((await entriesOf('staff-3')).filter(({ action }) => action === 'desk-signed-out')).toMatchObject([
    { details: { by: 'new-sign-in', actorName: 'Iga Zych' } },
  ])
  expect((await session(browser.cookies.get(staffCookie)!)).status).toBe(200)
})

test('R257 no key that could change customers is made or rotated at the desk; each other one raises an alarm', async () => {
  const scopes = ['events:read', 'customers:write'] as const
  const refused = await administrator.call(createKeyAtDesk, {
    body: { name: 'alone', scopes: [...scopes], days: 30 } as never,
  })
  expect([refused.status, refused.problem.code]).toEqual([400, 'invalid-input'])
  const byCommand = await issueClientKey(portal.ownerDb, { name: 'alone', scopes })
  const rotated = await administrator.call(rotateKeyAtDesk, { params: { id: byCommand.id } })
  expect([rotated.status, rotated.problem.code]).toEqual([403, 'scope-missing'])
  const { items } = (await administrator.call(listKeysAtDesk)).body
  expect(items.filter(({ name }) => name === 'alone')).toMatchObject([{ id: byCommand.id, state: 'live' }])

  const made = (await administrator.call(createKeyAtDesk, newKey('heard'))).body
  const next = (await administrator.call(rotateKeyAtDesk, { params: { id: made.id } })).body
  for (const { id } of [made, next])
    await expect.poll(() => portal.alarms).toContainEqual({ name: 'client-key-at-desk', about: id })
  expect(portal.alarms.some(({ about }) => about === byCommand.id)).toBe(false)
})

test('R253 a key or a secret is in its one answer, and nowhere else', async () => {
  const { body: made } = await administrator.call(createKeyAtDesk, newKey('once'))
  const { body: rotated } = await administrator.call(rotateKeyAtDesk, { params: { id: made.id } })
  const params = { webhook: 'once' }
  const { body: added } = await administrator.call(putWebhookAtDesk, { params, body: { url, types: null } })
  const { body: drawn } = await administrator.call(drawSecretAtDesk, { params })
  const { rows } = await sql<{ all: string }>`
    select concat((select string_agg(audit::text, ' ') from audit), (select string_agg(provider_keys::text, ' ') from provider_keys),
      (select string_agg(webhooks::text, ' ') from webhooks), (select string_agg(s::text, ' ') from webhook_secrets s),
      (select string_agg(idempotency::text, ' ') from idempotency)) as all`.execute(portal.ownerDb)
  const lists = await Promise.all([administrator.call(listKeysAtDesk), administrator.call(listWebhooksAtDesk)])
  const left = rows[0]!.all + JSON.stringify(lists.map(({ body }) => body))
  for (const secret of [made.key, rotated.key, added.secret!, drawn.secret]) {
    expect(secret.length).toBeGreaterThan(30)
    for (const form of [secret, secret.slice(7), Buffer.from(secret.slice(6), 'base64').toString('hex')])
      expect(left).not.toContain(form)
  }
})

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

/** Stores a message in the outbox as it would be after its attempts. */
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
    hasMore: false,
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
  await sendDue({
    db: portal.db,
    keys,
    deliveries: { ...createDeliveries(portal.portal), mail: failing(true), sms: failing(false) },
  })
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

  const texts = await recordStatements(async () => expect(await found()).toMatchObject(expected))
  const plans = [...texts.keys()].filter((text) => text.includes('recipient_index') && /^\s*\(?select/.test(text))
  const indexes: string[] = []
  await withManyRows(portal, async (client) => {
    for (const text of plans) {
      expect(await findWholeReads(client, text)).toEqual([])
      indexes.push(...new Set(await findIndexes(client, text)))
    }
  })
  expect(indexes).toEqual(['outbox_by_recipient'])

  await agent.call(resendMessagesAtDesk, { params: { id: account } })
  await portal.deliver()
  const { rows } = await sql`select outcome, recipient_index from outbox
    where id = any(${[mail, sms]})`.execute(portal.ownerDb)
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ outcome: 'sent', recipientIndex: null })))
})
