import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { ProviderEvent } from '../../contract/provider/events.ts'
import * as api from '../../contract/provider/webhooks.ts'
import { isGenuine, receiver } from '../../docs/examples/webhook-receiver.mjs'
import { answerEndlessly, listenOnLoopback, type Received } from '../adapters/loopback/loopback-server.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { listWaitingMessages } from '../platform/messages/failed-messages.ts'
import { startSending } from '../platform/messages/outbox.ts'
import { openFailedTries } from '../platform/operations/background-reports.ts'
import { createDeliveries } from '../platform/operations/deliveries.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { endOfFeed, giveWebhook, readFeed } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { makeCustomer } from '../testing/test-customers.ts'
import { webhookHeaders } from './webhook-delivery-store.ts'
import { webhookQueue } from './webhooks.ts'

/** Hosts that the operator has configured; each test adds its receivers. */
const hosts: string[] = []
let accounts: string[]
const portal = await openPortal({ nodes: 2, settings: { webhookHosts: hosts } })
beforeAll(async () => {
  for (let i = 0; i < 6; i++) await makeCustomer(portal)
  const { rows } = await portal.owner.query<{ id: string }>('select id from accounts order by id')
  accounts = rows.map(({ id }) => id)
})
afterEach(async () => {
  hosts.length = 0
  await portal.owner.query('delete from webhooks')
  portal.alarms.length = 0
  // Receivers use the time of their own machine.
  await portal.clock.advance(Math.round((Date.now() - (await now(portal.db)).getTime()) / 1000))
})

const { call } = openBrowser(portal)
const stateOf = async (webhook: string) => (await call(api.getWebhook, { params: { webhook } })).body

/** Adds an event of a customer, as one of the customer's actions does. */
const addEventOf = (accountId: string, version: string) =>
  portal.db.transaction().execute(async (tx) => {
    await sql`select from accounts where id = ${accountId} for update`.execute(tx)
    const details = { kind: 'marketing', version }
    await addAuditEntry(tx, { action: 'consent-given', accountId, actor: 'system', details })
  })

/** Starts a receiver that the operator has configured. */
async function openReceiver(answer: Parameters<typeof listenOnLoopback>[0]) {
  const server = await listenOnLoopback(answer)
  onTestFinished(() => server[Symbol.asyncDispose]())
  hosts.push(new URL(server.url).host)
  return server
}

/** Starts the receiver of the integrators' guide. */
async function openSample(secrets: string[], take: (event: ProviderEvent) => unknown) {
  const server = receiver({ secrets, take })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  hosts.push(host)
  return `http://${host}/`
}

const eventIn = ({ body }: Pick<Received, 'body'>) => JSON.parse(body) as ProviderEvent
const versionOf = ({ data }: ProviderEvent) => ('version' in data ? String(data.version) : '')
const accountOf = ({ data }: ProviderEvent) => ('account' in data ? data.account : '')

/** Tries until nothing can be sent now; the nodes take turns. */
async function sendAll() {
  while ((await portal.deliverWebhooks(0)) || (await portal.deliverWebhooks(1)));
}

/** Waits for a condition, whose text a failure shows. */
async function until(holds: () => boolean | Promise<boolean>) {
  await expect.poll(holds, { interval: 2, message: String(holds) }).toBe(true)
}

