import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectSafely } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runInProcess } from '../cli/testing/sygnet-command.ts'
import { signIn } from '../contract/account.ts'
import { limits } from '../contract/limits.ts'
import { register } from '../contract/registration.ts'
import { has, run } from '../pki/testing/peer-programs.ts'
import { headersForAll } from '../server/platform/http/security-headers.ts'
import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { nginxExample, startNginx } from '../server/testing/proxies.ts'
import {
  requestRaw,
  exchange,
  openWire,
  readAnswers,
  type WireAnswer,
  canary,
  postSignIn,
  unclearRequests,
} from '../server/testing/raw-http.ts'
import { registrationForm } from '../server/testing/samples/registration-forms.ts'
import { smsCode } from '../server/testing/sent-messages.ts'
import { makeCustomer } from '../server/testing/test-customers.ts'

/** Formats a request, on a connection that ends with its answer. */
const lines = (first: string, headers: Record<string, string> = {}) =>
  [
    first,
    ...Object.entries({ Host: 'portal.example', Connection: 'close', ...headers }).map(([k, v]) => `${k}: ${v}`),
    '',
    '',
  ].join('\r\n')

const isNginxMissing = !has('nginx') || !has('openssl')

test('R69 nginx waits for no client longer than twenty seconds', () => {
  const example = readFileSync(join(nginxExample, 'sygnet.conf'), 'utf8')
  const waits = [
    ...example.matchAll(/^ *(client_header_timeout|client_body_timeout|send_timeout|keepalive_timeout) (\d+)s;$/gm),
  ]
  expect(new Set(waits.map(([, name]) => name))).toEqual(
    new Set(['client_body_timeout', 'client_header_timeout', 'keepalive_timeout', 'send_timeout']),
  )
  expect(Math.max(...waits.map(([, , seconds]) => Number(seconds)))).toBeLessThanOrEqual(20)
})

