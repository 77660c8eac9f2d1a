import { describe, expect, test } from 'vitest'
import { changeLocale, readSession, signIn } from '../../../contract/account.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { requestPasswordReset } from '../../../contract/passwords.ts'
import { putCustomer } from '../../../contract/provider/provider-customers.ts'
import { fewInTurn } from '../../testing/breadth.ts'
import { openBrowser } from '../../testing/browser.ts'
import { readDatabase } from '../../testing/database-state.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { samplePerson } from '../../testing/portal-nodes.ts'
import { requestRaw } from '../../testing/raw-http.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { goodPassword } from '../../testing/test-customers.ts'
import { words } from '../../testing/words.ts'

const portal = await openPortal()
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)
const writes = portal.app.endpoints.filter(({ access, method }) => access !== 'provider' && method !== 'GET')

const anyPath = ({ path }: Endpoint) => path.replace(/:\w+/g, crypto.randomUUID())
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

/** Returns foreign origins, some similar to ours. */
const foreignOrigins = (own: string) => {
  const { host, hostname, port } = new URL(own)
  return [
    undefined,
    'null',
    '',
    'https://evil.example',
    `${own}.evil.example`,
    `http://evil.example?${host}`,
    `http://evil.example#${host}`,
    `http://${host}@evil.example`,
    `http://evil.example/${host}`,
    `http://x${host}`,
    `http://${hostname}:${Number(port) + 1}`,
    `http://${hostname}`,
    `http://127.1:${port}`,
    `http://127.0.0.1.:${port}`,
    `http://localhost:${port}`,
    `http://user@${host}`,
    `${own}/`,
    `${own}/path`,
    ` ${own} ${own}`,
    `${own}, https://evil.example`,
    'file://',
    'chrome-extension://abcdefgh',
    host,
  ]
}

