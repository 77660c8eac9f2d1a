import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changeLocale, signIn } from '../../../contract/account.ts'
import { exhaustive, fewInTurn } from '../../testing/breadth.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { nameOf, openCalls } from '../../testing/calls.ts'
import { stateOf } from '../../testing/database-state.ts'
import { requestRaw } from '../../testing/raw-http.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

const writing = () => portal.app.endpoints.filter(({ method, upload }) => method !== 'GET' && !upload)

describe('R37 only what is declared may be sent', () => {
  test('R37 an additional field is refused by every endpoint, with or without a body', async () => {
    const smuggled = [
      'role',
      'status',
      'state',
      'ownerId',
      'accountId',
      'account_id',
      'verified',
      'blocked_at',
      'id',
      'constructor',
      'toString',
    ]
    const few = fewInTurn(2)
    const before = await stateOf(portal)
    for (const endpoint of writing()) {
      const good = await calls.bodyOf(endpoint)
      for (const name of few(smuggled.filter((field) => !Object.hasOwn(good, field)))) {
        const { status, problem } = await calls.send(endpoint, { body: { ...good, [name]: 'admin' } })
        const subject = `${nameOf(endpoint)} ${name}`
        expect([subject, status, problem.fields]).toEqual([subject, 400, [{ name, problem: 'unknown-field' }]])
      }
    }
    expect(await stateOf(portal)).toEqual(before)
  })

  test.runIf(exhaustive)('R37 R71 an additional or repeated query key is refused', async () => {
    for (const endpoint of portal.app.endpoints.filter(({ upload }) => !upload)) {
      const { path } = await calls.fill(endpoint)
      const join = path.includes('?') ? '&' : '?'
      for (const more of ['owner=1', 'access_token=x', '__proto__=1', '__proto__[x]=1', 'constructor=1', '=1']) {
        const { status, problem } = await calls.send(endpoint, { path: `${path}${join}${more}` })
        const subject = `${nameOf(endpoint)} ${more}`
        expect([subject, status, problem.code]).toEqual([subject, 400, 'invalid-input'])
      }
    }
    for (const doubled of [
      'status=active&status=inactive',
      'size=20&size=50',
      'search=a&search=b',
      'search[]=a',
      'search[x]=a',
      'size=20&size=20',
    ])
      expect((await calls.customer.raw('GET', `/api/signatures?${doubled}`)).status, doubled).toBe(400)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

describe('R71 strict types', () => {
  /** Values of other types. */
  const flag = (value: unknown) => (typeof value === 'boolean' ? 'true' : true)

  test.runIf(exhaustive)('R71 no value of another type is accepted for a text, a number or an object', async () => {
    const before = await stateOf(portal)
    for (const endpoint of writing().filter(({ body }) => body)) {
      const good = await calls.bodyOf(endpoint)
      for (const [name, value] of Object.entries(good))
        for (const odd of [[value], [[value]], { 0: value }, { toString: 'x' }, 12.5, flag(value), {}, []]) {
          // For a list, an empty one has the right type.
          if (Array.isArray(value) && Array.isArray(odd) && !odd.length) continue
          const { status } = await calls.send(endpoint, { body: { ...good, [name]: odd } })
          expect([nameOf(endpoint), name, odd, status]).toEqual([nameOf(endpoint), name, odd, 400])
        }
      for (const odd of ['[]', '5', '"text"', 'true', `[${JSON.stringify(good)}]`]) {
        const { status } = await calls.send(endpoint, { body: odd })
        expect([nameOf(endpoint), odd, status]).toEqual([nameOf(endpoint), odd, 400])
      }
    }
    expect(await stateOf(portal)).toEqual(before)
  })

  test('R71 property names that pollute prototypes are refused at every depth', async () => {
    const before = await stateOf(portal)
    const bodies = [
      '{"locale":"en","__proto__":{"x":1}}',
      String.raw`{"locale":"en","\u005f_proto__":{"x":1}}`,
      '{"locale":"en","constructor":{"prototype":{"x":1}}}',
      '{"locale":"en","a":{"b":{"__proto__":{"x":1}}}}',
      '{"locale":"en","prototype":{"x":1}}',
      '{"__proto__":{"locale":"en"}}',
      '[{"__proto__":{"x":1}}]',
    ]
    for (const body of bodies)
      expect([
        body,
        (await calls.customer.raw('PUT', changeLocale.path, body, { 'content-type': 'application/json' })).status,
      ]).toEqual([body, 400])
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(await stateOf(portal)).toEqual(before)
  })

  test('R71 JSON is accepted under its own media type alone, in forty spellings', async () => {
    const good = [
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON',
      'application/json;',
      'application/json;;',
    ]
    const bad = [
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
      'application/json; charset=utf-8; x=y',
      'application/json; x=y',
      'application/json, text/plain',
      'text/plain, application/json',
      'text/plain; application/json',
      'text/plain;a=application/json',
      'text/plain',
      'text/json',
      'text/html',
      'text/x-json',
      'application/jsonp',
      'application/json5',
      'application/jsonx',
      'xapplication/json',
      'application/x-json',
      'application/ld+json',
      'application/vnd.api+json',
      'application/problem+json',
      'application/x-ndjson',
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/json/',
      'application//json',
      'application\\json',
      'application/ json',
      'application / json',
      'application',
      'json',
      '/json',
      '*/*',
      'application/*',
      'application/pdf',
      'application/xml',
      'application/octet-stream',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=json',
      'application/javascript',
    ]
    const localeNow = async () =>
      (
        await sql<{ locale: string }>`select locale from accounts where login = ${calls.person.login}`.execute(
          portal.db,
        )
      ).rows[0]!.locale
    for (const type of good)
      expect([
        type,
        (await calls.customer.raw('PUT', changeLocale.path, { locale: 'en' }, { 'content-type': type })).status,
      ]).toEqual([type, 204])
    await calls.customer.raw('PUT', changeLocale.path, { locale: 'pl' })
    expect(bad.length + good.length).toBeGreaterThan(40)
    for (const type of bad) {
      const { status } = await calls.customer.raw('PUT', changeLocale.path, { locale: 'en' }, { 'content-type': type })
      expect([type, status, await localeNow()]).toEqual([type, 415, 'pl'])
    }
  })

  test('R71 a body without a type, or with two, is refused', async () => {
    const { host } = new URL(portal.origin)
    const body = '{"locale":"en"}'
    const head = `PUT ${changeLocale.path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${portal.origin}\r\nCookie: ${calls.customer.cookie}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`
    expect((await requestRaw(portal.origin, `${head}\r\n${body}`)).status).toBe(415)
    expect((await requestRaw(portal.origin, `${head}Content-Type:\r\n\r\n${body}`)).status).toBe(415)
    // Node uses the first of two types, so the second must have no effect.
    expect(
      (
        await requestRaw(
          portal.origin,
          `${head}Content-Type: text/plain\r\nContent-Type: application/json\r\n\r\n${body}`,
        )
      ).status,
    ).toBe(415)
  })

  test('R71 invalid JSON, or a text that the database cannot store, is a client error', async () => {
    for (const body of [
      '{',
      '{"locale":}',
      "{'locale':'en'}",
      '{"locale":"en"}x',
      '\u0000',
      'NaN',
      '{"locale":"en",}',
      '\ufeff\ufeff{}',
    ])
      expect([
        body,
        (await calls.customer.raw('PUT', changeLocale.path, body, { 'content-type': 'application/json' })).status,
      ]).toEqual([body, 400])
    expect((await calls.customer.raw('GET', '/api/signatures?search=%00')).status).toBe(400)
    expect((await calls.send(signIn, { body: { login: 'a', password: 'x\u0000y' } })).status).toBe(422)
  })
})

test.runIf(exhaustive)('R73 no input of any endpoint is run as SQL', async () => {
  const attacks = [
    `'`,
    `' or '1'='1`,
    `'; drop table accounts; --`,
    `\\'; drop table accounts; --`,
    '") or true --',
    '$1',
    '%27',
    `1; select pg_sleep(30)`,
    '{}',
    '\u0000',
    '\ud800',
    `'||(select version())||'`,
  ]
  const tables = async () => (await portal.owner.query('select tablename from pg_tables')).rowCount
  const before = await tables()
  for (const endpoint of portal.app.endpoints) {
    const good = await calls.bodyOf(endpoint)
    const { path } = await calls.fill(endpoint)
    for (const name of Object.keys(good))
      for (const attack of attacks) {
        const { status } = await calls.send(endpoint, { body: { ...good, [name]: attack } })
        expect([nameOf(endpoint), name, attack, status < 500]).toEqual([nameOf(endpoint), name, attack, true])
      }
    for (const attack of attacks) {
      const written = encodeURIComponent(attack.toWellFormed())
      for (const target of [path.replace(/=[^&]*/, `=${written}`), path.replace(/[\w-]{36}/, written)]) {
        const { status } = await calls.send(endpoint, { path: target })
        // 503: this portal has no provider for that feature.
        expect([nameOf(endpoint), target, status < 500 || status === 503]).toEqual([nameOf(endpoint), target, true])
      }
    }
  }
  expect(await tables()).toBe(before)
})