describe.skipIf(isNginxMissing)('behind nginx (skipped where it is missing)', () => {
  let portal: TestPortal
  let nginx: Awaited<ReturnType<typeof startNginx>>
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8 })
  const address = (origin: string) => new URL(origin).host
  const nodes = () => [address(portal.nodes[0]!.origin), address(portal.nodes[1]!.origin)] as const
  const startHasty = () => startNginx(nodes(), { timeouts: 'short' })

  beforeAll(async () => {
    portal = await openTestPortal({ nodes: 2 })
    for (const { portal: node } of portal.nodes) (node.settings.hosts as string[]).push('portal.example')
    nginx = await startNginx(nodes())
  })
  afterAll(async () => {
    agent.destroy()
    await nginx[Symbol.asyncDispose]()
    await portal.close()
  })

  /** Sends one request over TLS, on kept-alive connections. */
  async function send(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: unknown } = {},
  ) {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body)
    const request = https.request(nginx.origin + path, {
      method,
      agent,
      ...nginx.tls,
      headers: {
        host: 'portal.example',
        origin: 'https://portal.example',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...options.headers,
      },
    })
    const answered = once(request, 'response')
    request.end(body)
    const [response] = (await answered) as [import('node:http').IncomingMessage]
    const content = await text(response)
    return { status: response.statusCode!, headers: response.headers, body: content }
  }

  const wire = (request: string) => requestRaw(nginx.origin, request, nginx.tls)

  function expectOurs(
    what: string,
    { headers, body }: Pick<WireAnswer, 'body'> & { headers: Record<string, unknown> },
  ) {
    for (const [name, value] of Object.entries(headersForAll)) {
      // A page has its own content security policy.
      if (name === 'content-security-policy')
        expect([what, headers[name]]).toEqual([what, expect.stringContaining("frame-ancestors 'none'")])
      else expect([what, name, headers[name]]).toEqual([what, name, value])
    }
    expect([what, headers['server'], /nginx\/|openresty|\bat \S+:\d+:\d+/.test(body)]).toEqual([
      what,
      expect.toBeOneOf(['nginx', undefined]),
      false,
    ])
  }

  test('R65 R72 every answer, also of nginx, has the portal’s headers and the expected format', async () => {
    const big = 'x'.repeat(20_000)
    const cases: Record<string, [request: string, status: number]> = {
      'a page': [lines('GET / HTTP/1.1'), 200],
      'a page that is not there': [lines('GET /nowhere HTTP/1.1'), 404],
      'no session': [lines('GET /api/session HTTP/1.1'), 401],
      'kept for monitoring': [lines('GET /metrics HTTP/1.1'), 404],
      'a method unused': [lines('DELETE /api/session HTTP/1.1', { Origin: 'https://portal.example' }), 405],
      TRACE: [lines('TRACE /api/session HTTP/1.1', { Cookie: 'secret=echo' }), 405],
      'no HTTP': ['GET\r\n\r\n', 400],
      'two Hosts': [lines('GET /api/session HTTP/1.1', { 'X: y\r\nHost': 'portal.example' }), 400],
      'a long address': [lines(`GET /api/${big} HTTP/1.1`), 414],
      'long headers': [lines('GET /api/session HTTP/1.1', { X: big }), 400],
      'a large body': [lines('POST /api/sign-in HTTP/1.1', { 'Content-Length': '99999999' }), 413],
      'another name': [lines('GET / HTTP/1.1', { Host: 'evil.example' }), 421],
    }
    for (const [what, [request, status]] of Object.entries(cases)) {
      const answer = await wire(request)
      expect([what, answer.status]).toEqual([what, status])
      expectOurs(what, answer)
      expect([what, answer.body.includes('echo')]).toEqual([what, false])
      // If the address is too long, nginx does not know the path.
      if (request.includes('/api/') && status >= 400 && what !== 'a long address')
        expect([what, answer.headers['content-type'], JSON.parse(answer.body)]).toEqual([
          what,
          expect.stringMatching(/^application\/problem\+json/),
          expect.objectContaining({ status, code: expect.any(String) as string }),
        ])
    }
  })

  test('R3 R86 nginx logs neither a link’s token nor a query, whoever answers', async () => {
    const token = 'kanarek'.padEnd(43, 'x')
    const paths = [
      `/setup-password/${token}`,
      `/en/setup-password/${token}?x=${token}`,
      `/%73etup-password/${token}`,
      `/Setup-Password/${token}/`,
    ]
    for (const path of paths) await send('GET', path)
    await send('GET', `/setup-password/${token}`, { headers: { 'content-length': '99999999' } })
    await requestRaw(nginx.plain, lines(`GET /setup-password/${token} HTTP/1.1`))
    // A line is written after its answer was sent, by any of the workers.
    await vi.waitFor(() => expect(nginx.log().match(/ \S*setup-password\/- [234]0\d /gi)).toHaveLength(5), 20_000)
    expect(nginx.log()).toContain(' /en/setup-password/- 200 ')
    expect(nginx.logs()).not.toContain('kanarek')
  })

  test('R66 links and redirects keep our host name, and no other name is answered', async () => {
    for (const host of ['portal.example', 'evil.example', 'portal.example.evil.example']) {
      const answer = await requestRaw(
        nginx.plain,
        lines('GET /home?x=1 HTTP/1.1', { Host: host, 'X-Forwarded-Host': 'evil.example' }),
      )
      if (host === 'portal.example') {
        expect([answer.status, answer.headers['location']]).toEqual([301, 'https://portal.example/home?x=1'])
      } else {
        expect([host, answer.status]).toEqual([host, 421])
        expect(answer.headers['location']).toBeUndefined()
      }
    }
    // Over TLS, another name fails at the handshake.
    const socket = connectSafely({ ...openAt(nginx.origin), ca: nginx.tls.ca, servername: 'evil.example' })
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toMatch(/UNRECOGNIZED_NAME|ECONNRESET/)

    const person = await makeCustomer(portal)
    for (const spoof of [
      { 'x-forwarded-host': 'evil.example' },
      { forwarded: 'host=evil.example' },
      { 'x-forwarded-proto': 'http' },
    ]) {
      await send('POST', '/api/password-reset', {
        headers: spoof,
        body: { email: person.email, locale: 'pl', botProof: crypto.randomUUID() },
      })
      await portal.deliver()
    }
    const origins = portal.mails.flatMap((mail) => mail.text.match(/https?:\/\/[^/\s]+/g) ?? [])
    expect(new Set(origins.filter((origin) => /^https?:\/\/(?:portal|evil|127)/.test(origin)))).toEqual(
      new Set(['https://portal.example']),
    )
  })

  test('R67 requests count for their real sender, regardless of forwarding headers', async () => {
    const spoofed = (i: number): Record<string, string> => {
      const other = `203.0.${i >> 8}.${i & 255}`
      return [
        { 'x-forwarded-for': other },
        { 'x-forwarded-for': `${other}, 127.0.0.1` },
        { 'x-forwarded-for': `127.0.0.1, ${other}` },
        { 'x-forwarded-for': `2001:db8:${i.toString(16)}::1` },
        { forwarded: `for=${other}` },
        { 'x-real-ip': other },
        { 'client-ip': other, 'cf-connecting-ip': other, 'true-client-ip': other },
        { 'x-forwarded-for': `${'9.9.9.9, '.repeat(50)}${other}` },
      ][i % 8]!
    }
    let accepted = 0
    for (let i = 0; i < 1000; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, async (_, j) => {
          const { status } = await send('POST', register.path, { headers: spoofed(i + j), body: registrationForm() })
          if (status < 300) accepted++
        }),
      )
    await portal.deliver()
    expect(accepted).toBe(limits.registration.perHour.limit)
    const { rows } = await portal.owner.query<{ address: string }>(
      `select distinct address from audit where act = 'registration-requested'`,
    )
    expect(rows).toEqual([{ address: '127.0.0.1' }])
  })

  test('R68 no request whose end is ambiguous passes nginx, and a smuggled one is never answered', async () => {
    await using hasty = await startHasty()
    const ours = (request: string) =>
      request.replaceAll('http://HOST', 'https://portal.example').replaceAll('HOST', 'portal.example')
    const seen: unknown[] = []
    for (const [shape, unclear] of Object.entries(unclearRequests)) {
      const response = await exchange(hasty.origin, ours(unclear + canary), hasty.tls)
      const statuses = [...response.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => status)
      if (statuses.join() !== '400') seen.push([shape, statuses.join()])
    }
    // A bare LF ends a line for nginx, which writes forwarded requests itself: both sides see the same two requests. HTTP/0.9 has no head.
    expect(seen).toEqual([
      ['a bare LF between headers', '400,200'],
      ['a bare LF after one header', '400,200'],
      ['a chunk with a bare LF', '400,200'],
      ['HTTP/0.9', ''],
    ])
    const body = '{"login":"nobody","password":"x"}'
    const clear = `${postSignIn}Content-Length: ${body.length}\r\n\r\n${body}`
    const raw = ours(clear + canary.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    expect(readAnswers(await exchange(nginx.origin, raw, nginx.tls)).map(({ status }) => status)).toEqual([422, 200])
  })

  test('R69 endless headers and bodies are cut off, and others are answered meanwhile', async () => {
    await using hasty = await startHasty()
    const slow = Array.from({ length: 60 }, () => openWire(hasty.origin, hasty.tls))
    for (const [i, connection] of slow.entries())
      await connection.write(
        i % 2
          ? 'GET /api/session HTTP/1.1\r\nHost: portal.example\r\nX: '
          : `POST ${signIn.path} HTTP/1.1\r\nHost: portal.example\r\nOrigin: https://portal.example\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
      )
    expect((await send('GET', '/api/session')).status).toBe(401)
    await Promise.all(slow.map(({ closed }) => closed))
  })

  test('R69 one sender may hold a hundred connections; the next is refused with the reason', async () => {
    const held = Array.from({ length: 100 }, () => openWire(nginx.origin, nginx.tls))
    await Promise.all(
      held.map(async (connection) => {
        await connection.write(
          `POST ${signIn.path} HTTP/1.1\r\nHost: portal.example\r\nOrigin: https://portal.example\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n`,
        )
        // nginx asks for the body only after it has counted the connection.
        while (!connection.text()) await once(connection.socket, 'data')
        expect(connection.text()).toMatch(/^HTTP\/1\.1 100 /)
      }),
    )
    const answer = await wire(lines('GET /api/session HTTP/1.1'))
    expect(answer.status).toBe(429)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'too-many-attempts' })
    expectOurs('too many', answer)
    for (const connection of held) await connection[Symbol.asyncDispose]()
  })

  test('R72 TLS 1.2 with forward secrecy and TLS 1.3 are accepted, nothing older or weaker', async () => {
    const handshake = async (...options: string[]) => {
      const { output } = await run('sh', [
        '-c',
        `openssl s_client -connect ${address(nginx.origin)} -servername portal.example ${options.join(' ')} </dev/null 2>&1`,
      ])
      return /Cipher is (?!\(NONE\))\S+/.test(output)
    }
    expect(await handshake('-tls1_3')).toBe(true)
    expect(await handshake('-tls1_2')).toBe(true)
    expect(await handshake('-tls1_1', '-cipher ALL:@SECLEVEL=0')).toBe(false)
    const weakOnes = [
      'AES128-SHA',
      'AES256-GCM-SHA384',
      'ECDHE-ECDSA-AES128-SHA',
      'NULL',
      'eNULL',
      'aNULL',
      'DES-CBC3-SHA',
    ]
    for (const weak of weakOnes)
      expect([weak, await handshake('-tls1_2', `-cipher ${weak}:@SECLEVEL=0`)]).toEqual([weak, false])
  })

  test('OPS-3 R91 a customer signs in over both nodes; one node down goes unnoticed, both do not', async () => {
    const person = await makeCustomer(portal)
    let cookie = ''
    const keep = ({ headers }: { headers: Record<string, unknown> }) => {
      for (const set of (headers['set-cookie'] as string[] | undefined) ?? [])
        if (set.startsWith('__Host-sygnet=')) cookie = set.split(';')[0]!
    }
    const first = await send('POST', signIn.path, { body: { login: person.login, password: person.password } })
    keep(first)
    await portal.deliver()
    const second = await send('POST', '/api/sign-in/code', {
      headers: { cookie, 'idempotency-key': crypto.randomUUID() },
      body: { code: smsCode(portal, person.phone) },
    })
    keep(second)
    expect([first.status, second.status]).toEqual([200, 200])
    const statuses = async (times: number) => {
      const seen = new Set<number>()
      for (let i = 0; i < times; i++) seen.add((await send('GET', '/api/session', { headers: { cookie } })).status)
      return [...seen]
    }
    expect(await statuses(20)).toEqual([200])
    const upstreams = new Set(nginx.log().match(/127\.0\.0\.1:\d+$/gm))
    expect(upstreams.size).toBeGreaterThan(1)
    await portal.nodes[1]!.app.close()
    expect(await statuses(40)).toEqual([200])
    await portal.nodes[0]!.app.close()
    const away = await send('GET', '/api/session', { headers: { cookie } })
    expect([away.status, JSON.parse(away.body)]).toEqual([
      503,
      expect.objectContaining({ code: 'unavailable', retryAfter: 10 }),
    ])
    expect(away.headers['retry-after']).toBe('10')
    expectOurs('away', away)
    const page = await send('GET', '/')
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.headers['retry-after']).toBe('10')
    expect(page.body).toContain('Portal jest chwilowo niedostępny')
  })
})

