import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readSession, signIn, changeLocale } from '../../contract/account.ts'
import { revokeSession } from '../../contract/activity.ts'
import { findCountry } from '../../contract/country.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { downloadSignatureCertificate, startSignaturePairing } from '../../contract/signatures.ts'
import { samplePageConfig } from '../../contract/testing/sample-page-config.ts'
import { configure } from '../app/config.ts'
import { ApiError, downloadUrl, isReached, provide, send, sendFromPage, type RequestParts } from './api.ts'

type Answer = { status: number; body?: unknown; type?: string; retryAfter?: string } | 'hang up' | 'never'
type ReceivedRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

let seen: ReceivedRequest[]
let answers: Answer[]
let base: string
let close: () => Promise<void>

/** Answers each request with the next of `answers`, the last one for good. */
beforeEach(async () => {
  seen = []
  answers = [{ status: 200, body: {} }]
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body })
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    if (answer === 'never') return
    if (answer === 'hang up') return void request.socket.destroy()
    const {
      status,
      body: reply,
      type = status < 400 ? 'application/json' : 'application/problem+json',
      retryAfter,
    } = answer
    response
      .writeHead(status, { 'content-type': type, ...(retryAfter && { 'retry-after': retryAfter }) })
      .end(reply === undefined ? undefined : JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
})
afterEach(() => close())

const read = () => send(base, readSession, {})
const write = () => send(base, signIn, { body: { login: 'anna', password: 'secret' } })
const failureOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

/** HTTP statuses that may be different the next time. */
const transient = [408, 409, 425, 429, 500, 502, 503, 504]

test.each(transient)('HTT-1 a read that fails with %i is tried again, once', async (status) => {
  answers = [{ status }, { status: 200, body: { fine: true } }]
  expect(await read()).toEqual({ fine: true })
  expect(seen).toHaveLength(2)
  answers = [{ status, body: { code: 'busy' } }]
  expect(await failureOf(read())).toMatchObject({ code: 'busy', status })
  expect(seen).toHaveLength(4)
})

test.each([400, 401, 403, 404, 422, 501])('HTT-1 a read that fails with %i is not repeated', async (status) => {
  answers = [{ status, body: { code: 'not-found' } }]
  expect((await failureOf(read())).status).toBe(status)
  expect(seen).toHaveLength(1)
})

test('HTT-1 R79 a POST is never repeated, so no attempt is spent twice', async () => {
  answers = [{ status: 503, body: { code: 'busy' } }]
  await failureOf(write())
  answers = ['hang up']
  await failureOf(write())
  expect(seen).toHaveLength(2)
})

describe.each([
  ['PUT', () => send(base, changeLocale, { body: { locale: 'en' } })],
  ['DELETE', () => send(base, revokeSession, { params: { id: 'a' } })],
])('HTT-1 a %s', (method, change) => {
  test.each(transient)('HTT-1 that fails with %i is sent once more', async (status) => {
    answers = [{ status }, { status: 204 }]
    expect(await change()).toBeUndefined()
    expect(seen).toHaveLength(2)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[0]!.method).toBe(method)
    answers = [{ status, body: { code: 'busy' } }]
    expect(await failureOf(change())).toMatchObject({ code: 'busy', status })
    expect(seen).toHaveLength(4)
  })

  test('HTT-1 without any answer is sent once more, and one that is refused is not', async () => {
    answers = ['hang up', { status: 204 }]
    await change()
    expect(seen).toHaveLength(2)
    answers = [{ status: 422, body: { code: 'state-passed' } }]
    await failureOf(change())
    expect(seen).toHaveLength(3)
  })
})

test('HTT-5 nobody waits without a Retry-After, and not until the day that one names', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  for (const [retryAfter, pause, other] of [
    ['Wed, 21 Oct 2099 07:28:00 GMT', 1000, 0],
    ['', 0, 1000],
  ] as const) {
    answers = [
      { status: 429, retryAfter },
      { status: 200, body: {} },
    ]
    timers.mockClear()
    await read()
    const pauses = timers.mock.calls.map(([, milliseconds]) => milliseconds)
    expect(pauses).toContain(pause)
    expect(pauses).not.toContain(other)
  }
})

