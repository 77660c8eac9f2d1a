import { describe, expect, test } from 'vitest'
import { listenOnLoopback, type Received } from './loopback/loopback-server.ts'
import { timestampAccountsByHttp } from './provider-services-http.ts'

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
