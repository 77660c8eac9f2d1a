import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { readSession, signIn } from '../../../contract/account.ts'
import { openBrowser } from '../../testing/browser.ts'
import { startDatabaseProxy } from '../../testing/faults/faulty-wire.ts'
import { openTestPortal } from '../../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { logger } from './log.ts'
import { isInside, networkOf, subnetOf } from './network.ts'
import { causeOf, openSkippedCauses } from './skipped-causes.ts'

async function openLoggedPortal(options: Parameters<typeof openTestPortal>[0] = {}) {
  const lines: string[] = []
  const stream = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) })
  const portal = await openTestPortal({ ...options, logger: { ...logger, level: 'trace', stream } })
  onTestFinished(() => portal.close())
  return { portal, lines }
}

const mark = 'KANAREK'
/** Texts that forge lines, break JSON or terminals, or mislead a reader (Keycloak CVE-2023-6484). */
const payloads = [
  `${mark}\n{"level":50,"msg":"forged"}`,
  `${mark}\r\n200 OK`,
  `"}${mark}{"level":60`,
  `${mark}\u0000\u0007\u001b[2J\u001b]0;x\u0007`,
  `${mark}\u009b31m\u0085\u2028\u2029`,
  `${mark}\u202e\u2066\u200b\ufeff`,
  `\${jndi:ldap://${mark}}%n%s%x{{7*7}}`,
  `<script>${mark}</script>`,
  `=cmd|'/C ${mark}'!A0`,
  `${mark}\ud800`,
]

