import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { readRevocationData } from '../../../contract/file-check.ts'
import { limits } from '../../../contract/limits.ts'
import { importCustomers } from '../../../contract/provider/customer-import.ts'
import { base64Of } from '../../../pki/bytes.ts'
import { revocationAddresses, cn, holder, revocationList, root } from '../../../pki/testing/pades-authorities.ts'
import { listenOnLoopback } from '../../adapters/loopback/loopback-server.ts'
import { revocationByHttp } from '../../adapters/revocation-http.ts'
import { fewInTurn } from '../../testing/breadth.ts'
import { openBrowser } from '../../testing/browser.ts'
import { nameOf } from '../../testing/calls.ts'
import { watchLoop } from '../../testing/node-parts.ts'
import { openPortalWithCalls } from '../../testing/open-portal.ts'
import { samplePerson } from '../../testing/portal-nodes.ts'
import { requestRaw } from '../../testing/raw-http.ts'
import { hostileBytes, hugeKeyCertificate, tangledChains } from '../../testing/samples/crafted-certificates.ts'
import { putAt, schemaOf, textPaths, hostileTexts } from '../../testing/samples/fuzz-values.ts'
import { words } from '../../testing/words.ts'

const certificateOf = (name: string) => holder({ name: cn(name), extensions: [] }).certificate
/** As many certificates as the trusted lists of the EU have. */
const listed = Array.from({ length: 3000 }, (_, i) => certificateOf(`Authority ${i}`))
const trust = async () => ({ anchors: [...listed, root.certificate].map((certificate) => ({ certificate })) })
/** A list of nearly the largest size: one serial number has it all. */
const revoked = { ...root, serialNumber: new Uint8Array(limits.revocation.listBytes - 2000).fill(1) }
const largeList = revocationList({ at: new Date(), revoked: [{ about: revoked, at: new Date() }] })
const authority = await listenOnLoopback((_, response) => response.end(largeList))
afterAll(() => authority[Symbol.asyncDispose]())
const hosts = [new URL(authority.url).host]
const { portal, calls } = await openPortalWithCalls({
  ports: { trust, revocation: revocationByHttp({ trust, hosts }) },
})

/** The milliseconds of the event loop that any request may use (R70, R109). */
const most = 50

/** Returns the processor milliseconds that the work uses on this thread, on which the node runs; other processes do not change them. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Returns the minimum of a few tries, without garbage collection and compilation. */
async function leastCpuOf(work: () => Promise<unknown>): Promise<number> {
  let least = await cpuOf(work)
  for (let i = 0; i < 4 && least > most; i++) least = Math.min(least, await cpuOf(work))
  return least
}

/** Notes what takes longer, or causes an internal error. */
function openLook() {
  const slow: unknown[] = []
  const look = async (what: string, name: string, work: () => Promise<{ status: number }>) => {
    let status = 0
    const used = await leastCpuOf(async () => ({ status } = await work()))
    if (used > most || status >= 500 || status === 0) slow.push([what, name, Math.round(used), status])
  }
  return { slow, look }
}

test('R109 R70 no text in a field of a body uses 50 ms of the event loop, or causes an internal error', async () => {
  const { slow, look } = openLook()
  // Contract schemas bound each text before any other work; the shorter ones reach the work after validation.
  const lengths = [128, 256, 512, 1024, 4096, limits.http.jsonBytes - 4096].flatMap((bytes) => hostileTexts(bytes))
  const few = fewInTurn(5)
  const bodies = portal.app.endpoints.flatMap((endpoint) =>
    endpoint.body ? textPaths(schemaOf(endpoint.body)).map((field) => ({ endpoint, field })) : [],
  )
  expect(bodies.length).toBeGreaterThan(100)
  for (const { endpoint, field } of bodies) {
    const sample = await calls.bodyOf(endpoint)
    for (const [name, text] of few(lengths)) {
      const body = JSON.stringify(putAt(sample, field, text))
      await look(`${nameOf(endpoint)} ${field.join('.')}`, name, () => calls.send(endpoint, { body }))
    }
  }
  expect(slow).toEqual([])
})

test('R109 nor does a hostile text in a URL, a header or a line of an import', async () => {
  const { slow, look } = openLook()
  const { host } = new URL(portal.origin)
  const few = fewInTurn(4)
  const queries = portal.app.endpoints.flatMap((endpoint) =>
    Object.keys(endpoint.query?.shape ?? {}).map((key) => [endpoint, key] as const),
  )
  for (const [name, text] of hostileTexts(1800)) {
    const inAddress = encodeURIComponent(text.toWellFormed()).slice(0, 1900).replace(/%.?$/, '')
    const browser = openBrowser(portal)
    const addresses = words('/ /en/ /setup-password/ /?back= /api/ /assets/').map((start) => start + inAddress)
    for (const path of few(addresses)) await look(path.slice(0, 30), name, () => browser.raw('GET', path))
    for (const [endpoint, key] of few(queries)) {
      const path = (await calls.fill(endpoint)).path.split('?')[0]!
      const change = { path: `${path}?${key}=${inAddress}` }
      await look(`${nameOf(endpoint)} ${key}`, name, () => calls.send(endpoint, change))
    }
  }
  const headers = words(`cookie user-agent idempotency-key authorization origin host if-none-match range traceparent
    x-forwarded-for content-type`)
  for (const [name, text] of hostileTexts(12_000)) {
    const plain = Buffer.from(text.toWellFormed().replace(/[\r\n\0]/g, ''))
    const bytes = plain.toString('latin1').slice(0, 14_000)
    for (const header of few(headers)) {
      const ownHost = header === 'host' ? '' : `Host: ${host}\r\n`
      const head = `GET / HTTP/1.1\r\n${ownHost}Connection: close\r\n${header}: ${bytes}\r\n\r\n`
      await look(header, name, () => requestRaw(portal.origin, Buffer.from(head, 'latin1')))
    }
  }
  const asProvider = { authorization: `Bearer ${portal.clientKey}`, 'content-type': 'application/x-ndjson' }
  for (const [name, text] of hostileTexts(limits.customerImport.lineBytes - 1000)) {
    const names = { firstName: text, surname: text.slice(0, 1) }
    const line = JSON.stringify({ customer: `c-${crypto.randomUUID()}`, ...samplePerson(), ...names })
    const file = Buffer.from(`${line}\n${line}\n${line}`)
    await look('import', name, () => openBrowser(portal).raw('PUT', importCustomers.path, file, asProvider))
  }
  expect(slow).toEqual([])
})

