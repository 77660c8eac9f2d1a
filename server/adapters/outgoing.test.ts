import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { words } from '../testing/words.ts'
import { answerEndlessly, listenOnLoopback } from './loopback/loopback-server.ts'
import { openCircuit, callOut, faultOf } from './outgoing.ts'

const get = (url: string, more: { timeoutMs?: number; maxBytes?: number } = {}) =>
  ({ url: new URL(url), method: 'GET', timeoutMs: 60_000, ...more }) as const
const faultIn = (call: Promise<unknown>) => call.then(() => undefined, faultOf)
/** Creates a name server that has these addresses for every name. */
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test('R81 a call returns status and body, and posts its body', async () => {
  await using server = await listenOnLoopback((_, response) => response.writeHead(422).end('nie'))
  const answer = await callOut({
    url: new URL('/a?b=1', server.url),
    method: 'POST',
    headers: { 'x-key': 'k' },
    body: 'zażółć',
    timeoutMs: 60_000,
  })
  expect(answer).toEqual({ status: 422, body: 'nie' })
  expect(server.received).toMatchObject([{ method: 'POST', path: '/a?b=1', body: 'zażółć', headers: { 'x-key': 'k' } }])
})

test.each([301, 302, 303, 307, 308])(
  'R81 a redirect with %i is handed back and nobody calls its target',
  async (status) => {
    await using trap = await listenOnLoopback((_, response) => response.end('caught'))
    await using server = await listenOnLoopback((_, response) =>
      response.writeHead(status, { location: trap.url }).end(),
    )
    expect(await callOut(get(server.url))).toEqual({ status, body: '' })
    expect(trap.connections()).toBe(0)
  },
)

test('R81 an endless answer is cut at the size cap', async () => {
  await using server = await listenOnLoopback((_, response) => answerEndlessly(response, 'x'.repeat(1024)))
  await expect(callOut(get(server.url, { maxBytes: 4096 }))).rejects.toThrow('too large')
})

