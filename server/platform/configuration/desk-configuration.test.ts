import { expect, test } from 'vitest'
import { readConfiguration } from './configuration.ts'
import { ConfigurationError } from './startup-error.ts'

/** Returns the errors in the settings of the desk; a portal in production has other errors too. */
function errorsOf(environment: Record<string, string>): string[] {
  try {
    readConfiguration(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.split('\n').filter((line) => line.includes('DESK_'))
  }
}

test('DSK-1 there is no desk without its port', () => {
  expect(readConfiguration({}).desk).toBeUndefined()
  expect(errorsOf({ DESK_ISSUER: 'https://login.provider.example', DEMONSTRATION_PUBLIC: 'on' }).join()).toContain(
    'DESK_ISSUER is set, but DESK_PORT is not',
  )
})

test('DSK-7 the desk of a demonstration needs a port only', () => {
  expect(readConfiguration({ DESK_PORT: '3002' }).desk).toEqual({
    port: 3002,
    host: '127.0.0.1',
    url: 'http://127.0.0.1:3002',
    provider: undefined,
  })
  expect(errorsOf({ DESK_PORT: '3000' }).join()).toContain('DESK_PORT is the same as PORT')
})

test('DSK-1 DSK-2 DSK-3 R236 in production the desk needs its own origin, a provider, a client with a secret, and groups', () => {
  const bare = errorsOf({ DEMONSTRATION: 'off', DESK_PORT: '3002', PUBLIC_URL: 'https://portal.example' }).join()
  for (const name of ['DESK_URL', 'DESK_ISSUER', 'DESK_CLIENT_ID', 'DESK_CLIENT_SECRET', 'DESK_GROUPS'])
    expect(bare).toContain(`${name} is not set`)
  const complete = {
    DEMONSTRATION: 'off',
    PUBLIC_URL: 'https://portal.example',
    DESK_PORT: '3002',
    DESK_URL: 'https://desk.example',
    DESK_ISSUER: 'https://login.example/staff',
    DESK_CLIENT_ID: 'sygnet-desk',
    DESK_CLIENT_SECRET: 'f3Qz81-kwVd0L2mB',
    DESK_GROUPS: 'reader=support agent=support,agent=night',
  }
  expect(errorsOf(complete)).toEqual([])
  expect(errorsOf({ ...complete, DESK_ISSUER: 'http://127.0.0.1:8080' })).toEqual([])
  for (const [wrong, message] of [
    [{ DESK_URL: 'https://portal.example' }, 'DESK_URL has the host name of PUBLIC_URL'],
    [{ DESK_URL: 'https://portal.example:8443' }, 'DESK_URL has the host name of PUBLIC_URL'],
    [{ DESK_ISSUER: 'http://login.example/staff' }, 'DESK_ISSUER must begin with https://'],
    [{ DESK_URL: 'http://desk.example' }, 'DESK_URL must begin with https://'],
    [{ DESK_URL: 'https://desk.example/desk' }, 'DESK_URL must be an origin'],
    [{ DESK_GROUPS: 'chief=support' }, 'DESK_GROUPS has chief'],
    [{ DESK_CLIENT_SECRET: 'short' }, 'DESK_CLIENT_SECRET '],
  ] as const)
    expect(errorsOf({ ...complete, ...wrong }).join()).toContain(message)
})
