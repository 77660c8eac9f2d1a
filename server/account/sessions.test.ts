import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  changeLocale,
  enterSignInCode,
  extendSession,
  readSession,
  resendSignInCode,
  signOut,
} from '../../contract/account.ts'
import { backgroundHeader, customerHeader, type Endpoint } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { pages } from '../../contract/pages.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { authenticate, invalidateSession } from '../platform/authentication/authenticate.ts'
import { maxSessions, sessionCookie } from '../platform/authentication/session.ts'
import { auditEntries, readAuditedActions } from '../testing/audit-entries.ts'
import * as testBrowsers from '../testing/browser.ts'
import { fireTimes, outcomesOf, preparedCall } from '../testing/burst.ts'
import { runBehindLock, watchWork } from '../testing/concurrency.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { openTestProvider, samplePdf } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import * as sentMessages from '../testing/sent-messages.ts'
import * as testCustomers from '../testing/test-customers.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })

const start = Date.UTC(2027, 4, 5, 8)
let day = 0
/** Stops time so many seconds after the sign-ins of the test; each test has a day of its own. */
const at = (seconds: number) => portal.clock.stopAt(new Date(start + day * 86_400_000 + seconds * 1000))
beforeEach(() => at(0))
afterEach(() => void day++)

/** Opens a browser on the other node with a cookie that another person has, or had. */
function withCookie(cookie: string | undefined, node = 1): testBrowsers.TestBrowser {
  const browser = testBrowsers.openBrowser(portal, { node })
  browser.cookie = cookie
  return browser
}
const isAlive = async (cookie: string | undefined) => (await withCookie(cookie).call(readSession)).status === 200
const liveSessions = ({ login }: testCustomers.Person) =>
  portal.rows(
    'select s.id, stage from sessions s join accounts a on a.id = s.account_id where a.login = $1 and s.ends_at > portal_now()',
    [login],
  )

const pathOf = (endpoint: Endpoint) => endpoint.path.replace(/:\w+/g, () => crypto.randomUUID())
const endpoints = (access: Endpoint['access']) => portal.app.endpoints.filter((endpoint) => endpoint.access === access)

/** Calls an endpoint for an object that is not there. */
async function attempt(browser: testBrowsers.TestBrowser, endpoint: Endpoint, added: Record<string, string> = {}) {
  const body = endpoint.upload ? samplePdf : endpoint.method === 'GET' ? undefined : {}
  const answer = await browser.raw(endpoint.method, pathOf(endpoint), body, {
    'idempotency-key': crypto.randomUUID(),
    ...(endpoint.upload ? { 'content-type': endpoint.upload } : {}),
    ...added,
  })
  return [endpoint.path, answer.status, answer.status === 401 && ((await answer.json()) as Problem).code]
}

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
  const { browser } = await testCustomers.passPassword(portal, person)
  const protectedOnes = endpoints('customer')
  expect(protectedOnes.length).toBeGreaterThan(8)
  const take = watchWork()
  for (const [i, endpoint] of protectedOnes.entries())
    expect(await attempt(browser, endpoint, spoofed[i % spoofed.length])).toEqual([endpoint.path, 401, 'signed-out'])
  const { statements } = take()
  expect(statements.length).toBeGreaterThan(0)
  // A code entry may be the repeat of one that was answered a moment ago (R112).
  const reads = statements.filter((statement) => !statement.includes('idempotency'))
  for (const statement of reads) expect(statement).toMatch(/from sessions s join accounts a on/)
  // The provider's routes do not know the cookie at all.
  for (const endpoint of endpoints('provider'))
    expect(await attempt(browser, endpoint)).toEqual([endpoint.path, 401, 'client-key-refused'])
  // It was alive all the time.
  expect((await testCustomers.enterSmsCode(portal, browser, person)).status).toBe(200)
})

