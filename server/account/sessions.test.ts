import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  changeLocale,
  enterSignInCode,
  extendSession,
  readSession,
  resendSignInCode,
  signIn,
  signOut,
} from '../../contract/account.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { changePassword } from '../../contract/passwords.ts'
import { backgroundHeader, type Endpoint } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import { pages } from '../../contract/pages.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { authenticate, invalidateSession } from '../platform/authentication/authenticate.ts'
import { sessionCookie } from '../platform/authentication/session.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import * as testing from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { openTestProvider, samplePdf } from '../testing/provider.ts'
import { watchWork } from '../testing/work-watch.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { untilWaiting } from '../testing/lock-waits.ts'

const portal = await openPortal({ nodes: 2 })

const start = Date.UTC(2027, 4, 5, 8)
let day = 0
/** Stops time so many seconds after the sign-ins of the test; each test has a day of its own. */
const at = (seconds: number) => portal.clock.stopAt(new Date(start + day * 86_400_000 + seconds * 1000))
beforeEach(() => at(0))
afterEach(() => void day++)

/** A browser on the other node with a cookie that another person has, or had. */
function withCookie(cookie: string | undefined, node = 1): testing.TestBrowser {
  const browser = testing.openBrowser(portal, { node })
  browser.cookie = cookie
  return browser
}
const isAlive = async (cookie: string | undefined) => (await withCookie(cookie).call(readSession)).status === 200
const liveSessions = async ({ login }: testing.Person) =>
  (
    await portal.owner.query(
      'select s.* from sessions s join accounts a on a.id = s.account_id where a.login = $1 and s.ends_at > portal_now()',
      [login],
    )
  ).rows as Record<string, unknown>[]

const pathOf = (endpoint: Endpoint) => endpoint.path.replace(/:\w+/g, () => crypto.randomUUID())
const endpoints = (access: Endpoint['access']) => portal.app.endpoints.filter((endpoint) => endpoint.access === access)

const spoofed: Record<string, string>[] = [
  {},
  { 'x-forwarded-user': 'anna', 'x-remote-user': 'anna', 'x-authenticated-user': 'anna', 'x-user-id': '1' },
  { 'x-original-url': '/api/sign-out', 'x-rewrite-url': '/api/sign-out', 'x-http-method-override': 'GET' },
  {
    'x-forwarded-proto': 'https',
    'x-ssl-client-verify': 'SUCCESS',
    'x-client-cert': 'CN=anna',
    forwarded: 'for=127.0.0.1;proto=https',
  },
  { authorization: 'Basic YW5uYTphbm5h', 'proxy-authorization': 'Basic YW5uYTphbm5h' },
]

test('R1 after the password alone no data route opens with any added header, and only the session can be read', async () => {
  const person = await addCustomer(portal)
  const { browser } = await testing.passPassword(portal, person)
  const protectedOnes = endpoints('customer')
  expect(protectedOnes.length).toBeGreaterThan(8)
  const take = watchWork()
  for (const [i, endpoint] of protectedOnes.entries())
    // In `npm test` each route with the next of the headers.
    for (const headers of exhaustive ? spoofed : [spoofed[i % spoofed.length]!]) {
      const body = endpoint.upload ? samplePdf : endpoint.method === 'GET' ? undefined : {}
      const answer = await browser.raw(endpoint.method, pathOf(endpoint), body, {
        'idempotency-key': crypto.randomUUID(),
        ...(endpoint.upload ? { 'content-type': endpoint.upload } : {}),
        ...headers,
      })
      expect([endpoint.path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        endpoint.path,
        401,
        'signed-out',
      ])
    }
  const { statements } = take()
  expect(statements.length).toBeGreaterThan(0)
  // A code entry may be the repeat of one that was answered a moment ago (R112).
  const reads = statements.filter((statement) => !statement.includes('idempotency'))
  for (const statement of reads) expect(statement).toMatch(/from sessions s join accounts a on/)
  // The provider's routes do not know the cookie at all.
  for (const endpoint of endpoints('provider')) {
    const type = endpoint.upload ? { 'content-type': endpoint.upload } : {}
    expect(
      (await browser.raw(endpoint.method, pathOf(endpoint), endpoint.method === 'GET' ? undefined : {}, type)).status,
    ).toBe(401)
  }
  // It was alive all the time.
  expect((await browser.call(enterSignInCode, { body: { code: testing.smsCode(portal, person.phone) } })).status).toBe(
    200,
  )
})

