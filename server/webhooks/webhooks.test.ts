import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { ProviderEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import {
  deleteWebhook,
  drawWebhookSecret,
  getWebhook,
  listDeadLetters,
  listWebhooks,
  putWebhook,
  replayDeadLetters,
} from '../contract/webhooks.ts'
import { isGenuine, receiver } from '../docs/examples/webhook-receiver.mjs'
import { record } from './audit.ts'
import { deliveriesOf } from './deliveries.ts'
import { listenOn } from './listen.ts'
import { startSending } from './outbox.ts'
import { listenOnLoopback, type Received } from './ports/loopback-server.ts'
import { openPortal } from './testing/open-portal.ts'
import { now } from './testing/portal-nodes.ts'
import { makeCustomer, openBrowser } from './testing/browser.ts'
import { dumpOf, findIn } from './testing/canaries.ts'
import { endOfFeed, giveWebhook, readFeed } from './testing/event-feed.ts'
import { openProcess } from './testing/processes.ts'
import { webhookQueue } from './webhooks.ts'
import { webhookHeaders } from './webhook-signature.ts'

/** What the operator has configured; each test adds its receivers. */
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
  // Receivers go by the time of their own machine.
  await portal.clock.advance(Math.round((Date.now() - (await now(portal.db)).getTime()) / 1000))
})

const ask = () => openBrowser(portal)

/** Something that the provider is told of a customer, as an act of theirs does. */
const happen = (accountId: string, version: string) =>
  portal.db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
    await record(tx, { act: 'consent-given', accountId, actor: 'system', details: { kind: 'marketing', version } })
  })

/** A receiver that the operator has configured. */
async function openReceiver(answer: Parameters<typeof listenOnLoopback>[0]) {
  const server = await listenOnLoopback(answer)
  onTestFinished(() => server[Symbol.asyncDispose]())
  hosts.push(new URL(server.url).host)
  return server
}

/** The integrators' own, of the guide. */
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

async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await later(2)
}

