import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readSession } from '../../../contract/account.ts'
import { limits } from '../../../contract/limits.ts'
import { getCustomer } from '../../../contract/provider/provider-api.ts'
import { openRequestRates } from './request-rate.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { openBrowser } from '../../testing/browser.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'

const perSecond = 1
const quota = perSecond * limits.requests.burst

let hosts = 0
const portal = await openPortal({ settings: { requestsPerSecond: perSecond } })

// An allowance that grew while a test uses it up would allow any number of requests, depending on how slow the machine is.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

/** An address without requests so far. */
const freshAddress = () => `10.99.${Math.floor(++hosts / 250)}.${(hosts % 250) + 1}`

/** Floods of requests, each refused for another reason. */
const invalid: Record<
  string,
  { method: string; path: string; body?: string; headers?: Record<string, string>; status: number }
> = {
  'no JSON': { method: 'POST', path: '/api/sign-in', body: '{', status: 400 },
  'wrong fields': { method: 'POST', path: '/api/sign-in', body: '{"login":1}', status: 400 },
  'not signed in': { method: 'GET', path: '/api/signatures', status: 401 },
  'no client key': { method: 'GET', path: '/provider/v1/events', status: 401 },
  'another origin': {
    method: 'POST',
    path: '/api/sign-in',
    body: '{}',
    headers: { origin: 'https://other.example' },
    status: 403,
  },
  'no such call': { method: 'GET', path: '/api/nothing', status: 404 },
  'no such page': { method: 'GET', path: '/nothing', status: 404 },
  'another method': { method: 'PATCH', path: '/api/sign-in', body: '{}', status: 405 },
  'another type': {
    method: 'POST',
    path: '/api/sign-in',
    body: 'x',
    headers: { 'content-type': 'text/plain' },
    status: 415,
  },
  'too large': { method: 'POST', path: '/api/sign-in', body: 'x'.repeat(70_000), status: 413 },
  'too long': { method: 'GET', path: `/api/session?${'x'.repeat(3000)}`, status: 414 },
  'no address': { method: 'GET', path: '/api/%zz', status: 400 },
  'a report of a policy': {
    method: 'POST',
    path: '/csp-reports',
    body: '{}',
    headers: { 'content-type': 'application/csp-report' },
    status: 204,
  },
  'a page': { method: 'GET', path: '/faq', status: 200 },
}

test.each(Object.entries(invalid))(
  'R110 a flood from one address is answered by 429, even if the requests are invalid: %s',
  async (_name, { method, path, body, headers, status }) => {
    const flood = openBrowser(portal, { address: freshAddress() })
    const answers = await Promise.all(Array.from({ length: quota * 3 }, () => flood.raw(method, path, body, headers)))
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((each) => each === status)).toHaveLength(quota)
    expect(new Set(statuses)).toEqual(new Set([status, 429]))
    const refused = answers.find((answer) => answer.status === 429)!
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    if (path.startsWith('/api'))
      expect(await refused.json()).toMatchObject({ code: 'too-many-requests', status: 429, retryAfter: 1 })
    expect((await openBrowser(portal, { address: freshAddress() }).call(readSession)).status).toBe(401)
  },
)

test('R110 answers of the API report the requests left, as in the draft, and pages and files are still served', async () => {
  const browser = openBrowser(portal, { address: freshAddress() })
  const first = await browser.call(readSession)
  expect(first.status).toBe(401)
  expect(first.headers.get('ratelimit-policy')).toBe(`"address";q=${quota};w=${limits.requests.burst}`)
  expect(first.headers.get('ratelimit')).toBe(`"address";r=${quota - 1};t=1`)
  for (let i = 0; i < quota * 2; i++) await browser.call(readSession)
  const refused = await browser.call(readSession)
  expect([refused.status, refused.headers.get('ratelimit')]).toEqual([
    429,
    `"address";r=0;t=${limits.requests.burst + 1}`,
  ])
  for (const path of ['/healthz', '/readyz', '/favicon.svg', '/assets/nothing.js'])
    expect([path, (await browser.raw('GET', path)).status]).not.toEqual([path, 429])
})

test('R110 R78 addresses of one /64 share a limit, and those of another do not', async () => {
  const statusFrom = async (address: string) => (await openBrowser(portal, { address }).call(readSession)).status
  for (let i = 0; i < quota * 2; i++) await statusFrom(`2001:db8:1:1::${i.toString(16)}`)
  expect(await statusFrom('2001:db8:1:1:ffff::1')).toBe(429)
  expect(await statusFrom('2001:db8:1:2::1')).toBe(401)
})

test('R110 R80 calls by a client key have the rate of their key, from any address', async () => {
  const { id } = await addCustomer(portal)
  const browser = openBrowser(portal, { address: freshAddress() })
  for (let i = 0; i < quota * 2; i++)
    expect((await browser.call(getCustomer, { params: { customer: id } })).status).toBe(200)
})

test('R110 the memory for addresses is bounded, and an active address is kept', () => {
  let at = 0
  const rates = openRequestRates(1, () => at)
  for (let i = 0; i < limits.requests.burst; i++) expect(rates.take('192.0.2.1').ok).toBe(true)
  expect(rates.take('192.0.2.1')).toEqual({ ok: false, retryAfter: 1, reset: limits.requests.burst + 1 })
  for (let i = 0; i < limits.requests.addresses * 2; i++) {
    rates.take(`10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`)
    // It has just enough for one a second.
    if (i % 10_000 === 0) {
      at += 1000
      expect(rates.take('192.0.2.1').ok).toBe(true)
      expect(rates.take('192.0.2.1').ok).toBe(false)
    }
  }
  expect(rates.size).toBe(limits.requests.addresses)
  // A trusted proxy does not send such addresses; they share one limit.
  expect(rates.take('unknown').ok).toBe(true)
})

test('R110 an office of 200 people who all open the portal within a few seconds is not refused', () => {
  let at = 0
  const { perSecond: usual } = limits.requests
  const rates = openRequestRates(usual, () => at)
  const people = 200
  const eachLoads = 12
  for (let i = 0; i < people * eachLoads; i++) {
    at = (i / (people * eachLoads)) * 20_000
    expect(rates.take('198.51.100.1').ok).toBe(true)
  }
})