test('HTT-5 a server that asks for a longer time is not asked again', async () => {
  for (const retryAfter of ['6', '60']) {
    seen = []
    answers = [
      { status: 503, retryAfter, body: { code: 'busy' } },
      { status: 200, body: {} },
    ]
    expect(await failureOf(read())).toMatchObject({ code: 'busy', status: 503 })
    expect(seen).toHaveLength(1)
  }
})

describe('RTE-11 what a 403 means', () => {
  const refused = async (endpoint: Endpoint, code?: string, parts: RequestParts = {}) => {
    answers = [code ? { status: 403, body: { code } } : { status: 403, body: '<h1>Forbidden</h1>', type: 'text/html' }]
    const denied: Endpoint[] = []
    const withdraw = provide({ denied: (call) => void denied.push(call) })
    const failure = await failureOf(sendFromPage(endpoint, parts, () => send(base, endpoint, parts)))
    withdraw()
    return { failure, denied }
  }

  test.each(['cross-site-request', 'scope-missing', 'a-code-of-later', undefined])(
    'RTE-11 %s is Access denied, and the caller shows nothing of its own',
    async (code) => {
      const { failure, denied } = await refused(readSession, code)
      expect(denied).toEqual([readSession])
      expect(failure).toMatchObject({ code: 'canceled', status: 403 })
    },
  )

  test('RTE-11 AUT-7 a missing second factor belongs to its action, and is left to it', async () => {
    const { failure, denied } = await refused(startSignaturePairing, 'step-up-required')
    expect(denied).toEqual([])
    expect(failure.code).toBe('step-up-required')
  })

  test.each([{ optional: true }, { background: true }] as const)(
    'RTE-11 PHO-2 a read that the page can do without replaces no page: %j',
    async (manner) => {
      for (const code of ['cross-site-request', undefined]) {
        const { failure, denied } = await refused(findCountry, code, manner)
        expect(denied).toEqual([])
        expect(failure).toMatchObject({ code: code ?? 'unexpected', status: 403 })
      }
    },
  )
})

test('HTT-1 a body goes as JSON', async () => {
  await write()
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/sign-in', body: '{"login":"anna","password":"secret"}' })
  expect(seen[0]!.headers['content-type']).toBe('application/json')
})

test('a failure carries the code, the status and what the server added', async () => {
  const fields = [{ name: 'login', problem: 'too-long' }]
  answers = [{ status: 422, body: { code: 'code-wrong', entriesLeft: 2, fields } }]
  expect(await failureOf(write())).toMatchObject({
    code: 'code-wrong',
    status: 422,
    problem: { entriesLeft: 2, fields },
  })
})

test('an answer that is not a problem document is an unexpected failure with its status', async () => {
  answers = [{ status: 502, body: '<h1>Bad gateway</h1>', type: 'text/html' }]
  expect(await failureOf(write())).toMatchObject({ code: 'unexpected', status: 502 })
})

test('HTT-1 without any response a read is tried again and the failure is called offline', async () => {
  answers = ['hang up']
  expect(await failureOf(read())).toMatchObject({ code: 'offline', status: 0 })
  expect(seen).toHaveLength(2)
})

test('ERR-4 the portal is reached if it answers in time, whatever it answers', async () => {
  const usual = fetch
  vi.stubGlobal('fetch', (path: string, options: RequestInit) => usual(base + path, options))
  onTestFinished(() => void vi.unstubAllGlobals())
  answers = [{ status: 404 }, 'hang up', 'never']
  expect(await isReached()).toBe(true)
  expect(await isReached()).toBe(false)
  expect(await isReached(50)).toBe(false)
  expect(seen.map(({ url }) => url)).toEqual(Array(3).fill('/builds/latest.json'))
})

test('R52 the idempotency key and the parameters of the path reach the server', async () => {
  await send(base, startSignaturePairing, { params: { id: 'a/b' }, idempotencyKey: 'key-1' })
  expect(seen[0]).toMatchObject({ url: '/api/signatures/a%2Fb/pairing' })
  expect(seen[0]!.headers['idempotency-key']).toBe('key-1')
})

test('HTT-2 without a base of its own a download is asked for at this origin', () => {
  configure(samplePageConfig)
  expect(downloadUrl(downloadSignatureCertificate, { id: '1', format: 'pem' })).toBe(
    '/api/signatures/1/certificate/pem',
  )
})

test('HTT-2 a base path is put before the endpoint', async () => {
  await send(`${base}/portal/`, readSession, {})
  expect(seen[0]!.url).toBe('/portal/api/session')
})
