import { generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import {
  CRLReasons,
  ExtendedKeyUsage,
  id_ce_extKeyUsage,
  id_kp_OCSPSigning,
  KeyUsageFlags,
  AuthorityKeyIdentifier,
  id_ce_authorityKeyIdentifier,
  id_ce_subjectKeyIdentifier,
  KeyIdentifier,
  SubjectKeyIdentifier,
} from '@peculiar/asn1-x509'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import { extension, signBytes, keyIdentifier } from '../../pki/asn1/certificate-write.ts'
import { wholeSeconds, derValue, writeDer } from '../../pki/asn1/der.ts'
import { certificatePool } from '../../pki/asn1/path-certificate.ts'
import { revocationStatus } from '../../pki/asn1/revocation-status.ts'
import { signatureAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import { bytesOf } from '../../pki/bytes.ts'
import { appendValidationData, type ValidationData } from '../../pki/pades/pades-validation-data.ts'
import {
  anna,
  revocationAddresses,
  authorityRights,
  cn,
  contractPdf,
  holder,
  issuing,
  ocspAnswer,
  person,
  personRights,
  revocationList,
  root,
  signPdf,
  usage,
  type Holder,
} from '../../pki/testing/pades-authorities.ts'
import { exhaustive } from '../testing/breadth.ts'
import { hugeKeyCertificate } from '../testing/samples/crafted-certificates.ts'
import { openVerification } from '../testing/samples/sample-documents.ts'
import { listenOnLoopback, type Received } from './loopback/loopback-server.ts'
import { revocationByHttp } from './revocation-http.ts'
import { findLinks } from './revocation-judging.ts'
import { verificationBuiltIn } from './verification-built-in.ts'

// What happens to an upload without embedded OCSP responses, by what a real responder says about its signer (R104).

const { work, requestOf } = await openVerification()

type Answer = (response: ServerResponse, asked: Received) => unknown
type Server = Awaited<ReturnType<typeof listenOnLoopback>>
let server: Server
let signer: Holder
/** Answers at `/ocsp` and at `/crl`; none unless a test sets them. */
let served: { ocsp?: Answer; crl?: Answer }
const now = () => new Date()
const hour = 3_600_000
const later = (ms: number) => new Date(Date.now() + ms)

beforeEach(async () => {
  served = {}
  server = await listenOnLoopback((asked, response) => {
    const answer = asked.path.startsWith('/ocsp') ? served.ocsp : served.crl
    if (answer) answer(response, asked)
    else response.writeHead(404).end()
  })
  signer = signerAsking({ ocsp: [`${server.url}/ocsp`], crl: [`${server.url}/crl`] })
})
afterEach(() => server[Symbol.asyncDispose]())

const signerAsking = (where: Parameters<typeof revocationAddresses>[0], issuer = root) =>
  holder(
    { name: person('Anna Nowak', 'PNOPL-90010112345'), extensions: [...personRights(), ...revocationAddresses(where)] },
    issuer,
  )

const forOcsp = extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_OCSPSigning]))
const delegate = (purposes = [forOcsp], issuer = root) =>
  holder({ name: cn('Delegate'), extensions: [usage(KeyUsageFlags.digitalSignature), ...purposes] }, issuer)

/** Writes an answer about the signer by the root itself, unless a test changes this. */
const about = (options: Parameters<typeof ocspAnswer>[1] = {}, who = signer) =>
  ocspAnswer(who, { issuer: root, by: root, at: now(), ...options })
const says = (make: () => Uint8Array) => (response: ServerResponse) => response.end(make())

type Options = Partial<Parameters<typeof revocationByHttp>[0]>
const trust = async () => ({ anchors: [{ certificate: root.certificate }] })

const portOf = (options: Options = {}) =>
  revocationByHttp({ trust, hosts: [new URL(server.url).host], timeoutMs: 30_000, ...options })

async function judged(
  options: Options = {},
  by = signer,
  port = portOf(options),
  { evidence, at = now() }: { evidence?: ValidationData; at?: Date } = {},
) {
  const signed = signPdf(contractPdf(), { by })
  const file = evidence ? appendValidationData(signed, evidence) : signed
  const verification = verificationBuiltIn(work, options.trust ?? trust, port)
  const report = await verification.verify(requestOf(file, { receivedAt: at }))
  if (typeof report === 'string' || !report.readable) throw new Error(JSON.stringify(report))
  const [{ problems, revocation } = {}] = report.report.signatures
  return { verdict: report.report.verdict, revocation, problems }
}

