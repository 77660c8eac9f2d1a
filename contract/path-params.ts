import * as z from 'zod/mini'
import { described } from './documented.ts'
import type { Endpoint } from './endpoint.ts'
import { ProviderId, Uuid } from './fields.ts'

/** What a parameter of the provider API names, where its own name does not say it. */
const providerObjects: Record<string, string> = {
  account: 'timestamp account',
  case: 'document case',
  code: 'voucher or renewal code',
  package: 'timestamp package',
  release: 'program',
  user: 'user of the seal, or the portal’s for somebody whom an Administrator has invited',
  webhook: 'webhook, which you choose',
}

/** What an id in the path of another call names, by the part before it; without a row that part in the singular does. */
const objects: Record<string, string> = {
  documents: 'document case',
  'file-signings': 'signing of files',
  'my-data': 'customer',
  renewals: 'renewal',
  'seal-invitations': 'invitation',
  signings: 'authorisation that waits',
  'step-up': 'code that was sent',
  timestamps: 'timestamp account',
  users: 'user of the seal',
}

function idOf({ access }: Endpoint, part: string, name: string) {
  if (access === 'provider') return described(`Your id of the ${providerObjects[name] ?? name}.`, ProviderId)
  return described(`The id of the ${objects[part] ?? part.replace(/s$/, '')}.`, Uuid)
}

/**
 * Returns the schema of an endpoint's path parameters: ids of the portal, or the provider's own in the provider API, unless the endpoint
 * states another schema.
 */
export function pathParams(endpoint: Endpoint) {
  const ids = [...endpoint.path.matchAll(/(?<=([^/]+)\/):(\w+)/g)].map(([, part, name]) => [
    name!,
    idOf(endpoint, part!, name!),
  ])
  return ids.length ? z.strictObject({ ...Object.fromEntries(ids), ...endpoint.params }) : undefined
}
