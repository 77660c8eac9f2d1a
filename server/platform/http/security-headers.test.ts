import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { locales } from '../../../contract/enums.ts'
import { inLocale, pages } from '../../../contract/pages.ts'
import { fewInTurn } from '../../testing/breadth.ts'
import { openCalls } from '../../testing/calls.ts'
import { openPortalForTest, openPortalWithPages } from '../../testing/open-portal.ts'
import { requestRaw, openWire, readAnswers, type WireAnswer } from '../../testing/raw-http.ts'
import { inlineScript, inlineStyle } from '../../testing/web-part.ts'
import { words } from '../../testing/words.ts'
import { workerPolicy } from '../pages/app-files.ts'
import { hashSource, headersForAll, pagePolicy } from './security-headers.ts'

const { portal } = await openPortalWithPages()
const calls = await openCalls(portal)
const { host } = new URL(portal.origin)

/** Expects an answer to have all headers of the table. Headers that may differ are listed here with their allowed values. */
function expectTable(what: string, { headers, status }: Pick<WireAnswer, 'headers' | 'status'>) {
  const differing: Record<string, (value: string) => boolean> = {
    'cache-control': (value) =>
      // Programs and browsers ask whether a calendar (CAL-1), whose address is its secret, and the trusted authorities
      // (CHK-5) have changed.
      (/\/api\/(?:calendar\/|trusted-authorities$)/.test(what) && value === 'private, no-cache') ||
      (/^\/assets\/[\w.-]+$/.test(what.split(' ')[1]!) === value.includes('immutable') &&
        /^(?:no-cache|public, max-age=31536000, immutable)$/.test(value)),
    'content-security-policy': (value) =>
      value === "default-src 'none'; sandbox" ||
      isPagePolicy(value) ||
      (what.endsWith(' /service-worker.js') && value === workerPolicy),
  }
  for (const [name, value] of Object.entries(headersForAll)) {
    const given = headers[name]
    const good =
      given === value ||
      (given !== undefined && status < 400 && differing[name]?.(given)) ||
      (name === 'content-security-policy' && isPagePolicy(given ?? ''))
    expect([what, status, name, given, good]).toEqual([what, status, name, given, true])
  }
  const leaks = Object.keys(headers).filter((name) => /^(?:server|x-powered-by|via|access-control-.*)$/.test(name))
  expect([what, leaks]).toEqual([what, []])
}

/** Checks whether a value is the policy of a page. An error screen runs no script. */
const isPagePolicy = (value: string) =>
  [[], [hashSource(inlineScript)]].some(
    (scripts) => value === pagePolicy({ styles: [hashSource(inlineStyle)], scripts, botCheckOrigin: undefined }),
  )

