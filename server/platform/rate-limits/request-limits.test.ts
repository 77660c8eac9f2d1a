import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { changeLocale, signIn } from '../../../contract/account.ts'
import { stageUpload } from '../../../contract/documents.ts'
import { limits } from '../../../contract/limits.ts'
import { importCustomers } from '../../../contract/provider/customer-import.ts'
import { getCustomer } from '../../../contract/provider/provider-customers.ts'
import { countersign } from '../../../contract/provider/provider-documents.ts'
import { putAgreement } from '../../../contract/provider/provider-signatures.ts'
import { buildApp } from '../../app.ts'
import { exhaustive, fewInTurn } from '../../testing/breadth.ts'
import { openBrowser } from '../../testing/browser.ts'
import { nameOf } from '../../testing/calls.ts'
import { countRows } from '../../testing/database-state.ts'
import { openPortalWithCalls } from '../../testing/open-portal.ts'
import { requestRaw, openWire, readAnswers } from '../../testing/raw-http.ts'
import { serve } from '../http/http.ts'
import { timeouts, type Timeouts } from '../http/open-app.ts'

const { portal, calls } = await openPortalWithCalls()

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
  /** Time in milliseconds, much longer than a request takes, also on a busy machine. */
  const muchLonger = 1500
  const endless = { headers: 300_000, request: 300_000, idle: 300_000, keepAlive: 300_000, checkEvery: 20 }

  /** Opens a node on the same database with one short timeout. */
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

  /**
   * Common fields of calls that are not in the contract; those that wait for another app or make a large file declare that they take long.
   */
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

const piece = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)

type Upload = { method: string; path: string; type: string; as: 'provider' | 'customer' | 'nobody' }

