import { expect, test } from 'vitest'
import { findCountry } from '../../../contract/country.ts'
import { limits } from '../../../contract/limits.ts'
import { getCustomer } from '../../../contract/provider/provider-customers.ts'
import { buildApp } from '../../app.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { hostileForwarding } from '../../testing/samples/fuzz-values.ts'
import { believableAddresses } from './open-app.ts'

const perSecond = 20
const quota = perSecond * limits.requests.burst

const portal = await openPortal({ settings: { requestsPerSecond: perSecond } })

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:5678', '203.0.113.9'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:80', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['203.0.113.9, 10.0.0.4:99', '203.0.113.9, 10.0.0.4'],
  [' 203.0.113.9 ,, 10.0.0.4,', '203.0.113.9, 10.0.0.4'],
  // Entries before one that is not an address may come from anybody.
  ['203.0.113.9, unknown', ''],
  ['203.0.113.9, unknown, 10.0.0.4', '10.0.0.4'],
  ['', ''],
])('R67 of X-Forwarded-For %j this is trusted: %j', (given, believed) => {
  expect(believableAddresses(given)).toBe(believed)
})

test('R67 an entry that is not an address is not trusted', () => {
  for (const header of hostileForwarding)
    expect([header.slice(0, 40), believableAddresses(header)]).toEqual([header.slice(0, 40), ''])
})

test('R67 R72 a proxy that sends no address causes no error, and its visitors count as the proxy', async () => {
  for (const address of hostileForwarding) {
    const browser = openBrowser(portal, { address })
    for (const [method, path, body] of [
      ['GET', findCountry.path, undefined],
      ['POST', '/api/sign-in', { login: 'nobody', password: 'x' }],
      ['POST', '/api/password-reset', { email: 'a@b.example', locale: 'pl', botProof: crypto.randomUUID() }],
      ['GET', getCustomer.path.replace(/:\w+/, 'x'), undefined],
      ['GET', '/', undefined],
      ['GET', '/%zz', undefined],
    ] as const) {
      const { status } = await browser.raw(method, path, body, { authorization: 'Bearer x' })
      expect([address.slice(0, 40), path, status < 500]).toEqual([address.slice(0, 40), path, true])
    }
  }
})

test('R67 R110 an address with a port or brackets has the rate of the address', async () => {
  const leftFor = async (address: string) => {
    const { headers } = await openBrowser(portal, { address }).call(findCountry)
    return Number(/;r=(\d+)/.exec(headers.get('ratelimit')!)![1])
  }
  for (const address of ['203.0.113.70', '2001:db8:7::1'])
    for (let i = 0; i < quota; i++) portal.app.requestRates.take(address)
  for (const address of ['203.0.113.70:1024', '203.0.113.70', '[2001:db8:7::1]:1024', '2001:db8:7::2'])
    expect([address, (await leftFor(address)) < quota / 2]).toEqual([address, true])
  expect(await leftFor('203.0.113.71:1024')).toBe(quota - 1)
})

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
