import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { expect, test, afterAll, beforeAll, describe } from 'vitest'
import { deskPaths } from '../../contract/desk/desk-paths.ts'
import { deskRoles, mayCall } from '../../contract/desk/desk-permissions.ts'
import { pages } from '../../contract/pages.ts'
import { has } from '../../pki/testing/peer-programs.ts'
import { openStaffProvider, staffGroups } from '../../provider/staff-login/staff-provider.ts'
import { staffSignInByOidc } from '../adapters/staff-sign-in-oidc.ts'
import { staffCookie, startStaffSession } from '../platform/authentication/staff-session.ts'
import { fill, sampledCalls } from '../testing/calls.ts'
import { findAccountId } from '../testing/database-state.ts'
import { letStaffIn, openDesk, openStaffBrowser } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { freePort } from '../testing/processes.ts'
import { openTestProvider } from '../testing/provider.ts'
import { startNginx } from '../testing/proxies.ts'
import { exchange } from '../testing/raw-http.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import type { Objects } from '../testing/samples/sample-objects.ts'
import { buildDesk } from './desk-app.ts'

const portal = await openPortal()
const desk = await openDesk(portal)

test('DSK-1 R236 the customers’ origin has no path of the desk, and the desk none of the customers’', async () => {
  const paths = [...deskPaths, '/desk/back-channel-logout', ...desk.app.endpoints.map(({ path }) => path)]
  for (const path of paths)
    for (const method of ['GET', 'POST']) {
      const { status } = await fetch(portal.origin + path, { method, headers: { origin: portal.origin } })
      expect([method, path, status]).toEqual([method, path, 404])
    }
  const own = new Set(desk.app.endpoints.map(({ path }) => path))
  for (const { method, path } of portal.app.endpoints) {
    expect(own.has(path)).toBe(false)
    const { status } = await fetch(desk.origin + path, { method, headers: { origin: desk.origin } })
    expect([method, path, status]).toEqual([method, path, 404])
  }
  const { login: _, ...others } = pages
  for (const { path } of Object.values(others))
    expect([path, (await fetch(desk.origin + path)).status]).toEqual([path, 404])
})

test('R236 another host than that of the desk is not answered, nor a session of one side on the other', async () => {
  const foreign = await exchange(desk.origin, 'GET /desk HTTP/1.1\r\nhost: portal.example\r\nconnection: close\r\n\r\n')
  expect(foreign).toMatch(/^HTTP\/1.1 421 /)
  const browser = await letStaffIn(portal, desk, { subject: 's', roles: ['administrator'] })
  const token = browser.cookies.get(staffCookie)!
  const session = await fetch(`${portal.origin}/api/session`, {
    headers: { cookie: `__Host-sygnet=${token}; ${staffCookie}=${token}` },
  })
  expect(session.status).toBe(401)
})

test('DSK-1 the pages of the desk have the policy of the portal’s pages, and nobody’s data; the address alone leads to them', async () => {
  const { status, headers } = await fetch(desk.origin, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, '/desk'])
  for (const path of deskPaths) {
    const page = await fetch(desk.origin + path)
    expect([path, page.status]).toEqual([path, 200])
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
  }
})

test('DSK-3 R231 each role makes the calls that the table gives it, and no others; nor does anybody else', async () => {
  const provider = await openTestProvider(portal)
  const account = await findAccountId(portal, await addCustomer(portal))
  const objects = { session: crypto.randomUUID(), account } as Objects
  const guarded = desk.app.endpoints.filter(({ access }) => access === 'staff')
  const names = desk.app.endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(sampledCalls.filter((name) => name.includes(' /desk/') && !names.includes(name))).toEqual([])
  expect(guarded.length).toBeGreaterThan(3)
  let refused = 0
  for (const endpoint of guarded) {
    for (const role of [undefined, ...deskRoles]) {
      const browser = role
        ? await letStaffIn(portal, desk, { subject: crypto.randomUUID(), roles: [role] })
        : openStaffBrowser(desk)
      const response = await browser.send(endpoint, await fill(endpoint, objects, provider))
      const isAllowed = role !== undefined && mayCall(endpoint, [role])
      const isRefused = [401, 403].includes(response.status)
      const tried = [endpoint.path, role, response.status]
      expect([...tried, isRefused]).toEqual([...tried, !isAllowed])
      if (role === undefined) expect(response.status).toBe(401)
      refused += Number(isRefused)
    }
  }
  expect(refused).toBeGreaterThan(guarded.length - 1)
})

