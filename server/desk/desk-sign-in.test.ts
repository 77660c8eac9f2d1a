import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import {
  endDeskSession,
  finishDeskSignIn,
  listDeskSessions,
  readDeskSession,
  revokeDeskSession,
  startDeskSignIn,
} from '../../contract/desk/desk-session.ts'
import { staffAcr, staffGroups } from '../../provider/staff-login/staff-provider.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { staffCookie, signInCookie } from '../platform/authentication/staff-session.ts'
import { letStaffIn, openDesk, openStaffBrowser, signInStaff, type StaffBrowser } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'

const portal = await openPortal()
const desk = await openDesk(portal)

beforeEach(async () => {
  await portal.owner.query('delete from staff_sessions')
})

const actions = async () => {
  const { rows } = await sql<{ act: string; actor: string; details: object }>`select act, actor, details from audit
    where act like 'desk-%' order by id`.execute(portal.ownerDb)
  return rows
}

describe('sign-in at the OpenID provider', () => {
  test('DSK-2 DSK-3 DSK-6 a member of the staff signs in there, and has the roles of their groups; the trail has the name', async () => {
    const browser = openStaffBrowser(desk)
    const { status, body } = await browser.signIn('staff-1')
    expect([status, body]).toMatchObject([200, { name: 'Ewa Lis', roles: ['reader', 'agent'] }])
    expect((await browser.call(readDeskSession)).body).toMatchObject({ name: 'Ewa Lis' })
    const details = { staff: 'staff-1', actorName: 'Ewa Lis' }
    expect((await actions()).at(-1)).toMatchObject({ act: 'desk-signed-in', actor: 'staff', details })
  })

  test('DSK-3 DSK-6 somebody in none of the groups gets no session', async () => {
    const browser = openStaffBrowser(desk)
    const { status, problem } = await browser.signIn('staff-4')
    expect([status, problem]).toMatchObject([422, { code: 'login-refused', reason: 'no-role' }])
    expect((await browser.call(readDeskSession)).status).toBe(401)
    const details = { staff: 'staff-4', cause: 'no-role' }
    expect((await actions()).at(-1)).toMatchObject({ act: 'desk-sign-in-refused', details })
  })

  test('DSK-2 the request has PKCE, a nonce, a state and the acr, and a sign-in in another context is refused', async () => {
    const { body } = await openStaffBrowser(desk).call(startDeskSignIn)
    const asked = Object.fromEntries(new URL(body.url).searchParams)
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      acr_values: 'urn:demonstration:press',
    })
    const strict = await openDesk(portal, { acr: ['urn:demonstration:two-factors'] })
    const refused = await openStaffBrowser(strict).signIn('staff-1')
    expect([refused.status, refused.problem]).toMatchObject([422, { code: 'login-refused', reason: 'answer' }])
    const details = { staff: 'staff-1', actorName: 'Ewa Lis', cause: 'context' }
    expect((await actions()).at(-1)).toMatchObject({ act: 'desk-sign-in-refused', details })
  })

  test('DSK-2 without the provider nobody signs in, and the desk says so', async () => {
    const alone = await openDesk(portal, { issuer: 'http://127.0.0.1:1' })
    const { status, problem } = await openStaffBrowser(alone).call(startDeskSignIn)
    expect([status, problem]).toMatchObject([503, { code: 'unavailable' }])
  })
})

describe('R232 the answer fits one browser', () => {
  test('R232 the answer of another browser’s sign-in is refused, with or without a sign-in of one’s own', async () => {
    const attacker = openStaffBrowser(desk)
    const { body } = await attacker.call(startDeskSignIn)
    const answer = (await attacker.choose(body.url, 'staff-3')).search.slice(1)
    const victim = openStaffBrowser(desk)
    for (const begins of [false, true]) {
      if (begins) await victim.call(startDeskSignIn)
      const { status, problem } = await victim.call(finishDeskSignIn, { body: { answer } })
      expect([begins, status, problem]).toMatchObject([begins, 422, { code: 'login-refused' }])
      expect(victim.cookies.has(staffCookie)).toBe(false)
    }
  })

  test('R232 an answer works once, and not when it is changed', async () => {
    const browser = openStaffBrowser(desk)
    const { body } = await browser.call(startDeskSignIn)
    const secret = browser.cookies.get(signInCookie)!
    const answer = await browser.choose(body.url, 'staff-1')
    const changed = new URLSearchParams(answer.search)
    changed.set('state', 'x'.repeat(43))
    expect((await browser.call(finishDeskSignIn, { body: { answer: changed.toString() } })).status).toBe(422)
    expect((await browser.call(finishDeskSignIn, { body: { answer: answer.search.slice(1) } })).status).toBe(200)
    browser.cookies.set(signInCookie, secret)
    expect((await browser.call(finishDeskSignIn, { body: { answer: answer.search.slice(1) } })).status).toBe(422)
  })
})