test('R265 a call of another customer’s page is refused, whatever it is; an own one is not', async () => {
  const [browser, other] = [await signInDirectly(portal, await addCustomer(portal)), await addCustomer(portal)]
  const { id } = (await browser.call(readSession)).body.customer
  const call = (endpoint: Endpoint, customer: string) => attempt(browser, endpoint, { [customerHeader]: customer })
  for (const endpoint of endpoints('customer'))
    for (const customer of [other.id, '', `${id}x`, id.toUpperCase()])
      expect(await call(endpoint, customer)).toEqual([endpoint.path, 401, 'other-customer'])
  expect(await call(readSession, id)).toEqual([readSession.path, 200, false])
  expect(await call(signOut, other.id)).toEqual([signOut.path, 204, false])
})

test('R1 a protected page is not shown after the password alone', async () => {
  const person = await addCustomer(portal)
  const { browser } = await testCustomers.passPassword(portal, person)
  for (const { path, needsSignIn } of Object.values(pages))
    if (needsSignIn) {
      const answer = await browser.raw('GET', path.replace(/:\w+/g, 'x'))
      expect([path, answer.status]).toEqual([path, 303])
      expect(answer.headers.get('location')).toMatch(/^\/\?returnTo=/)
    }
})

test('R4 R5 a planted cookie is never taken over, and each rise of privilege ends the earlier id', async () => {
  const person = await addCustomer(portal)
  const browser = testBrowsers.openBrowser(portal)
  const planted = `__Host-sygnet=${'p'.repeat(43)}`
  browser.cookie = planted
  const ids = [planted]
  const next = async (step: Promise<{ status: number }>, status: number) => {
    expect((await step).status).toBe(status)
    ids.push(browser.cookie!)
    for (const old of ids.slice(0, -1)) expect(await isAlive(old)).toBe(false)
  }
  await next(
    testCustomers.passPassword(portal, person, browser).then(({ answer }) => answer),
    200,
  )
  await next(testCustomers.enterSmsCode(portal, browser, person), 200)
  await next(browser.call(extendSession), 200)
  const provider = await openTestProvider(portal)
  const { id } = await provider.give(person)
  await next(testCustomers.stepUp(portal, browser, person, 'pair-app', id), 200)
  expect(await isAlive(browser.cookie)).toBe(true)
  const changed = await testCustomers.replacePassword(browser, person.password, 'Nowe-Haslo-2027?')
  expect([changed.status, browser.cookie]).toEqual([204, undefined])
  for (const old of ids) expect(await isAlive(old)).toBe(false)
  expect(new Set(ids).size).toBe(5)
})

test('R4 a sign-in in a browser that is signed in ends the session that was there', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const browser = await testCustomers.signInAs(portal, anna)
  const annas = browser.cookie
  await testCustomers.passPassword(portal, jan, browser)
  expect(await isAlive(annas)).toBe(false)
  expect(await liveSessions(anna)).toEqual([])
})

test('R5 the cookie has every flag, no end of its own, and 256 bits', async () => {
  const person = await addCustomer(portal)
  const { browser, answer } = await testCustomers.passPassword(portal, person)
  const finished = await testCustomers.enterSmsCode(portal, browser, person)
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
  const browser = await testCustomers.signInAs(portal, person)
  await testCustomers.passPassword(portal, person)
  const rows = await portal.rows('select * from sessions')
  const values = rows.flatMap((row) => Object.values(row as Record<string, unknown>))
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
  const browser = await testCustomers.signInAs(portal, person)
  await at(limits.session.idle - 1)
  for (const node of [0, 1]) expect((await browser.call(readSession, {}, node)).status).toBe(200)
  await at(limits.session.idle)
  for (const node of [0, 1]) {
    expect(await browser.call(readSession, {}, node)).toMatchObject({ status: 401, problem: { code: 'signed-out' } })
    expect((await browser.call(listSignatures, {}, node)).status).toBe(401)
  }
})