test('R80 what is signed is what Standard Webhooks says, by its own example', () => {
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

test('OPS-4 R80 the receiver of the guide takes each event once, and nothing that is forged, changed, late or sent again', async () => {
  const server = await openReceiver((_, response) => response.writeHead(204).end())
  const { secret } = await giveWebhook(portal, `${server.url}/events?from=sygnet`)
  const after = await endOfFeed(portal)
  for (const account of accounts) await happen(account, '1')
  await sendAll()
  expect(server.received.map(eventIn).toSorted((a, b) => a.position - b.position)).toEqual(
    await readFeed(portal, after),
  )
  const [one] = server.received
  expect([one!.method, one!.path, one!.headers['content-type']]).toEqual([
    'POST',
    '/events?from=sygnet',
    'application/json',
  ])
  expect(one!.headers['webhook-id']).toBe(eventIn(one!).id)

  const taken: ProviderEvent[] = []
  const url = await openSample([secret], (event) => taken.push(event))
  const send = async (headers: Record<string, unknown>, body: string) =>
    (await fetch(url, { method: 'POST', headers: headers as Record<string, string>, body })).status
  const signed = Object.fromEntries(Object.entries(one!.headers).filter(([name]) => name.startsWith('webhook-')))
  const forged = webhookHeaders(['whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldCBrZXk='], {
    id: eventIn(one!).id,
    at: new Date(),
    body: one!.body,
  })
  const bad = [
    [signed, one!.body.replace('1', '2')],
    [signed, `${one!.body} `],
    [{ ...signed, 'webhook-id': crypto.randomUUID() }, one!.body],
    [{ ...signed, 'webhook-timestamp': String(Number(signed['webhook-timestamp']) + 1) }, one!.body],
    [{ ...signed, 'webhook-signature': '' }, one!.body],
    [forged, one!.body],
    [{}, one!.body],
  ] as const
  for (const [headers, body] of bad) expect([headers, await send(headers, body)]).toEqual([headers, 401])
  expect(await Promise.all([1, 2, 3].map(() => send(signed, one!.body)))).toEqual([204, 204, 204])
  expect(taken).toEqual([eventIn(one!)])

  const at = Number(signed['webhook-timestamp'])
  const verdict = (moment: number) => isGenuine([secret], signed, Buffer.from(one!.body), moment)
  expect([at - 301, at - 300, at, at + 300, at + 301].map(verdict)).toEqual([false, true, true, true, false])
})

test('R80 R82 a secret is told once and rests sealed; while another replaces it both sign, for a day', async () => {
  const server = await openReceiver((_, response) => response.writeHead(200).end())
  const { webhook, secret: first } = await giveWebhook(portal, server.url)
  const repeated = await ask().call(putWebhook, { params: { webhook }, body: { url: server.url, types: null } })
  expect([repeated.status, repeated.body.secret]).toEqual([200, null])
  const newest = async () => {
    await happen(accounts[0]!, '1')
    await sendAll()
    const { headers, body } = server.received.at(-1)!
    return (secret: string) => isGenuine([secret], headers, Buffer.from(body), Number(headers['webhook-timestamp']))
  }
  expect((await newest())(first)).toBe(true)

  const idempotencyKey = crypto.randomUUID()
  const drawn = await ask().call(drawWebhookSecret, { params: { webhook }, idempotencyKey })
  const again = await ask().call(drawWebhookSecret, { params: { webhook }, idempotencyKey })
  const { secret: second } = drawn.body
  expect(again.body).toEqual(drawn.body)
  expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const both = await newest()
  expect([both(first), both(second)]).toEqual([true, true])
  expect(
    await dumpOf(portal.owner).then((dump) => [first, second].flatMap((one) => findIn(dump, one.slice(6)))),
  ).toEqual([])
  await portal.clock.advance(limits.webhooks.earlier - 5)
  expect((await newest())(first)).toBe(true)
  await portal.clock.advance(10)
  const late = await newest()
  expect([late(first), late(second)]).toEqual([false, true])

  // Of three in a day the newest two sign.
  const { secret: third } = (await ask().call(drawWebhookSecret, { params: { webhook } })).body
  const { secret: fourth } = (await ask().call(drawWebhookSecret, { params: { webhook } })).body
  const two = await newest()
  expect([second, third, fourth].map(two)).toEqual([false, true, true])
})

test('R81 a webhook leads to a configured host only, when it is stated and when it is called', async () => {
  await using trap = await listenOnLoopback((_, response) => response.end())
  const server = await openReceiver((_, response) => response.end())
  const { host } = new URL(server.url)
  const urls = [
    trap.url,
    `http://localhost:${server.port}/`,
    `http://[::ffff:127.0.0.1]:${server.port}/`,
    'http://127.0.0.1/',
    `http://user@${host}/`,
    `http://:secret@${host}/`,
    `http://${host}/#part`,
    `ftp://${host}/`,
    'javascript:alert(1)',
    `http://${host}@127.0.0.1:${trap.port}/`,
    `http://127.0.0.1:${trap.port}/${host}`,
    '//hooks',
  ]
  for (const url of urls) {
    const { status, problem } = await ask().call(putWebhook, { params: { webhook: 'w' }, body: { url, types: null } })
    expect([url, status, problem.fields?.[0]?.name]).toEqual([url, 400, 'url'])
  }
  expect((await ask().call(getWebhook, { params: { webhook: 'w' } })).problem.code).toBe('not-found')

  const { webhook } = await giveWebhook(portal, server.url)
  await happen(accounts[0]!, '1')
  hosts.length = 0
  await sendAll()
  expect((await ask().call(getWebhook, { params: { webhook } })).body).toMatchObject({
    waiting: 1,
    failure: 'the host is not configured',
  })
  expect([server.connections(), trap.connections()]).toEqual([0, 0])
})

test('R81 R80 a redirect is not followed, an endless answer is cut, and either is a failure that is tried again', async () => {
  await using trap = await listenOnLoopback((_, response) => response.end('caught'))
  const endless: Parameters<typeof listenOnLoopback>[0] = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(4096)));
    }
    response.on('drain', more)
    more()
  }
  const answers: [string, Parameters<typeof listenOnLoopback>[0]][] = [
    ['HTTP 302', (_, response) => response.writeHead(302, { location: trap.url }).end()],
    ['HTTP 307', (_, response) => response.writeHead(307, { location: trap.url }).end()],
    ['the answer is too large', endless],
    ['HTTP 500', (_, response) => response.writeHead(500).end()],
    ['ECONNRESET', (_, response) => void response.destroy()],
  ]
  let isWell = false
  const webhooks = await Promise.all(
    answers.map(async ([failure, answer]) => {
      const server = await openReceiver((received, response) =>
        isWell ? response.writeHead(202).end() : answer(received, response),
      )
      return { failure, server, ...(await giveWebhook(portal, server.url)) }
    }),
  )
  await happen(accounts[0]!, '1')
  await sendAll()
  for (const { webhook, failure } of webhooks)
    expect((await ask().call(getWebhook, { params: { webhook } })).body).toMatchObject({ waiting: 1, failure })
  expect(trap.connections()).toBe(0)
  isWell = true
  await portal.clock.advance(2)
  await sendAll()
  for (const { webhook, server } of webhooks) {
    expect((await ask().call(getWebhook, { params: { webhook } })).body).toMatchObject({ waiting: 0, failure: null })
    const [one, two, ...more] = server.received
    expect([two!.body, two!.headers['webhook-id'], more]).toEqual([one!.body, one!.headers['webhook-id'], []])
  }
})

