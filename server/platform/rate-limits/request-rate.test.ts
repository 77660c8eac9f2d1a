import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readSession } from '../../../contract/account.ts'
import { limits } from '../../../contract/limits.ts'
import { getCustomer } from '../../../contract/provider/provider-customers.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openDesk } from '../../testing/open-desk.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'
import { openRequestRates } from './request-rate.ts'

const perSecond = 1
const quota = perSecond * limits.requests.burst

let hosts = 0
const portal = await openPortal({ settings: { requestsPerSecond: perSecond } })

// An allowance that grew while a test uses it up would allow any number of requests, depending on how slow the machine is.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

const freshAddress = () => `10.99.${Math.floor(++hosts / 250)}.${(hosts % 250) + 1}`

/** Floods of requests, each answered for another reason. */
const floods: [what: string, status: number, call: string, body?: string, headers?: Record<string, string>][] = [
  ['no JSON', 400, 'POST /api/sign-in', '{'],
  ['wrong fields', 400, 'POST /api/sign-in', '{"login":1}'],
  ['not signed in', 401, 'GET /api/signatures'],
  ['no client key', 401, 'GET /provider/v1/events'],
  ['another origin', 403, 'POST /api/sign-in', '{}', { origin: 'https://other.example' }],
  ['no such call', 404, 'GET /api/nothing'],
  ['no such page', 404, 'GET /nothing'],
  ['another method', 405, 'PATCH /api/sign-in', '{}'],
  ['another type', 415, 'POST /api/sign-in', 'x', { 'content-type': 'text/plain' }],
  ['too large', 413, 'POST /api/sign-in', 'x'.repeat(70_000)],
  ['too long', 414, `GET /api/session?${'x'.repeat(3000)}`],
  ['no address', 400, 'GET /api/%zz'],
  ['a report of a policy', 204, 'POST /csp-reports', '{}', { 'content-type': 'application/csp-report' }],
  ['a page', 200, 'GET /faq'],
]

test.each(floods)(
  'R110 a flood from one address is answered by 429, even if the requests are invalid: %s',
  async (_what, status, call, body, headers) => {
    const [method = '', path = ''] = call.split(' ')
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
  expect(refused.status).toBe(429)
  expect(refused.headers.get('ratelimit')).toBe(`"address";r=0;t=${limits.requests.burst + 1}`)
  for (const path of ['/healthz', '/readyz', '/favicon.svg', '/assets/nothing.js'])
    expect([path, (await browser.raw('GET', path)).status]).not.toEqual([path, 429])
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
  for (let i = 0; i < limits.requests.maxAddresses * 2; i++) {
    rates.take(`10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`)
    // It has just enough for one a second.
    if (i % 10_000 === 0) {
      at += 1000
      expect(rates.take('192.0.2.1').ok).toBe(true)
      expect(rates.take('192.0.2.1').ok).toBe(false)
    }
  }
  expect(rates.size).toBe(limits.requests.maxAddresses)
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

test('R110 R233 a flood of logout tokens is answered by 429 before one is verified', async () => {
  const desk = await openDesk(portal)
  const send = () =>
    fetch(`${desk.origin}/desk/back-channel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: 'x' }),
    })
  const statuses = (await Promise.all(Array.from({ length: quota * 3 }, send))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(quota)
  expect(statuses.filter((status) => status === 429)).toHaveLength(quota * 2)
})
