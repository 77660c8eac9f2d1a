import * as z from 'zod/mini'
import { clientGroups, type ClientGroup } from '../api-tags.ts'
import { described } from '../documented.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { patternText, Instant } from '../fields.ts'

/**
 * The scopes of a client key: to read the objects of a group, or also to write them, since a write returns the object (R80). Masked
 * customers are only read.
 */
export type ClientScope = Exclude<`${ClientGroup}:${'read' | 'write'}`, 'masked-customers:write'>
export const clientScopes: readonly ClientScope[] = clientGroups.flatMap((group) => [
  `${group}:read` as const,
  ...(group === 'masked-customers' ? [] : [`${group}:write` as const]),
])

/** Returns the scope that a call of the provider needs; undefined for a key's question about itself, which is always allowed. */
export function findScope({ method, path }: Pick<Endpoint, 'method' | 'path'>): ClientScope | undefined {
  const name = path.split('/')[3]
  if (!path.startsWith('/provider/') || name === 'client-key') return undefined
  const group = clientGroups.find((each) => each === name)
  // No call is open to every key by oversight.
  if (!group) throw new Error(`${path} is in no group of contract/api-tags.ts.`)
  // A search is a POST only because what is searched for must not be in an address.
  const right = method === 'GET' || path.endsWith('/search') ? 'read' : 'write'
  return `${group}:${right}` as ClientScope
}

/** Checks whether a key with these scopes may make a call that needs `wanted`. */
export const mayDo = (scopes: readonly string[], wanted: ClientScope): boolean =>
  scopes.includes(wanted) ||
  scopes.includes(wanted.replace(/:read$/, ':write')) ||
  // A key that sees whole numbers also sees them masked.
  (wanted === 'masked-customers:read' && mayDo(scopes, 'customers:read'))

/**
 * Names that differ in case or in a space could not be told apart, and one like an id could be taken for that (R170).
 * Older keys keep theirs.
 */
export const ClientKeyName = patternText(64, /^(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)[a-z0-9][a-z0-9._-]*$/)

export const getClientKey = endpoint('provider', 'GET /provider/v1/client-key', {
  summary: 'Returns what the key of this call may do, and until when',
  impersonal: true,
  description:
    'The name, scopes, rate limit and expiry of the key that makes the call. It needs no scope, so it also shows whether a key is valid.',
  reply: z.strictObject({
    name: described('The name under which the operator has created the key.', z.string()),
    scopes: described(
      'What the key may do: a group of objects with `read` or `write`; `write` includes `read`.',
      z.array(z.string()),
    ),
    perSecond: described('Calls per second that the key may make, averaged over ten seconds.', z.int()),
    expiresAt: described('When the key expires; null for an old key that does not expire.', z.nullable(Instant)),
  }),
})
