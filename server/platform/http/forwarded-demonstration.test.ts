import { expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { openPortal } from '../../testing/open-portal.ts'

const portal = await openPortal()

test('R122 a demonstration for one machine refuses requests through a proxy', async () => {
  const hosts: string[] = ['127.0.0.1']
  const settings = { ...portal.portal.settings, hosts, trustedProxies: [] }
  const app = await buildApp({ ...portal.portal, settings }, { refuseForwarded: true })
  const statusOf = async (headers: Record<string, string>, url = '/') =>
    (await app.inject({ url, headers: { host: '127.0.0.1', ...headers } })).statusCode
  expect(await statusOf({})).toBe(200)
  for (const name of ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Real-IP', 'Via'])
    for (const url of ['/', '/api/session', '/nothing', '/favicon.svg', '/csp-reports'])
      expect([name, url, await statusOf({ [name]: '192.0.2.1' }, url)]).toEqual([name, url, 403])
  const said = await app.inject({ url: '/', headers: { host: '127.0.0.1', via: '1.1 proxy' } })
  expect(said.body).toContain('DEMONSTRATION_PUBLIC=on')
  expect(said.headers['cache-control']).toBe('no-store')
  // A header about the client's address must not hide the proxy.
  expect(await statusOf({ 'x-forwarded-for': 'unknown' })).toBe(403)
  await app.close()
})
