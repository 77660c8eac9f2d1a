import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { errorStatus, Problem, type ErrorCode } from '../../../contract/errors.ts'
import { downloadSignatureAgreement } from '../../../contract/signatures.ts'
import { buildApp } from '../../app.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openPortalWithCalls } from '../../testing/open-portal.ts'
import {
  requestRaw,
  exchange,
  readAnswers,
  type WireAnswer,
  canary,
  postSignIn,
  unclearRequests,
} from '../../testing/raw-http.ts'
import { connect } from '../database/database.ts'
import { headersForAll } from './security-headers.ts'

const { portal, calls } = await openPortalWithCalls()
const { host } = new URL(portal.origin)

/** Details of the implementation that must not leak. */
const innards =
  /node_modules|\bat \S+ \(|\.[jt]s\b|FST_|HPE_|fastify|node\b|postgres|select |v?\d+\.\d+\.\d+|\/work|\/tmp|stack/i

function expectProblem(what: string, { status, headers, body }: WireAnswer, code: ErrorCode) {
  expect(headers, what).toMatchObject(headersForAll)
  expect([status, headers['content-type']?.split(';')[0]], what).toEqual([
    errorStatus[code],
    'application/problem+json',
  ])
  const problem = Problem.parse(JSON.parse(body))
  expect(problem, what).toMatchObject({ type: `urn:sygnet:problem:${code}`, status, code })
  const known = ['type', 'title', 'status', 'code', 'fields', 'retryAfter', 'entriesLeft', 'incident']
  expect(known, what).toEqual(expect.arrayContaining(Object.keys(JSON.parse(body) as object)))
  expect(body.replace(/"incident":"[^"]+"/, ''), what).not.toMatch(innards)
  const leaks = Object.keys(headers).filter((name) => /^(?:server|via|x-powered-by|x-.*version|x-runtime)$/.test(name))
  expect(leaks, what).toEqual([])
  const { retryAfter } = problem
  expect(headers['retry-after'], what).toBe(retryAfter === undefined ? undefined : String(Math.ceil(retryAfter)))
}

type Line = { method?: string; path?: string; headers?: Record<string, string>; body?: string }

function lines({ method = 'GET', path = '/api/session', headers = {}, body = '' }: Line) {
  const all = {
    host,
    connection: 'close',
    ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
    ...headers,
  }
  const head = Object.entries(all)
    .filter(([, value]) => value !== '-')
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`
}

const json = { 'content-type': 'application/json' }

test('R72 R65 thirty failures have one shape and all security headers, and reveal no internals', async () => {
  const own = { ...json, origin: portal.origin, cookie: calls.customer.cookie! }
  const key = { authorization: `Bearer ${portal.clientKey}` }
  const locale = { method: 'PUT', path: '/api/locale' }
  const post = { method: 'POST', headers: own }
  const pairing = (id: string) => ({ ...post, path: `/api/signatures/${id}/pairing` })
  const largePdf = { 'content-type': 'application/pdf', 'content-length': '99999999' }
  const failures: [ErrorCode, Line | string][] = [
    ['signed-out', {}],
    ['signed-out', { headers: { cookie: '__Host-sygnet=x' } }],
    ['client-key-refused', { path: '/provider/v1/customers/x' }],
    ['client-key-refused', { path: '/provider/v1/customers/x', headers: { authorization: 'Basic eDp5' } }],
    ['not-found', { path: '/api/none' }],
    ['not-found', { path: '/provider/v1/none' }],
    ['not-found', { path: '/provider/v1/customers/none', headers: key }],
    ['not-found', { path: `/api/signatures/${'a'.repeat(200)}/certificate` }],
    ['not-found', { method: 'POST', path: '/' }],
    ['not-found', { method: 'PROPFIND', path: '/home' }],
    ['method-not-allowed', { method: 'POST' }],
    ['method-not-allowed', { method: 'TRACE' }],
    ['method-not-allowed', { method: 'PROPFIND' }],
    ['method-not-allowed', { method: 'OPTIONS', path: '/api/sign-in' }],
    ['method-not-allowed', { method: 'PATCH', path: `/api/signatures/${crypto.randomUUID()}/certificate` }],
    ['malformed-request', { path: '/api/%zz' }],
    ['malformed-request', { headers: { host: '-' } }],
    ['misdirected-request', { headers: { host: 'evil.example' } }],
    ['misdirected-request', { path: '/', headers: { host: 'evil.example' } }],
    ['url-too-long', { path: `/api/session?${'a'.repeat(2048)}` }],
    ['headers-too-large', { headers: { x: 'x'.repeat(17_000) } }],
    ['unsupported-media-type', { ...locale, headers: { ...own, 'content-type': 'text/xml' }, body: '<a/>' }],
    ['unsupported-media-type', { ...locale, headers: { ...own, 'content-encoding': 'gzip' }, body: '{}' }],
    ['body-too-large', { ...locale, headers: own, body: `{"locale":"${'x'.repeat(66_000)}"}` }],
    ['body-too-large', { method: 'PUT', path: '/provider/v1/signatures/x/agreement', headers: largePdf, body: '%PDF' }],
    ['cross-site-request', { ...locale, headers: { ...own, origin: 'https://evil.example' }, body: '{}' }],
    ['malformed-request', { ...locale, headers: own, body: '{"locale":' }],
    ['malformed-request', { ...locale, headers: own, body: '{"__proto__":{}}' }],
    ['invalid-input', { ...locale, headers: own, body: '{"locale":"de"}' }],
    ['invalid-input', { path: '/api/signatures?size=21', headers: own }],
    ['cursor-refused', { path: '/api/signatures?cursor=x', headers: own }],
    ['malformed-request', { path: '/api/signatures?search=%00', headers: own }],
    ['step-up-required', pairing(crypto.randomUUID())],
    ['idempotency-key-missing', pairing(calls.objects.signature)],
    ['not-found', { path: `/api/signatures/${crypto.randomUUID()}/agreement`, headers: own }],
    ['login-refused', { ...post, path: '/api/sign-in', body: '{"login":"nobody","password":"x"}' }],
    ['malformed-request', 'no HTTP at all\r\n\r\n'],
    ['malformed-request', `GET /api/session HTTP/1.1\r\nhost: ${host}\r\nbad header\r\n\r\n`],
    ['malformed-request', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['signed-out', { headers: { expect: 'a miracle' } }],
    ['signed-out', { headers: { upgrade: 'websocket', connection: 'upgrade, close' } }],
  ]
  expect(failures.length).toBeGreaterThan(30)
  for (const [code, line] of failures) {
    const request = typeof line === 'string' ? line : lines(line)
    expectProblem(request.slice(0, 120), await requestRaw(portal.origin, request), code)
  }
})

test('R72 RFC 9110 §15.5.6: the answer to a refused method names the allowed ones', async () => {
  const allowed = async (line: Line) => (await requestRaw(portal.origin, lines(line))).headers.allow
  expect(await allowed({ method: 'DELETE' })).toBe('GET, HEAD')
  expect(await allowed({ path: '/api/sign-in' })).toBe('POST')
  expect(await allowed({ method: 'PATCH', path: '/provider/v1/customers/a.b-c' })).toBe('PUT, GET, HEAD, DELETE')
})

describe('R72 internal errors', () => {
  test('R72 an internal error is answered with its id in the log, without any details', async () => {
    const { signature } = calls.objects
    const missing = `agreements/${crypto.randomUUID()}`
    await portal.owner.query('update signatures set agreement_key = $1 where id = $2', [missing, signature])
    const path = downloadSignatureAgreement.path.replace(':id', signature)
    const answer = await requestRaw(portal.origin, lines({ path, headers: { cookie: calls.customer.cookie! } }))
    expectProblem('lost file', answer, 'unexpected')
    expect(JSON.parse(answer.body)).toMatchObject({ incident: expect.stringMatching(/^[0-9a-f-]{36}$/) as string })
    expect(answer.body).not.toContain(signature)
  })

  test.each([
    ['port', '127.0.0.1:1'],
    ['socket', '%2Fnowhere'],
    ['name', 'nowhere.invalid'],
  ])('R72 R78 R91 without a database at its %s every request is refused with Retry-After', async (_, databaseHost) => {
    const { db, close } = connect(`postgres://nobody@${databaseHost}/nothing`)
    const settings = { ...portal.portal.settings, hosts: ['portal.example'] }
    const app = await buildApp({ ...portal.portal, db, settings })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const named = { host: 'portal.example', origin: 'https://portal.example' }
    for (const line of [
      { headers: { ...named, cookie: `__Host-sygnet=${'x'.repeat(43)}` } },
      { method: 'POST', path: '/api/sign-in', headers: { ...named, ...json }, body: '{"login":"a","password":"b"}' },
      { path: '/provider/v1/customers/x', headers: { ...named, authorization: `Bearer sygnet_${'x'.repeat(43)}` } },
    ]) {
      const answer = await requestRaw(origin, lines(line))
      expectProblem(JSON.stringify(line), answer, 'unavailable')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    await app.close()
    await close()
  })
})

