import { expect, test } from 'vitest'
import { importCustomers } from '../../../contract/provider/customer-import.ts'
import { stageUpload } from '../../../contract/documents.ts'
import { limits } from '../../../contract/limits.ts'
import { getCustomer, putAgreement } from '../../../contract/provider/provider-api.ts'
import { countersign } from '../../../contract/provider/provider-documents.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openCalls } from '../../testing/calls.ts'
import { countRows } from '../../testing/database-state.ts'
import { openWire, readAnswers } from '../../testing/raw-http.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

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

/** What is refused: the call with its type and sender, the status, and what is sent first. */
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
  const { wire, head } = open(upload, 'Content-Length: 8000000')
  await using _ = wire
  await wire.write(head)
  await expect.poll(() => wire.text()).toContain('HTTP/1.1 404')
  await wire.write(Buffer.alloc(8_000_000, 120))
  await wire.write(`GET /api/session HTTP/1.1\r\nHost: ${wire.host}\r\nConnection: close\r\n\r\n`)
  expect(readAnswers(await wire.untilClosed()).map(({ status }) => status)).toEqual([404, 401])
})

test('R113 a silent connection is closed soon after the refusal', async () => {
  const { wire, head } = open(uploads()[0]!, 'Transfer-Encoding: chunked')
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