function openUpload({ method, path, type, as }: Upload, framing: string) {
  const wire = openWire(portal.origin)
  const who = {
    provider: `Authorization: Bearer ${portal.clientKey}\r\n`,
    customer: `Cookie: ${calls.customer.cookie}\r\n`,
    nobody: '',
  }[as]
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${wire.host}\r\nOrigin: ${portal.origin}\r\n${who}Content-Type: ${type}\r\n${framing}\r\n\r\n`
  return { wire, head }
}

/** Sends for as long as the other side takes it; how much that was, and what it answered. */
async function sendEndlessly(upload: Upload, first: Buffer = Buffer.alloc(0)) {
  const { wire, head } = openUpload(upload, 'Transfer-Encoding: chunked')
  await using _ = wire
  await wire.write(head)
  if (first.length)
    await wire.write(Buffer.concat([Buffer.from(`${first.length.toString(16)}\r\n`), first, Buffer.from('\r\n')]))
  while (!wire.socket.destroyed && wire.socket.writable && wire.socket.bytesWritten < 400_000_000)
    await Promise.race([wire.write(piece), wire.closed])
  await wire.closed
  return { sent: wire.socket.bytesWritten, answer: readAnswers(wire.text())[0] }
}

const at = (path: string, ...ids: string[]) => path.replace(/:\w+/g, () => ids.shift()!)

/** Lists uploads that are refused: the call with its type and sender, the status, and what is sent first. */
function uploads() {
  const { providerSignature, providerDocumentCase, documentCase } = calls.objects
  const pdf = 'application/pdf'
  const [toImport, lines] = [`PUT ${importCustomers.path}`, 'application/x-ndjson']
  const rows: [what: string, call: string, type: string, as: Upload['as'], status: number, first?: Buffer][] = [
    ['of nobody', toImport, lines, 'nobody', 401],
    ['of another type', toImport, 'text/csv', 'provider', 415],
    ['of many lines', toImport, lines, 'provider', 413, Buffer.alloc(3000, 10)],
    ['beyond the size', toImport, lines, 'provider', 413],
    ['for a missing object', `PUT ${at(putAgreement.path, 'nothing')}`, pdf, 'provider', 404],
    ['of no PDF', `PUT ${at(putAgreement.path, providerSignature)}`, pdf, 'provider', 422],
    ['of a PDF', `PUT ${at(putAgreement.path, providerSignature)}`, pdf, 'provider', 413, Buffer.from('%PDF-1.7')],
    ['of a signed document too early', `PUT ${at(countersign.path, providerDocumentCase)}`, pdf, 'provider', 422],
    ['of a customer too early', `POST ${at(stageUpload.path, documentCase)}`, pdf, 'customer', 422],
    ['of a customer who is not signed in', `POST ${at(stageUpload.path, documentCase)}`, pdf, 'nobody', 401],
    ['to where nothing is', 'POST /api/nothing', 'application/json', 'nobody', 413],
    ['of JSON', 'POST /api/sign-in', 'application/json', 'nobody', 413],
    // What has no route meets no hook.
    ['to an address that does not decode', 'POST /%zz', 'text/csv', 'nobody', 400],
    ['with a GET to such an address', 'GET /%zz', 'text/csv', 'nobody', 400],
    ['to such an address of the API', `PUT ${at(getCustomer.path, '%zz')}`, 'application/json', 'provider', 400],
    ['to too long a name', `PUT ${at(getCustomer.path, 'x'.repeat(200))}`, 'application/json', 'provider', 404],
  ]
  return rows.map(([what, call, type, as, status, first]) => {
    const [method = '', path = ''] = call.split(' ')
    return { what, method, path, type, as, status, first }
  })
}

test('R113 a refused upload that goes on is answered and not read further, and its connection is closed', async () => {
  for (const { what, status, first, ...upload } of uploads()) {
    const { sent, answer } = await sendEndlessly(upload, first)
    // The bytes read before the refusal, and those in the buffers of both sides.
    const bounded = sent < limits.http.pdfBytes + 12_000_000
    expect([what, answer?.status, bounded ? 'bounded' : sent]).toEqual([what, status, 'bounded'])
  }
})

test('R113 the rest of a refused upload of an honest size is read away, and the connection serves on', async () => {
  const upload = uploads().find(({ what }) => what === 'for a missing object')!
  const { wire, head } = openUpload(upload, 'Content-Length: 8000000')
  await using _ = wire
  await wire.write(head)
  await expect.poll(() => wire.text()).toContain('HTTP/1.1 404')
  await wire.write(Buffer.alloc(8_000_000, 120))
  await wire.write(`GET /api/session HTTP/1.1\r\nHost: ${wire.host}\r\nConnection: close\r\n\r\n`)
  expect(readAnswers(await wire.untilClosed()).map(({ status }) => status)).toEqual([404, 401])
})

test('R113 a silent connection is closed soon after the refusal', async () => {
  const { wire, head } = openUpload(uploads()[0]!, 'Transfer-Encoding: chunked')
  await using _ = wire
  await wire.write(head)
  await wire.closed
  expect(readAnswers(wire.text()).map(({ status }) => status)).toEqual([401])
})

test('R113 wrong client keys are refused by 429 after so many, raise one alarm, and lock out no valid key', async () => {
  const { limit } = limits.clientKey.wrong
  const guesser = openBrowser(portal, { address: '10.113.7.9' })
  const path = at(getCustomer.path, calls.objects.providerCustomer)
  const guess = (i: number, browser = guesser) =>
    browser.raw('GET', path, undefined, { authorization: `Bearer ${i % 3 ? 'sygnet_'.padEnd(50, String(i)) : i}` })
  for (let i = 0; i < limit; i++) expect((await guess(i)).status).toBe(401)
  for (let i = 0; i < 10; i++) expect((await guess(i)).status).toBe(429)
  const last = await guess(0)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await last.json()).toMatchObject({ code: 'too-many-requests' })
  await expect.poll(() => portal.alarms).toEqual([{ name: 'client-key-guessing', about: '10.113.7.0/24' }])
  expect(await countRows(portal, `audit where act = 'alarm-raised'`)).toBe(1)
  // A valid key at the same address, and a wrong one elsewhere.
  expect((await guesser.call(getCustomer, { params: { customer: calls.objects.providerCustomer } })).status).toBe(200)
  expect((await guess(0, openBrowser(portal, { address: '10.113.8.1' }))).status).toBe(401)
})
