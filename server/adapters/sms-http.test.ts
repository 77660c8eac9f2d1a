import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { answerEndlessly, listenOnLoopback } from './loopback/loopback-server.ts'
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

const gateways: [string, (url: string, timeoutMs?: number) => SmsPort][] = [
  ['generic gateway', (url, timeoutMs = 60_000) => smsByGenericGateway({ url, token: 'secret', timeoutMs })],
  ['SMSAPI', (url, timeoutMs = 60_000) => smsBySmsapi({ url, token: 'secret', timeoutMs })],
]

describe.each(gateways)('R81 R92 %s', (_, open) => {
  test.each([400, 410, 422])('a refusal by %i is permanent, and its message says where to look', async (status) => {
    await using server = await listenOnLoopback((__, response) => response.writeHead(status).end())
    expect(await failure(open(server.url).send(sms))).toMatchObject({
      permanent: true,
      message: `The SMS gateway refused the message (HTTP ${status}): its answer or log says why.`,
    })
  })

  test.each([
    [401, 'SMS_TOKEN'],
    [403, 'SMS_TOKEN'],
    [404, 'SMS_URL'],
    [405, 'SMS_URL'],
  ])('OPS-16 %i is a fault of the configuration, which is named, and worth another try', async (status, key) => {
    await using server = await listenOnLoopback((__, response) => response.writeHead(status).end('<h1>not json</h1>'))
    expect(await failure(open(server.url).send(sms))).toMatchObject({
      permanent: false,
      message: expect.stringMatching(new RegExp(`\\(HTTP ${status}\\): check (?:the path in )?${key}\\.$`)),
    })
  })

  test.each([408, 409, 425, 429, 500, 502, 503, 504])('a failure by %i is worth another try', async (status) => {
    await using server = await listenOnLoopback((__, response) => response.writeHead(status).end('<h1>not json</h1>'))
    expect(await failure(open(server.url).send(sms))).toMatchObject({ permanent: false })
  })

  test('a redirect is not followed', async () => {
    await using trap = await listenOnLoopback((__, response) => response.end('{"list":[{}]}'))
    await using server = await listenOnLoopback((__, response) => response.writeHead(307, { location: trap.url }).end())
    expect(await failure(open(server.url).send(sms))).toMatchObject({ permanent: false })
    expect(trap.connections()).toBe(0)
  })

  test('an endless answer, a silent server and a closed port can be retried', async () => {
    await using endless = await listenOnLoopback((__, response) => answerEndlessly(response, '{"list":'.repeat(512)))
    await using silent = await listenOnLoopback(() => {})
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))

    expect(await failure(open(endless.url).send(sms))).toMatchObject({ permanent: false })
    expect(await failure(open(silent.url, 100).send(sms))).toMatchObject({
      permanent: false,
      message: expect.stringMatching(/^No connection to the SMS gateway \(timeout\): check SMS_URL/),
    })
    expect(await failure(open(`http://127.0.0.1:${port}`).send(sms))).toMatchObject({
      permanent: false,
      message: expect.stringMatching(/^No connection to the SMS gateway \(ECONNREFUSED\): check SMS_URL/),
    })
  })

  test.each([
    [{ ...sms, to: '600100417' }],
    [{ ...sms, to: '+48600100417,+48600100418' }],
    [{ ...sms, to: '+48600100417\r\nx: y' }],
    [{ ...sms, text: 'Zażółć 123456' }],
    [{ ...sms, text: 'a'.repeat(161) }],
  ])('R75 what is not one number and one GSM-7 part is not sent: %j', async (message) => {
    await using server = await listenOnLoopback((__, response) => response.end('{"list":[{}]}'))
    expect(await failure(open(server.url).send(message))).toMatchObject({ permanent: true })
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
  await using server = await listenOnLoopback((_, response) =>
    response.end(
      '{"count":1,"list":[{"id":"1460969715572091219","points":0.16,"number":"48600100417","status":"QUEUE","error":null}]}',
    ),
  )
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

  test.each([11, 12, 13, 57, 59])('error %i is permanent', async (error) => {
    expect(
      await failure(answering(JSON.stringify({ invalid_numbers: [{ number: '600100417' }], error, message: 'x' }))),
    ).toMatchObject({
      permanent: true,
      message: expect.stringContaining(`(error ${error})`),
    })
  })

  test.each([8, 14, 52, 101, 102, 103, 105, 200, 201, 202, 203, 999])(
    'error %i is worth another try',
    async (error) => {
      expect(await failure(answering(JSON.stringify({ error, message: 'x' })))).toMatchObject({ permanent: false })
    },
  )

  test.each([
    [14, 'check SMS_FROM'],
    [101, 'check SMS_TOKEN'],
    [103, 'top up the account'],
    [105, 'add it to the allowed ones'],
    [999, 'see its documentation'],
  ])('OPS-16 error %i says what to do', async (error, remedy) => {
    const { message } = await failure(answering(JSON.stringify({ error, message: 'x' })))
    expect(message).toContain(remedy)
    expect(message).toContain(`(error ${error})`)
  })

  test.each(['', 'OK', '[]', '{}', '{"list":[]}', '{"list":[{"error":"refused"}]}', 'null', '{"error":{}}'])(
    'the answer %j is not taken for success',
    async (body) => {
      expect(await failure(answering(body))).toMatchObject({ permanent: false })
    },
  )
})
