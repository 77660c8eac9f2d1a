import { beforeAll, expect, test, vi } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { cspReported } from '../observability/events.ts'
import { reportedDirectives } from './csp-reports.ts'

const counted: string[] = []
const portal = await openPortal()
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const end = cspReported.subscribe(({ directive }) => counted.push(directive))
  return () => {
    end()
    vi.useRealTimers()
  }
})

const send = (body: unknown, type = 'application/csp-report') =>
  fetch(`${portal.origin}/csp-reports`, {
    method: 'POST',
    // Browsers send this from a page without referrer.
    headers: { 'content-type': type, origin: 'null' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Begins the next second. Reports are limited per second, so a second lasts until the test calls this. */
const nextSecond = () => {
  vi.advanceTimersByTime(1000)
  counted.length = 0
}

test('R126 reports of both forms are counted by directive, and an unknown one as `other`', async () => {
  nextSecond()
  const answer = await send({ 'csp-report': { 'effective-directive': 'script-src-elem', 'blocked-uri': 'https://x' } })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  await send({ 'csp-report': { 'violated-directive': 'img-src' } })
  const types = { effectiveDirective: 'require-trusted-types-for', sample: 'Element innerHTML|x' }
  const bodies = [types, { effectiveDirective: 'Anna Nowak' }]
  const reports = bodies.map((body) => ({ type: 'csp-violation', body }))
  await send(reports, 'application/reports+json')
  for (const odd of ['{', '', 'null', '[]', '"x"', '{"csp-report":7}'])
    expect((await send(odd)).status).toBeLessThan(500)
  const named = counted.filter((directive) => directive !== 'other')
  expect(named).toEqual(['script-src-elem', 'img-src', 'require-trusted-types-for'])
  for (const directive of counted) expect(reportedDirectives).toContain(directive)
})

test('R126 R70 a flood, a large report and another type cost nothing and are not counted', async () => {
  const { perSecond, bytes, violations } = limits.cspReports
  const many = Array.from({ length: 500 }, () => ({ body: { effectiveDirective: 'img-src' } }))
  nextSecond()
  expect((await send(many.slice(0, 100), 'application/reports+json')).status).toBe(204)
  expect(counted).toHaveLength(violations)
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
