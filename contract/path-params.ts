import * as z from 'zod/mini'
import { described } from './documented.ts'
import type { Endpoint } from './endpoint.ts'
import { ProviderId, Uuid } from './fields.ts'

/** Objects that the path parameters of the provider API name, unless an endpoint states another schema. */
const providerObjects: Record<string, string> = {
  account: 'timestamp account',
  case: 'document case',
  code: 'voucher or renewal code',
  customer: 'customer',
  package: 'timestamp package',
  release: 'program',
  seal: 'seal',
  signature: 'signature',
  user: 'user of the seal, or the portal’s for somebody whom an Administrator has invited',
  webhook: 'webhook, which you choose',
}

/** Objects that `id` names in the paths of the portal's pages, by the first part of the path. */
const objects: Record<string, string> = {
  documents: 'document case',
  'file-signings': 'signing of files',
  'my-data': 'customer',
  passkeys: 'passkey',
  'seal-invitations': 'invitation',
  seals: 'seal',
  sessions: 'session',
  signatures: 'signature',
  signings: 'authorisation that waits',
  'step-up': 'code that was sent',
  timestamps: 'timestamp account',
}

function idOf({ access, path }: Endpoint, name: string) {
  if (access === 'provider') return described(`Your id of the ${providerObjects[name]}.`, ProviderId)
  const object = { user: 'user of the seal', uid: 'renewal' }[name] ?? objects[path.replace('/desk', '').split('/')[2]!]
  return described(`The id of the ${object}.`, Uuid)
}

/**
 * Returns the schema of an endpoint's path parameters: ids of the portal, or the provider's own in the provider API, unless the endpoint
 * states another schema.
 */
export function pathParams(endpoint: Endpoint) {
  const names = endpoint.path
    .split('/:')
    .slice(1)
    .map((part) => part.split('/')[0]!)
  return names.length
    ? z.strictObject({ ...Object.fromEntries(names.map((name) => [name, idOf(endpoint, name)])), ...endpoint.params })
    : undefined
}