/** Makes JSON of 64 kB that no schema accepts, also with the fields of a sample of the endpoint. */
function hostileBodies(sample: unknown): [string, string][] {
  const bytes = limits.http.jsonBytes - 100
  const many = (part: string) => part.repeat(Math.floor(bytes / part.length))
  const names = Object.keys(sample ?? {})
  const inEach = (value: string) => `{${names.map((name) => `"${name}":${value}`).join()}}`
  const half = (part: string) => part.repeat(Math.floor(bytes / Math.max(1, names.length) / part.length / 1.1))
  return [
    ['nested arrays', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
    ['nested objects', '{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6)],
    ['many numbers', `[${many('0,')}0]`],
    ['many keys', `{${Array.from({ length: bytes / 10 }, (_, i) => `"k${i}":0`).join()}}`],
    ['one key many times', `{${many('"__proto__":{},')}"a":0}`],
    ['digits', '1'.repeat(bytes)],
    ['escapes', `"${many('\\u0000')}"`],
    ['many items in each field', inEach(`[${half('0,')}0]`)],
    ['many objects in each field', inEach(`[${half('{},')}{}]`)],
    ['many keys in each field', inEach(`{${half('"a":0,')}"b":0}`)],
    ['nested arrays in each field', inEach('['.repeat(half('[]').length / 2) + ']'.repeat(half('[]').length / 2))],
  ]
}

test('R109 R70 nor does JSON that no schema wants', async () => {
  const { slow, look } = openLook()
  for (const endpoint of portal.app.endpoints.filter(({ body }) => body)) {
    const sample = await calls.bodyOf(endpoint)
    for (const [name, body] of hostileBodies(sample))
      await look(nameOf(endpoint), name, () => calls.send(endpoint, { body }))
  }
  expect(slow).toEqual([])
})

test('R109 R264 nor do certificates, CMS and CBOR in any field', async () => {
  const { slow, look } = openLook()
  for (const endpoint of portal.app.endpoints.filter(({ body }) => body)) {
    const sample = await calls.bodyOf(endpoint)
    for (const field of textPaths(schemaOf(endpoint.body!)))
      for (const [name, bytes] of hostileBytes())
        for (const encoding of ['base64', 'base64url'] as const) {
          const body = JSON.stringify(putAt(sample, field, Buffer.from(bytes).toString(encoding)))
          await look(`${nameOf(endpoint)} ${field.join('.')}`, name, () => calls.send(endpoint, { body }))
        }
  }
  expect(slow).toEqual([])
})

test('R264 certificates that certify each other are not verified where requests are served', async () => {
  const { slow, look } = openLook()
  const at = new Date().toISOString()
  let network = 0
  const ask = (paths: Uint8Array[][]) => () =>
    openBrowser(portal, { address: `198.51.${(network += 1)}.7` }).call(readRevocationData, {
      body: { chains: paths.map((path) => ({ path: path.map(base64Of), at })) },
    })
  await look('tangled', 'chains', ask(tangledChains()))
  await look('huge keys', 'chains', ask([Array.from({ length: 8 }, hugeKeyCertificate)]))
  expect(slow).toEqual([])
})

test('R264 a list of megabytes is not encoded in one turn of the event loop', async () => {
  const signer = holder({ name: cn('Signer'), extensions: revocationAddresses({ crl: [authority.url] }) }, root)
  const at = new Date().toISOString()
  const body = JSON.stringify({ chains: [{ path: [base64Of(signer.certificate)], at }] })
  const worst = watchLoop()
  /** Counts the bytes of the answer without parsing it, because nothing on this thread may take long. */
  const bytesOfAnswer = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', origin: portal.origin }
      const asked = request(portal.origin + readRevocationData.path, { method: 'POST', headers }, async (answer) => {
        let bytes = 0
        for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length
        resolve(bytes)
      })
      asked.on('error', reject).end(body)
    })
  // The first fetches the list; the second is answered from what is kept.
  let least = Infinity
  for (let i = 0; i < 4 && least > most; i++) {
    worst.cpu = 0
    expect(await bytesOfAnswer()).toBeGreaterThan(limits.revocation.listBytes / 0.75 - 4000)
    least = Math.min(least, worst.cpu)
  }
  expect(least).toBeLessThan(most)
})