const chainOf = ({ certificate }: Holder, at = now()) => ({ path: [certificate, root.certificate], at })
const nothing = { isComplete: false, data: { ocsps: [], crls: [] } }
const revocationOf = (data: Parameters<typeof revocationStatus>[3], at: Date) => {
  const [certificate, issuer] = certificatePool([signer.certificate, root.certificate])
  return revocationStatus(certificate!, issuer!, at, data).status
}

const good = { verdict: 'accepted', revocation: 'good', problems: [] }
const revoked = { verdict: 'refused', revocation: 'revoked' }
const pending = { verdict: 'pending', revocation: 'unknown' }

test('R104 without anybody to ask the upload is pending', async () => {
  expect(await judged()).toMatchObject(pending)
})

test('R104 an answer of "good" accepts the upload, is fetched by GET, and is kept until it ends', async () => {
  const at = wholeSeconds(new Date())
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)
  const port = portOf()
  served.ocsp = says(() => about({ at, nextUpdate: after(60) }))
  expect(await judged({}, signer, port, { at })).toEqual(good)
  const asked = () => server.received.map(({ method, path }) => `${method} ${path.slice(0, 5)}`)
  const again = (seconds: number) => port.collectEvidence([chainOf(signer, at)], after(seconds))
  await again(59)
  expect(asked()).toEqual(['GET /ocsp'])
  await again(61)
  expect(asked().slice(0, 2)).toEqual(['GET /ocsp', 'GET /ocsp'])
})

test('R104 an answer that was fetched before the signature counts only while no newer one can be had', async () => {
  const port = portOf()
  const kindOf = async (at: Date) => {
    const { data } = await port.collectEvidence([chainOf(signer, at)], at)
    return data.ocsps.length ? revocationOf(data, at) : 'unknown'
  }
  served.ocsp = says(() => about())
  expect(await kindOf(now())).toBe('good')
  // Stopped since, and signed ten minutes later.
  const signed = later(600_000)
  served.ocsp = (response) => response.writeHead(503).end()
  expect(await kindOf(signed)).toBe('good')
  served.ocsp = says(() => about({ status: { revokedAt: later(300_000) } }))
  expect(await kindOf(signed)).toBe('revoked')
})

test('R104 evidence about a signature is complete also where the certificate was revoked after it', async () => {
  const ask = (at: Date) => portOf().collectEvidence([chainOf(signer, at)], later(1_200_000))
  served.ocsp = says(() =>
    about({ at: later(1_200_000), nextUpdate: later(hour), status: { revokedAt: later(600_000) } }),
  )
  expect((await ask(now())).isComplete).toBe(true)
  expect((await ask(later(900_000))).isComplete).toBe(false)
})

test('R256 an answer in the file, or of the configuration, counts while no newer one can be had', async () => {
  const ocsps = [about({ at: later(-hour / 2), nextUpdate: later(hour) })]
  const ofFile = () => judged({}, signer, portOf(), { evidence: { certificates: [], ocsps, crls: [] } })
  const configured = () => judged({ trust: async () => ({ ...(await trust()), ocsps }) })
  for (const judge of [ofFile, configured]) {
    served.ocsp = (response) => response.writeHead(503).end()
    expect(await judge()).toEqual(good)
    served.ocsp = says(() => about())
    expect(await judge()).toEqual(good)
    served.ocsp = says(() => about({ status: { revokedAt: later(-60_000) } }))
    expect(await judge()).toMatchObject(revoked)
  }
})

/** Creates an adapter, and returns a function that reports what it finds out, a number of seconds later, about a signature made now. */
function portAt(options: Options = {}) {
  const port = portOf(options)
  const at = now()
  return async (seconds = 0) => {
    const { data } = await port.collectEvidence([chainOf(signer, at)], new Date(at.getTime() + seconds * 1000))
    return { kind: data.ocsps.length ? 'ocsp' : 'crl', status: revocationOf(data, at) }
  }
}
const hold = (at: Date) =>
  about({ at, nextUpdate: later(hour), status: { revokedAt: later(-hour), reason: CRLReasons.certificateHold } })
