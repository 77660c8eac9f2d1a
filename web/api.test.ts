import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSession, signIn, changeLocale } from '../contract/account.ts'
import { downloadCertificate, startPairing } from '../contract/signatures.ts'
import { CallFailed, downloadUrl, send } from './api.ts'

type Answer = { status: number; body?: unknown; type?: string } | 'hang up'
type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

let seen: Seen[]
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
    if (answer === 'hang up') return void request.socket.destroy()
    const { status, body: reply, type = status < 400 ? 'application/json' : 'application/problem+json' } = answer
    response.writeHead(status, { 'content-type': type }).end(reply === undefined ? undefined : JSON.stringify(reply))
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
  expect(error).toBeInstanceOf(CallFailed)
  return error as CallFailed
}

test.each([408, 409, 425, 429, 500, 502, 503, 504])(
  'HTT-1 a read that fails with %i is tried once more',
  async (status) => {
    answers = [{ status }, { status: 200, body: { fine: true } }]
    expect(await read()).toEqual({ fine: true })
    expect(seen).toHaveLength(2)
  },
)

test.each([408, 409, 425, 429, 500, 502, 503, 504])(
  'HTT-1 a read that fails twice with %i is given up',
  async (status) => {
    answers = [{ status, body: { code: 'busy' } }]
    expect(await failureOf(read())).toMatchObject({ code: 'busy', status })
    expect(seen).toHaveLength(2)
  },
)

test.each([400, 401, 403, 404, 422, 501])('HTT-1 a read that fails with %i is not repeated', async (status) => {
  answers = [{ status, body: { code: 'not-found' } }]
  expect((await failureOf(read())).status).toBe(status)
  expect(seen).toHaveLength(1)
})

test.each([
  ['POST', write],
  ['PUT', () => send(base, changeLocale, { body: { locale: 'en' } })],
])('HTT-1 R79 a %s is never repeated, so no attempt is spent twice', async (_method, call) => {
  answers = [{ status: 503, body: { code: 'busy' } }]
  await failureOf(call())
  answers = ['hang up']
  await failureOf(call())
  expect(seen).toHaveLength(2)
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

test('an answer that is no problem document is an unexpected failure with its status', async () => {
  answers = [{ status: 502, body: '<h1>Bad gateway</h1>', type: 'text/html' }]
  expect(await failureOf(write())).toMatchObject({ code: 'unexpected', status: 502 })
})

test('HTT-1 without any answer a read is tried once more and the failure is called offline', async () => {
  answers = ['hang up']
  expect(await failureOf(read())).toMatchObject({ code: 'offline', status: 0 })
  expect(seen).toHaveLength(2)
})

test('R52 the idempotency key and the parameters of the path reach the server', async () => {
  await send(base, startPairing, { params: { id: 'a/b' }, idempotencyKey: 'key-1' })
  expect(seen[0]).toMatchObject({ url: '/api/signatures/a%2Fb/pairing' })
  expect(seen[0]!.headers['idempotency-key']).toBe('key-1')
})

test('HTT-2 without a base of its own a download is asked for at this origin', () => {
  expect(downloadUrl(downloadCertificate, { id: '1', format: 'pem' })).toBe('/api/signatures/1/certificate/pem')
})

test('HTT-2 a base path is put before the endpoint', async () => {
  await send(`${base}/portal/`, readSession, {})
  expect(seen[0]!.url).toBe('/portal/api/session')
})
