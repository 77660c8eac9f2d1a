import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test, onTestFinished } from 'vitest'
import { DeliveryFailed, type SmsPort } from '../platform/ports.ts'
import { folderOfFile } from '../testing/open-portal.ts'
import { countryByHttp } from './country-http.ts'
import { listenAsScanner } from './loopback/loopback-scanner.ts'
import { listenOnLoopback, type Received } from './loopback/loopback-server.ts'
import { malwareByClamd } from './malware-clamd.ts'
import { timestampAccountsByHttp } from './provider-services-http.ts'
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
  // What is kept of a failure names nobody (R86).
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
    expect([found.isPermanent, message]).toEqual([permanent, expect.stringContaining(`(HTTP ${status}): ${remedy}`)])
  })

  test('OPS-16 without a connection the message names the setting', async () => {
    expect(await failure(open('http://127.0.0.1:1').send(sms))).toMatchObject({
      isPermanent: false,
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
    expect(await failure(open(server.url).send({ ...sms, ...part }))).toMatchObject({ isPermanent: true })
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
    expect(found.isPermanent).toBe(permanent)
    for (const part of [`(error ${error})`, remedy]) expect(message).toContain(part)
  })

  test.each(['', 'OK', '[]', '{}', '{"list":[]}', '{"list":[{"error":"refused"}]}', 'null', '{"error":{}}'])(
    'the answer %j is not taken for success',
    async (body) => {
      expect(await failure(answering(body))).toMatchObject({ isPermanent: false })
    },
  )
})

const answerTo = async (body: string, status = 200) => {
  await using service = await listenOnLoopback((_, response) => response.writeHead(status).end(body))
  return await countryByHttp({ url: `${service.url}/{ip}` }).lookUp('198.51.100.7')
}

test.each(['1;PL', '1;PL;POL;Poland', '1;PL\n', '1;PL\r\n'])('PHO-2 the answer %j gives the country', async (body) => {
  expect(await answerTo(body)).toBe('1;PL')
})

const useless = ['', '0', '2;;;UNKNOWN', '1;', '1;POL', '1;pl', '1;PLxx', ' 1;PL', '1,PL', '1;<b>']
test.each([...useless, 'x'.repeat(5000), '1;PL'.padEnd(5000)])('PHO-2 the answer %j gives none', async (body) => {
  expect(await answerTo(body)).toBeUndefined()
})

test.each([204, 404])('PHO-2 an answer with %i gives none', async (status) => {
  expect(await answerTo('1;PL', status)).toBeUndefined()
})

test('PHO-2 the address goes where the template says, for both families', async () => {
  await using service = await listenOnLoopback((_, response) => response.end('1;DE'))
  const byQuery = countryByHttp({ url: `${service.url}/country?key=k&ip={ip}` })
  const byPath = countryByHttp({ url: `${service.url}/{ip}/country` })
  expect(await byQuery.lookUp('2001:db8::1')).toBe('1;DE')
  expect(await byPath.lookUp('198.51.100.7')).toBe('1;DE')
  const paths = service.received.map(({ path }) => path)
  expect(paths).toEqual(['/country?key=k&ip=2001%3Adb8%3A%3A1', '/198.51.100.7/country'])
})

test('R81 only addresses are looked up', async () => {
  await using service = await listenOnLoopback((_, response) => response.end('1;PL'))
  const country = countryByHttp({ url: `${service.url}/{ip}` })
  const paths = [
    '',
    'unknown',
    '../admin',
    '198.51.100.7/../x',
    '198.51.100.7, 10.0.0.1',
    'evil.example',
    '::1\r\nX: y',
  ]
  for (const address of paths) expect(await country.lookUp(address)).toBeUndefined()
  expect(service.connections()).toBe(0)
})

const open = (url: string) => timestampAccountsByHttp({ url, token: 'secret', timeoutMs: 60_000 })

describe('TSP-3 R81 the provider’s own timestamp server', () => {
  test('TSP-3 gets the account and the password in the body of one call with the token, and nothing in the URL', async () => {
    await using server = await listenOnLoopback((_, response) => response.writeHead(204).end())
    expect(await open(server.url).setPassword('t-1', 'Znaczniki1')).toBe('changed')
    const [{ method, path, headers, body } = {} as Received, ...more] = server.received
    expect([method, path, headers.authorization, JSON.parse(body), more]).toEqual([
      'POST',
      '/',
      'Bearer secret',
      { account: 't-1', password: 'Znaczniki1' },
      [],
    ])
  })

  test.each([
    ...[400, 404, 409, 410, 422].map((status) => [status, 'refused'] as const),
    // There was no change, and the customer can try again.
    ...[401, 403, 429, 500].map((status) => [status, 'unreachable'] as const),
  ])('TSP-3 %i means %s', async (status, outcome) => {
    await using server = await listenOnLoopback((_, response) => response.writeHead(status).end())
    expect(await open(server.url).setPassword('t-1', 'Znaczniki1')).toBe(outcome)
  })
})

const folder = folderOfFile()

async function scanner(answer: (content: Buffer, socket: Socket) => void, path?: string) {
  const listening = await listenAsScanner(answer, path)
  onTestFinished(() => listening.close())
  return listening
}

const file = () => Readable.from([Buffer.from('%PDF-1.7 '), Buffer.from('EICAR'), Buffer.alloc(100_000, 'x')])

test('R50 clamd gets every byte, and its answer counts, over a port and over a socket', async () => {
  for (const path of [undefined, join(folder, 'clamd.sock')]) {
    const { at } = await scanner((content, socket) => {
      const isWhole = content.length === 100_014 && content.toString('latin1').startsWith('%PDF-1.7 EICAR')
      socket.end(isWhole ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
    }, path)
    expect(await malwareByClamd(at).scan(file())).toBe('infected')
    expect(await malwareByClamd(at).scan(Readable.from([Buffer.from('%PDF-1.7 clean')]))).toBe('clean')
  }
})

test('R50 without a clear answer no file is accepted', async () => {
  const long = `stream: ${'x'.repeat(2000)} OK\0`
  for (const answer of ['INSTREAM size limit exceeded. ERROR\0', 'stream: OK', '', long, 'stream: OKAY\0']) {
    const { at } = await scanner((_, socket) => socket.end(answer))
    expect([answer, await malwareByClamd(at).scan(file())]).toEqual([answer, 'unreachable'])
  }
  const hangingUp = await scanner((_, socket) => socket.destroy())
  expect(await malwareByClamd(hangingUp.at).scan(file())).toBe('unreachable')
  expect(await malwareByClamd((await scanner(() => {})).at, 50).scan(file())).toBe('unreachable')
  expect(await malwareByClamd('/nowhere/clamd.sock').scan(file())).toBe('unreachable')
  const broken = new Readable({ read: () => void broken.destroy(new Error('cut')) })
  expect(await malwareByClamd((await scanner(() => {})).at).scan(broken)).toBe('unreachable')
})
