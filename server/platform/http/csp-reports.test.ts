import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { reportedDirectives } from './csp-reports.ts'
import { cspReported } from '../observability/events.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { openTestPortal } from '../../testing/portal-nodes.ts'

const counted: string[] = []
let end: () => void
const portal = await openPortal()
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  end = cspReported.subscribe(({ directive }) => counted.push(directive))
})
afterAll(() => {
  end()
  vi.useRealTimers()
})

const send = (body: unknown, type = 'application/csp-report') =>
  fetch(`${portal.origin}/csp-reports`, {
    method: 'POST',
    // Browsers send this from a page without referrer.
    headers: { 'content-type': type, origin: 'null' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The reports of a second are limited, so a second lasts until the test begins the next one. */
const nextSecond = () => {
  vi.advanceTimersByTime(1000)
  counted.length = 0
}

test('R126 reports of both forms are counted by directive, and an unknown one as `other`', async () => {
  nextSecond()
  const answer = await send({ 'csp-report': { 'effective-directive': 'script-src-elem', 'blocked-uri': 'https://x' } })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  await send({ 'csp-report': { 'violated-directive': 'img-src' } })
  await send(
    [
      {
        type: 'csp-violation',
        body: { effectiveDirective: 'require-trusted-types-for', sample: 'Element innerHTML|x' },
      },
      { type: 'csp-violation', body: { effectiveDirective: 'Anna Nowak' } },
    ],
    'application/reports+json',
  )
  for (const odd of ['{', '', 'null', '[]', '"x"', '{"csp-report":7}'])
    expect((await send(odd)).status).toBeLessThan(500)
  expect(counted.filter((directive) => directive !== 'other')).toEqual([
    'script-src-elem',
    'img-src',
    'require-trusted-types-for',
  ])
  for (const directive of counted) expect(reportedDirectives).toContain(directive)
})

test('R126 R70 a flood, a large report and another type cost nothing and are not counted', async () => {
  const { perSecond, bytes, each } = limits.cspReports
  const many = Array.from({ length: 500 }, () => ({ body: { effectiveDirective: 'img-src' } }))
  nextSecond()
  expect((await send(many.slice(0, 100), 'application/reports+json')).status).toBe(204)
  expect(counted).toHaveLength(each)
  nextSecond()
  await Promise.all(Array.from({ length: 5 }, () => send(many.slice(0, 100), 'application/reports+json')))
  expect(counted).toHaveLength(perSecond)
  counted.length = 0
  expect((await send(many, 'application/reports+json')).status).toBe(413)
  expect(JSON.stringify(many).length).toBeGreaterThan(bytes)
  for (const type of ['application/json', 'text/plain']) expect((await send('{}', type)).status).toBe(415)
  expect((await fetch(`${portal.origin}/csp-reports`)).status).toBe(404)
  expect(counted).toEqual([])
})

test('PWD-7 a password manager is led to the page on which the password is changed', async () => {
  const ask = (cookie: string) =>
    fetch(`${portal.origin}/.well-known/change-password`, { redirect: 'manual', headers: { cookie } })
  for (const [cookie, path] of [
    ['', '/change-password'],
    ['locale=en', '/en/change-password'],
  ] as const) {
    const { status, headers } = await ask(cookie)
    expect([status, headers.get('location')]).toEqual([302, path])
  }
})

test('R126 security.txt is there with a contact, valid by RFC 9116 for less than a year, and not without one', async () => {
  const file = (origin: string) => fetch(`${origin}/.well-known/security.txt`)
  expect((await file(portal.origin)).status).toBe(404)
  const named = await openTestPortal({
    settings: {
      security: {
        contacts: ['mailto:security@provider.example', 'https://provider.example/report'],
        policy: 'https://provider.example/policy',
      },
    },
  })
  const answer = await file(named.origin)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const lines = (await answer.text()).split('\r\n')
  expect(lines.pop()).toBe('')
  const [expires] = lines.filter((line) => line.startsWith('Expires: '))
  expect(lines.filter((line) => line !== expires)).toEqual([
    'Contact: mailto:security@provider.example',
    'Contact: https://provider.example/report',
    'Preferred-Languages: pl, en',
    'Canonical: https://portal.example/.well-known/security.txt',
    'Policy: https://provider.example/policy',
  ])
  const left = Date.parse(expires!.slice(9)) - Date.now()
  expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  expect(left).toBeGreaterThan(150 * 86_400_000)
  expect(left).toBeLessThan(365 * 86_400_000)
  await named.close()
})