/** Parses an event of the log, and expects its line to be exactly one JSON text with known fields only. */
function eventOf(line: string) {
  expect(line).toMatch(/^\{[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\}\n$/u)
  const event = JSON.parse(line) as Record<string, unknown> & { err?: object; req?: object; res?: object; msg: string }
  const known = ['level', 'time', 'reqId', 'req', 'res', 'err', 'responseTime', 'service', 'repeats', 'msg']
  expect(Object.keys(event).filter((name) => !known.includes(name))).toEqual([])
  const parts = { req: ['method', 'route'], res: ['status'], err: ['type', 'message', 'code', 'stack'] }
  for (const [part, names] of Object.entries(parts))
    expect(Object.keys(event[part] ?? {}).filter((name) => !names.includes(name))).toEqual([])
  return event
}

test('R76 R86 a request is logged as one line of JSON without anything that was sent', async () => {
  const { portal, lines } = await openLoggedPortal()
  const browser = openBrowser(portal)
  lines.length = 0
  for (const payload of payloads) {
    const text = encodeURIComponent(payload.toWellFormed())
    for (const path of [`/${text}`, `/api/${text}`, `/setup-password/${text}?${text}=1`, `/%ff${mark}`])
      await (await browser.raw('GET', path, undefined, { 'user-agent': mark, referer: mark })).arrayBuffer()
    await browser.call(signIn, { body: { login: payload, password: payload } })
  }
  const events = lines.map(eventOf)
  expect(lines.join('')).not.toContain(mark)
  expect(events.map(({ msg }) => msg)).toEqual(payloads.flatMap(() => Array(5).fill('request completed')))
  expect(events.slice(0, 5).map(({ req, res }) => ({ ...req, ...res }))).toEqual([
    { method: 'GET', status: 404 },
    { method: 'GET', status: 404 },
    { method: 'GET', route: '/setup-password/:token', status: expect.any(Number) },
    { method: 'GET', status: 400 },
    { method: 'POST', route: '/api/sign-in', status: 400 },
  ])
  expect(events[4]!['responseTime']).toBeGreaterThan(0)
})

test('OPS-6 R76 an outage is a line for each cause, with route and service, and each fault of a route has one', async () => {
  const proxy = Promise.withResolvers<Awaited<ReturnType<typeof startDatabaseProxy>>>()
  const { portal, lines } = await openLoggedPortal({
    proxyDatabase: async (url) => {
      const started = await startDatabaseProxy(url)
      proxy.resolve(started)
      return started.url
    },
  })
  const database = await proxy.promise
  onTestFinished(() => database.cut())
  const customer = await signInDirectly(portal, await addCustomer(portal))
  lines.length = 0
  await database.cut()
  for (let i = 0; i < 20; i++) expect((await customer.call(readSession)).status).toBe(503)
  const failures = lines.map(eventOf).filter(({ level }) => level === 50)
  expect(failures.length).toBeLessThan(4)
  for (const failure of failures)
    expect(failure).toMatchObject({
      msg: 'unavailable',
      req: { method: 'GET', route: readSession.path },
      service: 'database',
      repeats: 0,
    })
  expect(failures.length).toBeGreaterThan(0)
})

test('OPS-6 R67 a proxy that is not trusted is a warning, once a minute and without its address', async () => {
  for (const [trustedProxies, warned] of [
    [['127.0.0.1'], 0],
    [['198.51.100.1'], 1],
  ] as const) {
    const { portal, lines } = await openLoggedPortal({ settings: { trustedProxies } })
    for (let i = 0; i < 3; i++) await openBrowser(portal, { address: '203.0.113.7' }).call(readSession)
    expect(lines.map(eventOf).filter(({ msg }) => msg === 'an X-Forwarded-For is ignored')).toHaveLength(warned)
    expect(lines.join('')).not.toMatch(/203\.0\.113\.7|127\.0\.0\.1/)
  }
})

test('OPS-6 a client that leaves while it sends is a line of its own, and no fault of the database', async () => {
  const { portal, lines } = await openLoggedPortal()
  const { port } = new URL(portal.origin)
  lines.length = 0
  const socket = connect(Number(port), '127.0.0.1')
  const head = `POST ${signIn.path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${portal.origin}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`
  socket.write(head, () => socket.destroy())
  await expect.poll(() => lines.map(eventOf).map(({ msg }) => msg)).toEqual(['request aborted'])
  expect(eventOf(lines[0]!)).toMatchObject({ level: 30, req: { method: 'POST', route: signIn.path } })
})

test('R86 two errors of the database with one code are two causes', () => {
  const skipped = openSkippedCauses()
  const failure = (route: string) =>
    Object.assign(new Error('statement timeout'), {
      code: '57014',
      stack: `error: x\n    at pg/lib/client.js:694:17\n    at async ${route}`,
    })
  expect(['one', 'other', 'one'].map((route) => skipped(causeOf(failure(route))))).toEqual([0, 0, undefined])
})

test('R76 R86 an error’s message, an unknown field and a computed text are not logged', async () => {
  const { portal, lines } = await openLoggedPortal()
  lines.length = 0
  const { log } = portal.app
  for (const payload of payloads) {
    const error = Object.assign(new Error(payload), { name: payload, code: payload, detail: payload, hint: payload })
    log.error({ err: error, phone: payload, [payload]: 1 }, payload)
    log.error(error)
    log.warn(payload)
    log.info({ phone: payload }, 'request %s', payload)
  }
  const fault = Object.assign(new TypeError(`${mark}\n    ${mark}`), { code: '23505' })
  log.error({ err: fault }, 'unexpected')
  const events = lines.map(eventOf)
  expect(events).toHaveLength(payloads.length * 4 + 1)
  expect(lines.join('')).not.toContain(mark)
  const [last] = events.slice(-1)
  expect(last).toMatchObject({ msg: 'unexpected', err: { type: 'TypeError', code: '23505' } })
  expect((last!.err as { stack: string }).stack).toMatch(/^ {4}at .*log\.test\.ts/)
  expect(new Set(events.slice(0, -1).map(({ msg }) => msg))).toEqual(new Set(['other']))
})

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['::FFFF:cb00:7109', '203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['::', '0:0:0:0::/64', '0:0:0::/48'],
])('R78 %s counts as %s, and as a neighbour in %s', (address, network, subnet) => {
  expect([networkOf(address), subnetOf(address)]).toEqual([network, subnet])
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.1.2.3', true],
  ['::ffff:192.168.0.9', true],
  ['172.31.255.255', true],
  ['100.64.0.1', true],
  ['fd00::1', true],
  ['172.32.0.1', false],
  ['198.51.100.7', false],
  ['::ffff:198.51.100.7', false],
  ['2001:db8::1', false],
  ['fe80::1', false],
  ['169.254.169.254', false],
  ['', false],
])('OPS-6 %j is inside the provider’s own network: %s', (address, inside) => {
  expect(isInside(address)).toBe(inside)
})
