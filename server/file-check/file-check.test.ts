import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import type { TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import { base64Of } from '../../pki/bytes.ts'
import {
  revocationAddresses,
  authorityRights,
  cn,
  holder,
  issuing,
  ocspAnswer,
  person,
  personRights,
  root,
  type Holder,
} from '../../pki/testing/pades-authorities.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { revocationByHttp } from '../adapters/revocation-http.ts'
import { rateLimit } from '../platform/rate-limits/rate-limit-table.ts'
import { openBrowser } from '../testing/browser.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'

let answer: () => Uint8Array = () => new Uint8Array()
/** Promise for which the responder waits before it answers. */
let responderGate: Promise<void> | undefined
const responder = await listenOnLoopback(async (_, response) => {
  await responderGate
  response.end(answer())
})
afterAll(() => responder[Symbol.asyncDispose]())

const trust = { anchors: [{ certificate: root.certificate }] as TrustAnchor[], intermediates: [issuing.certificate] }
const portal = await openPortal({
  nodes: 2,
  ports: {
    trust: async () => trust,
    revocation: revocationByHttp({ trust: async () => trust, hosts: [new URL(responder.url).host] }),
  },
})
beforeEach(() => responder.received.splice(0))

const asking = revocationAddresses({ ocsp: [`${responder.url}/ocsp`], crl: [`${responder.url}/crl`] })
const signerOf = (issuer: Holder) =>
  holder({ name: person('Anna Nowak', 'PNOPL-90010112345'), extensions: [...personRights(), ...asking] }, issuer)

let networks = 0
/** Opens a browser for a visitor in a separate network, without a session. */
const visitor = (address = `198.51.${(networks += 1)}.7`) => openBrowser(portal, { address })

const time = async () => (await now(portal.db)).toISOString()
async function lookUp(browser: ReturnType<typeof visitor>, { certificate }: Holder, node = 0) {
  const chains = [{ path: [base64Of(certificate)], at: await time() }]
  return browser.call(readRevocationData, { body: { chains } }, node)
}
/** Expects a refusal because of the rate limit, with the time to wait. */
function expectLimited({ problem, headers }: { problem: { code: string }; headers: Headers }, window: number) {
  expect(problem.code).toBe('too-many-attempts')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(window)
}
const expectTime = async (headers: Headers) =>
  expect(Math.abs(Date.parse(headers.get('date')!) - (await now(portal.db)).getTime())).toBeLessThan(60_000)

test('CHK-5 R192 anyone gets the trusted authorities, what their list may deny, and the time', async () => {
  const { status, body, headers } = await visitor().call(listTrustedAuthorities)
  expect([status, body]).toEqual([
    200,
    {
      authorities: [{ certificate: base64Of(root.certificate), purposes: null, from: null, to: null }],
      intermediates: [base64Of(issuing.certificate)],
    },
  ])
  await expectTime(headers)
  trust.anchors.push({ certificate: issuing.certificate, doubts: ['device'] })
  const later = await visitor().call(listTrustedAuthorities)
  trust.anchors.pop()
  expect(later.body).toMatchObject({ authorities: [{ purposes: null }, { purposes: null, doubts: ['device'] }] })
})

/** Reads the list as a browser that may have it already. */
const readAgain = (etag: string, node = 0) =>
  fetch(portal.nodes[node]!.origin + listTrustedAuthorities.path, { headers: { 'if-none-match': etag } })

test('CHK-5 a browser that has the authorities already gets the time alone, until they change', async () => {
  const { headers } = await visitor().call(listTrustedAuthorities)
  const etag = headers.get('etag')!
  expect([etag, headers.get('cache-control')]).toEqual([expect.stringMatching(/^"[\w-]{43}"$/), 'private, no-cache'])
  await portal.clock.advance(86_400)
  const unchanged = await readAgain(etag, 1)
  expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag])
  expect(['content-type', 'content-length'].map((name) => unchanged.headers.get(name))).toEqual([null, null])
  await expectTime(unchanged.headers)
  trust.intermediates.push(root.certificate)
  const changed = await readAgain(etag, 1)
  trust.intermediates.pop()
  expect(changed.status).toBe(200)
  expect(((await changed.json()) as { intermediates: [] }).intermediates).toHaveLength(2)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

test('R184 the authorities are encoded once while they are the same, and the reads of one network are limited, also in parallel over two nodes', async () => {
  const { limit, window } = rateLimit('trusted-authorities')
  const browser = visitor()
  let encoded = 0
  const from = new Date('2020-01-01')
  from.toISOString = () => {
    encoded += 1
    return '2020-01-01T00:00:00.000Z'
  }
  trust.anchors.push({ certificate: root.certificate, from })
  const answers = await Promise.all(
    Array.from({ length: limit + 6 }, (_, i) => browser.call(listTrustedAuthorities, {}, i % 2)),
  )
  trust.anchors.pop()
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(limit)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(6)
  for (const answered of refused) expectLimited(answered, window)
  // By each node.
  expect(encoded).toBe(2)
  expect((await visitor().call(listTrustedAuthorities)).status).toBe(200)
})

test('R184 a browser that has the authorities already takes nothing of the reads of its network', async () => {
  const { limit } = rateLimit('trusted-authorities')
  const colleague = visitor('127.0.0.1')
  const read = () => colleague.call(listTrustedAuthorities)
  const etag = (await read()).headers.get('etag')!
  for (let i = 1; i < limit; i++) expect((await readAgain(etag, i % 2)).status).toBe(304)
  expect((await read()).status).toBe(200)
  // It has an older one, and reads what it lacks.
  await Promise.all(Array.from({ length: limit - 2 }, () => readAgain('"older"')))
  expect([(await readAgain('"older"')).status, (await readAgain(etag)).status]).toEqual([429, 304])
})

test('CHK-5 anyone gets what the authority answers about a certificate', async () => {
  const signer = signerOf(root)
  const at = await now(portal.db)
  const good = ocspAnswer(signer, { issuer: root, by: root, at })
  answer = () => good
  const { status, body } = await lookUp(visitor(), signer)
  expect([status, body]).toEqual([200, { ocsps: [base64Of(good)], crls: [] }])
  expect(responder.received.map(({ path }) => path.split('/')[1])).toEqual(['ocsp'])
})

test('R183 a certificate that leads to no trusted authority causes no call, also with one that does', async () => {
  const own = holder({ name: cn('Root'), extensions: authorityRights() })
  const forged = signerOf(own)
  const at = await time()
  // By the name of the trusted root, alone, with the forger's and with the trusted root.
  const paths = [[forged], [forged, own], [forged, root], [own], [forged, signerOf(own), own, issuing, root]]
  const chains = paths.map((path) => ({ path: path.map(({ certificate }) => base64Of(certificate)), at }))
  const garbage = { path: ['MAA='], at }
  const { status, body } = await visitor().call(readRevocationData, { body: { chains: [...chains, garbage] } })
  expect([status, body]).toEqual([200, { ocsps: [], crls: [] }])
  expect(responder.received).toEqual([])
})

test('R182 the look-ups of one network are limited, also in parallel over two nodes, and those of others are not', async () => {
  const { limit, window } = limits.fileCheck.lookUps
  const browser = visitor()
  const signer = signerOf(root)
  const statuses = await Promise.all(
    Array.from({ length: limit + 6 }, (_, i) => lookUp(browser, signer, i % 2).then(({ status }) => status)),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(limit)
  expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  responder.received.splice(0)
  expectLimited(await lookUp(browser, signer), window)
  expect(responder.received).toEqual([])
  expect((await lookUp(visitor(), signer)).status).toBe(200)
})

test('R182 the look-ups of the networks of one subnet together are limited', async () => {
  const { limit } = limits.fileCheck.lookUpsBySubnet
  const at = await time()
  const ask = (i: number) =>
    visitor(`2001:db8:1:${i.toString(16)}::7`).call(readRevocationData, { body: { chains: [{ path: ['MAA='], at }] } })
  const statuses: number[] = []
  for (let i = 0; i < limit + 6; i++) statuses.push((await ask(i)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(limit)
  expect(statuses.slice(limit)).toEqual(Array.from({ length: 6 }, () => 429))
})

test('R182 a node makes few look-ups at a time, and is unavailable for others without charging them', async () => {
  const { parallel: together } = limits.fileCheck
  const held = Promise.withResolvers<void>()
  responderGate = held.promise
  onTestFinished(() => void (responderGate = undefined))
  const signers = Array.from({ length: together }, () => signerOf(root))
  const waiting = signers.map((signer) => lookUp(visitor(), signer))
  await expect.poll(() => responder.received.length).toBe(together)
  const late = visitor()
  const { status, problem } = await lookUp(late, signerOf(root))
  expect([status, problem.code]).toEqual([503, 'unavailable'])
  expect((await lookUp(visitor(), signerOf(issuing), 1)).status).toBe(200)
  held.resolve()
  expect(new Set((await Promise.all(waiting)).map((answered) => answered.status))).toEqual(new Set([200]))
  expect((await lookUp(late, signerOf(root))).status).toBe(200)
})

test('R182 one call asks about few certificates, with short paths, and is refused before anything is asked', async () => {
  const { certificates, pathLength } = limits.revocation
  const signer = base64Of(signerOf(root).certificate)
  const at = await time()
  const tooMany = Array.from({ length: certificates + 1 }, () => ({ path: [signer], at }))
  const tooLong = [{ path: Array.from({ length: pathLength + 1 }, () => signer), at }]
  for (const chains of [tooMany, tooLong, [], [{ path: [], at }], [{ path: ['A'.repeat(16_388)], at }]]) {
    const { status, problem } = await visitor().call(readRevocationData, { body: { chains } })
    expect([status, problem.code]).toEqual([400, 'invalid-input'])
  }
  expect(responder.received).toEqual([])
})