test('R80 signatures are those of Standard Webhooks, by its own example', () => {
  const headers = webhookHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  })
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('OPS-4 R80 the receiver of the guide accepts each event once, and none that is forged, changed, late or replayed', async () => {
  const server = await openReceiver((_, response) => response.writeHead(204).end())
  const { secret } = await giveWebhook(portal, `${server.url}/events?from=sygnet`)
  const after = await endOfFeed(portal)
  for (const account of accounts) await addEventOf(account, '1')
  await sendAll()
  expect(server.received.map(eventIn).toSorted((a, b) => a.position - b.position)).toEqual(
    await readFeed(portal, after),
  )
  const [request] = server.received
  expect(request).toMatchObject({ method: 'POST', path: '/events?from=sygnet' })
  const { id } = eventIn(request!)
  expect(request!.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id })

  const taken: ProviderEvent[] = []
  const url = await openSample([secret], (event) => taken.push(event))
  const send = async (headers: Record<string, unknown>, body: string) =>
    (await fetch(url, { method: 'POST', headers: headers as Record<string, string>, body })).status
  const signed = Object.fromEntries(Object.entries(request!.headers).filter(([name]) => name.startsWith('webhook-')))
  const { body: original } = request!
  const forged = webhookHeaders(['whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldCBrZXk='], { id, at: new Date(), body: original })
  const bad = [
    [signed, original.replace('1', '2')],
    [signed, `${original} `],
    [{ ...signed, 'webhook-id': crypto.randomUUID() }, original],
    [{ ...signed, 'webhook-timestamp': String(Number(signed['webhook-timestamp']) + 1) }, original],
    [{ ...signed, 'webhook-signature': '' }, original],
    [forged, original],
    [{}, original],
  ] as const
  for (const [headers, body] of bad) expect([headers, await send(headers, body)]).toEqual([headers, 401])
  expect(await Promise.all([1, 2, 3].map(() => send(signed, request!.body)))).toEqual([204, 204, 204])
  expect(taken).toEqual([eventIn(request!)])

  // As the guide starts it.
  const file = join(import.meta.dirname, '../../docs/examples/webhook-receiver.mjs')
  const env = { WEBHOOK_SECRETS: `${secret} whsec_c29tZWJvZHkgZWxzZQ==`, PORT: '0' }
  const started = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void started.kill())
  const lines = createInterface(started.stdout)[Symbol.asyncIterator]()
  const address = String((await lines.next()).value)
  const headers = signed as Record<string, string>
  expect((await fetch(address, { method: 'POST', headers, body: request!.body })).status).toBe(204)
  expect(JSON.parse(String((await lines.next()).value))).toEqual(eventIn(request!))

  const at = Number(signed['webhook-timestamp'])
  const verdict = (moment: number) => isGenuine([secret], signed, Buffer.from(request!.body), moment)
  expect([at - 301, at - 300, at, at + 300, at + 301].map(verdict)).toEqual([false, true, true, true, false])
})

test('R80 R82 a secret is shown only once and is encrypted at rest; for a day it signs along with its successor', async () => {
  const server = await openReceiver((_, response) => response.writeHead(200).end())
  const { webhook, secret: first } = await giveWebhook(portal, server.url)
  const repeated = await call(api.putWebhook, { params: { webhook }, body: { url: server.url, types: null } })
  expect([repeated.status, repeated.body.secret]).toEqual([200, null])
  const newest = async () => {
    await addEventOf(accounts[0]!, '1')
    await sendAll()
    const { headers, body } = server.received.at(-1)!
    return (secret: string) => isGenuine([secret], headers, Buffer.from(body), Number(headers['webhook-timestamp']))
  }
  expect((await newest())(first)).toBe(true)

  const idempotencyKey = crypto.randomUUID()
  const drawn = await call(api.drawWebhookSecret, { params: { webhook }, idempotencyKey })
  const again = await call(api.drawWebhookSecret, { params: { webhook }, idempotencyKey })
  const { secret: second } = drawn.body
  expect(again.body).toEqual(drawn.body)
  expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const both = await newest()
  expect([both(first), both(second)]).toEqual([true, true])
  const dump = await dumpDatabase(portal.owner)
  expect([first, second].flatMap((secret) => findIn(dump, secret.slice(6)))).toEqual([])
  await portal.clock.advance(limits.webhooks.secretOverlap - 5)
  expect((await newest())(first)).toBe(true)
  await portal.clock.advance(10)
  const late = await newest()
  expect([late(first), late(second)]).toEqual([false, true])

  // Of three in a day the newest two sign.
  const { secret: third } = (await call(api.drawWebhookSecret, { params: { webhook } })).body
  const { secret: fourth } = (await call(api.drawWebhookSecret, { params: { webhook } })).body
  const two = await newest()
  expect([second, third, fourth].map(two)).toEqual([false, true, true])
})

