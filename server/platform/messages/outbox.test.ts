import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { untilWaiting } from '../../testing/concurrency.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { openFailedTries } from '../operations/background-reports.ts'
import { DeliveryFailed, type Mail, type Sms } from '../ports.ts'
import type { Deliveries, Message } from './message.ts'
import { enqueue, sendDue, startSending, type FailedTry, type Report } from './outbox.ts'

const midnight = new Date('2027-02-03T00:00:00Z')
let at = midnight.getTime()

const portal = await openPortal({ nodes: 2 })
beforeEach(() => become(midnight.getTime()))
afterEach(() => portal.owner.query('truncate outbox'))

async function become(ms: number) {
  at = ms
  await portal.clock.stopAt(new Date(at))
}
const pass = (seconds: number) => become(at + seconds * 1000)

const sms = (to: string): Message => ({ channel: 'sms', to, text: 'code' })
const add = (message: Message, dropAt?: Date) =>
  portal.db.transaction().execute((tx) => enqueue(tx, portal.portal.keys, message, dropAt))
const outbox = async () =>
  (await portal.owner.query('select * from outbox order by created_at, id')).rows as Record<string, unknown>[]

/** Makes a gateway that runs `take` for each message, and keeps the messages it took. */
function gateway(take: (message: Sms | Mail) => Promise<void> | void = () => {}) {
  const taken: (Sms | Mail)[] = []
  const deliver = async (message: Sms | Mail) => {
    await take(message)
    taken.push(message)
  }
  return {
    taken,
    deliveries: {
      sms: deliver,
      mail: deliver,
      'password-link': async () => {},
      registration: async () => {},
      'seal-invitation': async () => {},
      'agreement-signature': async () => {},
      'data-export': async () => {},
      'customer-invitation': async () => {},
      'app-activation': async () => {},
      'certificate-status': async () => {},
      'lost-phone': async () => {},
      webhook: async () => {},
    } satisfies Deliveries,
  }
}
const send = (deliveries: Deliveries, node = 0, report?: Report) =>
  sendDue({ db: portal.nodes[node]!.db, keys: portal.portal.keys, deliveries, report })

/** Makes a promise that the test resolves. */
const gate = () => Promise.withResolvers<void>()

/** Waits for a condition, whose text a failure shows. */
async function until(holds: () => boolean | Promise<boolean>) {
  await expect.poll(holds, { interval: 2, message: String(holds) }).toBe(true)
}

test('R92 a message whose transaction is rolled back is never sent', async () => {
  const { taken, deliveries } = gateway()
  const undone = portal.db.transaction().execute(async (tx) => {
    await enqueue(tx, portal.portal.keys, sms('+48501000001'))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await add(sms('+48501000002'))
  await send(deliveries)
  expect(taken.map(({ to }) => to)).toEqual(['+48501000002'])
})

test('R92 R3 a message is encrypted while it waits, and its content is removed once it is sent', async () => {
  await add({ channel: 'sms', to: '+48501000003', text: 'kod 271828' })
  const [waiting] = await outbox()
  expect((waiting!['message'] as Buffer).toString('latin1')).not.toMatch(/271828|501000003/)
  const { taken, deliveries } = gateway()
  await send(deliveries)
  expect(taken).toMatchObject([{ to: '+48501000003', text: 'kod 271828' }])
  expect(await outbox()).toMatchObject([{ outcome: 'sent', message: Buffer.alloc(0), sent_at: midnight }])
  expect(await send(deliveries)).toBe(0)
})

test('R92 a message is retried after 2, 4, 8 … 60 seconds, not before, and with the same id', async () => {
  await add(sms('+48501000004'))
  const asked: number[] = []
  const ids = new Set<string>()
  const { deliveries } = gateway(({ id }) => {
    asked.push((at - midnight.getTime()) / 1000)
    ids.add(id)
    throw new DeliveryFailed('down', false)
  })
  await send(deliveries)
  for (const wait of [2, 4, 8, 16, 32, 60, 60]) {
    await pass(wait - 1)
    expect(await send(deliveries)).toBe(0)
    await pass(1)
    expect(await send(deliveries)).toBe(1)
  }
  expect(asked).toEqual([0, 2, 6, 14, 30, 62, 122, 182])
  expect(ids.size).toBe(1)
  expect(await outbox()).toMatchObject([{ outcome: null, failure: 'down', tries: 8 }])
})

test('R92 after an outage of half an hour every message that has not expired is delivered within two minutes', async () => {
  let down = true
  const { taken, deliveries } = gateway(() => {
    if (down) throw new DeliveryFailed('down', false)
  })
  for (let i = 0; i < 5; i++) await add({ channel: 'mail', to: `a${i}@mail.example`, subject: '', text: '', html: '' })
  // A code that expires during the outage.
  await add(sms('+48501000005'), new Date(at + 600_000))
  const sendFor = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 20) {
      await send(deliveries)
      await pass(20)
    }
  }
  await sendFor(1800)
  down = false
  await sendFor(120)
  expect(taken.map(({ to }) => to).toSorted()).toEqual([0, 1, 2, 3, 4].map((i) => `a${i}@mail.example`))
  expect((await outbox()).filter(({ outcome }) => outcome === 'expired')).toHaveLength(1)
})