const lines = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`

describe('R65 one table of headers for all answers', () => {
  test('R65 on every endpoint, by every method, with and without access', async () => {
    const methods = words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY')
    const few = fewInTurn(3)
    for (const endpoint of portal.app.endpoints) {
      const { path } = await calls.fill(endpoint)
      for (const method of few(methods))
        expectTable(`${method} ${path}`, await requestRaw(portal.origin, lines(method, path)))
    }
    for (const endpoint of portal.app.endpoints.filter(({ access }) => access === 'customer' || access === 'open')) {
      const { path, body, headers } = await calls.fill(endpoint)
      if (endpoint.path === '/api/sign-out') continue
      const response = await calls.customer.raw(endpoint.method, path, body, headers)
      await response.arrayBuffer()
      const { status, headers: answered } = response
      expectTable(`${endpoint.method} ${path}`, { status, headers: Object.fromEntries(answered) })
    }
  })

  test('R65 on every page, file and error screen, by every method', async () => {
    const paths = Object.values(pages).map(({ path }) => path.replace(/:\w+/, 'x'))
    const places = locales.flatMap((locale) => paths.map((path) => inLocale(locale, path)))
    const files =
      words(`/assets/main-A1b2.js /assets/none.js /error_bg.jpg /robots.txt /service-worker.js /app.webmanifest
      /frames/home /builds/latest.json /builds/none.json /_payload.json /nowhere /my-data/x.css /home/x.js /%zz // /..%2fx`)
    const few = fewInTurn(2)
    for (const path of [...places, ...files])
      for (const method of few(words('GET HEAD POST DELETE OPTIONS TRACE QUERY')))
        expectTable(`${method} ${path}`, await requestRaw(portal.origin, lines(method, path)))
    const range = await requestRaw(portal.origin, lines('GET', '/error_bg.jpg', 'Range: bytes=9999-\r\n'))
    expect(range.status).toBe(400)
    expectTable('GET beyond the end', range)
  })

  test('R65 R95 on requests that arrive while the node is stopping', async () => {
    const stopping = await openPortalForTest()
    const { host: name } = new URL(stopping.origin)
    await using wire = openWire(stopping.origin)
    const arrived = once(stopping.app.server, 'request')
    const body = '{"login":"x","password":"y"}'
    const head = `Host: ${name}\r\nOrigin: http://${name}\r\n`
    await wire.write(
      `POST /api/sign-in HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    await arrived
    const closing = stopping.app.close()
    await expect.poll(() => stopping.app.server.listening).toBe(false)
    await wire.write(`${body}GET /api/session HTTP/1.1\r\n${head}\r\n`)
    const answers = readAnswers(await wire.untilClosed())
    expect(answers.map(({ status }) => status)).toEqual([422, 401])
    for (const answer of answers) expectTable('GET stopping', answer)
    await closing
  })
})

describe('R64 the policy of pages', () => {
  const read = (policy: string) =>
    new Map(policy.split('; ').map((part) => [part.split(' ')[0]!, part.split(' ').slice(1)]))

  test('R64 a page lists what it may do, and everything else is forbidden', async () => {
    const screens = ['/nowhere', `/${'x'.repeat(3000)}`]
    for (const path of ['/', '/en', '/faq', '/setup-password/x', ...screens]) {
      const { headers } = await requestRaw(portal.origin, lines('GET', path))
      const policy = read(headers['content-security-policy']!)
      for (const name of ['default-src', 'object-src', 'base-uri', 'frame-ancestors', 'frame-src'])
        expect([path, name, policy.get(name)]).toEqual([path, name, ["'none'"]])
      expect(policy.get('form-action')).toEqual(["'self'"])
      const scripts = screens.includes(path) ? [] : [`'${hashSource(inlineScript)}'`]
      expect(policy.get('script-src')).toEqual(["'self'", ...scripts])
      expect(policy.get('style-src')).toEqual(["'self'", `'${hashSource(inlineStyle)}'`])
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*|data:(?!;|$| )/)
      const scriptless = [...policy].filter(([name]) => !/^(?:img-src)$/.test(name)).flatMap(([, sources]) => sources)
      expect(scriptless).not.toContain('data:')
    }
  })

  test('R64 the origin of the bot check is the only foreign one, for scripts, calls and frames', () => {
    const policy = pagePolicy({ styles: [], scripts: ['sha256-abc='], botCheckOrigin: 'https://bots.example' })
    const outside = [...read(policy)].flatMap(([name, sources]) =>
      sources.filter((source) => source.includes('.')).map((source) => [name, source]),
    )
    expect(outside).toEqual([
      ['script-src', 'https://bots.example'],
      ['connect-src', 'https://bots.example'],
      ['frame-src', 'https://bots.example'],
    ])
    expect(read(policy).get('script-src')).toContain("'sha256-abc='")
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  test('R64 R72 no answer of the API may run, frame or load anything, and HTTPS is required for a year', () => {
    expect(headersForAll['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headersForAll['x-frame-options']).toBe('DENY')
    const [, seconds] = /max-age=(\d+)/.exec(headersForAll['strict-transport-security']!)!
    expect(Number(seconds)).toBeGreaterThanOrEqual(31_536_000)
  })
})