const name = 'desk.provider.example'

describe.skipIf(!has('nginx') || !has('openssl'))('the desk behind nginx (skipped where it is missing)', () => {
  let nginx: Awaited<ReturnType<typeof startNginx>>
  const start = (node: string, edit: (text: string) => string) => {
    const { host } = new URL(portal.origin)
    return startNginx([host, host], { desk: [node, node], edit })
  }
  let node: string
  beforeAll(async () => {
    ;(portal.portal.settings.hosts as string[]).push('portal.example')
    const { close, ...client } = await openStaffProvider(`https://${name}`)
    portal.cleanup.defer(close)
    const redirectUrl = `https://${name}/desk/callback`
    const signIn = staffSignInByOidc({ ...client, groups: staffGroups, acr: [], redirectUrl })
    const app = await buildDesk(portal.portal, signIn, {
      publicUrl: `https://${name}`,
      hosts: [name],
      directory: tmpdir(),
      ownerDb: portal.ownerDb,
    })
    portal.cleanup.defer(() => app.close())
    const port = await freePort()
    await app.listen({ port, host: '127.0.0.1' })
    node = `127.0.0.1:${port}`
    nginx = await start(node, (content) => content.replace('10.20.0.0/16', '127.0.0.1'))
  })
  afterAll(() => nginx[Symbol.asyncDispose]())

  async function send(method: string, path: string, headers: Record<string, string> = {}, by = nginx) {
    const tls = { ...by.tls, servername: name }
    const options = { method, ...tls, agent: false, headers: { host: name, ...headers } }
    const request = https.request(by.origin + path, options)
    const answered = once(request, 'response')
    request.end()
    const [response] = (await answered) as [IncomingMessage]
    return { status: response.statusCode!, headers: response.headers, body: await text(response) }
  }

  test('DSK-1 R236 the example of the desk serves its pages and calls on the host of the desk, and nothing of the customers', async () => {
    expect((await send('GET', '/desk')).status).toBe(200)
    expect((await send('GET', '/login')).status).toBe(404)
    const from = { address: '198.51.100.9', device: { browser: null, system: null } }
    const claims = { subject: 's', name: 's', roles: ['reader' as const], providerSession: null, authenticatedAt: null }
    const { token } = await portal.db.transaction().execute((tx) => startStaffSession(tx, claims, from))
    const cookie = { cookie: `${staffCookie}=${token}`, 'sec-fetch-site': 'same-origin' }
    expect((await send('GET', '/desk/api/session', cookie)).status).toBe(200)
    expect((await send('POST', '/desk/api/sign-out', { ...cookie, origin: 'https://portal.example' })).status).toBe(403)
    expect((await send('POST', '/desk/api/sign-out', { ...cookie, origin: `https://${name}` })).status).toBe(200)
    expect((await send('GET', '/desk', { host: 'portal.example' })).status).toBe(404)
  })

  test('DSK-1 other networks than those of the example get no answer of a node', async () => {
    expect((await send('POST', '/desk/back-channel-logout')).body).toContain('<!doctype html>')
    await using closed = await start(node, (content) => content)
    const page = await send('GET', '/desk', {}, closed)
    expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    const call = await send('GET', '/desk/api/session', {}, closed)
    expect([call.status, JSON.parse(call.body)]).toEqual([400, expect.objectContaining({ code: 'malformed-request' })])
  })
})
