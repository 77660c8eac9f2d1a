import { expect, test } from 'vitest'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { openStaffProvider, staffAcr, staffGroups } from '../../provider/staff-login/staff-provider.ts'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { findingOf } from './check.ts'
import { deskCheck } from './desk-check.ts'
import { freePort } from '../testing/processes.ts'

/** What the check of a desk with this provider finds. */
async function find(issuer: string, acr: string[] = []) {
  const provider = { issuer, clientId: 'sygnet-desk', clientSecret: 'hidden-secret', groups: staffGroups, acr }
  const desk = { port: 3002, host: '127.0.0.1', url: 'https://desk.example', provider }
  const [check] = deskCheck({ desk } as Configuration)
  const { status, text } = await findingOf(check!)
  return `${status}: ${text}`
}

/** A provider that publishes these metadata. */
async function publish(over: (origin: string) => object) {
  let origin = ''
  const server = await listenOnLoopback((_, response) => {
    const endpoints = { authorization_endpoint: `${origin}/auth`, token_endpoint: `${origin}/token` }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: origin, ...endpoints, jwks_uri: `${origin}/keys`, ...over(origin) }))
  })
  origin = new URL(server.url).origin
  return { origin, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('DSK-30 OPS-17 a provider with what the desk needs is ok, and a demonstration has no check', async () => {
  const { issuer, close } = await openStaffProvider('https://desk.example')
  try {
    expect(await find(issuer, [staffAcr])).toBe('ok: The OpenID provider of the desk has what is needed.')
    expect(await find(issuer, ['phr'])).toBe(
      'failed: DESK_ISSUER cannot be used: the OpenID provider has none of the contexts of DESK_ACR.',
    )
  } finally {
    await close()
  }
  await using silent = await publish(() => ({}))
  expect(await find(silent.origin, ['phr'])).toMatch(/^ok: /)
  expect(deskCheck({} as Configuration)).toEqual([])
})

test('DSK-30 OPS-17 what the metadata lack, another issuer, and a provider that does not answer are one sentence each', async () => {
  const cases: [over: (origin: string) => object, text: string][] = [
    [() => ({ response_types_supported: ['id_token'] }), 'has no authorization code flow'],
    [() => ({ code_challenge_methods_supported: ['plain'] }), 'has no PKCE with S256'],
    [() => ({ token_endpoint_auth_methods_supported: ['none'] }), 'takes no client_secret_basic'],
    [() => ({ issuer: 'https://other.example' }), 'calls itself https://other.example'],
  ]
  for (const [over, text] of cases) {
    await using server = await publish(over)
    expect(await find(server.origin)).toBe(`failed: DESK_ISSUER cannot be used: the OpenID provider ${text}.`)
  }
  await using refusing = await listenOnLoopback((_request, response) => response.writeHead(404).end())
  expect(await find(refusing.url)).toBe(
    'failed: HTTP 404 from the OpenID provider, without a usable answer: check DESK_ISSUER.',
  )
  expect(await find(`http://127.0.0.1:${await freePort()}`)).toMatch(
    /^failed: No connection to the OpenID provider \(ECONNREFUSED\): check DESK_ISSUER/,
  )
})