test('R1 a protected page is not shown after the password alone, and the code entry is closed to everyone but the pending', async () => {
  const person = await addCustomer(portal)
  const { browser } = await testing.passPassword(portal, person)
  for (const { path, protected: isProtected } of Object.values(pages))
    if (isProtected) {
      const answer = await browser.raw('GET', path.replace(/:\w+/g, 'x'))
      expect([path, answer.status]).toEqual([path, 303])
      expect(answer.headers.get('location')).toMatch(/^\/\?returnTo=/)
    }
  const insider = await testing.signInAs(portal, person)
  for (const endpoint of endpoints('pending')) {
    const body = endpoint.method === 'GET' ? undefined : { code: '000000' }
    for (const otherBrowser of [insider, testing.openBrowser(portal)])
      expect((await otherBrowser.raw(endpoint.method, pathOf(endpoint), body)).status).toBe(401)
  }
})

test('R4 R5 a planted cookie is never taken over, and each rise of privilege ends the earlier id', async () => {
  const person = await addCustomer(portal)
  const browser = testing.openBrowser(portal)
  const planted = `__Host-sygnet=${'p'.repeat(43)}`
  browser.cookie = planted
  const ids = [planted]
  const next = async (step: Promise<{ status: number }>, status: number) => {
    expect((await step).status).toBe(status)
    ids.push(browser.cookie!)
    for (const old of ids.slice(0, -1)) expect(await isAlive(old)).toBe(false)
  }
  await next(
    testing.passPassword(portal, person, browser).then(({ answer }) => answer),
    200,
  )
  await next(browser.call(enterSignInCode, { body: { code: testing.smsCode(portal, person.phone) } }), 200)
  await next(browser.call(extendSession), 200)
  const provider = await openTestProvider(portal)
  const { id } = await provider.give(person)
  await next(testing.stepUp(portal, browser, person, 'pair-app', id), 200)
  expect(await isAlive(browser.cookie)).toBe(true)
  const newPassword = 'Nowe-Haslo-2027?'
  const changed = await browser.call(changePassword, {
    body: { currentPassword: person.password, newPassword, repeatPassword: newPassword },
  })
  expect([changed.status, browser.cookie]).toEqual([204, undefined])
  for (const old of ids) expect(await isAlive(old)).toBe(false)
  expect(new Set(ids).size).toBe(5)
})

test('R4 a sign-in in a browser that is signed in ends the session that was there', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const browser = await testing.signInAs(portal, anna)
  const annas = browser.cookie
  await testing.passPassword(portal, jan, browser)
  expect(await isAlive(annas)).toBe(false)
  expect(await liveSessions(anna)).toEqual([])
})

