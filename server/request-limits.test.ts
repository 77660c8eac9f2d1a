import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeLocale, signIn } from '../contract/account.ts'
import { limits } from '../contract/limits.ts'
import { openTestPortal, type TestPortal } from './test-app.ts'
import { nameOf, openCalls, type Calls } from './test-calls.ts'
import { askRaw } from './test-wire.ts'

let portal: TestPortal
let calls: Calls
beforeAll(async () => {
  portal = await openTestPortal()
  calls = await openCalls(portal)
})
afterAll(async () => {
  await portal.close()
  calls.close()
})

const writing = () => portal.app.endpoints.filter(({ method, upload }) => method !== 'GET' && !upload)

describe('R70 sizes', () => {
  const bodyOf = (bytes: number) => {
    const frame = JSON.stringify({ locale: '' })
    return JSON.stringify({ locale: 'x'.repeat(bytes - frame.length) })
  }
  const put = async (body: string) =>
    (await calls.customer.raw('PUT', changeLocale.path, body, { 'content-type': 'application/json' })).status

  test('R70 a body of 64 kB is read and one byte more is not, said beforehand or not', async () => {
    expect(await put(bodyOf(limits.http.jsonBytes))).toBe(400)
    expect(await put(bodyOf(limits.http.jsonBytes + 1))).toBe(413)
    const chunked = async (bytes: number) => {
      const { host } = new URL(portal.origin)
      const head = `PUT ${changeLocale.path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${portal.origin}\r\nCookie: ${calls.customer.cookie}\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      const part = bodyOf(bytes)
      return (await askRaw(portal.origin, `${head}${part.length.toString(16)}\r\n${part}\r\n0\r\n\r\n`)).status
    }
    expect(await chunked(limits.http.jsonBytes)).toBe(400)
    expect(await chunked(limits.http.jsonBytes + 1)).toBe(413)
  })

  test('R70 an address of 2 kB is read and one byte more is not', async () => {
    const address = (bytes: number) => `/api/session?${'a'.repeat(bytes - '/api/session?'.length)}`
    expect((await calls.customer.raw('GET', address(limits.http.urlBytes))).status).toBe(400)
    expect((await calls.customer.raw('GET', address(limits.http.urlBytes + 1))).status).toBe(414)
    expect((await calls.customer.raw('GET', `/api/signatures/${'a'.repeat(129)}/certificate`)).status).toBe(404)
  })

  test('R70 headers of 16 kB are read and more are not', async () => {
    const { host } = new URL(portal.origin)
    const withHeader = (bytes: number) =>
      askRaw(
        portal.origin,
        `GET /api/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nX: ${'x'.repeat(bytes)}\r\n\r\n`,
      )
    expect((await withHeader(limits.http.headerBytes - 200)).status).toBe(401)
    expect((await withHeader(limits.http.headerBytes)).status).toBe(431)
    const many = Array.from({ length: 5000 }, (_, i) => `x${i}: 1\r\n`).join('')
    expect((await askRaw(portal.origin, `GET /api/session HTTP/1.1\r\nHost: ${host}\r\n${many}\r\n`)).status).toBe(431)
  })

  test('R70 packed bodies are refused unopened', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'identity', 'x', 'gzip, gzip'])
      for (const path of [changeLocale.path, signIn.path]) {
        const response = await calls.customer.raw(path === signIn.path ? 'POST' : 'PUT', path, '{"locale":"en"}', {
          'content-type': 'application/json',
          'content-encoding': encoding,
        })
        expect([encoding, response.status]).toEqual([encoding, 415])
      }
  })

  test('R70 deep, long and many-keyed bodies are refused, and the answer stays small', async () => {
    const deep = [
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      `{"locale":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    ]
    const long = [`[${'1,'.repeat(30_000)}1]`, `{"locale":[${'1,'.repeat(30_000)}1]}`]
    const keys = `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join(',')}}`
    for (const endpoint of writing())
      for (const body of [...deep, ...long, keys]) {
        const { status, problem } = await calls.ask(endpoint, { body })
        expect([nameOf(endpoint), body.slice(0, 20), status]).toEqual([nameOf(endpoint), body.slice(0, 20), 400])
        expect(problem.fields?.length ?? 0).toBeLessThanOrEqual(50)
      }
  })
})
