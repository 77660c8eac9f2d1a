import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { listenOnLoopback } from './loopback/loopback-server.ts'

/** Ways to call `url` in a thread whose clients are closed; the last one is the gateway. Answers what each said. */
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