const stoppedSince = () => [{ about: signer, at: later(-60_000) }]

test('R104 a kept list from before the signature is fetched again once it is a second old, also if it was fetched after it', async () => {
  const ask = portAt()
  served.crl = says(() => revocationList({ issuer: root, at: later(-hour / 2) }))
  expect(await ask(1)).toEqual({ kind: 'crl', status: 'good' })
  served.crl = says(() => revocationList({ issuer: root, at: later(1000), revoked: stoppedSince() }))
  expect(await ask(1.9)).toEqual({ kind: 'crl', status: 'good' })
  expect(await ask(2)).toEqual({ kind: 'crl', status: 'revoked' })
  // What is final is not asked about again, nor is it replaced by an older answer.
  served.crl = says(() => revocationList({ issuer: root, at: later(-hour / 2) }))
  expect(await ask(300)).toEqual({ kind: 'crl', status: 'revoked' })
})

test('R104 R105 an answer from just before the signature is fetched again, although it is not a second old', async () => {
  const port = portOf()
  const start = wholeSeconds(now())
  const after = (ms: number) => new Date(start.getTime() + ms)
  const ask = async (signed: Date, when: Date) =>
    (await port.collectEvidence([chainOf(signer, signed)], when)).data.ocsps
  const answers = [0, 1000].map((ms) => about({ at: after(ms), nextUpdate: after(hour) }))
  served.ocsp = says(() => answers[0]!)
  expect(await ask(start, after(950))).toEqual([new Uint8Array(answers[0]!)])
  served.ocsp = says(() => answers[1]!)
  expect(await ask(after(1000), after(1200))).toEqual([new Uint8Array(answers[1]!)])
})

test('R104 lists that are too large do not keep a host from being asked by OCSP', async () => {
  const length = limits.revocation.listBytes + 1
  served.crl = (response) => response.writeHead(200, { 'content-length': length }).flushHeaders()
  const port = portOf()
  const ask = async (who: Holder) => (await port.collectEvidence([chainOf(who)], now())).data
  const listed = Array.from({ length: 3 }, (_, index) => signerAsking({ crl: [`${server.url}/crl/${index}`] }))
  for (const who of listed) expect((await ask(who)).crls).toEqual([])
  served.ocsp = says(() => about())
  expect((await ask(signer)).ocsps).toHaveLength(1)
})

test('R256 after an answer from before the signature the next source is asked, and the newest counts', async () => {
  const early = () => about({ at: later(-hour / 2), nextUpdate: later(hour) })
  served.ocsp = says(early)
  served.crl = says(() => revocationList({ issuer: root, at: later(-hour) }))
  expect(await portAt()()).toEqual({ kind: 'ocsp', status: 'good' })
  served.crl = says(() => revocationList({ issuer: root, at: later(-hour / 4) }))
  const older = about({ at: later(-hour / 1.5), nextUpdate: later(hour) })
  const configured = { trust: async () => ({ ...(await trust()), ocsps: [older] }) }
  expect(await portAt(configured)()).toEqual({ kind: 'crl', status: 'good' })
  served.crl = says(() => revocationList({ issuer: root, at: later(1000), revoked: stoppedSince() }))
  const ask = portAt()
  expect(await ask()).toEqual({ kind: 'crl', status: 'revoked' })
  expect(await ask(30)).toEqual({ kind: 'crl', status: 'revoked' })
})

test('R256 a suspension in the file from before the signature counts only while nothing newer says that it has ended', async () => {
  const suspended = { certificates: [], ocsps: [hold(later(-hour / 2))], crls: [] }
  const ofFile = () => judged({}, signer, portOf(), { evidence: suspended })
  served.ocsp = (response) => response.writeHead(503).end()
  expect(await ofFile()).toMatchObject(revoked)
  served.ocsp = says(() => hold(now()))
  expect(await ofFile()).toMatchObject(revoked)
  served.ocsp = says(() => about())
  expect(await ofFile()).toEqual(good)
})