test('R5 the cookie has every flag, no end of its own, and 256 bits', async () => {
  const person = await addCustomer(portal)
  const { browser, answer } = await testing.passPassword(portal, person)
  const finished = await browser.call(enterSignInCode, { body: { code: testing.smsCode(portal, person.phone) } })
  const extended = await browser.call(extendSession)
  for (const { cookie } of [answer, finished, extended])
    expect(cookie).toMatch(/^__Host-sygnet=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const gone = await browser.call(signOut)
  expect(gone.cookie).toMatch(
    /^__Host-sygnet=; (?=.*Path=\/)(?=.*HttpOnly)(?=.*Secure)(?=.*SameSite=Lax)(?=.*Expires=Thu, 01 Jan 1970)/,
  )
})

test('R5 nothing that the table of sessions contains opens one', async () => {
  const person = await addCustomer(portal)
  const browser = await testing.signInAs(portal, person)
  await testing.passPassword(portal, person)
  const { rows } = await portal.owner.query('select * from sessions')
  const values = rows.flatMap((row: Record<string, unknown>) => Object.values(row))
  const spellings = values.flatMap((value) =>
    Buffer.isBuffer(value)
      ? (['hex', 'base64', 'base64url', 'latin1'] as const).map((encoding) => value.toString(encoding))
      : [value instanceof Date ? value.toISOString() : String(value)],
  )
  expect(spellings.length).toBeGreaterThan(15)
  for (const spelling of new Set(spellings))
    expect(await isAlive(`__Host-sygnet=${encodeURIComponent(spelling)}`)).toBe(false)
  expect(await isAlive(browser.cookie)).toBe(true)
})

test('R6 a session ends after a quarter of an hour without activity, to the second, on both nodes', async () => {
  const person = await addCustomer(portal)
  const browser = await testing.signInAs(portal, person)
  await at(limits.session.idle - 1)
  for (const node of [0, 1]) expect((await browser.call(readSession, {}, node)).status).toBe(200)
  await at(limits.session.idle)
  for (const node of [0, 1]) {
    expect(await browser.call(readSession, {}, node)).toMatchObject({ status: 401, problem: { code: 'signed-out' } })
    expect((await browser.call(listSignatures, {}, node)).status).toBe(401)
  }
})

test('R6 AUT-5 activity moves the end, background calls of the browser do not', async () => {
  const person = await addCustomer(portal)
  const [active, idle] = [await testing.signInAs(portal, person), await testing.signInAs(portal, person)]
  for (let minute = 1; minute < 15; minute++) {
    await at(minute * 60)
    expect((await active.call(listSignatures)).status).toBe(200)
    expect(await idle.call(readSession)).toMatchObject({
      status: 200,
      body: { endsAt: new Date(start + day * 86_400_000 + 900_000).toISOString() },
    })
    expect((await idle.raw('GET', '/api/openapi.json')).status).toBe(200)
    await idle.raw('GET', '/')
  }
  await at(16 * 60)
  expect((await idle.call(readSession)).status).toBe(401)
  expect((await active.call(readSession)).status).toBe(200)
})

test('R6 sixteen minutes of nothing but background calls, on both nodes, do not keep a session alive; one call of the customer does', async () => {
  const person = await addCustomer(portal)
  const [watching, working] = [await testing.signInAs(portal, person), await testing.signInAs(portal, person)]
  const background = { [backgroundHeader]: '1' }
  const step = exhaustive ? 10 : 30
  for (let second = step; second <= 16 * 60; second += step) {
    await at(second)
    const status = second < limits.session.idle ? 200 : 401
    for (const endpoint of [readSession, listSignatures]) {
      const { status: given } = await withCookie(watching.cookie, (second / step) % 2).raw(
        'GET',
        endpoint.path,
        undefined,
        background,
      )
      expect([second, endpoint.path, given]).toEqual([second, endpoint.path, status])
    }
    if (second === 600) expect((await working.call(listSignatures)).status).toBe(200)
  }
  expect((await working.call(readSession)).body.endsAt).toBe(
    new Date(start + day * 86_400_000 + (600 + limits.session.idle) * 1000).toISOString(),
  )
})

test('R6 the reads that answer one request look its session up once and extend it once', async () => {
  const browser = await testing.signInAs(portal, await addCustomer(portal))
  const cookies = { [sessionCookie]: browser.cookie!.split('=')[1]! }
  const request = { raw: {}, cookies, headers: {} } as unknown as FastifyRequest
  const read = async (endpoint: Endpoint) =>
    (await authenticate(portal.portal, endpoint, Object.create(request) as FastifyRequest)).session!.endsAt.getTime()
  await at(10)
  const takeWork = watchWork()
  const endsAt = start + day * 86_400_000 + limits.session.idle * 1000
  expect(await read(readSession)).toBe(endsAt)
  const ends = await Promise.all([listSignatures, listSignatures, readSession].map(read))
  expect(ends).toEqual(ends.map(() => endsAt + 10_000))
  expect(takeWork().statements.map((text) => text.trim().split(' ')[0])).toEqual(['select', 'update'])
  await browser.call(signOut)
  invalidateSession(request)
  await expect(read(readSession)).rejects.toThrow('signed-out')
})

test('R6 R7 after eight hours a session ends, however busy it is and however often it was extended', async () => {
  const person = await addCustomer(portal)
  const [browser, busy] = [await testing.signInAs(portal, person), await testing.signInAs(portal, person)]
  for (let minute = 10; minute < 480; minute += 10) {
    await at(minute * 60)
    const answers = [await browser.call(extendSession), await busy.call(listSignatures)]
    expect([minute, ...answers.map(({ status }) => status)]).toEqual([minute, 200, 200])
  }
  await at(limits.session.absolute - 60)
  const last = await browser.call(extendSession)
  expect(last.body.endsAt).toBe(last.body.absoluteEndsAt)
  expect(new Date(last.body.absoluteEndsAt).getTime()).toBe(start + day * 86_400_000 + limits.session.absolute * 1000)
  await at(limits.session.absolute - 1)
  for (const signedIn of [browser, busy]) expect((await signedIn.call(listSignatures)).status).toBe(200)
  await at(limits.session.absolute)
  for (const signedIn of [browser, busy]) expect((await signedIn.call(listSignatures)).status).toBe(401)
  expect((await browser.call(extendSession)).status).toBe(401)
})

test('R7 extending is a POST of our own pages: GET, foreign origins and missing ones change nothing', async () => {
  const person = await addCustomer(portal)
  const browser = await testing.signInAs(portal, person)
  const before = await liveSessions(person)
  const forged: [string, Record<string, string | undefined>, number][] = [
    ['GET', {}, 405],
    ['POST', { origin: undefined }, 403],
    ['POST', { origin: 'null' }, 403],
    ['POST', { origin: 'https://evil.example' }, 403],
    ['POST', { 'sec-fetch-site': 'cross-site' }, 403],
    ['POST', { 'sec-fetch-site': 'same-site' }, 403],
    ['POST', { 'content-type': 'text/plain' }, 415],
  ]
  await at(60)
  for (const [method, headers, status] of forged)
    expect([
      method,
      headers,
      (await browser.raw(method, extendSession.path, method === 'GET' ? undefined : {}, headers)).status,
    ]).toEqual([method, headers, status])
  expect(await liveSessions(person)).toEqual(before)
  expect((await browser.call(extendSession)).status).toBe(200)
})

/** Signs in, and is busy until shortly before an end of the session, which both nodes then know. */
async function signInUntil(person: testing.Person, end: number) {
  await at(0)
  const browser = await testing.signInAs(portal, person)
  for (let seconds = limits.session.idle - 1; seconds < end; seconds += limits.session.idle - 1) {
    await at(seconds)
    expect((await browser.call(listSignatures)).status).toBe(200)
  }
  return browser
}

test.runIf(exhaustive).each([
  ['R6 R7 a hundred extensions at the last moment of the idle time', limits.session.idle],
  ['R6 R7 a hundred extensions at the last moment of the eight hours', limits.session.absolute],
])('%s give one live session, and at the end none', async (_, end) => {
  const howMany = 100
  for (const [milliseconds, alive] of [
    [-50, 1],
    [0, 0],
    [50, 0],
  ] as const) {
    const person = await addCustomer(portal)
    const browser = await signInUntil(person, end === limits.session.idle ? 0 : end)
    await at(end + milliseconds / 1000)
    const hits = await fireTogether(
      portal,
      Array.from({ length: howMany }, () => shotOf(extendSession, {}, { cookie: browser.cookie })),
    )
    expect(hits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: alive }, () => 200),
      ...Array.from({ length: howMany - alive }, () => 401),
    ])
    expect(await liveSessions(person)).toHaveLength(alive)
    // The earlier cookie is dead either way; the one that won lives on both nodes.
    expect(await isAlive(browser.cookie)).toBe(false)
    for (const { headers } of hits.filter(({ status }) => status === 200)) {
      const token = headers['set-cookie']!.split(';')[0]
      for (const node of [0, 1]) expect((await withCookie(token, node).call(readSession)).status).toBe(200)
    }
    if (end === limits.session.idle) continue
    // The winner has not gained a moment beyond the end.
    await at(end)
    expect(await liveSessions(person)).toEqual([])
  }
})