test('OPS-4 R92 two nodes and a receiver that fails again and again: each event once, and each object’s in order', async () => {
  const tried: { event: ProviderEvent; isTaken: boolean }[] = []
  let nth = 0
  const server = await openReceiver((received, response) => {
    const isTaken = nth++ % 3 !== 1
    tried.push({ event: eventIn(received), isTaken })
    response.writeHead(isTaken ? 204 : 503).end()
  })
  const { webhook } = await giveWebhook(portal, server.url)
  for (let version = 1; version <= 6; version++)
    await Promise.all(accounts.map((account) => happen(account, String(version))))
  while ((await ask().call(getWebhook, { params: { webhook } })).body.waiting) {
    while ((await Promise.all([portal.deliverWebhooks(0), portal.deliverWebhooks(1)])).some(Boolean));
    await portal.clock.advance(61)
  }
  expect(tried.length).toBeGreaterThan(36)
  for (const account of accounts) {
    const own = tried.filter(({ event }) => accountOf(event) === account)
    expect(own.filter(({ isTaken }) => isTaken).map(({ event }) => versionOf(event))).toEqual([...'123456'])
    // None is even tried before the one before it was taken.
    const versions = own.map(({ event }) => Number(versionOf(event)))
    expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  }
})

test('R93 R92 one object’s events that are never taken hold up no other’s; given up after a day, with an alarm, they are listed and can be sent again', async () => {
  let isWell = false
  const [poisoned, ...others] = accounts as [string, ...string[]]
  const server = await openReceiver((received, response) =>
    response.writeHead(isWell || accountOf(eventIn(received)) !== poisoned ? 200 : 422).end(),
  )
  const { webhook } = await giveWebhook(portal, server.url)
  for (const version of ['1', '2']) for (const account of accounts) await happen(account, version)
  await sendAll()
  const takenOf = (account: string) => server.received.map(eventIn).filter((event) => accountOf(event) === account)
  for (const other of others) expect(takenOf(other).map(versionOf)).toEqual(['1', '2'])
  expect(takenOf(poisoned).map(versionOf)).toEqual(['1'])

  let hours = 0
  const state = async () => (await ask().call(getWebhook, { params: { webhook } })).body
  for (; (await state()).deadLetters < 2; hours++) {
    for (let minute = 0; minute < (hours < 2 ? 60 : 1); minute += 1) {
      await portal.deliverWebhooks()
      await portal.clock.advance(hours < 2 ? 60 : 3600)
    }
  }
  expect(portal.alarms).toContainEqual({ name: 'webhook-given-up', about: webhook })
  expect(takenOf(poisoned).length).toBe(2 * 83)
  const { items } = (await ask().call(listDeadLetters, { params: { webhook } })).body
  expect(items.map(({ event, ...rest }) => [versionOf(event), rest])).toEqual(
    ['1', '2'].map((version) => [version, { tries: 83, failure: 'HTTP 422' }]),
  )
  const { items: rest } = (
    await ask().call(listDeadLetters, { params: { webhook }, query: { after: String(items[0]!.event.position) } })
  ).body
  expect(rest).toEqual([items[1]])

  isWell = true
  const before = server.received.length
  expect((await ask().call(replayDeadLetters, { params: { webhook } })).body).toEqual({ replayed: 2 })
  await sendAll()
  expect(server.received.slice(before).map(eventIn)).toEqual(items.map(({ event }) => event))
  expect(await state()).toMatchObject({ waiting: 0, deadLetters: 0, failure: null })
  expect((await ask().call(replayDeadLetters, { params: { webhook } })).body).toEqual({ replayed: 0 })
})

test('R93 a receiver that hangs holds a few deliveries and delays neither another webhook nor a mail', async () => {
  const hanging = await openReceiver(() => {})
  const good = await openReceiver((_, response) => response.end())
  const { webhook } = await giveWebhook(portal, hanging.url)
  await giveWebhook(portal, good.url)
  for (const account of accounts) await happen(account, '1')
  const stuck = portal.deliverWebhooks(0)
  await until(() => hanging.received.length === limits.webhooks.atOnce)
  // The first node may still have some of the good ones in hand.
  await until(async () => {
    await portal.deliverWebhooks(1)
    return good.received.length === accounts.length
  })
  expect(hanging.received).toHaveLength(limits.webhooks.atOnce)
  const mails = portal.mails.length
  await makeCustomer(portal)
  expect(portal.mails.length).toBeGreaterThan(mails)
  await hanging[Symbol.asyncDispose]()
  await stuck
  expect((await ask().call(getWebhook, { params: { webhook } })).body).toMatchObject({ failure: 'ECONNRESET' })
})

