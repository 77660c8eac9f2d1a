import * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'
import { ProviderId, Uuid } from './fields.ts'

/** What the path of an endpoint takes: ids of the portal, or the provider's own in the provider API, and what the endpoint states to be different. */
export function pathParams({ access, path, params }: Endpoint) {
  const names = path
    .split('/:')
    .slice(1)
    .map((part) => part.split('/')[0]!)
  const id = access === 'provider' ? ProviderId : Uuid
  return names.length
    ? z.strictObject({ ...Object.fromEntries(names.map((name) => [name, id])), ...params })
    : undefined
}
