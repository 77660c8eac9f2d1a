import { describe, expect, test } from 'vitest'
import { readCalendarFile } from '../../../contract/calendar.ts'
import { changeLocale, signIn } from '../../../contract/account.ts'
import { fewInTurn } from '../../testing/breadth.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { nameOf, openCalls } from '../../testing/calls.ts'
import { stateOf } from '../../testing/database-state.ts'
import { requestRaw } from '../../testing/raw-http.ts'
import { words } from '../../testing/web.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

const writing = () => portal.app.endpoints.filter(({ method, upload }) => method !== 'GET' && !upload)

describe('R37 only what is declared may be sent', () => {
  test('R37 an additional field is refused by every endpoint, with or without a body', async () => {
    const smuggled = words(`role status state ownerId accountId account_id verified blocked_at id constructor toString`)
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
    const before = await stateOf(portal)
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
    for (const body of bodies) expect([body, await putJson(body)]).toEqual([body, 400])
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(await stateOf(portal)).toEqual(before)
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
    const before = await stateOf(portal)
    for (const type of [...parameters, ...others, ...similar]) expect([type, await put(type)]).toEqual([type, 415])
    expect(await stateOf(portal)).toEqual(before)
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