test('R92 a code is sent until a second before its end, and dropped then, whether it was tried or not', async () => {
  const end = new Date(at + 600_000)
  await add(sms('+48501000006'), end)
  const { taken, deliveries } = gateway(() => {
    throw new DeliveryFailed('down', false)
  })
  await send(deliveries)
  await become(end.getTime() - 1000)
  await add(sms('+48501000008'), end)
  const { taken: late, deliveries: back } = gateway(({ to }) => {
    if (to === '+48501000006') throw new DeliveryFailed('down', false)
  })
  await send(back)
  await add(sms('+48501000007'), end)
  await become(end.getTime())
  expect(await send(back)).toBe(0)
  expect([taken, late.map(({ to }) => to)]).toEqual([[], ['+48501000008']])
  const expired = { outcome: 'expired', message: Buffer.alloc(0) }
  expect((await outbox()).filter(({ outcome }) => outcome !== 'sent')).toMatchObject([expired, expired])
})

test('R92 a message of a killed worker is taken over after its lease, not before, under the same id', async () => {
  await add(sms('+48501000009'))
  const held: string[] = []
  const never = gate()
  // The worker gives the message to the gateway and is killed.
  const hangs = gateway(({ id }) => {
    held.push(id)
    return never.promise
  })
  void send(hangs.deliveries)
  await until(() => held.length === 1)
  const { taken, deliveries } = gateway()
  await pass(59)
  expect(await send(deliveries, 1)).toBe(0)
  await pass(1)
  expect(await send(deliveries, 1)).toBe(1)
  expect(taken.map(({ id }) => id)).toEqual(held)
})

test('R92 a worker that continues after its lease does not change the outcome of the other one', async () => {
  for (const outcome of ['sends', 'fails'] as const) {
    await portal.owner.query('truncate outbox')
    await add(sms('+48501000010'))
    const stuck = gate()
    const held: string[] = []
    const hangs = gateway(({ id }) => {
      held.push(id)
      return stuck.promise
    })
    const slow = send(hangs.deliveries)
    await until(() => held.length === 1)
    await pass(60)
    const { taken, deliveries } = gateway()
    await send(deliveries, 1)
    const [done] = await outbox()
    expect(done).toMatchObject({ outcome: 'sent', tries: 2 })
    if (outcome === 'sends') stuck.resolve()
    else stuck.reject(new DeliveryFailed('late', false))
    await slow
    await pass(3600)
    await send(deliveries, 1)
    expect(await outbox()).toEqual([done])
    expect(taken).toHaveLength(1)
  }
})

test('R92 two senders at the same time send each message once', async () => {
  for (let i = 0; i < 60; i++) await add(sms(`+4850200${String(i).padStart(4, '0')}`))
  const { taken, deliveries } = gateway()
  // While another connection locks the messages, both senders wait for the same ones.
  const blocker = await portal.owner.connect()
  await blocker.query('begin')
  await blocker.query('select from outbox for update')
  let looked = 0
  const looking = [0, 1].map(async (node) => {
    const sent = await send(deliveries, node)
    looked++
    return sent
  })
  await untilWaiting(portal, 2, () => looked === 2)
  await blocker.query('commit')
  blocker.release()
  await Promise.all(looking)
  while (
    (await Promise.all([send(deliveries, 0), send(deliveries, 1), send(deliveries, 0), send(deliveries, 1)])).some(
      Boolean,
    )
  );
  expect(taken).toHaveLength(60)
  expect(new Set(taken.map(({ to }) => to)).size).toBe(60)
})