test('R92 R80 a worker that is killed after the receiver has taken an event: it comes once more under the same id, and its effect is one', async () => {
  const taken: ProviderEvent[] = []
  const secrets: string[] = []
  const url = await openSample(secrets, (event) => taken.push(event))
  const { webhook, secret } = await giveWebhook(portal, url)
  secrets.push(secret)
  for (const version of ['1', '2']) await happen(accounts[0]!, version)
  const worker = await openProcess(portal, { kill: { when: 'before', what: "update outbox set outcome = 'sent'" } })
  await worker.strike('webhooks')
  expect(taken.map(versionOf)).toEqual(['1'])
  // Nobody knows whether it was taken, so for the time of the lease nothing of this object goes.
  expect(await portal.deliverWebhooks()).toBe(0)
  await portal.clock.advance(61)
  await sendAll()
  expect(taken.map(versionOf)).toEqual(['1', '2'])
  expect((await ask().call(getWebhook, { params: { webhook } })).body.waiting).toBe(0)
})

test('OPS-4 R92 the sender of a node is woken by the act, and by the end of a delivery that another one waits for', async () => {
  const server = await openReceiver((_, response) => response.end())
  await giveWebhook(portal, server.url)
  // Its clock of one second does not run.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const reports: unknown[] = []
  const sender = startSending(
    portal.db,
    portal.portal.keys,
    deliveriesOf(portal.portal),
    listenOn(portal.databaseUrl),
    (error) => reports.push(error),
    webhookQueue,
  )
  onTestFinished(async () => {
    vi.useRealTimers()
    await sender.stop()
  })
  const listening = `select from pg_stat_activity where query = 'listen "events"' and datname = current_database()`
  const rest = () => new Promise((resolve) => setImmediate(resolve))
  while ((await portal.owner.query(listening)).rows.length === 0) await rest()
  await portal.db.transaction().execute(async (tx) => {
    for (const version of ['1', '2', '3', '4', '5', '6', '7'])
      await record(tx, {
        act: 'consent-given',
        accountId: accounts[0]!,
        actor: 'system',
        details: { kind: 'marketing', version },
      })
  })
  while (server.received.length < 7) await rest()
  expect(server.received.map((one) => versionOf(eventIn(one)))).toEqual([...'1234567'])
  expect(reports).toEqual([])
})

test('OPS-4 a webhook gets the kinds that it asked for, from when it was stated until it is removed', async () => {
  const server = await openReceiver((_, response) => response.end())
  await happen(accounts[0]!, 'before')
  const { webhook } = await giveWebhook(portal, server.url, ['customer.blocked'])
  await happen(accounts[0]!, 'unwanted')
  await portal.db
    .transaction()
    .execute((tx) => record(tx, { act: 'account-blocked', accountId: accounts[0]!, actor: 'system' }))
  expect((await ask().call(getWebhook, { params: { webhook } })).body.waiting).toBe(1)
  await sendAll()
  expect(server.received.map((one) => eventIn(one).type)).toEqual(['customer.blocked'])

  await ask().call(putWebhook, { params: { webhook }, body: { url: server.url, types: null } })
  await happen(accounts[0]!, 'wanted')
  await sendAll()
  expect(server.received.map((one) => versionOf(eventIn(one)))).toEqual(['', 'wanted'])
  const { items, next } = (await ask().call(listWebhooks)).body
  expect([items.map((one) => one.webhook), next]).toEqual([[webhook], null])
  await happen(accounts[0]!, 'too late')
  expect((await ask().call(deleteWebhook, { params: { webhook } })).status).toBe(204)
  await sendAll()
  expect(server.received).toHaveLength(2)
  expect((await ask().call(deleteWebhook, { params: { webhook } })).problem.code).toBe('not-found')
})

test('OPS-4 R92 of a webhook that takes nothing so many events lie in the outbox; the rest waits in the feed, and none is lost', async () => {
  const { webhook } = await giveWebhook(portal, (hosts.push('127.0.0.1:1'), 'http://127.0.0.1:1/'))
  const { open } = limits.webhooks
  await portal.owner.query(
    `insert into events (type, subject, data) select 'customer.blocked', 'customer ' || n, '{"customer": null, "account": "${accounts[0]}"}' from generate_series(1, ${open + 20}) n`,
  )
  await portal.deliverWebhooks()
  const inOutbox = async () =>
    (await portal.owner.query(`select count(*)::int as n from outbox where webhook_id is not null and outcome is null`))
      .rows[0].n as number
  expect(await inOutbox()).toBe(open)
  expect((await ask().call(getWebhook, { params: { webhook } })).body.waiting).toBe(open + 20)
  await portal.owner.query(`update outbox set outcome = 'sent' where webhook_id is not null`)
  await portal.deliverWebhooks()
  expect(await inOutbox()).toBe(20)
  expect((await ask().call(getWebhook, { params: { webhook } })).body.waiting).toBe(20)
})
