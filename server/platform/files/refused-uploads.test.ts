import { afterAll, beforeAll, expect, test } from 'vitest'
import { importCustomers } from '../../../contract/provider/customer-import.ts'
import { stageUpload } from '../../../contract/documents.ts'
import { limits } from '../../../contract/limits.ts'
import { getCustomer, putAgreement } from '../../../contract/provider/provider-api.ts'
import { countersign } from '../../../contract/provider/provider-documents.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal-nodes.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openCalls, type Calls } from '../../testing/calls.ts'
import { openWire, readAnswers } from '../../testing/raw-http.ts'
import { exhaustive } from '../../testing/breadth.ts'

let portal: TestPortal
let calls: Calls
beforeAll(async () => {
  // Nothing else ends a connection of these tests.
  portal = await openTestPortal({
    timeouts: { headers: 300_000, request: 300_000, idle: 300_000, keepAlive: 300_000, checkEvery: 1000 },
  })
  calls = await openCalls(portal)
})
afterAll(async () => {
  await portal.close()
})

const piece = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)

type Upload = { method: string; path: string; type: string; as: 'provider' | 'customer' | 'nobody' }

function open({ method, path, type, as }: Upload, framing: string) {
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
  const { wire, head } = open(upload, 'Transfer-Encoding: chunked')
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

const uploads = (): Record<string, Upload & { status: number; first?: Buffer }> => ({
  'of nobody': { method: 'PUT', path: importCustomers.path, type: 'application/x-ndjson', as: 'nobody', status: 401 },
  'of another type': { method: 'PUT', path: importCustomers.path, type: 'text/csv', as: 'provider', status: 415 },
  'of many lines': {
    method: 'PUT',
    path: importCustomers.path,
    type: 'application/x-ndjson',
    as: 'provider',
    status: 413,
    first: Buffer.alloc(3000, 10),
  },
  'beyond the size': {
    method: 'PUT',
    path: importCustomers.path,
    type: 'application/x-ndjson',
    as: 'provider',
    status: 413,
  },
  'for a missing object': {
    method: 'PUT',
    path: at(putAgreement.path, 'nothing'),
    type: 'application/pdf',
    as: 'provider',
    status: 404,
  },
  'of an agreement that is not a PDF': {
    method: 'PUT',
    path: at(putAgreement.path, calls.objects.providerSignature),
    type: 'application/pdf',
    as: 'provider',
    status: 413,
  },
  'of a signed document too early': {
    method: 'PUT',
    path: at(countersign.path, calls.objects.providerDocumentCase),
    type: 'application/pdf',
    as: 'provider',
    status: 422,
  },
  'of a customer too early': {
    method: 'POST',
    path: at(stageUpload.path, calls.objects.documentCase),
    type: 'application/pdf',
    as: 'customer',
    status: 422,
  },
  'of a customer who is not signed in': {
    method: 'POST',
    path: at(stageUpload.path, calls.objects.documentCase),
    type: 'application/pdf',
    as: 'nobody',
    status: 401,
  },
  'to where nothing is': { method: 'POST', path: '/api/nothing', type: 'application/json', as: 'nobody', status: 413 },
  'of JSON': { method: 'POST', path: '/api/sign-in', type: 'application/json', as: 'nobody', status: 413 },
  // What has no route meets no hook.
  'to an address that does not decode': { method: 'POST', path: '/%zz', type: 'text/csv', as: 'nobody', status: 400 },
  'with a GET to such an address': { method: 'GET', path: '/%zz', type: 'text/csv', as: 'nobody', status: 400 },
  'to such an address of the API': {
    method: 'PUT',
    path: at(getCustomer.path, '%zz'),
    type: 'application/json',
    as: 'provider',
    status: 400,
  },
  'to a longer name than there is': {
    method: 'PUT',
    path: at(getCustomer.path, 'x'.repeat(200)),
    type: 'application/json',
    as: 'provider',
    status: 404,
  },
})

test('R113 a refused upload that goes on is answered and not read further, and its connection is closed', async () => {
  const seen: unknown[] = []
  for (const [what, { status, first, ...upload }] of Object.entries(uploads())) {
    const { sent, answer } = await sendEndlessly(upload, first)
    // The bytes read before the refusal, and those in the buffers of both sides.
    const bounded = sent < limits.http.pdfBytes + 12_000_000
    seen.push([what, answer?.status, bounded ? 'bounded' : sent])
    expect(seen.at(-1)).toEqual([what, status, 'bounded'])
  }
})

test('R113 the rest of a refused upload of an honest size is read away, and the connection serves on', async () => {
  const upload: Upload = {
    method: 'PUT',
    path: at(putAgreement.path, 'nothing'),
    type: 'application/pdf',
    as: 'provider',
  }
  const { wire, head } = open(upload, 'Content-Length: 8000000')
  await using _ = wire
  await wire.write(head)
  await expect.poll(() => wire.text()).toContain('HTTP/1.1 404')
  await wire.write(Buffer.alloc(8_000_000, 120))
  await wire.write(`GET /api/session HTTP/1.1\r\nHost: ${wire.host}\r\nConnection: close\r\n\r\n`)
  expect(readAnswers(await wire.untilClosed()).map(({ status }) => status)).toEqual([404, 401])
})

test('R113 a silent connection is closed soon after the refusal', async () => {
  const { wire, head } = open({ ...uploads()['of nobody']! }, 'Transfer-Encoding: chunked')
  await using _ = wire
  await wire.write(head)
  await wire.closed
  expect(readAnswers(wire.text()).map(({ status }) => status)).toEqual([401])
})

test.runIf(exhaustive)(
  'R113 wrong client keys are refused by 429 after so many, raise one alarm, and do not lock out valid keys',
  async () => {
    const { limit } = limits.clientKey.wrong
    const guesser = openBrowser(portal, { address: '10.113.7.9' })
    const path = at(getCustomer.path, calls.objects.providerCustomer)
    const statuses: number[] = []
    for (let i = 0; i < 300; i++) {
      const authorization =
        i % 3 ? `Bearer sygnet_${crypto.randomUUID().replaceAll('-', '').padEnd(43, 'x')}` : `Bearer ${i}`
      statuses.push((await guesser.raw('GET', path, undefined, { authorization })).status)
    }
    expect(statuses).toEqual([
      ...Array.from({ length: limit }, () => 401),
      ...Array.from({ length: 300 - limit }, () => 429),
    ])
    const last = await guesser.raw('GET', path, undefined, { authorization: 'Bearer x' })
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await last.json()).toMatchObject({ code: 'too-many-requests' })
    await expect.poll(() => portal.alarms).toEqual([{ name: 'client-key-guessing', about: '10.113.7.0/24' }])
    const { rows } = await portal.owner.query(`select count(*)::int as n from audit where act = 'alarm-raised'`)
    expect(rows).toEqual([{ n: 1 }])
    // A valid key at the same address, and a wrong one elsewhere.
    expect((await guesser.call(getCustomer, { params: { customer: calls.objects.providerCustomer } })).status).toBe(200)
    const elsewhere = openBrowser(portal, { address: '10.113.8.1' })
    expect((await elsewhere.raw('GET', path, undefined, { authorization: 'Bearer x' })).status).toBe(401)
  },
)