test('R93 a message that is refused permanently goes to the dead letters, is reported, and keeps its content', async () => {
  await add(sms('+48501000011'))
  const refused = new DeliveryFailed('no such number', true)
  const reports: unknown[] = []
  const { deliveries } = gateway(() => Promise.reject(refused))
  await send(deliveries, 0, (error, failed) => reports.push([error, failed]))
  expect(await outbox()).toMatchObject([{ outcome: 'dead', tries: 1, failure: 'no such number' }])
  expect(((await outbox())[0]!['message'] as Buffer).length).toBeGreaterThan(0)
  expect(reports).toMatchObject([[refused, { channel: 'sms', tries: 1, isPermanent: true }]])
  await pass(86_400 * 30)
  expect(await send(deliveries)).toBe(0)
})

test('R93 a message that fails for a day goes to the dead letters, and each failed try is reported', async () => {
  await add({ channel: 'mail', to: 'a@mail.example', subject: '', text: '', html: '' })
  const reports: FailedTry[] = []
  const { deliveries } = gateway(() => {
    throw new DeliveryFailed('down', false)
  })
  let hours = 0
  while ((await outbox())[0]!['outcome'] === null) {
    await send(deliveries, 0, (_error, failed) => failed && reports.push(failed))
    hours = (at - midnight.getTime()) / 3_600_000
    const [row] = await outbox()
    if (row!['outcome'] === null) await become((row!['next_try_at'] as Date).getTime())
  }
  expect(hours).toBeGreaterThan(20)
  expect(hours).toBeLessThan(30)
  expect(reports.map(({ tries }) => tries)).toEqual(Array.from({ length: 83 }, (_, index) => index + 1))
  expect(reports.findIndex(({ isPermanent }) => isPermanent)).toBe(82)
})

test('R93 a message that cannot be decrypted, and one whose delivery throws, do not stop the others', async () => {
  await add(sms('+48501000012'))
  await portal.owner.query(`update outbox set message = '\\x00112233'`)
  await add(sms('+48501000013'))
  for (let i = 0; i < 5; i++) await add(sms(`+4850300000${i}`))
  const { taken, deliveries } = gateway(({ to }) => {
    if (to === '+48501000013') throw new TypeError('poison')
  })
  await send(deliveries)
  expect(taken).toHaveLength(5)
  const left = (await outbox()).filter(({ outcome }) => outcome === null)
  expect(left.map(({ tries }) => tries)).toEqual([1, 1])
})

/** Starts the real sender of a node, with this test's gateway. Its timer of one second does not run, so only commits wake it. */
function startWithoutTimer(deliveries: Deliveries) {
  // `expect.poll` lets timers of vitest's own clock run.
  const start = globalThis.setTimeout
  const later = ((run: () => void, ms?: number) => start(run, ms === 1000 ? 3_600_000 : ms)) as typeof setTimeout
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(later)
  const sender = startSending({ ...portal.portal, deliveries, report: () => {} })
  onTestFinished(async () => {
    timers.mockRestore()
    await sender.stop()
  })
  return { sender }
}

test('R92 the sender is woken by the transaction that adds a message', async () => {
  const { taken, deliveries } = gateway()
  startWithoutTimer(deliveries)
  await add(sms('+48501000014'))
  await until(() => taken.length === 1)
  await add(sms('+48501000015'))
  await until(() => taken.length === 2)
  expect(taken.map(({ to }) => to)).toEqual(['+48501000014', '+48501000015'])
})

test('R93 a delivery that hangs does not delay the others, even if many hang', async () => {
  const stuck = gate()
  const { taken, deliveries } = gateway(({ to }) => (to.startsWith('+4860') ? stuck.promise : undefined))
  for (let i = 0; i < 19; i++) await add(sms(`+4860000000${i}`))
  const { sender } = startWithoutTimer(deliveries)
  for (let i = 0; i < 25; i++) {
    await add(sms(`+4850400000${i}`))
    await until(() => taken.length === i + 1)
  }
  // Stopping waits for the running deliveries (R95), and no others begin.
  const stopped = sender.stop()
  stuck.resolve()
  await stopped
  await add(sms('+48501000016'))
  expect(taken).toHaveLength(44)
  expect((await outbox()).filter(({ outcome }) => outcome === null)).toHaveLength(1)
})

