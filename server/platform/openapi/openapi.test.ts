import { expect, test } from 'vitest'
import { nameOf } from '../../testing/calls.ts'
import { contractEndpoints } from '../../testing/contract-endpoints.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { browserApi, providerApi } from './openapi.ts'

const portal = await openPortal()
const read = async (path: string) => (await fetch(`${portal.origin}${path}`)).json()

test('API-1 every endpoint of the contract is served, nothing else, and both documents are of these', async () => {
  const { app } = portal
  expect(app.endpoints.map(nameOf).toSorted()).toEqual(contractEndpoints.map(nameOf).toSorted())
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
