import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { TimestampUsage } from '../../contract/provider/provider-timestamps.ts'
import type { TimestampPackage } from '../../contract/rules/timestamp-packages.ts'
import { warsawDay } from '../../contract/rules/warsaw-time.ts'
import { derToPem } from '../../pki/asn1/certificate.ts'
import { readDer } from '../../pki/asn1/der.ts'
import { fileFolder, has, run, testFile, testFolder } from '../../pki/testing/peer-programs.ts'
import { TimeStampResp } from '../../pki/timestamps/timestamp-structures.ts'
import { exhaustive } from '../../server/testing/breadth.ts'
import type { PortalClient } from '../portal-client.ts'
import { openTestAuthority, testPerson } from '../testing/test-authority.ts'
import { timestampHttp } from './timestamp-http.ts'
import { hashTimestampPassword, guessLimits } from './timestamp-password.ts'
import { timestampReports } from './timestamp-reports.ts'
import { TimestampStore } from './timestamp-store.ts'

/** openssl uses its own clock; a test may set ours back. */
let offset = 0
const now = () => new Date(Date.now() + offset)
const directory = fileFolder()
const authority = await openTestAuthority({ directory, baseUrl: 'http://pki.example', now })
const file = join(directory, 'timestamps.sqlite')
const store = new TimestampStore(file, now)
const app = fastify()
await app.register(timestampHttp, { prefix: '/tsa', authority, store, now })
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/tsa`

afterAll(async () => {
  await app.close()
  store.close()
})

const password = 'Znacznik1:ż'
const passwordHash = await hashTimestampPassword(password)
const long = { startsAt: new Date('2026-01-01'), endsAt: null, spent: 0 }
const pack = (size: number, id = 'p'): TimestampPackage => ({ ...long, id, kind: 'one-time', size })

/** Adds a separate account for a test. */
function account(id: string, packages: TimestampPackage[], active = true) {
  store.putAccount({ id, active, access: { login: id, passwordHash } })
  for (const content of packages) store.putPackage(id, content)
}

const spentOf = (id: string) => store.packagesOf(id).map(({ spent }) => spent)

/** A query about a SHA-256, without a nonce, as openssl writes it. */
const query = Buffer.from(`30360201013031300d060960864801650304020105000420${'ab'.repeat(32)}`, 'hex')

const basic = (login: string, secret = password) => ({
  authorization: `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`,
})

const post = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/timestamp-query', ...headers }, body })

async function isGranted(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/timestamp-reply')
  return readDer(new Uint8Array(await response.arrayBuffer()), TimeStampResp).timeStampToken !== undefined
}

async function failureOf(response: Response) {
  expect(response.status).toBe(200)
  const { status, timeStampToken } = readDer(new Uint8Array(await response.arrayBuffer()), TimeStampResp)
  expect(timeStampToken).toBeUndefined()
  return status.statusString?.[0]
}

/** Checks with openssl that an answer is signed under the root and that it answers the query. */
async function expectVerified(answer: string, asked: string) {
  const intermediates = [authority.certificates.issuing, authority.timestamping.certificate].map(derToPem).join('')
  const trust = ['-CAfile', testFile(derToPem(authority.certificates.root)), '-untrusted', testFile(intermediates)]
  const verified = await run('openssl', ['ts', '-verify', '-in', answer, '-queryfile', asked, ...trust])
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('Verification: OK') })
}

test.skipIf(!has('openssl') || !has('curl'))(
  'TSP-4 openssl and curl (skipped where they are missing) get a token with login and password, and verify it',
  async () => {
    account('openssl', [pack(2)])
    const data = testFile('Umowa')
    const asked = testFile('')
    const got = testFile('')
    await run('openssl', ['ts', '-query', '-data', data, '-sha256', '-cert', '-out', asked])
    const send = ['-H', 'Content-Type: application/timestamp-query', '--data-binary', `@${asked}`]
    const sent = await run('curl', ['-sS', '-u', `openssl:${password}`, ...send, '-o', got, url])
    expect(sent).toEqual({ code: 0, output: '' })
    await expectVerified(got, asked)
    expect(spentOf('openssl')).toEqual([1])
  },
)

test.skipIf(!has('openssl') || !has('curl'))(
  'TSP-4 openssl and curl (skipped where they are missing) get a token for a request signed by the account’s certificate, while it is good',
  async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 86_400_000) }
    const { certificate, serialNumber } = await authority.issue({
      subject: testPerson,
      publicKey,
      ...validity,
      device: false,
    })
    const fingerprint = new X509Certificate(certificate).fingerprint256.replaceAll(':', '')
    const data = testFile('Umowa')
    const [asked, signed, got] = [testFile(''), testFile(''), testFile('')]
    await run('openssl', ['ts', '-query', '-data', data, '-sha512', '-cert', '-out', asked])
    const key = testFile(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    const by = ['-signer', testFile(derToPem(certificate)), '-inkey', key]
    await run('openssl', `cms -sign -nodetach -binary -outform DER -in ${asked} -out ${signed} ${by.join(' ')}`)
    const send = async () => {
      const message = ['-H', 'Content-Type: application/pkcs7-mime', '--data-binary', `@${signed}`]
      expect((await run('curl', ['-sS', ...message, '-o', got, url])).code).toBe(0)
      return readDer(new Uint8Array(readFileSync(got)), TimeStampResp).status.statusString?.[0] ?? 'granted'
    }
    expect(await send()).toBe('The signer has no account')
    store.putAccount({ id: 'cms', active: true, access: { fingerprint } })
    store.putPackage('cms', pack(1))
    expect(await send()).toBe('granted')
    await expectVerified(got, asked)
    expect(await send()).toBe('The account has no timestamps left')
    await authority.suspend(serialNumber, new Date(Date.now() - 1000))
    expect(await send()).toBe('The signer has no account')
  },
)

test('TSP-4 a thousand requests at once on a package of 100 give exactly 100 tokens, each with a number of its own', async () => {
  account('rush', [pack(60, 'a'), pack(40, 'b')])
  const answers = await Promise.all(
    Array.from(
      { length: exhaustive ? 1000 : 130 },
      async () => new Uint8Array(await (await post(query, basic('rush'))).arrayBuffer()),
    ),
  )
  const tokens = answers.flatMap((answer) => readDer(answer, TimeStampResp).timeStampToken ?? [])
  expect(tokens).toHaveLength(100)
  const serials = tokens.map(
    ({ content }) => /0210(?<serial>[4-7][0-9a-f]{31})180f/.exec(Buffer.from(content).toString('hex'))!.groups!.serial,
  )
  expect(new Set(serials).size).toBe(100)
  expect(spentOf('rush')).toEqual([60, 40])
  expect(await failureOf(await post(query, basic('rush')))).toBe('The account has no timestamps left')
})

test('TSP-4 who is not let in gets 401 and a challenge, all the same for every reason', async () => {
  account('known', [pack(5)])
  account('off', [pack(5)], false)
  const refused = [
    await post(query),
    await post(query, basic('nobody')),
    await post(query, basic('known', 'Inne-haslo1')),
    await post(query, basic('known', '')),
    await post(query, basic('off')),
    await post(query, { authorization: 'Basic ???' }),
    await post(query, { authorization: 'Bearer x' }),
  ]
  for (const response of refused) {
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="timestamps", charset="UTF-8"')
    expect(await response.text()).toBe('')
  }
  expect(spentOf('known')).toEqual([0])
})

test('TSP-3 a new password counts at once, and the old one no longer', async () => {
  account('changing', [pack(5)])
  expect(await isGranted(await post(query, basic('changing')))).toBe(true)
  const access = { login: 'changing', passwordHash: await hashTimestampPassword('Nowe-haslo2') }
  store.putAccount({ id: 'changing', active: true, access })
  expect((await post(query, basic('changing'))).status).toBe(401)
  expect(await isGranted(await post(query, basic('changing', 'Nowe-haslo2')))).toBe(true)
})

test('TSP-4 requests that get no token say why and cost nothing; too large ones and other types are not read', async () => {
  account('wrong', [pack(5)])
  const send = (body: Uint8Array<ArrayBuffer>, type = 'application/timestamp-query') =>
    post(body, { ...basic('wrong'), 'content-type': type })
  expect(await failureOf(await send(new Uint8Array()))).toBe('The request is not a TimeStampReq in DER')
  expect(await failureOf(await send(query.subarray(1)))).toBe('The request is not a TimeStampReq in DER')
  const weak = Buffer.from(query)
  weak[weak.indexOf(Buffer.from('0105000420', 'hex'))] = 0x07
  expect(await failureOf(await send(weak))).toBe('The hash algorithm is not accepted')
  expect(await failureOf(await send(query, 'application/pkcs7-mime'))).toBe('The message cannot be read')
  expect((await send(new Uint8Array(16_385))).status).toBe(413)
  expect((await send(query, 'application/json')).status).toBe(415)
  expect((await fetch(url, { method: 'POST' })).status).toBe(415)
  expect((await fetch(url)).status).toBe(404)
  expect(spentOf('wrong')).toEqual([0])
})

test('TSP-4 while the clock is before the newest token, no token is issued', async () => {
  account('clock', [pack(5)])
  expect(await isGranted(await post(query, basic('clock')))).toBe(true)
  offset = -60_000
  expect(await failureOf(await post(query, basic('clock')))).toBe('The authority has no reliable time')
  offset = 0
  expect(await isGranted(await post(query, basic('clock')))).toBe(true)
  expect(spentOf('clock')).toEqual([2])
})

test('TSP-4 what was spent outlasts a restart and a repeated description of the package', async () => {
  const path = join(testFolder(), 'again.sqlite')
  const packages: TimestampPackage[] = [
    { ...long, id: 'r', kind: 'recurring', size: 1, refillDay: 31, countedFrom: long.startsAt },
    pack(9, 's'),
  ]
  const first = new TimestampStore(path, now)
  first.putAccount({ id: 'one', active: true, access: { login: 'one', passwordHash } })
  for (const item of packages) first.putPackage('one', item)
  for (let count = 0; count < 3; count++) expect(await first.take('one')).toHaveProperty('serialNumber')
  const spent = first.packagesOf('one')
  expect(spent.map((item) => item.spent)).toEqual([1, 2])
  first.close()
  const second = new TimestampStore(path, now)
  for (const item of packages) second.putPackage('one', item)
  expect(second.packagesOf('one')).toEqual(spent)
  expect(second.accountByLogin('one')).toEqual({ id: 'one', active: true, access: { login: 'one', passwordHash } })
  second.close()
})

test('TSP-4 R16 R17 guesses at an account are limited with a time to wait, and do not stop programs that know the password', async () => {
  account('guarded', [pack(50)])
  expect(await isGranted(await post(query, basic('guarded')))).toBe(true)
  const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => post(query, basic('guarded', `Zgaduje${n}`))))
  expect(guesses.map(({ status }) => status)).toEqual(Array(8).fill(401))
  const statuses: number[] = []
  for (let n = 8; n < 20; n++) {
    const { status, headers } = await post(query, basic('guarded', `Zgaduje${n}`))
    statuses.push(status)
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([status, status === 429])
  }
  expect(statuses).toEqual([401, 401, ...Array<number>(10).fill(429)])
  // A known password is not a guess.
  expect(await isGranted(await post(query, basic('guarded')))).toBe(true)
  // The limit is the same for an account that does not exist (R14).
  const nobody: number[] = []
  for (let n = 0; n < 12; n++) nobody.push((await post(query, basic('guarded.not', `Zgaduje${n}`))).status)
  expect(nobody).toEqual([...Array<number>(10).fill(401), 429, 429])
  expect(spentOf('guarded')).toEqual([2])
})

test('TSP-3 a program that keeps its old password costs one guess, so that its owner’s other programs are not locked out', async () => {
  account('outdated', [pack(50)])
  for (let n = 0; n < 30; n++) expect((await post(query, basic('outdated', 'Stare-haslo1'))).status).toBe(401)
  expect(await isGranted(await post(query, basic('outdated')))).toBe(true)
})

test('TSP-4 OPS-4 usage is counted by account and day in the transaction of the tokens, and reported until the portal has it', async () => {
  const path = join(testFolder(), 'counted.sqlite')
  const counting = new TimestampStore(path, now)
  for (const id of ['one', 'two']) {
    counting.putAccount({ id, active: true, access: { login: id, passwordHash } })
    counting.putPackage(id, pack(30, `p-${id}`))
  }
  const taken = await Promise.all(Array.from({ length: 40 }, (_, n) => counting.take(n % 4 ? 'one' : 'two')))
  expect(new Set(taken).size).toBe(40)
  expect(await counting.take('one')).toBe('nothing-left')
  const day = warsawDay(now())
  const days = [
    { account: 'one', day, spent: 30 },
    { account: 'two', day, spent: 10 },
  ]
  expect(counting.unreported(10)).toEqual(days)
  expect(counting.unreported(1)).toEqual(days.slice(0, 1))

  /** A portal that is away, then does not know one of the accounts, then knows both. */
  const reported: TimestampUsage[] = []
  type Answer = { unknownAccounts: string[]; unknownPackages: string[] }
  let answer: () => Promise<Answer> = () => Promise.reject(new Error('away'))
  const portal = {
    call: async (_: Endpoint, { body }: { body: TimestampUsage }) => {
      reported.push(body)
      return answer()
    },
  } as unknown as PortalClient
  const reports = timestampReports({ store: counting, portal })
  await expect(reports.sendAll()).rejects.toThrow('away')
  expect(counting.unreported(10)).toEqual(days)
  answer = async () => ({ unknownAccounts: ['two'], unknownPackages: ['p-two'] })
  await reports.sendAll()
  expect(reported.at(-1)).toEqual({
    days,
    packages: [
      { package: 'p-one', spent: 30, countedFrom: null },
      { package: 'p-two', spent: 10, countedFrom: null },
    ],
  })
  expect(counting.unreported(10)).toEqual(days.slice(1))
  // A token that is taken while a report is sent is in the next one.
  answer = async () => {
    if (reported.at(-1)!.days[0]!.spent === 10) await counting.take('two')
    return { unknownAccounts: [], unknownPackages: [] }
  }
  await reports.sendAll()
  expect(reported.slice(-2).map((usage) => usage.days)).toEqual([days.slice(1), [{ account: 'two', day, spent: 11 }]])
  const before = reported.length
  await reports.sendAll()
  expect(reported.length).toBe(before)
  counting.close()
})

function clocked() {
  let at = 1_000_000
  const limits = guessLimits(() => at)
  return { limits, pass: (seconds: number) => void (at += seconds * 1000) }
}

function allowedGuesses(
  { charge }: ReturnType<typeof guessLimits>,
  tries: number,
  login: string,
  address: (n: number) => string,
) {
  return Array.from({ length: tries }, (_, n) => charge(login, address(n)).ok).filter(Boolean).length
}

test('TSP-4 R16 from one address an account takes ten guesses, and then one a minute, to the second', () => {
  const { limits, pass } = clocked()
  expect(allowedGuesses(limits, 30, 'anna', () => '198.51.100.7')).toBe(10)
  expect(limits.charge('anna', '198.51.100.7')).toEqual({ ok: false, retryAfter: 60 })
  pass(59)
  expect(limits.charge('anna', '198.51.100.7')).toEqual({ ok: false, retryAfter: 1 })
  pass(1)
  expect(limits.charge('anna', '198.51.100.7').ok).toBe(true)
  expect(limits.charge('anna', '198.51.100.7').ok).toBe(false)
})

test('TSP-4 R16 from everywhere together an account takes a hundred, and then one each three seconds', () => {
  const { limits, pass } = clocked()
  const everywhere = (n: number) => `203.0.113.${n}`
  expect(allowedGuesses(limits, 250, 'anna', everywhere)).toBe(100)
  expect(limits.charge('anna', '192.0.2.1')).toEqual({ ok: false, retryAfter: 3 })
  pass(3)
  expect(limits.charge('anna', '192.0.2.1').ok).toBe(true)
  // Another account is not affected.
  expect(limits.charge('bob', '192.0.2.1').ok).toBe(true)
})

test('TSP-4 R17 strangers never keep the owner waiting at the address that the right password came from before', () => {
  const { limits } = clocked()
  limits.trust('anna', '192.0.2.1')
  allowedGuesses(limits, 250, 'anna', (n) => `203.0.113.${n}`)
  expect(limits.charge('anna', '192.0.2.1').ok).toBe(true)
})

test('TSP-4 R28 one address may make two hundred guesses, at any accounts', () => {
  const { limits } = clocked()
  const passed = Array.from({ length: 300 }, (_, n) => limits.charge(`person${n}`, '198.51.100.7').ok).filter(Boolean)
  expect(passed.length).toBe(200)
})

test('TSP-4 a guess that was right is given back', () => {
  const { limits } = clocked()
  for (let n = 0; n < 50; n++) {
    const taken = limits.charge('anna', '198.51.100.7')
    if (!taken.ok) throw new Error(`The guess ${n} was refused`)
    taken.refund()
  }
})

test('R26 addresses of one IPv6 network are one', () => {
  const { limits } = clocked()
  const network = (n: number) => `2001:db8::${n.toString(16)}`
  expect(allowedGuesses(limits, 15, 'anna', network)).toBe(10)
  expect(limits.charge('anna', '2001:db8:0:0:ffff::1').ok).toBe(false)
  expect(limits.charge('anna', '2001:db8:0:1::1').ok).toBe(true)
})