test('DSK-6 R242 an answer that fits no browser leaves an entry without a name, of a burst from one address the first ten', async () => {
  await portal.clock.stopAt(await now(portal.db))
  await portal.owner.query(`delete from rate_limits where name = 'desk-sign-in-refused'`)
  const before = (await actions()).length
  const browser = openStaffBrowser(desk)
  await browser.call(startDeskSignIn)
  const answer = 'code=x&state=y'
  for (const caller of [browser, openStaffBrowser(desk)])
    expect((await caller.call(finishDeskSignIn, { body: { answer } })).status).toBe(422)
  const refused = { act: 'desk-sign-in-refused', actor: 'staff', details: { cause: 'answer' } }
  expect((await actions()).slice(before)).toEqual([refused, refused])
  const burst = Array.from({ length: 20 }, () => openStaffBrowser(desk).call(finishDeskSignIn, { body: { answer } }))
  for (const { status } of await Promise.all(burst)) expect(status).toBe(422)
  expect((await actions()).length - before).toBe(10)
  await portal.clock.advance(0)
})

/** Confirms at the provider that its session is to end. */
async function confirmLogout(browser: StaffBrowser, address: string | URL) {
  const page = await (await browser.visit(address)).text()
  const [, action] = /action="([^"]+)"/.exec(page)!
  const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(page)!
  return browser.visit(action!, { method: 'POST', body: new URLSearchParams({ xsrf: xsrf!, logout: 'yes' }) })
}

