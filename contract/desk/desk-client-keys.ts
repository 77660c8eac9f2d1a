import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Instant, Uuid } from '../fields.ts'
import { limits } from '../limits.ts'
import { ClientKeyName, clientScopes, type ClientScope } from '../provider/client-keys.ts'

/** A key with this scope changes by itself what two people change at the desk, so only the command makes one (R257). */
const commandOnly = 'customers:write'
export const deskScopes = clientScopes.filter(
  (scope): scope is Exclude<ClientScope, typeof commandOnly> => scope !== commandOnly,
)
export type DeskScope = (typeof deskScopes)[number]
export const isMadeAtDesk = (scopes: readonly string[]) => !scopes.includes(commandOnly)

const ListedClientKey = z.strictObject({
  id: Uuid,
  name: z.string(),
  scopes: z.array(z.string()),
  perSecond: z.int(),
  createdAt: Instant,
  expiresAt: z.nullable(Instant),
  revokedAt: z.nullable(Instant),
  /** `replaced`: still valid until its end, and followed by another key of its name. */
  state: z.enum(['live', 'replaced', 'ended', 'revoked']),
})
export type ListedClientKey = z.infer<typeof ListedClientKey>

/** `key` is shown only once. */
const IssuedKey = z.strictObject({ id: Uuid, key: z.string(), expiresAt: Instant })

export const listKeysAtDesk = endpoint('staff', 'GET /desk/api/operations/client-keys', {
  summary: 'Lists the client keys of the provider’s systems',
  description: 'The newest first, without the keys themselves.',
  reply: z.strictObject({ items: z.array(ListedClientKey) }),
})

export const NewClientKey = z.strictObject({
  name: ClientKeyName,
  scopes: z.array(z.enum(deskScopes)).check(z.minLength(1), z.maxLength(deskScopes.length)),
  days: z.int().check(z.gte(1), z.lte(limits.clientKey.maxDays)),
})

export const createKeyAtDesk = endpoint('staff', 'POST /desk/api/operations/client-keys', {
  summary: 'Creates a client key',
  description:
    'The key is shown only once. It needs a recent sign-in at the OpenID provider. A key with `customers:write` is made by the command only.',
  body: NewClientKey,
  reply: IssuedKey,
  /** `object-in-use`: a valid key has the name. */
  errors: ['step-up-required', 'object-in-use'],
})

export const rotateKeyAtDesk = endpoint('staff', 'POST /desk/api/operations/client-keys/:id/rotation', {
  summary: 'Replaces a client key by one with the same rights',
  description:
    'The earlier one ends after a day. The key is shown only once. It needs a recent sign-in at the OpenID provider. A key with `customers:write` is rotated by the command only.',
  reply: IssuedKey,
  errors: ['step-up-required', 'scope-missing', 'not-found'],
})

export const revokeKeyAtDesk = endpoint('staff', 'DELETE /desk/api/operations/client-keys/:id', {
  summary: 'Revokes a client key',
  description: 'From the next request of every node on.',
  errors: ['not-found'],
})
