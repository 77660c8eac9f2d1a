import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeLocale, signIn } from '../contract/account.ts'
import { fewInTurn } from './testing/breadth.ts'
import { openPortal } from './testing/open-portal.ts'
import { nameOf, openCalls, type Calls } from './testing/calls.ts'
import { stateOf } from './testing/database-state.ts'
import { askRaw } from './testing/raw-http.ts'

let calls: Calls
const portal = await openPortal()
beforeAll(async () => {
  calls = await openCalls(portal)
})
afterAll(async () => {
  calls.close()
})

const writing = () => portal.app.endpoints.filter(({ method, upload }) => method !== 'GET' && !upload)

describe('R37 only what is declared may be sent', () => {
  test('R37 a field more is refused by every endpoint that takes a body, and by every one that takes none', async () => {
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
      for (const name of few(smuggled.filter((one) => !Object.hasOwn(good, one)))) {
        const { status, problem } = await calls.ask(endpoint, { body: { ...good, [name]: 'admin' } })
        const place = `${nameOf(endpoint)} ${name}`
        expect([place, status, problem.fields]).toEqual([place, 400, [{ name, problem: 'unknown-field' }]])
      }
    }
    expect(await stateOf(portal)).toEqual(before)
  })

  test('R37 R71 a query key more, or one twice, is refused', async () => {
    const few = fewInTurn(2)
    for (const endpoint of portal.app.endpoints.filter(({ upload }) => !upload)) {
      const { path } = await calls.fill(endpoint)
      const join = path.includes('?') ? '&' : '?'
      for (const more of few(['owner=1', 'access_token=x', '__proto__=1', '__proto__[x]=1', 'constructor=1', '=1'])) {
        const { status, problem } = await calls.ask(endpoint, { path: `${path}${join}${more}` })
        const place = `${nameOf(endpoint)} ${more}`
        expect([place, status, problem.code]).toEqual([place, 400, 'invalid-input'])
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
  /** What is no flag where none is wanted, and no text where one is. */
  const flag = (value: unknown) => (typeof value === 'boolean' ? 'true' : true)

  test('R71 no value of another type stands in for a text, a number or an object', async () => {
    const few = fewInTurn(2)
    const before = await stateOf(portal)
    for (const endpoint of writing().filter(({ body }) => body)) {
      const good = await calls.bodyOf(endpoint)
      for (const [name, value] of Object.entries(good))
        for (const odd of few<unknown>([
          [value],
          [[value]],
          { 0: value },
          { toString: 'x' },
          12.5,
          flag(value),
          {},
          [],
        ])) {
          // Where a list is wanted, an empty one is of the right type.
          if (Array.isArray(value) && Array.isArray(odd) && !odd.length) continue
          const { status } = await calls.ask(endpoint, { body: { ...good, [name]: odd } })
          expect([nameOf(endpoint), name, odd, status]).toEqual([nameOf(endpoint), name, odd, 400])
        }
      for (const odd of few(['[]', '5', '"text"', 'true', `[${JSON.stringify(good)}]`])) {
        const { status } = await calls.ask(endpoint, { body: odd })
        expect([nameOf(endpoint), odd, status]).toEqual([nameOf(endpoint), odd, 400])
      }
    }
    expect(await stateOf(portal)).toEqual(before)
  })

  test('R71 the names by which objects are poisoned are refused wherever they stand', async () => {
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

  test('R71 JSON is taken under its own name alone, in forty spellings', async () => {
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
        await portal.db
          .selectFrom('accounts')
          .select('locale')
          .where('login', '=', calls.person.login)
          .executeTakeFirstOrThrow()
      ).locale
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
    expect((await askRaw(portal.origin, `${head}\r\n${body}`)).status).toBe(415)
    expect((await askRaw(portal.origin, `${head}Content-Type:\r\n\r\n${body}`)).status).toBe(415)
    // Node takes the first of two types, so the second must not decide.
    expect(
      (await askRaw(portal.origin, `${head}Content-Type: text/plain\r\nContent-Type: application/json\r\n\r\n${body}`))
        .status,
    ).toBe(415)
  })

  test('R71 what is no JSON, or no text of the database, is the sender’s mistake and not ours', async () => {
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
    expect((await calls.ask(signIn, { body: { login: 'a', password: 'x\u0000y' } })).status).toBe(422)
  })
})

test('R73 no input of any endpoint is a statement', async () => {
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
  const [few, fewForPaths] = [fewInTurn(2), fewInTurn(1)]
  for (const endpoint of portal.app.endpoints) {
    const good = await calls.bodyOf(endpoint)
    const { path } = await calls.fill(endpoint)
    for (const name of Object.keys(good))
      for (const attack of few(attacks)) {
        const { status } = await calls.ask(endpoint, { body: { ...good, [name]: attack } })
        expect([nameOf(endpoint), name, attack, status < 500]).toEqual([nameOf(endpoint), name, attack, true])
      }
    for (const attack of fewForPaths(attacks)) {
      const written = encodeURIComponent(attack.toWellFormed())
      for (const target of [path.replace(/=[^&]*/, `=${written}`), path.replace(/[\w-]{36}/, written)]) {
        const { status } = await calls.ask(endpoint, { path: target })
        // 503 is the answer of a part that this portal has no provider for.
        expect([nameOf(endpoint), target, status < 500 || status === 503]).toEqual([nameOf(endpoint), target, true])
      }
    }
  }
  expect(await tables()).toBe(before)
})