describe('R230 sessions of the staff', () => {
  test('R230 the cookie is for this host, secure, hidden from scripts and strict, and the database has its hash only', async () => {
    const browser = openStaffBrowser(desk)
    const { headers } = await browser.signIn('staff-1')
    const [set] = headers.getSetCookie().filter((each) => each.startsWith(staffCookie))
    expect(set).toMatch(/^__Host-sygnet-desk=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const { rows } = await portal.owner.query('select * from staff_sessions')
    const token = browser.cookies.get(staffCookie)!
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
  })

  test('DSK-4 R230 a session ends after 30 minutes without use, and after 8 hours in any case', async () => {
    const browser = await signInStaff(desk, 'staff-1')
    const { idle, absolute } = deskLimits.session
    await portal.clock.advance(idle - 60)
    expect((await browser.call(listDeskSessions)).status).toBe(200)
    await portal.clock.advance(idle - 60)
    // The page asks for the session by itself, which is no use of it.
    expect((await browser.call(readDeskSession)).status).toBe(200)
    await portal.clock.advance(120)
    expect((await browser.call(readDeskSession)).status).toBe(401)

    const other = await signInStaff(desk, 'staff-1')
    for (let passed = 0; passed + 1200 < absolute; passed += 1200) {
      await portal.clock.advance(1200)
      expect((await other.call(listDeskSessions)).status).toBe(200)
    }
    await portal.clock.advance(1201)
    expect((await other.call(listDeskSessions)).status).toBe(401)
  })

  test('DSK-4 DSK-6 sessions are listed and ended: one’s own, and by an administrator those of everybody', async () => {
    const [first, second] = [await signInStaff(desk, 'staff-1'), await signInStaff(desk, 'staff-1')]
    const [auditor, administrator] = [await signInStaff(desk, 'staff-2'), await signInStaff(desk, 'staff-3')]
    const own = (await first.call(listDeskSessions)).body.items
    expect(own.map(({ name, isOwn }) => `${name} ${isOwn}`)).toEqual(['Ewa Lis false', 'Ewa Lis true'])
    const all = (await administrator.call(listDeskSessions)).body.items
    expect(all).toHaveLength(4)
    const foreign = all.find(({ name }) => name === 'Adam Bąk')!
    expect((await first.call(revokeDeskSession, { params: { id: foreign.id } })).status).toBe(404)
    expect((await auditor.call(readDeskSession)).status).toBe(200)
    expect((await first.call(revokeDeskSession, { params: { id: own[0]!.id } })).status).toBe(204)
    expect((await second.call(readDeskSession)).status).toBe(401)
    expect((await administrator.call(revokeDeskSession, { params: { id: foreign.id } })).status).toBe(204)
    expect((await auditor.call(readDeskSession)).status).toBe(401)
    const details = { actorName: 'Iga Zych', of: 'staff-2' }
    expect((await actions()).at(-1)).toMatchObject({ act: 'desk-session-revoked', details })
  })

  test('DSK-4 DSK-29 signing out ends the session, and leads to its end at the OpenID provider', async () => {
    const browser = await signInStaff(desk, 'staff-1')
    const token = browser.cookies.get(staffCookie)!
    const { status, body } = await browser.call(endDeskSession)
    expect(status).toBe(200)
    const url = new URL(body.url!)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${desk.origin}/desk`)
    const left = await confirmLogout(browser, url)
    expect(left.headers.get('location')).toBe(`${desk.origin}/desk`)
    browser.cookies.set(staffCookie, token)
    expect((await browser.call(readDeskSession)).status).toBe(401)
  })

  test('R234 a call from another site is refused, whatever it says', async () => {
    const browser = await signInStaff(desk, 'staff-1')
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: portal.origin },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      const { status, problem } = await browser.call(endDeskSession, {}, headers)
      expect([headers, status, problem.code]).toEqual([headers, 403, 'cross-site-request'])
    }
    expect((await browser.call(readDeskSession)).status).toBe(200)
  })

  test('R234 no other origin reads with the cookie, also none of the same site; its link opens the page', async () => {
    const browser = await signInStaff(desk, 'staff-1')
    const reads = desk.app.endpoints.filter(({ access, method }) => access === 'staff' && method === 'GET')
    expect(reads.length).toBeGreaterThan(2)
    for (const { path } of reads)
      for (const site of [undefined, 'same-site', 'cross-site', 'none', '', 'same-origin, same-site']) {
        const { status } = await browser.visit(path, { headers: { 'sec-fetch-site': site } })
        expect([path, site, status]).toEqual([path, site, 403])
      }
    const own = await browser.visit(readDeskSession.path, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(own.status).toBe(200)
    const headers = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }
    expect((await browser.visit('/desk', { headers })).status).toBe(200)
  })
})

const logoutEvents = { 'http://schemas.openid.net/event/backchannel-logout': {} }

/** Opens an issuer whose key the test has, so that every claim of a token can be wrong under a valid signature. */
async function openIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'issuer', alg: 'ES256' }
  let idToken = ''
  const server = await listenOnLoopback(({ path }, response) => {
    const metadata = {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      id_token_signing_alg_values_supported: ['ES256'],
    }
    response.setHeader('content-type', 'application/json')
    const answers: Record<string, unknown> = {
      '/jwks': { keys: [key] },
      '/token': { access_token: 'sample', token_type: 'bearer', id_token: idToken },
    }
    response.end(JSON.stringify(answers[path] ?? metadata))
  })
  portal.cleanup.defer(() => server[Symbol.asyncDispose]())
  const issuer = server.url
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'issuer', typ: 'logout+jwt' }).sign(privateKey)
  const sayIdToken = async (claims: Record<string, unknown>) => {
    idToken = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'issuer' }).sign(privateKey)
  }
  return { issuer, sign, sayIdToken }
}

/** Returns the claims of a valid token of this issuer that names nobody. */
function newClaims(issuer: string) {
  const seconds = Math.floor(Date.now() / 1000)
  return { iss: issuer, aud: 'desk', iat: seconds, exp: seconds + 120, jti: crypto.randomUUID(), events: logoutEvents }
}

test('R252 an auth_time in the future counts as none, and one from before a whole session is refused', async () => {
  const { issuer, sayIdToken } = await openIssuer()
  const own = await openDesk(portal, { issuer, clientId: 'desk', clientSecret: 'sample' })
  const signInAt = async (authTime: number | undefined) => {
    const browser = openStaffBrowser(own)
    const asked = new URL((await browser.call(startDeskSignIn)).body.url).searchParams
    const seconds = Math.floor(Date.now() / 1000)
    await sayIdToken({
      iss: issuer,
      aud: 'desk',
      sub: 'sub-1',
      iat: seconds,
      exp: seconds + 120,
      nonce: asked.get('nonce'),
      acr: staffAcr,
      groups: staffGroups.administrator,
      ...(authTime !== undefined && { auth_time: seconds + authTime }),
    })
    const answer = new URLSearchParams({ code: 'sample', state: asked.get('state')! }).toString()
    return browser.call(finishDeskSignIn, { body: { answer } })
  }
  for (const [time, isKept] of [
    [-60, true],
    [undefined, false],
    [3600, false],
  ] as const) {
    await portal.owner.query('delete from staff_sessions')
    expect([time, (await signInAt(time)).status]).toEqual([time, 200])
    const { rows } = await portal.owner.query('select authenticated_at is not null as kept from staff_sessions')
    expect([time, rows]).toEqual([time, [{ kept: isKept }]])
  }
  const { status, problem } = await signInAt(-deskLimits.session.absolute - 3600)
  expect([status, problem.code]).toEqual([422, 'login-refused'])
  const details = { staff: 'sub-1', cause: 'context' }
  expect((await actions()).at(-1)).toMatchObject({ act: 'desk-sign-in-refused', details })
})

describe('R233 logout by the provider', () => {
  const send = (token: string, { origin } = desk) =>
    fetch(`${origin}/desk/back-channel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })

  test('R233 who signs out at the provider is signed out of the desk', async () => {
    const browser = await signInStaff(desk, 'staff-1')
    const other = await signInStaff(desk, 'staff-1')
    await confirmLogout(browser, `${desk.client.issuer}/session/end`)
    await expect.poll(async () => (await browser.call(readDeskSession)).status).toBe(401)
    expect((await other.call(readDeskSession)).status).toBe(200)
    expect((await actions()).at(-1)).toMatchObject({ act: 'desk-signed-out', details: { by: 'identity-provider' } })
  })

  test('R233 each claim of a token counts, and a token ends sessions once', async () => {
    const { issuer, sign } = await openIssuer()
    const own = await openDesk(portal, { issuer, clientId: 'desk' })
    const insert = () =>
      sql`insert into staff_sessions (token_hash, subject, provider_session, name, roles, address, ends_at, absolute_ends_at)
        select sha256(gen_random_uuid()::text::bytea), 'staff-9', 'sid-9', 'Nina', '{reader}', '::1', one_hour, one_hour
        from (select portal_now() + interval '1 hour' as one_hour) t`.execute(portal.ownerDb)
    const left = async () =>
      (await portal.owner.query(`select from staff_sessions where subject = 'staff-9'`)).rows.length
    const right = { ...newClaims(issuer), sub: 'staff-9' }
    const seconds = right.iat
    await insert()
    const wrong: Record<string, unknown>[] = [
      { ...right, iss: 'https://other.example' },
      { ...right, aud: 'another-client' },
      { ...right, iat: seconds - 600 },
      { ...right, exp: seconds - 60 },
      { ...right, exp: undefined },
      { ...right, nonce: 'n' },
      { ...right, events: {} },
      { ...right, jti: undefined },
      { ...right, events: undefined },
      { ...right, sub: undefined },
    ]
    for (const claims of wrong) {
      const { status } = await send(await sign(claims), own)
      expect([claims, status, await left()]).toEqual([claims, 400, 1])
    }
    const token = await sign(right)
    expect([(await send(token, own)).status, await left()]).toEqual([200, 0])
    await insert()
    expect([(await send(token, own)).status, await left()]).toEqual([400, 1])
    const bySession = await sign({ ...right, sub: undefined, jti: crypto.randomUUID(), sid: 'sid-9' })
    expect([(await send(bySession, own)).status, await left()]).toEqual([200, 0])
  })

  test('R233 a session without a `sid` ends with any of its person, and only then', async () => {
    const { issuer, sign } = await openIssuer()
    const own = await openDesk(portal, { issuer, clientId: 'desk' })
    const end = async (claims: object) => send(await sign({ ...newClaims(issuer), ...claims }), own)
    const browsers = [
      await letStaffIn(portal, desk, { subject: 'staff-8', roles: ['agent'] }),
      await letStaffIn(portal, desk, { subject: 'staff-7', roles: ['agent'] }),
    ]
    const statuses = () => Promise.all(browsers.map(async (browser) => (await browser.call(readDeskSession)).status))
    expect((await end({ sid: 'unknown' })).status).toBe(200)
    expect(await statuses()).toEqual([200, 200])
    expect((await end({ sid: 'unknown', sub: 'staff-8' })).status).toBe(200)
    expect(await statuses()).toEqual([401, 200])
  })

  test('R233 the issuer of a token is the provider’s own name, with or without a slash at the end of DESK_ISSUER', async () => {
    const { issuer, sign } = await openIssuer()
    const own = await openDesk(portal, { issuer: `${issuer}/`, clientId: 'desk' })
    const browser = await letStaffIn(portal, own, { subject: 'staff-8', roles: ['agent'] })
    expect((await send(await sign({ ...newClaims(`${issuer}/`), sub: 'staff-8' }), own)).status).toBe(400)
    expect((await browser.call(readDeskSession)).status).toBe(200)
    expect((await send(await sign({ ...newClaims(issuer), sub: 'staff-8' }), own)).status).toBe(200)
    expect((await browser.call(readDeskSession)).status).toBe(401)
  })

  test('R233 a token that the provider has not signed, or of another form, ends nothing', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const browser = await signInStaff(desk, 'staff-1')
    const claims = { ...newClaims(desk.client.issuer), aud: desk.client.clientId, sub: 'staff-1' }
    const header = { alg: 'ES256', kid: 'staff', typ: 'logout+jwt' }
    const forged = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged.split('.')[1]}.`
    for (const token of [forged, unsigned, '', 'x', forged.slice(0, -4)]) expect((await send(token)).status).toBe(400)
    expect((await browser.call(readDeskSession)).status).toBe(200)
  })
})