test('R93 a code by SMS is sent at once, however many mails hang', async () => {
  const stuck = gate()
  const { taken, deliveries } = gateway()
  const hung: string[] = []
  const { sender } = startWithoutTimer({
    ...deliveries,
    mail: ({ id }) => {
      hung.push(id)
      return stuck.promise
    },
  })
  for (let i = 0; i < 60; i++) await add({ channel: 'mail', to: `a${i}@mail.example`, subject: '', text: '', html: '' })
  await until(() => hung.length >= 20)
  for (let i = 0; i < 25; i++) {
    await add(sms(`+4850500000${i}`))
    await until(() => taken.length === i + 1)
  }
  // Each channel has its own limit.
  expect(hung).toHaveLength(20)
  const stopped = sender.stop()
  stuck.resolve()
  await stopped
})

test('R92 a delivery that takes longer than its lease stays with its worker while that is running', async () => {
  await add(sms('+48501000020'))
  const stuck = gate()
  let held = 0
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { taken, deliveries } = gateway(() => {
    held++
    return stuck.promise
  })
  const slow = send(deliveries)
  await until(() => held === 1)
  const { taken: others, deliveries: free } = gateway()
  const endOfLease = async () => ((await outbox())[0]!['leased_until'] as Date).getTime()
  for (let beats = 0; beats < 6; beats++) {
    await pass(20)
    const before = await endOfLease()
    vi.advanceTimersByTime(20_000)
    await until(async () => (await endOfLease()) > before)
    expect(await send(free, 1)).toBe(0)
  }
  stuck.resolve()
  await slow
  await pass(3600)
  expect(await send(free, 1)).toBe(0)
  expect([taken.length, others.length]).toEqual([1, 0])
})

test('R91 a connection that breaks inside a transaction fails that one, and the node keeps running', async () => {
  const broken = portal.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await portal.owner.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    await until(
      async () =>
        (await portal.owner.query('select from pg_stat_activity where pid = $1', [rows[0]!.pid])).rows.length === 0,
    )
    await enqueue(tx, portal.portal.keys, sms('+48501000018'))
  })
  await expect(broken).rejects.toThrow(/terminat|not queryable|ECONNRESET|EPIPE/)
  await add(sms('+48501000019'))
  expect(await outbox()).toHaveLength(1)
})

test('R92 R91 a sender survives the loss of its database connections', async () => {
  const { taken, deliveries } = gateway()
  const sender = startSending({ ...portal.nodes[1]!.portal, deliveries, report: () => {} })
  onTestFinished(() => sender.stop())
  await portal.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  // This test's own pool lost its connections too, and notices some only when it uses them.
  await until(() =>
    add(sms('+48501000017')).then(
      () => true,
      () => false,
    ),
  )
  await until(() => taken.length === 1)
})

const failed = (id: string, isPermanent = false) => ({
  id,
  channel: 'mail' as const,
  tries: 1,
  isPermanent,
  message: { channel: 'sms' as const, to: '+48501000001', text: 'code' },
})

test('OPS-16 a cause is logged once a minute for all messages of a channel, with the number of the others; permanent failures always', () => {
  const lines: unknown[] = []
  let now = 0
  const note: Parameters<typeof openFailedTries>[0] = ({ id, skipped }, problem) => lines.push([id, skipped, problem])
  const log = openFailedTries(note, () => now)
  const down = new DeliveryFailed('down', false)
  for (const id of ['a', 'b', 'c']) log(failed(id), down)
  log(failed('d'), new DeliveryFailed('refused', false))
  now = 59_999
  log(failed('e'), down)
  const first = [
    ['a', 0, 'down'],
    ['d', 0, 'refused'],
  ]
  expect(lines).toEqual(first)
  log(failed('f', true), down)
  now = 120_000
  log(failed('g'), down)
  expect(lines).toEqual([...first, ['f', 3, 'down'], ['g', 0, 'down']])
})

test('OPS-16 R86 an error other than a failed delivery is logged without its text, and nothing of the message', () => {
  const lines: unknown[] = []
  openFailedTries((...line) => lines.push(line))(failed('a'), new TypeError('KANAREK'))
  expect(lines).toEqual([
    [{ id: 'a', channel: 'mail', tries: 1, isPermanent: false, skipped: 0 }, 'an unexpected error'],
  ])
})