test('R81 a webhook leads to a configured host only, when it is put and when it is called', async () => {
  await using trap = await listenOnLoopback((_, response) => response.end())
  const server = await openReceiver((_, response) => response.end())
  const { host } = new URL(server.url)
  const elsewhere = [
    trap.url,
    `http://localhost:${server.port}/`,
    `http://[::ffff:127.0.0.1]:${server.port}/`,
    'http://127.0.0.1/',
    `http://127.0.0.1:${trap.port}/${host}`,
  ]
  const malformed = [
    `http://user@${host}/`,
    `http://:secret@${host}/`,
    `http://${host}/#part`,
    `ftp://${host}/`,
    'javascript:alert(1)',
    `http://${host}@127.0.0.1:${trap.port}/`,
    '//hooks',
  ]
  const refusalOf = async (url: string) => {
    const { status, problem } = await call(api.putWebhook, { params: { webhook: 'w' }, body: { url, types: null } })
    return [url, status, problem.code, problem.fields?.[0]?.name]
  }
  for (const url of elsewhere) expect(await refusalOf(url)).toEqual([url, 422, 'host-not-allowed', undefined])
  for (const url of malformed) expect(await refusalOf(url)).toEqual([url, 400, 'invalid-input', 'url'])
  expect((await call(api.getWebhook, { params: { webhook: 'w' } })).problem.code).toBe('not-found')

  const { webhook } = await giveWebhook(portal, server.url)
  await addEventOf(accounts[0]!, '1')
  hosts.length = 0
  await sendAll()
  const failure = `The host of the webhook ${webhook} is not in WEBHOOK_HOSTS: add it.`
  expect(await stateOf(webhook)).toMatchObject({ waiting: 1, failure })
  expect([server.connections(), trap.connections()]).toEqual([0, 0])
})

test('R81 R80 a redirect is not followed, an endless answer is cut, and each is a failure that is retried', async () => {
  await using trap = await listenOnLoopback((_, response) => response.end('caught'))
  const correctAddress = 'correct its address by sygnet webhooks put NAME --url URL'
  const checkService = 'check its address, the firewall, and whether the service runs'
  type Receiver = Parameters<typeof listenOnLoopback>[0]
  const answering = ([status, advice]: readonly [number, string]): [string, Receiver] => [
    `The webhook NAME answered with HTTP ${status}: ${advice}.`,
    (_, response) => response.writeHead(status, { location: trap.url }).end(),
  ]
  const endlessly: Receiver = (_, response) => answerEndlessly(response, 'x'.repeat(4096))
  const answers: [string, Receiver][] = [
    ...(
      [
        [302, correctAddress],
        [404, correctAddress],
        [401, 'check the secret with which it verifies signatures'],
        [500, 'if that stays, ask its operator'],
      ] as const
    ).map(answering),
    ['The call to the webhook NAME failed (the answer is too large): check its address.', endlessly],
    [`No connection to the webhook NAME (ECONNRESET): ${checkService}.`, (_, response) => void response.destroy()],
  ]
  let isHealthy = false
  const webhooks = await Promise.all(
    answers.map(async ([failure, answer]) => {
      const server = await openReceiver((received, response) =>
        isHealthy ? response.writeHead(202).end() : answer(received, response),
      )
      return { failure, server, ...(await giveWebhook(portal, server.url)) }
    }),
  )
  await addEventOf(accounts[0]!, '1')
  await sendAll()
  for (const { webhook, failure } of webhooks)
    expect(await stateOf(webhook)).toMatchObject({ waiting: 1, failure: failure.replaceAll('NAME', webhook) })
  // The operator sees which of them fail, and why: none hides another one's line.
  const waiting = await listWaitingMessages(portal.db, 100)
  expect(new Set(waiting.map(({ failure }) => failure)).size).toBe(webhooks.length)
  const lines: string[] = []
  const logFailedTry = openFailedTries((_, problem) => lines.push(problem))
  const failed = { channel: 'webhook', tries: 1, isPermanent: false, message: undefined } as const
  for (const { id, failure } of waiting) logFailedTry({ id, ...failed }, new DeliveryFailed(failure!, false))
  expect(lines).toHaveLength(webhooks.length)
  expect(trap.connections()).toBe(0)
  isHealthy = true
  await portal.clock.advance(2)
  await sendAll()
  for (const { webhook, server } of webhooks) {
    expect(await stateOf(webhook)).toMatchObject({ waiting: 0, failure: null })
    const [first, second, ...more] = server.received
    expect([second!.body, second!.headers['webhook-id'], more]).toEqual([first!.body, first!.headers['webhook-id'], []])
  }
})

