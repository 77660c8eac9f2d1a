import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { changeLocale, signIn } from '../../../contract/account.ts'
import { limits } from '../../../contract/limits.ts'
import { buildApp } from '../../app.ts'
import { timeouts, type Timeouts } from '../http/open-app.ts'
import { serve } from '../http/http.ts'
import { exhaustive, fewInTurn } from '../../testing/breadth.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { nameOf, openCalls } from '../../testing/calls.ts'
import { requestRaw, openWire, readAnswers } from '../../testing/raw-http.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

describe('R70 sizes', () => {
  const bodyOf = (bytes: number) => {
    const frame = JSON.stringify({ locale: '' })
    return JSON.stringify({ locale: 'x'.repeat(bytes - frame.length) })
  }
  const json = { 'content-type': 'application/json' }
  const put = async (body: string) => (await calls.customer.raw('PUT', changeLocale.path, body, json)).status

  test('R70 a body of 64 kB is read and one byte more is not, whether or not its length is declared', async () => {
    expect(await put(bodyOf(limits.http.jsonBytes))).toBe(400)
    expect(await put(bodyOf(limits.http.jsonBytes + 1))).toBe(413)
    const chunked = async (bytes: number) => {
      const { host } = new URL(portal.origin)
      const head = `PUT ${changeLocale.path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${portal.origin}\r\nCookie: ${calls.customer.cookie}\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      const part = bodyOf(bytes)
      return (await requestRaw(portal.origin, `${head}${part.length.toString(16)}\r\n${part}\r\n0\r\n\r\n`)).status
    }
    expect(await chunked(limits.http.jsonBytes)).toBe(400)
    expect(await chunked(limits.http.jsonBytes + 1)).toBe(413)
  })

  test('R70 an address of 2 kB is read and one byte more is not', async () => {
    const address = (bytes: number) => `/api/session?${'a'.repeat(bytes - '/api/session?'.length)}`
    expect((await calls.customer.raw('GET', address(limits.http.urlBytes))).status).toBe(400)
    expect((await calls.customer.raw('GET', address(limits.http.urlBytes + 1))).status).toBe(414)
    expect((await calls.customer.raw('GET', `/api/signatures/${'a'.repeat(129)}/certificate`)).status).toBe(404)
  })

  test('R70 headers of 16 kB are read and more are not', async () => {
    const { host } = new URL(portal.origin)
    const statusWith = async (headers: string) => {
      const head = `GET /api/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`
      return (await requestRaw(portal.origin, `${head}${headers}\r\n`)).status
    }
    expect(await statusWith(`X: ${'x'.repeat(limits.http.headerBytes - 200)}\r\n`)).toBe(401)
    expect(await statusWith(`X: ${'x'.repeat(limits.http.headerBytes)}\r\n`)).toBe(431)
    expect(await statusWith(Array.from({ length: 5000 }, (_, i) => `x${i}: 1\r\n`).join(''))).toBe(431)
  })

  test('R70 compressed bodies are refused without decompressing them', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'identity', 'x', 'gzip, gzip'])
      for (const path of [changeLocale.path, signIn.path]) {
        const headers = { ...json, 'content-encoding': encoding }
        const method = path === signIn.path ? 'POST' : 'PUT'
        const response = await calls.customer.raw(method, path, '{"locale":"en"}', headers)
        expect([encoding, response.status]).toEqual([encoding, 415])
      }
  })

  test('R70 deep, long and many-keyed bodies are refused, and the answer stays small', async () => {
    const bodies = [
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      `{"locale":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      `{"locale":[${'1,'.repeat(30_000)}1]}`,
      `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join(',')}}`,
    ]
    const few = fewInTurn(1)
    for (const endpoint of portal.app.endpoints.filter(({ method, upload }) => method !== 'GET' && !upload))
      for (const body of few(bodies)) {
        const { status, problem } = await calls.send(endpoint, { body })
        expect([nameOf(endpoint), body.slice(0, 20), status]).toEqual([nameOf(endpoint), body.slice(0, 20), 400])
        expect(problem.fields?.length ?? 0).toBeLessThanOrEqual(50)
      }
  })
})

describe('R69 timeouts', () => {
  /** Than a request takes, also on a busy machine. */
  const muchLonger = 1500
  const endless = { headers: 300_000, request: 300_000, idle: 300_000, keepAlive: 300_000, checkEvery: 20 }

  /** A node on the same database with one short timeout. */
  async function openNode(over: Partial<Timeouts>, extend: (app: FastifyInstance) => void = () => {}) {
    const hosts: string[] = []
    const settings = { ...portal.portal.settings, hosts }
    const app = await buildApp({ ...portal.portal, settings }, { timeouts: { ...endless, ...over } })
    extend(app)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const host = `127.0.0.1:${(app.server.address() as AddressInfo).port}`
    hosts.push(host)
    return {
      host,
      origin: `http://${host}`,
      connections: () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count))),
      [Symbol.asyncDispose]: () => {
        app.server.closeAllConnections()
        return app.close()
      },
    }
  }

  /** Sends a byte at a time for as long as the server accepts them. */
  async function drip(wire: ReturnType<typeof openWire>) {
    while (!wire.socket.destroyed && wire.socket.writable)
      await Promise.race([wire.write('x'), wire.closed]).then(() => pause(10))
    await wire.closed
  }

  test('R69 the product closes slow connections within half a minute', () => {
    const { checkEvery, ...bounds } = timeouts
    for (const bound of Object.values(bounds)) expect(bound + checkEvery).toBeLessThanOrEqual(30_000)
    expect(portal.app.server).toMatchObject({ connectionsCheckingInterval: checkEvery })
  })

  test('R69 headers that do not end are cut, and so is a connection without data', async () => {
    await using node = await openNode({ headers: 2000 })
    await using slow = openWire(node.origin)
    await using silent = openWire(node.origin)
    await slow.write(`GET /api/session HTTP/1.1\r\nHost: ${node.host}\r\nX: `)
    await Promise.all([drip(slow), silent.closed])
    expect(readAnswers(slow.text()).map(({ status }) => status)).toEqual([400])
    // A browser that opened it in advance would take any data for the answer to its next request.
    expect(silent.text()).toBe('')
  })

  test('R69 a body that does not end is cut and has no effect', async () => {
    await using node = await openNode({ headers: 2000, request: 2000 })
    await using slow = openWire(node.origin)
    const headers = `Host: ${node.host}\r\nOrigin: ${node.origin}\r\nCookie: ${calls.customer.cookie}\r\nContent-Type: application/json\r\nContent-Length: 60000`
    await slow.write(`PUT ${changeLocale.path} HTTP/1.1\r\n${headers}\r\n\r\n{"locale":"`)
    await drip(slow)
    expect(readAnswers(slow.text()).map(({ status }) => status)).toEqual([400])
  })

  /** Of calls that are not in the contract; those that wait for another app or make a large file say that they take long. */
  const open = { access: 'open', method: 'GET', summary: '', description: '' } as const
  const csv = (name: string, content: Readable) => ({ name, type: 'text/csv', content })

  test.runIf(exhaustive)('R69 a connection lives on while a call takes long, and no longer', async () => {
    await using node = await openNode({ idle: muchLonger }, (app) => {
      const answer = () => pause(2 * muchLonger)
      async function* parts() {
        yield 'first,'
        await pause(2.5 * muchLonger)
        yield 'last'
      }
      serve(app, portal.portal, { ...open, path: '/api/confirmed', takesLong: true }, answer)
      serve(app, portal.portal, { ...open, path: '/api/slow' }, answer)
      const download = { ...open, path: '/api/parts', takesLong: true, download: ['text/csv'] } as const
      serve(app, portal.portal, download, async () => csv('parts.csv', Readable.from(parts())))
    })
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${node.host}\r\n\r\n`
    await using wire = openWire(node.origin)
    await wire.write(get('/api/confirmed'))
    await expect.poll(() => readAnswers(wire.text()).map(({ status }) => status)).toEqual([204])
    await wire.write(get('/api/slow'))
    expect(readAnswers(await wire.untilClosed())).toHaveLength(1)
    await using reader = openWire(node.origin)
    await reader.write(get('/api/parts'))
    await expect.poll(() => reader.text()).toMatch(/first,[^]*last/)
  })

  test.runIf(exhaustive)('R69 a client that does not read is cut, and the file is closed', async () => {
    const opened: Readable[] = []
    await using node = await openNode({ idle: muchLonger }, (app) => {
      const download = { ...open, path: '/api/late', takesLong: true, download: ['text/csv'] } as const
      serve(app, portal.portal, download, async () => {
        await pause(2 * muchLonger)
        opened.push(Readable.from(Array.from({ length: 2000 }, () => 'x'.repeat(100_000))))
        return csv('late.csv', opened[0]!)
      })
    })
    await using reader = openWire(node.origin)
    await reader.write(`GET /api/late HTTP/1.1\r\nHost: ${node.host}\r\n\r\n`)
    await expect.poll(() => reader.text()).toMatch(/^HTTP\/1\.1 200 /)
    reader.socket.pause()
    await expect.poll(() => opened.map(({ destroyed }) => destroyed)).toEqual([true])
    await expect.poll(node.connections).toBe(0)
  })

  test('R69 an idle connection is closed', async () => {
    await using node = await openNode({ keepAlive: 200 })
    await using idle = openWire(node.origin)
    await idle.write(`GET /api/session HTTP/1.1\r\nHost: ${node.host}\r\n\r\n`)
    expect(readAnswers(await idle.untilClosed()).map(({ status }) => status)).toEqual([401])
  })

  test('R69 hundreds of slow senders do not delay other requests', async () => {
    await using node = await openNode({})
    const slow = Array.from({ length: 300 }, () => openWire(node.origin))
    const headers = `Host: ${node.host}\r\nContent-Type: application/json\r\nContent-Length: 9`
    const begun = ['GET / HTTP/1.1\r\nHost:', `POST /api/sign-in HTTP/1.1\r\n${headers}\r\n\r\n{`]
    await Promise.all(slow.map((wire, i) => wire.write(begun[i % 2]!)))
    await expect.poll(node.connections).toBe(slow.length)
    const quick = `GET /api/session HTTP/1.1\r\nHost: ${node.host}\r\nConnection: close\r\n\r\n`
    expect((await requestRaw(node.origin, quick)).status).toBe(401)
    for (const wire of slow) wire.socket.destroy()
  })
})