test('R104 a responder without GET gets a POST', async () => {
  served.ocsp = (response, { method }) => (method === 'POST' ? response.end(about()) : response.writeHead(405).end())
  expect(await judged()).toEqual(good)
  expect(server.received.map(({ method, headers }) => [method, headers['content-type']])).toEqual([
    ['GET', undefined],
    ['POST', 'application/ocsp-request'],
  ])
})

test('R104 an answer of "revoked" refuses the upload, and a delegate of the issuer may answer', async () => {
  served.ocsp = says(() => about({ status: { revokedAt: later(-hour) } }))
  expect(await judged()).toMatchObject(revoked)
  served.ocsp = says(() => about({ by: delegate() }))
  expect(await judged()).toEqual(good)
})

const stranger = holder({ name: cn('Stranger'), extensions: authorityRights() })

/** Time limit for an answer that never arrives, or never ends. */
const shortTimeout = { timeoutMs: 300 }

test.each<[string, Answer, Options?]>([
  ['says that it does not know', says(() => about({ status: 'unknown' }))],
  ['is stale', says(() => about({ at: later(-2 * hour), nextUpdate: later(-hour) }))],
  ['is signed by a stranger', says(() => about({ by: stranger }))],
  ['is signed by a delegate who is not one for OCSP', says(() => about({ by: delegate([]) }))],
  ['is signed by somebody else’s delegate', says(() => about({ by: delegate([forOcsp], stranger) }))],
  ['is about another certificate', says(() => about({}, anna))],
  ['is about another issuer', says(() => about({ issuer: stranger }))],
  ['is changed on its way', says(() => about().map((byte, at, { length }) => (at === length - 400 ? byte ^ 1 : byte)))],
  ['is garbage', (response) => response.end('garbage')],
  ['is empty', (response) => response.end()],
  ['is an error', (response) => response.writeHead(500).end(about())],
  ['is a redirect', (response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end()],
  ['is longer than any answer', (response) => response.end(Buffer.concat([about(), Buffer.alloc(70_000)]))],
  ['never comes', () => {}, shortTimeout],
])('R104 an answer that %s leaves the upload pending', async (_, answer, options) => {
  served.ocsp = answer
  expect(await judged(options)).toMatchObject(pending)
  expect(server.received.some(({ path }) => path === '/elsewhere')).toBe(false)
})

test('R104 without an answer that counts the revocation list is fetched', async () => {
  served.ocsp = says(() => about({ by: stranger }))
  // A forged one is not kept.
  const port = portOf()
  served.crl = says(() => revocationList({ issuer: { ...root, privateKey: stranger.privateKey }, at: now() }))
  expect(await judged({}, signer, port)).toMatchObject(pending)
  served.crl = says(() => revocationList({ issuer: root, at: now() }))
  expect(await judged({}, signer, port)).toEqual(good)
  served.crl = says(() => revocationList({ issuer: root, at: now(), revoked: [{ about: signer, at: later(-hour) }] }))
  expect(await judged()).toMatchObject(revoked)
})

test('R104 a list about several certificates is fetched, and is evidence, once', async () => {
  served.crl = says(() => revocationList({ issuer: root, at: now() }))
  const signers = [1, 2].map(() => signerAsking({ crl: [`${server.url}/crl`] }))
  const { data, isComplete } = await portOf().collectEvidence(
    signers.map((each) => chainOf(each)),
    now(),
  )
  expect([data.crls.length, data.certificates.length, isComplete]).toEqual([1, 3, true])
  expect(server.received).toHaveLength(1)
})

test('R104 CHK-10 evidence reaches up to the operator’s own anchor, also above a listed authority', async () => {
  const below = signerAsking({}, issuing)
  const listed: TrustAnchor = { certificate: issuing.certificate, purposes: ['signatures'], from: later(-hour) }
  const evidence = async (...anchors: TrustAnchor[]) => {
    const port = portOf({ trust: async () => ({ anchors }) })
    const chain = { path: [below, issuing, root].map(({ certificate }) => certificate), at: now() }
    return (await port.collectEvidence([chain], now())).data.certificates.length
  }
  expect(await evidence(listed)).toBe(2)
  expect(await evidence(listed, { certificate: root.certificate })).toBe(3)
  expect(await evidence({ ...listed, to: later(-1) })).toBe(0)
})

const utcTime = (at: Date) =>
  derValue(
    0x17,
    bytesOf(
      at
        .toISOString()
        .slice(2)
        .replace(/[-:T]|\.\d+/g, ''),
    ),
  )
const anHourAgo = utcTime(later(-hour))
const revokedEntry = (serial: Uint8Array) => derValue(0x30, derValue(0x02, serial), anHourAgo)

/**
 * Writes a list as an authority does that has revoked very many certificates. It is assembled from bytes, because a library would take a
 * minute.
 */
function longList(many: Uint8Array, ...last: Holder[]) {
  const algorithm = writeDer(signatureAlgorithm(root.privateKey))
  const entries = derValue(0x30, Buffer.concat([many, ...last.map(({ serialNumber }) => revokedEntry(serialNumber))]))
  const dates = [utcTime(now()), utcTime(later(hour))]
  const tbs = derValue(0x30, derValue(0x02, Uint8Array.of(1)), algorithm, writeDer(root.name), ...dates, entries)
  return derValue(0x30, tbs, algorithm, derValue(0x03, Uint8Array.of(0), signBytes(root.privateKey, tbs)))
}

test.runIf(exhaustive)('R104 a list of two hundred thousand certificates is read as well', async () => {
  const serials = Array.from({ length: 200_000 }, (_, i) => Uint8Array.of(0x50, i >> 16, (i >> 8) & 255, i & 255))
  const many = Buffer.concat(serials.map(revokedEntry))
  served.crl = says(() => longList(many))
  expect(await judged()).toEqual(good)
  served.crl = says(() => longList(many, signer))
  expect(await judged()).toMatchObject(revoked)
})

test.each<[string, Answer]>([
  ['is stale', says(() => revocationList({ issuer: root, at: later(-2 * 24 * hour) }))],
  ['is forged', says(() => revocationList({ issuer: { ...root, privateKey: stranger.privateKey }, at: now() }))],
  ['is somebody else’s', says(() => revocationList({ issuer: stranger, at: now() }))],
  ['is too large', (response) => response.end(Buffer.alloc(limits.revocation.listBytes + 1))],
  ['is garbage', (response) => response.end(Buffer.alloc(100_000, 0x30))],
])('R104 a revocation list that %s leaves the upload pending', async (_, answer) => {
  served.crl = answer
  expect(await judged({})).toMatchObject(pending)
})

test('R104 addresses in an untrusted certificate are not called', async () => {
  served.ocsp = says(() => about())
  const own = signerAsking({ ocsp: [`${server.url}/ocsp`] }, stranger)
  expect(await judged({}, own)).toMatchObject({ verdict: 'refused' })
  const port = portOf()
  const asked = [{ path: [own.certificate, stranger.certificate, root.certificate], at: now() }]
  expect(await port.collectEvidence(asked, now())).toMatchObject(nothing)
  expect(server.connections()).toBe(0)
})

test('R104 what leads into a network is called only if the operator lists it', async () => {
  served.ocsp = says(() => about())
  const { port } = new URL(server.url)
  const bent = signerAsking({ ocsp: [`http://ocsp.example:${port}/ocsp`] })
  for (const [address, family] of [
    ['127.0.0.1', 4],
    ['64:ff9b::7f00:1', 6],
  ] as const) {
    const asking = portOf({ resolve: async () => [{ address, family }], hosts: [] })
    expect(await asking.collectEvidence([chainOf(bent)], now())).toMatchObject(nothing)
  }
  expect(await judged({ hosts: ['127.0.0.1:1'] })).toMatchObject(pending)
  expect(server.connections()).toBe(0)
  expect(await judged()).toEqual(good)
})

test('R104 an address that is not one of HTTP, or is no address, is passed over', async () => {
  for (const url of [
    'ldap://ldap.example/cn=crl',
    'http://user:secret@127.0.0.1/',
    'nonsense',
    `http://x.example/${'x'.repeat(3000)}`,
  ]) {
    const odd = signerAsking({ ocsp: [url, `${server.url}/ocsp`], crl: [url] })
    served.ocsp = says(() => about({}, odd))
    const port = portOf({ resolve: () => Promise.reject(new Error('no name')) })
    const { data } = await port.collectEvidence([chainOf(odd)], now())
    expect([url, data.ocsps.length]).toEqual([url, 1])
  }
})

test('R104 of many addresses in a certificate two of each kind are called', async () => {
  const nine = (kind: string) => Array.from({ length: 9 }, (_, i) => `${server.url}/${kind}${i}`)
  const many = signerAsking({ ocsp: nine('ocsp'), crl: nine('crl') })
  served.ocsp = served.crl = (response) => response.end('garbage')
  expect(await judged({}, many)).toMatchObject(pending)
  expect(server.received.map(({ path }) => path.slice(0, 6))).toEqual(['/ocsp0', '/ocsp1', '/crl0', '/crl1'])
})

test('R104 an authority that is away holds up the first customers alone', async () => {
  served.ocsp = () => {}
  const port = portOf(shortTimeout)
  const away = signerAsking({ ocsp: [`${server.url}/ocsp`] })
  for (let i = 0; i < 3; i++) expect(await judged({}, away, port)).toMatchObject(pending)
  const before = server.received.length
  expect(await judged({}, away, port)).toMatchObject(pending)
  expect(server.received.length).toBe(before)
})

test('R104 a file with many certificates causes no more calls than the limit', async () => {
  const where = { ocsp: [`${server.url}/ocsp/a`, `${server.url}/ocsp/b`], crl: [`${server.url}/crl`] }
  served.ocsp = served.crl = (response) => response.end('garbage')
  const chains = Array.from({ length: 30 }, () => chainOf(signerAsking(where)))
  expect(await portOf().collectEvidence(chains, now())).toMatchObject({ isComplete: false })
  expect(server.received.length).toBe(limits.revocation.calls)
})

const name = cn('One of many')
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const identifier = keyIdentifier(keys.publicKey)
const issuer = holder(
  {
    name,
    keys,
    extensions: [...authorityRights(), extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(identifier))],
  },
  root,
)
/** Creates authorities with the issuer's name, but with their own keys. */
const othersWith = (count: number, newKeys: () => typeof keys) =>
  Array.from({ length: count }, () => holder({ name, extensions: authorityRights(), keys: newKeys() }, root))
