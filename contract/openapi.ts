import * as z from 'zod/mini'
import { described } from './documented.ts'
import { endpoint } from './endpoint.ts'

const OpenApi = z.looseObject({ openapi: described('The version of OpenAPI.', z.string()) })

export const printProviderApi = endpoint('open', 'GET /api/openapi.json', {
  summary: 'Returns the provider API in OpenAPI 3.1',
  description: 'The same for everyone, without a key. Events are under `webhooks`.',
  reply: OpenApi,
})

export const printBrowserApi = endpoint('open', 'GET /api/openapi-browser.json', {
  summary: 'Returns the calls of the portal’s own pages in OpenAPI 3.1',
  description: 'They change with every version; other programs use the provider API.',
  reply: OpenApi,
})
