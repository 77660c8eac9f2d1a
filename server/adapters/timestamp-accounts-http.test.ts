import { describe, expect, test } from 'vitest'
import { listenOnLoopback, type Received } from './loopback/loopback-server.ts'
import { timestampAccountsByHttp } from './timestamp-accounts-http.ts'

const open = (url: string, timeoutMs = 60_000) => timestampAccountsByHttp({ url, token: 'secret', timeoutMs })

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

  test.each([400, 404, 409, 410, 422])('TSP-3 %i says that it is never to be', async (status) => {
    await using server = await listenOnLoopback((_, response) => response.writeHead(status).end())
    expect(await open(server.url).setPassword('t-1', 'Znaczniki1')).toBe('refused')
  })

  test.each([302, 401, 403, 429, 500, 503])('TSP-3 %i means no change, and can be retried', async (status) => {
    await using trap = await listenOnLoopback((_, response) => response.writeHead(204).end())
    await using server = await listenOnLoopback((_, response) =>
      response.writeHead(status, { location: trap.url }).end(),
    )
    expect(await open(server.url).setPassword('t-1', 'Znaczniki1')).toBe('unreachable')
    expect(trap.connections()).toBe(0)
  })

  test('TSP-3 nor does silence, or an address that is not to be called', async () => {
    await using silent = await listenOnLoopback(() => {})
    expect(await open(silent.url, 200).setPassword('t-1', 'Znaczniki1')).toBe('unreachable')
    expect(await open('http://169.254.169.254/').setPassword('t-1', 'Znaczniki1')).toBe('unreachable')
  })
})