test('OPS-4 R92 two nodes and a receiver that fails again and again: each event once, and those of each object in order', async () => {
  const tried: { event: ProviderEvent; isTaken: boolean }[] = []
  let nth = 0
  const server = await openReceiver((received, response) => {
    const isTaken = nth++ % 3 !== 1
    tried.push({ event: eventIn(received), isTaken })
    response.writeHead(isTaken ? 204 : 503).end()
  })
  const { webhook } = await giveWebhook(portal, server.url)
  for (let version = 1; version <= 6; version++)
    await Promise.all(accounts.map((account) => addEventOf(account, String(version))))
  while ((await stateOf(webhook)).waiting) {
    while ((await Promise.all([portal.deliverWebhooks(0), portal.deliverWebhooks(1)])).some(Boolean));
    await portal.clock.advance(61)
  }
  expect(tried.length).toBeGreaterThan(36)
  for (const account of accounts) {
    const own = tried.filter(({ event }) => accountOf(event) === account)
    expect(own.filter(({ isTaken }) => isTaken).map(({ event }) => versionOf(event))).toEqual([...'123456'])
    // An event is not tried before the one before it was accepted.
    const versions = own.map(({ event }) => Number(versionOf(event)))
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
})

test('R93 R92 events that are never accepted delay no others; given up, they can be replayed', async () => {
  let isHealthy = false
  const [refused, ...accepted] = accounts as [string, ...string[]]
  const server = await openReceiver((received, response) =>
    response.writeHead(isHealthy || accountOf(eventIn(received)) !== refused ? 200 : 422).end(),
  )
  const { webhook } = await giveWebhook(portal, server.url)
  for (const version of ['1', '2']) for (const account of accounts) await addEventOf(account, version)
  await sendAll()
  const takenOf = (account: string) => server.received.map(eventIn).filter((event) => accountOf(event) === account)
  for (const account of accepted) expect(takenOf(account).map(versionOf)).toEqual(['1', '2'])
  expect(takenOf(refused).map(versionOf)).toEqual(['1'])

  // The next try of each is its last.
  await portal.owner.query(`update outbox set tries = 82, next_try_at = portal_now() where channel = 'webhook'`)
  await sendAll()
  expect([(await stateOf(webhook)).deadLetters, takenOf(refused).map(versionOf)]).toEqual([2, ['1', '1', '2']])
  await expect.poll(() => portal.alarms).toContainEqual({ name: 'webhook-given-up', about: webhook })
  const { items } = (await call(api.listDeadLetters, { params: { webhook } })).body
  const failure = `The webhook ${webhook} answered with HTTP 422: its log says why.`
  expect(items.map(({ event, ...rest }) => [versionOf(event), rest])).toEqual(
    ['1', '2'].map((version) => [version, { tries: 83, failure }]),
  )
  const query = { after: String(items[0]!.event.position) }
  expect((await call(api.listDeadLetters, { params: { webhook }, query })).body.items).toEqual([items[1]])

  isHealthy = true
  const before = server.received.length
  expect((await call(api.replayDeadLetters, { params: { webhook } })).body).toEqual({ replayed: 2 })
  await sendAll()
  expect(server.received.slice(before).map(eventIn)).toEqual(items.map(({ event }) => event))
  expect(await stateOf(webhook)).toMatchObject({ waiting: 0, deadLetters: 0, failure: null })
  expect((await call(api.replayDeadLetters, { params: { webhook } })).body).toEqual({ replayed: 0 })
})

test('R93 a receiver that hangs blocks a few deliveries and delays neither another webhook nor a mail', async () => {
  let [open, most] = [0, 0]
  const hanging = await openReceiver((_, response) => {
    most = Math.max(most, ++open)
    response.once('close', () => open--)
  })
  const good = await openReceiver((_, response) => response.end())
  const { webhook } = await giveWebhook(portal, hanging.url)
  await giveWebhook(portal, good.url)
  for (const account of accounts) await addEventOf(account, '1')
  const stuck = portal.deliverWebhooks(0)
  await until(() => hanging.received.length === limits.webhooks.parallel)
  // The first node may still be delivering some of the good ones.
  await until(async () => {
    await portal.deliverWebhooks(1)
    return good.received.length === accounts.length
  })
  expect(most).toBe(limits.webhooks.parallel)
  const mails = portal.mails.length
  await makeCustomer(portal)
  expect(portal.mails.length).toBeGreaterThan(mails)
  await hanging[Symbol.asyncDispose]()
  await stuck
  const { failure } = await stateOf(webhook)
  // On a busy machine the first ones may have failed by then.
  expect(failure).toMatch(/\((?:ECONNRESET|timeout)\)/)
})

test('OPS-4 R92 the sender of a node is woken by an event, and by the end of a delivery that another one waits for', async () => {
  const server = await openReceiver((_, response) => response.end())
  await giveWebhook(portal, server.url)
  // Its timer of one second does not run.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const reports: unknown[] = []
  const report = (error: unknown) => reports.push(error)
  const sender = startSending({
    ...portal.portal,
    deliveries: createDeliveries(portal.portal),
    report,
    queue: webhookQueue,
  })
  onTestFinished(async () => {
    vi.useRealTimers()
    await sender.stop()
  })
  const rest = () => new Promise((resolve) => setImmediate(resolve))
  await portal.db.transaction().execute(async (tx) => {
    const entry = { action: 'consent-given', accountId: accounts[0]!, actor: 'system' } as const
    for (const version of '1234567') await addAuditEntry(tx, { ...entry, details: { kind: 'marketing', version } })
  })
  while (server.received.length < 7) await rest()
  expect(server.received.map((received) => versionOf(eventIn(received)))).toEqual([...'1234567'])
  expect(reports).toEqual([])
})

test('OPS-4 a webhook gets the types it asked for, from its PUT until it is removed', async () => {
  const server = await openReceiver((_, response) => response.end())
  await addEventOf(accounts[0]!, 'before')
  const { webhook } = await giveWebhook(portal, server.url, ['customer.blocked'])
  await addEventOf(accounts[0]!, 'unwanted')
  const blocked = { action: 'account-blocked', accountId: accounts[0]!, actor: 'system' } as const
  await portal.db.transaction().execute((tx) => addAuditEntry(tx, blocked))
  expect((await stateOf(webhook)).waiting).toBe(1)
  await sendAll()
  expect(server.received.map((received) => eventIn(received).type)).toEqual(['customer.blocked'])

  await call(api.putWebhook, { params: { webhook }, body: { url: server.url, types: null } })
  await addEventOf(accounts[0]!, 'wanted')
  await sendAll()
  expect(server.received.map((received) => versionOf(eventIn(received)))).toEqual(['', 'wanted'])
  const { items, next } = (await call(api.listWebhooks)).body
  expect([items.map((item) => item.webhook), next]).toEqual([[webhook], null])
  await addEventOf(accounts[0]!, 'too late')
  expect((await call(api.removeWebhook, { params: { webhook } })).status).toBe(204)
  await sendAll()
  expect(server.received).toHaveLength(2)
  expect((await call(api.removeWebhook, { params: { webhook } })).problem.code).toBe('not-found')
})

test('OPS-4 R92 a webhook that accepts nothing has a limited number of events in the outbox; the rest stays in the feed, and none is lost', async () => {
  const { webhook } = await giveWebhook(portal, (hosts.push('127.0.0.1:1'), 'http://127.0.0.1:1/'))
  const { maxQueued } = limits.webhooks
  await portal.owner.query(
    `insert into events (type, subject, data) select 'customer.blocked', 'customer ' || n, '{"customer": null, "account": "${accounts[0]}"}' from generate_series(1, ${maxQueued + 20}) n`,
  )
  await portal.deliverWebhooks()
  const inOutbox = async () =>
    (await portal.owner.query(`select count(*)::int as n from outbox where webhook_id is not null and outcome is null`))
      .rows[0].n as number
  expect(await inOutbox()).toBe(maxQueued)
  expect((await stateOf(webhook)).waiting).toBe(maxQueued + 20)
  await portal.owner.query(`update outbox set outcome = 'sent' where webhook_id is not null`)
  await portal.deliverWebhooks()
  expect(await inOutbox()).toBe(20)
  expect((await stateOf(webhook)).waiting).toBe(20)
})
