import { expect, test } from 'vitest'
import { deskPaths } from '../../contract/desk/desk-paths.ts'
import { deskRoles, mayCall } from '../../contract/desk/desk-permissions.ts'
import { pages } from '../../contract/pages.ts'
import { fill, sampledCalls } from '../testing/calls.ts'
import { letStaffIn, openDesk, openStaffBrowser } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestProvider } from '../testing/provider.ts'
import { exchange } from '../testing/raw-http.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import type { Objects } from '../testing/samples/sample-objects.ts'
import { staffCookie } from '../platform/authentication/staff-session.ts'
import { accountIdOf } from '../testing/database-state.ts'

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
  const account = await accountIdOf(portal, await addCustomer(portal))
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