const strong = othersWith(3, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const weak = othersWith(6, () => generateKeyPairSync('ec', { namedCurve: 'P-224' }))
const named = extension(
  id_ce_authorityKeyIdentifier,
  new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(identifier) }),
)

test.each([
  // Four for a chain, and one for the issuer itself, which all chains share: 5, 9, 13, 17, 21, and no sixth one.
  ['of which 24 are verified for five of eight chains', strong, [], { length: 6, isTrusted: false }],
  ['of which the one that is named by its key is tried first', strong, [named], { length: 9, isTrusted: true }],
  ['of which those with weak keys are not verified', weak, [], { length: 9, isTrusted: true }],
] as const)('R264 the issuers of one name, %s', (_, others, extensions, { length, isTrusted }) => {
  const at = new Date('2026-11-20')
  const chains = Array.from({ length: 8 }, (_none, i) => {
    const signing = holder({ name: cn(`Signer ${i}`), extensions: [...personRights(), ...extensions] }, issuer)
    return { path: [signing, ...others, issuer].map(({ certificate }) => certificate), at }
  })
  const found = findLinks({ chains, anchors: [{ certificate: root.certificate }], pool: [] })
  expect([found.links.length, found.isTrusted]).toEqual([length, isTrusted])
})

test('R264 an anchor with a huge key is passed over', () => {
  const anchors = [hugeKeyCertificate(), root.certificate].map((certificate) => ({ certificate }))
  const chain = { path: [hugeKeyCertificate(), issuer.certificate], at: new Date('2026-11-20') }
  expect(findLinks({ chains: [chain, { ...chain, path: [issuer.certificate] }], anchors, pool: [] })).toMatchObject({
    links: [{}],
    isTrusted: false,
  })
})

test('R264 a certificate with a huge key is not read', () => {
  expect(certificatePool([hugeKeyCertificate()])).toEqual([])
})
