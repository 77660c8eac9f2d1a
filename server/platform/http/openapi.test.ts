import { expect, test } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { browserApi, providerApi } from './openapi.ts'

const portal = await openPortal()
const read = async (path: string) => (await fetch(`${portal.origin}${path}`)).json()

/** The desk is at another origin, and no program calls it. */
const modules = import.meta.glob<Record<string, unknown>>(
  ['../../../contract/**/*.ts', '!../../../contract/**/*.test.ts', '!../../../contract/desk/*.ts'],
  { eager: true },
)
const isEndpoint = (value: unknown): value is Endpoint =>
  value instanceof Object && 'method' in value && 'path' in value && 'access' in value
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

test('API-1 every endpoint of the contract is served, nothing else, and both documents are of these', async () => {
  const { app } = portal
  const endpoints = Object.values(modules).flatMap((module) => Object.values(module).filter(isEndpoint))
  expect(app.endpoints.map(nameOf).toSorted()).toEqual(endpoints.map(nameOf).toSorted())
  const printed = (print: typeof providerApi | typeof browserApi) =>
    JSON.parse(JSON.stringify(print(app.endpoints, portal.portal.settings))) as unknown
  expect(await read('/api/openapi.json')).toEqual(printed(providerApi))
  expect(await read('/api/openapi-browser.json')).toEqual(printed(browserApi))
})

test('API-1 the server sends the headers of rate limits that the documents name', async () => {
  for (const path of ['/api/session', '/provider/v1/client-key', '/api/openapi.json']) {
    const { headers } = await fetch(`${portal.origin}${path}`)
    expect(headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/)
    expect(headers.get('ratelimit-policy')).toMatch(/^"address";q=\d+;w=\d+$/)
  }
})