test('R4 R7 of twelve extensions that all found the session alive, one renews it', async () => {
  const person = await addCustomer(portal)
  const browser = await testing.signInAs(portal, person)
  const gate = await portal.owner.connect()
  await gate.query('begin')
  await gate.query('select from sessions for update')
  const burst = fireTogether(
    portal,
    Array.from({ length: 12 }, () => shotOf(extendSession, {}, { cookie: browser.cookie })),
  )
  await untilWaiting(portal, 12)
  await gate.query('commit')
  gate.release()
  const hits = await burst
  expect(hits.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(hits.filter(({ status }) => status === 401)).toHaveLength(11)
  expect(await liveSessions(person)).toHaveLength(1)
})

test('AUT-5 the answer of an extension says until when, by the server’s clock, and the audit names it', async () => {
  const person = await addCustomer(portal)
  const browser = await testing.signInAs(portal, person)
  await at(limits.session.idle - limits.session.warning)
  const { body } = await browser.call(extendSession)
  const zero = start + day * 86_400_000
  expect(body).toMatchObject({
    now: new Date(zero + (900 - 120) * 1000).toISOString(),
    endsAt: new Date(zero + (900 - 120 + 900) * 1000).toISOString(),
    absoluteEndsAt: new Date(zero + 28_800_000).toISOString(),
  })
  expect(await auditEntries(portal, { login: person.login, action: 'session-extended' })).toHaveLength(1)
})

test('AUT-6 R8 after a sign-out twenty replays of earlier requests get nothing, on either node', async () => {
  const person = await addCustomer(portal)
  const browser = await testing.signInAs(portal, person)
  const saved = browser.cookie
  expect((await browser.call(signOut)).status).toBe(204)
  expect(browser.cookie).toBeUndefined()
  const replays: [Endpoint, unknown][] = [
    [readSession, undefined],
    [listSignatures, undefined],
    [extendSession, {}],
    [changeLocale, { locale: 'en' }],
    [startStepUp, { purpose: 'pair-app', object: crypto.randomUUID() }],
  ]
  for (let i = 0; i < 20; i++) {
    const [endpoint, body] = replays[i % replays.length]!
    const answer = await withCookie(saved, i % 2).raw(endpoint.method, endpoint.path, body)
    expect([endpoint.path, answer.status]).toEqual([endpoint.path, 401])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).not.toContain(person.surname)
  }
  const { rows } = await portal.owner.query('select locale from accounts where login = $1', [person.login])
  expect(rows).toEqual([{ locale: person.locale }])
  // Signing out again, or without a session, succeeds.
  expect((await withCookie(saved).call(signOut)).status).toBe(204)
})

test('AUT-6 AUT-2 signing out of a pending sign-in ends it, code and all', async () => {
  const person = await addCustomer(portal)
  const { browser } = await testing.passPassword(portal, person)
  const pending = browser.cookie
  await browser.call(signOut)
  const again = withCookie(pending)
  expect((await again.call(enterSignInCode, { body: { code: testing.smsCode(portal, person.phone) } })).status).toBe(
    401,
  )
  expect((await again.call(resendSignInCode)).status).toBe(401)
})

test('R1 a pending sign-in ends after ten minutes', async () => {
  const person = await addCustomer(portal)
  const { browser } = await testing.passPassword(portal, person)
  await at(limits.session.pending)
  expect((await browser.call(enterSignInCode, { body: { code: testing.smsCode(portal, person.phone) } })).status).toBe(
    401,
  )
  expect(
    (await testing.openBrowser(portal).call(signIn, { body: { login: person.login, password: testing.goodPassword } }))
      .status,
  ).toBe(200)
})
