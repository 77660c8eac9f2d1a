import { describe, expect, test } from 'vitest'
import { listenOnLoopback } from './loopback/loopback-server.ts'
import { DeliveryFailed, type SmsPort } from '../platform/ports.ts'
import { smsByGenericGateway, smsBySmsapi } from './sms-http.ts'

const sms = {
  id: 'b9f7c8a4-0000-4000-8000-000000000001',
  to: '+48600100417',
  text: 'Sygnet: kod 123456.\n@portal.example #123456',
}

async function failure(sending: Promise<void>): Promise<DeliveryFailed> {
  const error = await sending.then(
    () => 'delivered',
    (e: unknown) => e,
  )
  expect(error).toBeInstanceOf(DeliveryFailed)
  // R86: what is kept of a failure names nobody.
  expect((error as Error).message).not.toMatch(/600|123456|secret/)
  return error as DeliveryFailed
}

const gateways: [string, (url: string) => SmsPort][] = [
  ['generic gateway', (url) => smsByGenericGateway({ url, token: 'secret', timeoutMs: 60_000 })],
  ['SMSAPI', (url) => smsBySmsapi({ url, token: 'secret', timeoutMs: 60_000 })],
]

describe.each(gateways)('R81 R92 %s', (_, open) => {
  test.each<readonly [number, boolean, string]>([
    ...[400, 410, 422].map((status) => [status, true, 'its answer or log says why.'] as const),
    ...[401, 403].map((status) => [status, false, 'check SMS_TOKEN.'] as const),
    ...[404, 405].map((status) => [status, false, 'check the path in SMS_URL.'] as const),
    ...[408, 409, 425, 429, 500, 504].map((status) => [status, false, ''] as const),
  ])('OPS-16 R92 after %i permanent is %s, and the message says where to look', async (status, permanent, remedy) => {
    await using server = await listenOnLoopback((__, response) => response.writeHead(status).end('<h1>not json</h1>'))
    const { message, ...found } = await failure(open(server.url).send(sms))
    expect([found.permanent, message]).toEqual([permanent, expect.stringContaining(`(HTTP ${status}): ${remedy}`)])
  })

  test('OPS-16 without a connection the message names the setting', async () => {
    expect(await failure(open('http://127.0.0.1:1').send(sms))).toMatchObject({
      permanent: false,
      message: expect.stringMatching(/^No connection to the SMS gateway \(ECONNREFUSED\): check SMS_URL/),
    })
  })

  test.each([
    { to: '600100417' },
    { to: '+48600100417,+48600100418' },
    { to: '+48600100417\r\nx: y' },
    { text: 'Zażółć 123456' },
    { text: 'a'.repeat(161) },
  ])('R75 what is not one number and one GSM-7 part is not sent: %j', async (part) => {
    await using server = await listenOnLoopback((__, response) => response.end('{"list":[{}]}'))
    expect(await failure(open(server.url).send({ ...sms, ...part }))).toMatchObject({ permanent: true })
    expect(server.connections()).toBe(0)
  })
})

test('R92 the generic gateway gets the message as JSON with the id as its Idempotency-Key', async () => {
  await using server = await listenOnLoopback((_, response) => response.writeHead(202).end())
  await smsByGenericGateway({ url: `${server.url}/v1/sms`, token: 'secret', from: 'Sygnet' }).send(sms)
  await smsByGenericGateway({ url: `${server.url}/v1/sms`, token: 'secret' }).send(sms)
  const [named, unnamed] = server.received
  expect(named).toMatchObject({
    method: 'POST',
    path: '/v1/sms',
    headers: { authorization: 'Bearer secret', 'idempotency-key': sms.id, 'content-type': 'application/json' },
  })
  expect(JSON.parse(named!.body)).toEqual({ ...sms, from: 'Sygnet' })
  expect(JSON.parse(unnamed!.body)).toEqual(sms)
})

test('R92 R75 SMSAPI gets a form that forbids doubles and more than one part', async () => {
  const sent = { id: '1460969715572091219', points: 0.16, number: '48600100417', status: 'QUEUE', error: null }
  await using server = await listenOnLoopback((_, response) => response.end(JSON.stringify({ count: 1, list: [sent] })))
  await smsBySmsapi({ url: `${server.url}/sms.do`, token: 'secret', from: 'Sygnet' }).send(sms)
  const [request] = server.received
  expect(request).toMatchObject({
    method: 'POST',
    path: '/sms.do',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(Object.fromEntries(new URLSearchParams(request!.body))).toEqual({
    to: '48600100417',
    message: sms.text,
    from: 'Sygnet',
    format: 'json',
    encoding: 'utf-8',
    idx: sms.id,
    check_idx: '1',
    nounicode: '1',
    max_parts: '1',
  })
})

describe('R92 SMSAPI reports failures in the body of a 200', () => {
  const answering = async (body: string) => {
    await using server = await listenOnLoopback((_, response) => response.end(body))
    await smsBySmsapi({ url: server.url, token: 'secret' }).send(sms)
  }

  test('an idx used before means that the first attempt arrived', async () => {
    await expect(answering('{"error":53,"message":"Not unique idx"}')).resolves.toBeUndefined()
  })

  test.each<readonly [number, boolean, string]>([
    ...[11, 12, 13, 57, 59].map((error) => [error, true, ''] as const),
    ...[8, 52, 102, 200, 201, 202, 203].map((error) => [error, false, ''] as const),
    [14, false, 'check SMS_FROM'],
    [101, false, 'check SMS_TOKEN'],
    [103, false, 'top up the account'],
    [105, false, 'add it to the allowed ones'],
    [999, false, 'see its documentation'],
  ])('OPS-16 R92 after error %i permanent is %s, and the message says what to do', async (error, permanent, remedy) => {
    const answer = { invalid_numbers: [{ number: '600100417' }], error, message: 'x' }
    const { message, ...found } = await failure(answering(JSON.stringify(answer)))
    expect(found.permanent).toBe(permanent)
    for (const part of [`(error ${error})`, remedy]) expect(message).toContain(part)
  })

  test.each(['', 'OK', '[]', '{}', '{"list":[]}', '{"list":[{"error":"refused"}]}', 'null', '{"error":{}}'])(
    'the answer %j is not taken for success',
    async (body) => {
      expect(await failure(answering(body))).toMatchObject({ permanent: false })
    },
  )
})