test.skipIf(isNginxMissing)('R95 a POST is never sent again, even if its node dies; a GET is', async () => {
  let posts = 0
  let gets = 0
  // A node that accepts a request and crashes.
  const dying = () =>
    createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (data: Buffer) => {
        if (data.toString('latin1').startsWith('POST')) posts++
        else gets++
        socket.destroy()
      })
    }).listen(0, '127.0.0.1')
  const nodes = [dying(), dying()] as const
  await Promise.all(nodes.map((node) => once(node, 'listening')))
  const at = (i: 0 | 1) => `127.0.0.1:${(nodes[i].address() as AddressInfo).port}`
  const nginx = await startNginx([at(0), at(1)])
  const post = `${lines('POST /api/sign-in HTTP/1.1', { 'Content-Length': '2' })}{}`
  expect((await requestRaw(nginx.origin, post, nginx.tls)).status).toBe(503)
  expect(posts).toBe(1)
  await requestRaw(nginx.origin, lines('GET /api/session HTTP/1.1'), nginx.tls)
  expect(gets).toBeGreaterThan(0)
  await nginx[Symbol.asyncDispose]()
  for (const node of nodes) node.close()
})

test.skipIf(isNginxMissing)('OPS-8 R64 while no portal answers, nginx shows the brand', async () => {
  const brandFile = join(import.meta.dirname, '../docs/examples/wawel-brand.json')
  await using nginx = await startNginx(['127.0.0.1:9', '127.0.0.1:9'], {
    writeAnswers: async (folder) => {
      expect(await runInProcess(['nginx', 'write', folder], { BRAND_FILE: brandFile })).toEqual({
        code: 0,
        out: `Written to ${folder}. Now reload nginx.\n`,
        err: '',
      })
    },
  })
  const answer = await requestRaw(nginx.origin, lines('GET /home HTTP/1.1'), nginx.tls)
  expect(answer.status).toBe(503)
  const body = Buffer.from(answer.body, 'latin1').toString()
  for (const shown of [
    '<title>Portal jest chwilowo niedostępny / The portal is temporarily unavailable – Wawel ID</title>',
    'Pomoc / <span lang="en">Help</span>: <a href="tel:+48123456700">+48 12 345 67 00</a>',
    'pon.–pt. / <span lang="en">Mon–Fri</span> 7:30–18:00',
    'Wawelskie Centrum Zaufania S.A.',
    'viewBox="0 0 40 40"',
    '#55295F',
  ])
    expect(body).toContain(shown)
  // Nothing else is loaded, and the policy allows this very style.
  expect(body).not.toMatch(/\ssrc=|url\(|@import|<link|<script/)
  const style = /<style>([^]*)<\/style>/.exec(body)![1]!
  expect(answer.headers['content-security-policy']).toContain(`'sha256-${hash('sha256', style, 'base64')}'`)
})

test('OPS-8 sygnet nginx write reports an unusable brand, and a folder that cannot be written', async () => {
  const brandFile = join(import.meta.dirname, '../docs/examples/wawel-brand.json')
  const write = (environment: Record<string, string>, folder = brandFile) =>
    runInProcess(['nginx', 'write', folder], environment)
  expect(await write({})).toEqual({ code: 2, out: '', err: 'BRAND_FILE is not set.\n' })
  expect(await write({ BRAND_FILE: `${brandFile}.none` })).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('BRAND_FILE: it cannot be read'),
  })
  // A file is where the folder would be.
  expect(await write({ BRAND_FILE: brandFile })).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('cannot be written'),
  })
})

const openAt = (origin: string) => ({ host: new URL(origin).hostname, port: Number(new URL(origin).port) })