test('R6 AUT-5 background calls, on both nodes, keep no session alive; one of the customer does', async () => {
  const person = await addCustomer(portal)
  const [watching, working] = [
    await testCustomers.signInAs(portal, person),
    await testCustomers.signInAs(portal, person),
  ]
  const background = { [backgroundHeader]: '1' }
  for (let second = 60; second <= 16 * 60; second += 60) {
    await at(second)
    const status = second < limits.session.idle ? 200 : 401
    const browser = withCookie(watching.cookie, (second / 60) % 2)
    for (const path of ['/', '/api/openapi.json']) await browser.raw('GET', path)
    for (const { path } of [readSession, listSignatures])
      expect([second, path, (await browser.raw('GET', path, undefined, background)).status]).toEqual([
        second,
        path,
        status,
      ])
    if (second === 600) expect((await working.call(listSignatures)).status).toBe(200)
  }
  expect((await working.call(readSession)).body.endsAt).toBe(
    new Date(start + day * 86_400_000 + (600 + limits.session.idle) * 1000).toISOString(),
  )
})

test('R6 the reads that answer one request look its session up once and extend it once', async () => {
  const browser = await testCustomers.signInAs(portal, await addCustomer(portal))
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
  const [browser, busy] = [await testCustomers.signInAs(portal, person), await testCustomers.signInAs(portal, person)]
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

test('R4 R7 of twelve extensions that all found the session alive, one renews it', async () => {
  const person = await addCustomer(portal)
  const browser = await testCustomers.signInAs(portal, person)
  const extend = () => fireTimes(portal, 12, () => preparedCall(extendSession, {}, { cookie: browser.cookie }))
  const hits = await runBehindLock(portal, 'select from sessions for update', extend, { count: 12 })
  expect(outcomesOf(hits)).toEqual({ 200: 1, 'signed-out': 11 })
  expect(await liveSessions(person)).toHaveLength(1)
})

test('AUT-5 the answer of an extension says until when, by the server’s clock, and the audit names it', async () => {
  const person = await addCustomer(portal)
  const browser = await testCustomers.signInAs(portal, person)
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
  const browser = await testCustomers.signInAs(portal, person)
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
  const stored = await portal.rows('select locale from accounts where login = $1', [person.login])
  expect(stored).toEqual([{ locale: person.locale }])
  // Signing out again, or without a session, succeeds.
  expect((await withCookie(saved).call(signOut)).status).toBe(204)
})

test('AUT-6 AUT-2 signing out of a pending sign-in ends it, code and all', async () => {
  const person = await addCustomer(portal)
  const { browser } = await testCustomers.passPassword(portal, person)
  const pending = browser.cookie
  await browser.call(signOut)
  const again = withCookie(pending)
  expect((await testCustomers.enterSmsCode(portal, again, person)).status).toBe(401)
  expect((await again.call(resendSignInCode)).status).toBe(401)
})

test('R1 a pending sign-in ends after ten minutes', async () => {
  const person = await addCustomer(portal)
  const { browser } = await testCustomers.passPassword(portal, person)
  await at(limits.session.pending)
  expect((await testCustomers.enterSmsCode(portal, browser, person)).status).toBe(401)
  expect((await testCustomers.passPassword(portal, person)).answer.status).toBe(200)
})

async function signedInBrowsers(browsers: readonly testBrowsers.TestBrowser[], node = 0) {
  const answers = await Promise.all(browsers.map((browser) => browser.call(readSession, {}, node)))
  return browsers.filter((_, i) => answers[i]!.status === 200)
}

async function startPendingSignIns(person: testCustomers.Person, count: number) {
  const waiting: { cookie: string | undefined; code: string }[] = []
  for (let i = 0; i < count; i++) {
    const { browser } = await testCustomers.passPassword(
      portal,
      person,
      testBrowsers.openBrowser(portal, { node: i % 2 }),
    )
    waiting.push({ cookie: browser.cookie, code: sentMessages.smsCode(portal, person.phone) })
  }
  return waiting
}

test('R19 OPS-5 with the sixth sign-in the oldest session ends, on both nodes, and is audited', async () => {
  // Time runs on, or sessions would begin in the same moment.
  await portal.clock.advance(0)
  expect(maxSessions).toBe(5)
  const person = await addCustomer(portal)
  // Begun first and finished last: it counts from when it has full rights.
  const { browser: late } = await testCustomers.passPassword(portal, person, testBrowsers.openBrowser(portal))
  const code = sentMessages.smsCode(portal, person.phone)
  const browsers: testBrowsers.TestBrowser[] = []
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    const browser = await testCustomers.signInAs(portal, person, testBrowsers.openBrowser(portal, { node: i % 2 }))
    expect(await signedInBrowsers([browser], 1)).toEqual([browser])
    browsers.push(browser)
    const [{ id }] = await portal.rows(
      'select s.id from sessions s join accounts a on a.id = s.account_id where a.login = $1 order by started_at desc limit 1',
      [person.login],
    )
    ids.push(id)
  }
  for (const node of [0, 1]) expect(await signedInBrowsers(browsers, node)).toEqual(browsers.slice(2))
  expect((await late.call(enterSignInCode, { body: { code } })).status).toBe(200)
  expect(await signedInBrowsers([late, ...browsers])).toEqual([late, ...browsers.slice(3)])
  const actions = await readAuditedActions(portal, { login: person.login })
  expect(actions.filter((action) => /sign-in|code-refused|blocked/.test(action))).toEqual(
    Array.from({ length: 8 }, () => 'sign-in-finished'),
  )
  // Each is audited once, by its id; one that expired is not.
  const ended = () => auditEntries(portal, { login: person.login, action: 'session-ended' })
  const byCap = ids.slice(0, 3).map((session) => ({ actor: 'system', details: { session, by: 'newer-sign-in' } }))
  expect(await ended()).toMatchObject(byCap)
  await portal.clock.advance(limits.session.idle + 1)
  await testCustomers.signInAs(portal, person)
  expect(await ended()).toHaveLength(byCap.length)
})

test('R19 a sign-in that is only begun ends no session, and one that has expired does not count', async () => {
  await portal.clock.advance(0)
  const person = await addCustomer(portal)
  const otherBrowser = await testCustomers.signInAs(portal, await addCustomer(portal))
  const old = [await testCustomers.signInAs(portal, person), await testCustomers.signInAs(portal, person)]
  await portal.clock.advance(limits.session.idle / 2)
  const browsers: testBrowsers.TestBrowser[] = []
  for (let i = 0; i < 3; i++) browsers.push(await testCustomers.signInAs(portal, person))
  await startPendingSignIns(person, 3)
  expect(await signedInBrowsers([...old, ...browsers])).toHaveLength(5)
  await portal.clock.advance(limits.session.idle / 2 + 1)
  for (let i = 0; i < 2; i++) browsers.push(await testCustomers.signInAs(portal, person))
  expect(await signedInBrowsers([...browsers, otherBrowser])).toEqual(browsers)
})

test('R19 eight sign-ins that rise in the same moment do not overlook each other', async () => {
  for (let round = 0; round < 2; round++) {
    const person = await addCustomer(portal)
    const waiting = await startPendingSignIns(person, 8)
    const rise = () =>
      fireTimes(portal, 8, (i) =>
        preparedCall(enterSignInCode, { body: { code: waiting[i]!.code } }, { cookie: waiting[i]!.cookie }),
      )
    const lock = 'lock table sessions in share row exclusive mode'
    expect(outcomesOf(await runBehindLock(portal, lock, rise, { count: 8 }))).toEqual({ 200: 8 })
    const live = await liveSessions(person)
    expect(live.filter(({ stage }) => stage === 'signed-in')).toHaveLength(maxSessions)
  }
})
