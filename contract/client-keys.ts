import * as z from 'zod/mini'
import { endpoint, type Endpoint } from './endpoint.ts'
import { clientGroups, type ClientGroup } from './enums.ts'
import { Instant } from './fields.ts'

/** What a client key may do: read the objects of a group, or write them too, for a write is answered with the object (R80). */
export type ClientScope = `${ClientGroup}:${'read' | 'write'}`
export const clientScopes: readonly ClientScope[] = clientGroups.flatMap((group) => [
  `${group}:read` as const,
  `${group}:write` as const,
])

/** The scope that a call of the provider's asks for. Undefined for what a key may always ask: about itself. */
export function scopeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): ClientScope | undefined {
  const group = clientGroups.find((one) => one === path.split('/')[3])
  return group && `${group}:${method === 'GET' ? 'read' : 'write'}`
}

/** Whether a key with these scopes may do what asks for `wanted`. */
export const mayDo = (scopes: readonly string[], wanted: ClientScope): boolean =>
  scopes.includes(wanted) || scopes.includes(wanted.replace(/:read$/, ':write'))

export const getClientKey = endpoint({
  method: 'GET',
  path: '/provider/v1/client-key',
  summary: 'What the key of this call may do, and until when',
  access: 'provider',
  reply: z.strictObject({
    name: z.string(),
    scopes: z.array(z.string()),
    /** Calls a second, on the average of ten. */
    perSecond: z.int(),
    /** Null for a key from before keys had an end. */
    expiresAt: z.nullable(Instant),
  }),
})