describe('R68 requests whose end is not clear', () => {
  test.each(Object.keys(unclearRequests))(
    'R68 %s is refused, the connection closed, and what follows is never answered',
    async (shape) => {
      const request = (unclearRequests[shape]! + canary).replaceAll('HOST', host)
      const answers = readAnswers(await exchange(portal.origin, request))
      expect(answers.map(({ status }) => status)).toEqual([400])
      expectProblem(shape, answers[0]!, 'malformed-request')
      expect(answers[0]!.headers.connection).toBe('close')
    },
  )

  test('R68 a clear request and the one after it are both answered', async () => {
    const body = '{"login":"nobody","password":"x"}'
    const clear = `${postSignIn}Content-Length: ${body.length}\r\n\r\n${body}`
    const last = canary.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    const answers = readAnswers(await exchange(portal.origin, (clear + last).replaceAll('HOST', host)))
    expect(answers.map(({ status }) => status)).toEqual([422, 200])
  })
})

test('R72 a visitor gets the same answer to the same mistake as a signed-in customer', async () => {
  const browsers = [openBrowser(portal), calls.customer]
  for (const path of ['/api/nowhere', '/provider/v1/customers/x', '/api/%zz']) {
    const answers = await Promise.all(browsers.map(async (browser) => (await browser.raw('GET', path)).text()))
    expect(answers[0]).toBe(answers[1])
  }
})