test('R50 R81 who refuses a body before its end, and hangs up, has answered all the same', async () => {
  const refusing = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 507 Insufficient Storage\r\ncontent-length: 4\r\n\r\nfull'))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void refusing.close())
  await once(refusing, 'listening')
  const hungUp = new Promise<void>((resolve) =>
    refusing.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  async function* content() {
    yield Buffer.from('the first half, ')
    await hungUp
    yield Buffer.from('and the second half')
  }
  const { port } = refusing.address() as AddressInfo
  const body = { content: content(), bytes: 35 }
  const answer = callOut({ url: new URL(`http://127.0.0.1:${port}/`), method: 'PUT', body, timeoutMs: 60_000 })
  await expect(answer).resolves.toEqual({ status: 507, body: 'full' })
})

test('R81 a server that never answers, or never ends, is left in time', async () => {
  await using silent = await listenOnLoopback(() => {})
  await using dripping = await listenOnLoopback((_, response) =>
    response.writeHead(200, { 'content-length': '10' }).write('x'),
  )
  for (const { url } of [silent, dripping]) expect(await faultIn(callOut(get(url, { timeoutMs: 100 })))).toBe('timeout')
})

test('R81 a name server that never answers is left in time', async () => {
  const call = callOut(get('https://gateway.example/', { timeoutMs: 50 }), () => new Promise(() => {}))
  expect(await faultIn(call)).toBe('timeout')
})

test.each([
  ['no HTTP', 'hello\r\n', 'HPE_INVALID_CONSTANT'],
  ['nothing', '', 'ECONNRESET'],
  ['less than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort', 'ECONNRESET'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 'timeout'],
])('R81 a server that answers %s is a fault and does not end the process', async (_, answer, fault) => {
  const server = createServer((socket) => socket.on('error', () => {}).end(answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const timeoutMs = fault === 'timeout' ? 500 : 60_000
  expect(await faultIn(callOut(get(`http://127.0.0.1:${port}`, { timeoutMs })))).toBe(fault)
  server.close()
})

test('R81 a name that DNS bends to this machine is not connected to', async () => {
  await using trap = await listenOnLoopback((_, response) => response.end('caught'))
  const own = ['127.0.0.1', '127.8.8.8', '0.0.0.0']
  const own6 = ['::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', '::127.0.0.1', '::']
  for (const address of [...own, ...own6])
    for (const scheme of ['http', 'https']) {
      const call = callOut(get(`${scheme}://gateway.example:${trap.port}/`), resolvesTo(address))
      await expect(call).rejects.toThrow(/machine|the address is not allowed/)
    }
  // One bad address among good ones refuses the name.
  const mixed = callOut(get('https://gateway.example/'), resolvesTo('198.51.100.7', '127.0.0.1'))
  await expect(mixed).rejects.toThrow('machine')
  expect(trap.connections()).toBe(0)
})

const neverCalled =
  words(`169.254.169.254 [::ffff:169.254.169.254] [fe80::1] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::1] 0.0.0.0
    224.0.0.1 255.255.255.255 2852039166 0xA9FEA9FE`)
test.each(neverCalled)('R81 the address %s is not called even when configured', async (host) => {
  for (const scheme of ['http', 'https'])
    await expect(callOut(get(`${scheme}://${host}/`))).rejects.toThrow('the address is not allowed')
})

test('R81 nothing leaves the provider’s network unencrypted', async () => {
  await expect(callOut(get('http://gateway.example/'), resolvesTo('198.51.100.7'))).rejects.toThrow('must be https')
  await expect(callOut(get('http://198.51.100.7/'))).rejects.toThrow('must be https')
})

test('R81 the connection is made to the address that was checked, without another DNS lookup', async () => {
  await using server = await listenOnLoopback((_, response) => response.end('here'))
  const resolve = vi.fn<ReturnType<typeof resolvesTo>>(resolvesTo('127.0.0.1'))
  expect(await callOut(get(`http://localhost:${server.port}/`), resolve)).toEqual({ status: 200, body: 'here' })
  expect(resolve).toHaveBeenCalledOnce()
})

const certificateSays = (url: string, hosts: string[] = []) => ({ ...get(url), signedObject: { hosts } }) as const

const notPublic = words(`127.0.0.1 ::1 10.0.0.5 172.16.1.1 192.168.1.1 100.64.0.1
    169.254.169.254 fd00::1 64:ff9b::a00:5 ::ffff:10.0.0.5`)
test.each(notPublic)(
  'R104 an address that a certificate names is not called if it leads to %s, unless the operator lists it',
  async (address) => {
    const host = address.includes(':') ? `[${address}]` : address
    for (const url of ['http://ocsp.example/', 'https://ocsp.example/', `http://${host}/`])
      await expect(callOut(certificateSays(url), resolvesTo(address))).rejects.toThrow('not public')
  },
)

test('R104 a signed object may come by http from a public address, and nothing else may', async () => {
  // The second address keeps it from being called: that the first one is let through is all there is to see.
  const resolve = resolvesTo('198.51.100.7', '127.0.0.1')
  await expect(callOut(certificateSays('http://ocsp.example/'), resolve)).rejects.toThrow('not public')
  await expect(callOut(get('http://ocsp.example/'), resolve)).rejects.toThrow('must be https')
})

test('R104 a host that the operator lists may be in its own network, by the very port', async () => {
  await using server = await listenOnLoopback((_, response) => response.end('here'))
  const { host } = new URL(server.url)
  expect(await callOut(certificateSays(server.url, [host]))).toEqual({ status: 200, body: 'here' })
  await expect(callOut(certificateSays(server.url, ['127.0.0.1']))).rejects.toThrow('not public')
})

function counterpart() {
  const state = { answer: 'unreachable' as 'unreachable' | 'done' | Error, asked: 0, now: 0 }
  const guard = openCircuit(() => state.now)
  const call = guard(async (_what: string) => {
    state.asked++
    if (state.answer instanceof Error) throw state.answer
    return state.answer
  })
  return { state, call, guard }
}

test('ERR-5 a service that failed to answer three times in a row is not called for 15 seconds', async () => {
  const { state, call } = counterpart()
  for (let i = 0; i < 3; i++) expect(await call('x')).toBe('unreachable')
  expect(state.asked).toBe(3)
  state.answer = 'done'
  state.now = 14_999
  expect(await call('x')).toBe('unreachable')
  expect(state.asked).toBe(3)
  state.now = 15_000
  expect(await call('x')).toBe('done')
  expect(await call('x')).toBe('done')
})

test('ERR-5 after the pause one call tries again, and if it fails the pause restarts', async () => {
  const { state, call } = counterpart()
  state.answer = new Error('reset')
  for (let i = 0; i < 3; i++) await expect(call('x')).rejects.toThrow('reset')
  state.now = 15_000
  const both = await Promise.allSettled([call('x'), call('x')])
  expect(state.asked).toBe(4)
  expect(both).toMatchObject([{ status: 'rejected' }, { value: 'unreachable' }])
  state.now = 29_999
  expect(await call('x')).toBe('unreachable')
  expect(state.asked).toBe(4)
})

test('an answer between failures resets the count, and a refusal is an answer', async () => {
  const { state, call } = counterpart()
  for (let i = 0; i < 9; i++) {
    state.answer = i % 3 === 2 ? 'done' : 'unreachable'
    await call('x')
  }
  expect(state.asked).toBe(9)
})

test('calls to one service share its circuit', async () => {
  const { state, call, guard } = counterpart()
  for (let i = 0; i < 3; i++) await call('x')
  let calls = 0
  expect(await guard(async () => ++calls)()).toBe('unreachable')
  expect([calls, state.asked]).toEqual([0, 3])
})

/** The program of a thread that tries ways to call `url`, although its clients are closed, the gateway last; it answers what each said. */
const program = `
import http, { get } from 'node:http'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
const { url, clients, gateway } = workerData
const require = createRequire(clients)
const { closeHttpClients } = await import(clients)
closeHttpClients()
const { callOut } = await import(gateway)
const ended = (request) => new Promise((resolve, reject) => request.on('response', resolve).on('error', reject).end())
const ways = {
  fetch: () => fetch(url),
  WebSocket: () => new WebSocket(url.replace('http', 'ws')),
  'WebSocket of http': () => new http.WebSocket(url.replace('http', 'ws')),
  'http.request': () => ended(http.request(url)),
  'http.get': () => ended(http.get(url)),
  ClientRequest: () => ended(new http.ClientRequest(url)),
  'required http': () => ended(require('http').get(url)),
  'imported http': async () => ended((await import('node:http')).request(url)),
  'get that was imported before': () => ended(get(url)),
  'imported https': async () => ended((await import('node:https')).get(url.replace('http', 'https'))),
  http2: async () => (await import('node:http2')).connect(url),
  gateway: () => callOut({ url: new URL(url), method: 'GET', timeoutMs: 60_000 }),
}
const said = {}
for (const [name, way] of Object.entries(ways))
  said[name] = await Promise.resolve().then(way).then((answer) => answer.body ?? 'called', (error) => error.message)
parentPort.postMessage(said)
`

test('R263 where clients are closed, no code reaches anybody but by the gateway', async () => {
  await using server = await listenOnLoopback((_, response) => response.end('answered'))
  const moduleAt = (path: string) => new URL(path, import.meta.url).href
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    workerData: {
      url: server.url,
      clients: moduleAt('../platform/http-clients.ts'),
      gateway: moduleAt('outgoing.ts'),
    },
  })
  const [said] = (await once(worker, 'message')) as [Record<string, string>]
  const { gateway, ...others } = said
  expect(gateway).toBe('answered')
  expect(Object.keys(others)).toHaveLength(11)
  expect(new Set(Object.values(others))).toEqual(new Set(['Only the gateway makes HTTP calls.']))
  expect(server.connections()).toBe(1)
})