describe('R62 a write must come from our own pages', () => {
  test('R62 no write, sign-in and sign-out included, is taken from another origin or from none', async () => {
    expect(writes.length).toBeGreaterThan(10)
    const few = fewInTurn(4)
    const before = await readDatabase(portal)
    for (const endpoint of writes)
      for (const origin of few(foreignOrigins(portal.origin))) {
        const response = await customer.raw(endpoint.method, anyPath(endpoint), '{}', { origin })
        const found = [response.status, await codeOf(response)]
        expect(found, `${endpoint.path} ${origin}`).toEqual([403, 'cross-site-request'])
      }
    expect(await readDatabase(portal)).toEqual(before)
    expect((await customer.call(readSession)).status).toBe(200)
  })

  test('R62 an origin whose name contains ours is not ours', async () => {
    const before = await readDatabase(portal)
    const hosts = portal.portal.settings.hosts as string[]
    hosts.push('portal.example', 'other.example')
    const near = (name: string) =>
      words(`${name}.evil.example evil-${name} x.${name} ${name}:81 ${name}s ${name.slice(0, -1)}`)
    const requestFrom = (name: string, origin: string) =>
      requestRaw(
        portal.origin,
        `PUT ${changeLocale.path} HTTP/1.1\r\nHost: ${name}\r\nOrigin: ${origin}\r\nCookie: ${customer.cookie}\r\nConnection: close\r\n\r\n`,
      )
    for (const own of ['portal.example', 'other.example']) {
      for (const name of near(own))
        for (const scheme of ['https', 'http'])
          expect([own, name, (await requestFrom(own, `${scheme}://${name}`)).status]).toEqual([own, name, 403])
      expect((await requestFrom(own, `https://${own}`)).status).toBe(400)
    }
    // Our name without TLS may be anybody's server.
    expect((await requestFrom('portal.example', 'http://portal.example')).status).toBe(403)
    hosts.length -= 2
    const { sessions: _, ...after } = await readDatabase(portal)
    expect(before).toMatchObject(after)
  })

  test('R62 a write of another site by Sec-Fetch-Site, or of a form, is refused, also with our own origin', async () => {
    const body = JSON.stringify({ login: person.login, password: goodPassword })
    const sites = ['cross-site', 'same-site', 'none', '', 'Same-Origin', 'same-origin, cross-site']
    const plain = ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']
    const forms = [...plain, 'multipart/form-data; boundary=x']
    const refused = [
      ...sites.map((site) => [403, { 'sec-fetch-site': site }] as const),
      ...forms.map((type) => [415, { 'content-type': type }] as const),
    ]
    const few = fewInTurn(3)
    const before = await readDatabase(portal)
    for (const endpoint of writes)
      for (const [status, headers] of endpoint === signIn ? refused : few(refused)) {
        const response = await customer.raw(endpoint.method, anyPath(endpoint), body, headers)
        expect([endpoint.path, headers, response.status]).toEqual([endpoint.path, headers, status])
      }
    expect(await readDatabase(portal)).toEqual(before)
    const allowed = await customer.raw('PUT', changeLocale.path, { locale: 'pl' }, { 'sec-fetch-site': 'same-origin' })
    expect(allowed.status).toBe(204)
  })

  test('R62 no read and no overridden method has the effect of a write', async () => {
    const before = await readDatabase(portal)
    const readable = new Set(portal.app.endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const disguises = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' }
    const few = fewInTurn(1)
    for (const endpoint of writes.filter(({ path }) => !readable.has(path)))
      for (const method of few(['GET', 'HEAD', 'OPTIONS'])) {
        const response = await customer.raw(method, `${anyPath(endpoint)}?_method=POST`, undefined, disguises)
        expect([endpoint.path, method, response.status]).toEqual([endpoint.path, method, 405])
      }
    expect(await readDatabase(portal)).toEqual(before)
  })
})

test('R63 no origin may read across origins, whether or not it asks', async () => {
  const { origin } = portal
  const few = fewInTurn(2)
  for (const from of foreignOrigins(origin))
    for (const [method, path] of few([
      ['GET', '/api/session'],
      ['GET', '/'],
      ['GET', '/nowhere'],
      ['OPTIONS', '/api/session'],
      ['OPTIONS', '/api/sign-in'],
      ['POST', '/api/sign-in'],
    ] as const)) {
      const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
      const response = await customer.raw(method, path, method === 'POST' ? {} : undefined, {
        origin: from,
        ...headers,
      })
      const allowing = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect([from, method, path, allowing]).toEqual([from, method, path, []])
    }
})

describe('R66 the host names of requests have no effect', () => {
  const lines = (host: string, target = '/api/session', more = '') =>
    `GET ${target} HTTP/1.1\r\n${host}${more}Connection: close\r\n\r\n`

  test('R66 an unknown, missing or doubled Host is refused, and so is an absolute request target', async () => {
    const { host, hostname } = new URL(portal.origin)
    const unknown = words(`evil.example evil.example:80 ${host}.evil.example evil.${host} ${hostname} ${hostname}:1
      ${host}@evil.example ${host},evil.example`)
    for (const name of [...unknown, ''])
      expect([name, (await requestRaw(portal.origin, lines(`Host: ${name}\r\n`))).status]).toEqual([name, 421])
    expect((await requestRaw(portal.origin, lines(''))).status).toBe(400)
    expect((await requestRaw(portal.origin, lines(`Host: ${host}\r\nHost: evil.example\r\n`))).status).toBe(400)
    expect((await requestRaw(portal.origin, lines(`Host: ${host}\r\nhost: ${host}\r\n`))).status).toBe(400)
    for (const target of [`http://${host}/api/session`, 'http://evil.example/api/session', '*', 'evil.example:80']) {
      const { status } = await requestRaw(portal.origin, lines(`Host: ${host}\r\n`, target))
      expect([400, 421], target).toContain(status)
    }
    // The same request without a forged host is refused by its own rule only.
    expect((await requestRaw(portal.origin, lines(`Host: ${host}\r\n`))).status).toBe(401)
  })

  test('R66 links in mails come from the configuration, never from the request', async () => {
    const spoofs = [
      { 'x-forwarded-host': 'evil.example' },
      { 'x-host': 'evil.example' },
      { forwarded: 'for=1.2.3.4;host=evil.example;proto=http' },
      { 'x-forwarded-server': 'evil.example' },
      { 'x-original-url': '/evil', 'x-rewrite-url': '/evil' },
      { 'x-forwarded-proto': 'http', 'x-forwarded-port': '81', 'x-forwarded-prefix': '/evil' },
    ]
    const { host } = new URL(portal.origin)
    for (const spoof of spoofs) {
      const stranger = samplePerson()
      const headers = { ...spoof, authorization: `Bearer ${portal.clientKey}` }
      const path = putCustomer.path.replace(':customer', crypto.randomUUID())
      expect((await openBrowser(portal).raw('PUT', path, stranger, headers)).status).toBe(200)
      const english = await addCustomer(portal)
      const body = { email: english.email, locale: 'en', botProof: crypto.randomUUID() }
      const asked = await openBrowser(portal).raw('POST', requestPasswordReset.path, body, spoof)
      expect(asked.status).toBe(204)
      await portal.deliver()
      for (const to of [stranger.email, english.email]) {
        const mail = portal.mails.find((sent) => sent.to === to)!
        const links = `${mail.text} ${mail.html}`.match(/https?:\/\/[^\s"<]+/g)!
        expect(new Set(links.map((link) => new URL(link).origin))).toEqual(new Set(['https://portal.example']))
        expect(mail.text + mail.html).not.toContain('evil')
      }
    }
    const refused = await requestRaw(
      portal.origin,
      `POST ${requestPasswordReset.path} HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://${host}\r\nConnection: close\r\n\r\n`,
    )
    expect(refused.status).toBe(421)
  })
})
