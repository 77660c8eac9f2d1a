import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeLocale, signIn } from '../../../contract/account.ts'
import { readCalendarFile } from '../../../contract/calendar.ts'
import { downloadDataExport } from '../../../contract/data-export.ts'
import { downloadSignedDocument } from '../../../contract/documents.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { downloadRenewalAgreement, downloadRenewalCalendar } from '../../../contract/renewal.ts'
import { fewInTurn } from '../../testing/breadth.ts'
import { expectAttachment } from '../../testing/browser.ts'
import { nameOf } from '../../testing/calls.ts'
import { readDatabase } from '../../testing/database-state.ts'
import { openPortalWithCalls } from '../../testing/open-portal.ts'
import { requestRaw } from '../../testing/raw-http.ts'
import { words } from '../../testing/words.ts'
import { contentDisposition } from './content-disposition.ts'

const { portal, calls } = await openPortalWithCalls()

const writing = () => portal.app.endpoints.filter(({ method, upload }) => method !== 'GET' && !upload)

describe('R37 only what is declared may be sent', () => {
  test('R37 an additional field is refused by every endpoint, with or without a body', async () => {
    const smuggled = words(`role status state ownerId accountId account_id verified blocked_at id constructor toString`)
    const few = fewInTurn(2)
    const before = await readDatabase(portal)
    for (const endpoint of writing()) {
      const good = await calls.bodyOf(endpoint)
      for (const name of few(smuggled.filter((field) => !Object.hasOwn(good, field)))) {
        const { status, problem } = await calls.send(endpoint, { body: { ...good, [name]: 'admin' } })
        const subject = `${nameOf(endpoint)} ${name}`
        expect([subject, status, problem.fields]).toEqual([subject, 400, [{ name, problem: 'unknown-field' }]])
      }
    }
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('R37 R71 an additional or repeated query key is refused', async () => {
    const few = fewInTurn(1)
    // Calendar programs add parameters of their own.
    for (const endpoint of portal.app.endpoints.filter((each) => !each.upload && each !== readCalendarFile)) {
      const { path } = await calls.fill(endpoint)
      const join = path.includes('?') ? '&' : '?'
      for (const more of few(['owner=1', '__proto__=1', '__proto__[x]=1', 'constructor=1', '=1'])) {
        const { status, problem } = await calls.send(endpoint, { path: `${path}${join}${more}` })
        const subject = `${nameOf(endpoint)} ${more}`
        expect([subject, status, problem.code]).toEqual([subject, 400, 'invalid-input'])
      }
    }
    for (const doubled of ['status=active&status=inactive', 'size=20&size=20', 'search[]=a', 'search[x]=a'])
      expect((await calls.customer.raw('GET', `/api/signatures?${doubled}`)).status, doubled).toBe(400)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

describe('R71 strict types', () => {
  const putJson = async (body: string) =>
    (await calls.customer.raw('PUT', changeLocale.path, body, { 'content-type': 'application/json' })).status

  test('R71 no value of another type is accepted for a text, a number or an object', async () => {
    const few = fewInTurn(2)
    const before = await readDatabase(portal)
    for (const endpoint of writing().filter(({ body }) => body)) {
      const good = await calls.bodyOf(endpoint)
      const odd = Object.entries(good).flatMap(([name, value]) =>
        [[value], { 0: value }, { toString: 'x' }, 12.5, typeof value !== 'boolean' || 'true', {}, []]
          // An empty list has the right type for a list, and an empty object for one of optional parts.
          .filter((other) => !(Array.isArray(value) && Array.isArray(other) && !other.length))
          .filter((other) => name !== 'acceptances' || JSON.stringify(other) !== '{}')
          .map((other) => JSON.stringify({ ...good, [name]: other })),
      )
      for (const body of few([...odd, '[]', '5', '"text"', 'true', `[${JSON.stringify(good)}]`])) {
        const { status } = await calls.send(endpoint, { body })
        expect([nameOf(endpoint), body, status]).toEqual([nameOf(endpoint), body, 400])
      }
    }
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('R71 property names that pollute prototypes are refused at every depth', async () => {
    const before = await readDatabase(portal)
    const bodies = [
      '{"locale":"en","__proto__":{"x":1}}',
      String.raw`{"locale":"en","\u005f_proto__":{"x":1}}`,
      '{"locale":"en","constructor":{"prototype":{"x":1}}}',
      '{"locale":"en","a":{"b":{"__proto__":{"x":1}}}}',
      '{"locale":"en","prototype":{"x":1}}',
      '{"__proto__":{"locale":"en"}}',
      '[{"__proto__":{"x":1}}]',
    ]
    for (const body of bodies) expect([body, await putJson(body)]).toEqual([body, 400])
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('R71 JSON is accepted under its own media type alone', async () => {
    const bare = ['application/json', 'Application/JSON', 'application/json;', 'application/json;;']
    const good = [...bare, 'application/json; charset=utf-8', 'application/json;charset=UTF-8']
    const parameters = ['application/json; charset=utf-16', 'application/json; x=y', 'application/json, text/plain']
    const others = ['text/plain; application/json', 'application/ json', 'multipart/form-data; boundary=json']
    const similar = words(`text/plain;a=application/json text/json application/jsonp application/ld+json application/*
      application/x-www-form-urlencoded`)
    const put = async (type: string) =>
      (await calls.customer.raw('PUT', changeLocale.path, { locale: 'en' }, { 'content-type': type })).status
    for (const type of good) expect([type, await put(type)]).toEqual([type, 204])
    await calls.customer.raw('PUT', changeLocale.path, { locale: 'pl' })
    const before = await readDatabase(portal)
    for (const type of [...parameters, ...others, ...similar]) expect([type, await put(type)]).toEqual([type, 415])
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('R71 a body without a type, or with two, is refused', async () => {
    const { host } = new URL(portal.origin)
    const body = '{"locale":"en"}'
    const head = `PUT ${changeLocale.path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${portal.origin}\r\nCookie: ${calls.customer.cookie}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`
    // Node uses the first of two types, so the second must have no effect.
    for (const type of ['', 'Content-Type:\r\n', 'Content-Type: text/plain\r\nContent-Type: application/json\r\n'])
      expect([type, (await requestRaw(portal.origin, `${head}${type}\r\n${body}`)).status]).toEqual([type, 415])
  })

  test('R71 invalid JSON, or a text that the database cannot store, is a client error', async () => {
    const objects = ['{', '{"locale":}', "{'locale':'en'}", '{"locale":"en"}x', '{"locale":"en",}', '\ufeff\ufeff{}']
    for (const body of [...objects, '\u0000', 'NaN']) expect([body, await putJson(body)]).toEqual([body, 400])
    expect((await calls.customer.raw('GET', '/api/signatures?search=%00')).status).toBe(400)
    expect((await calls.send(signIn, { body: { login: 'a', password: 'x\u0000y' } })).status).toBe(422)
  })
})

describe('R49 names of downloads', () => {
  const signs = [...'/\\\0\n"\';%. \t*', '\u202e', '\u200f', '\ufeff', '\u2028', '\ud800', '\r\n', '%0d%0a']
  const names = ['../../../', '..\\', 'CON', 'nul.', 'ą', 'żółć', '😀', 'set-cookie: a=b', '<script>', 'umowa']
  const part = fc.constantFrom(...signs, ...names, 'x'.repeat(300))
  const hostile = fc.array(part, { maxLength: 8 }).map((parts) => `${parts.join('')}.pdf`)

  test('R49 for every name, the header stays one header with one name without folders or controls', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const header = contentDisposition(given)
        validateHeaderValue('content-disposition', header)
        const [, ascii, extended] =
          /^attachment; filename="([\w .()-]+)"; filename\*=UTF-8''((?:[\w.!~-]|%[0-9A-F]{2})+)$/.exec(header)!
        for (const seen of [ascii!, decodeURIComponent(extended!)]) expect(seen).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u)
      }),
      { numRuns: 500 },
    )
  })

  test('R49 files come as attachments that run nothing and are kept nowhere', async () => {
    // What comes late in a whole exchange, renewal or export is asked the same where that is walked.
    const late: Endpoint[] = [
      downloadSignedDocument,
      downloadRenewalAgreement,
      downloadRenewalCalendar,
      downloadDataExport,
    ]
    const downloads = portal.app.endpoints.filter(
      (endpoint) => endpoint.download && endpoint.access === 'customer' && !late.includes(endpoint),
    )
    expect(downloads.length).toBeGreaterThan(1)
    for (const endpoint of downloads) {
      const { path, body, headers: sent } = await calls.fill(endpoint)
      const response = await calls.customer.raw(endpoint.method, path, body, sent)
      const { headers } = response
      expect((await response.bytes()).length).toBe(Number(headers.get('content-length')))
      expectAttachment(response)
      expect(endpoint.download).toContain(headers.get('content-type')!.split(';')[0])
    }
  })
})

test('R35 no other spelling of a path gives access that the plain one refuses', async () => {
  const { host } = new URL(portal.origin)
  const spellings = (path: string) => [
    `/${path}`,
    path.replace(/\/(?=[^/]+$)/, '//'),
    path.replace('/', '/./'),
    path.replace('/', '/x/../'),
    path.replace('/', '/%2e/'),
    path.replace(/\/(?=[^/]+$)/, '%2f'),
    path.replace(/\/(?=[^/]+$)/, '%2F'),
    path.replace(/\/(?=[^/]+$)/, '\\'),
    path.replace(/(?<=.)\/(?=[^/]+$)/, ';x/'),
    path.replace('s', '%73'),
    path.replace('i', '%69'),
    `${path}/`,
    `${path};x`,
    `${path}.json`,
    `${path}%00`,
    `${path}%20`,
    `${path}?x=/api/openapi.json`,
    `/api/openapi.json/..${path}`,
    `/api/openapi.json%2f..${path}`,
    `/assets/..${path}`,
    path.toUpperCase(),
    `http://${host}${path}`,
    `http://evil.example${path}`,
  ]
  const spoofs = `X-Original-URL: /api/openapi.json\r\nX-Rewrite-URL: /api/openapi.json\r\nX-Forwarded-User: admin\r\nX-Forwarded-For: 127.0.0.1\r\nX-User-Id: 1\r\n`
  const few = fewInTurn(5)
  const before = await readDatabase(portal)
  for (const endpoint of portal.app.endpoints.filter(({ access }) => access === 'customer' || access === 'provider')) {
    const { path } = await calls.fill(endpoint)
    for (const target of few(spellings(path.split('?')[0]!))) {
      const head = `${endpoint.method} ${target} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${portal.origin}\r\nCookie: ${calls.pending.cookie}\r\nConnection: close\r\n`
      const { status, body } = await requestRaw(portal.origin, `${head}${spoofs}\r\n`)
      expect([400, 401, 404, 405, 415, 421], target).toContain(status)
      expect(body, target).not.toContain('"items"')
    }
  }
  expect(await readDatabase(portal)).toEqual(before)
})

test('HTT-5 a repeated PUT or DELETE of a customer gets the answer of the first and changes nothing', async () => {
  const changes = portal.app.endpoints
    .filter(({ access, method }) => access !== 'provider' && (method === 'PUT' || method === 'DELETE'))
    .toSorted((a, b) => b.method.localeCompare(a.method))
  expect(changes.map(({ method }) => method)).toContain('DELETE')
  for (const endpoint of changes) {
    const { path, body, headers } = await calls.fill(endpoint)
    const call = async () => {
      const answer = await calls.customer.raw(endpoint.method, path, body, headers)
      return [nameOf(endpoint), answer.status, await answer.text()] as const
    }
    const first = await call()
    expect([first, first[1] < 300]).toEqual([first, true])
    const state = await readDatabase(portal)
    const second = await call()
    // What is gone for good leaves no trace; the screens take that as done.
    if (endpoint.method !== 'DELETE' || second[1] !== 404) expect(second).toEqual(first)
    expect([nameOf(endpoint), await readDatabase(portal)]).toEqual([nameOf(endpoint), state])
  }
})
