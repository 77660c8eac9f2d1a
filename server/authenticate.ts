import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { backgroundHeader, type Endpoint } from '../contract/endpoint.ts'
import { Failed } from './failure.ts'
import type { Portal } from './portal.ts'
import { findSession, sessionCookie, type LiveSession } from './session.ts'

/** A system of the provider's, known by its client key. */
export type ProviderClient = { id: string; name: string }

/** Lets a request in by the endpoint's rule, or throws (R1, R34, R35). The rule hangs on the matched route, never on the path's text. */
export async function authenticate(
  portal: Portal,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<{ session?: LiveSession; client?: ProviderClient }> {
  if (endpoint.access === 'open') return {}
  if (endpoint.access === 'provider') return { client: await findClient(portal, request.headers.authorization) }
  const token = request.cookies[sessionCookie]
  const isActivity = !endpoint.background && request.headers[backgroundHeader] === undefined
  const session = token ? await findSession(portal.db, portal.settings, token, isActivity) : undefined
  if (session?.stage !== (endpoint.access === 'pending' ? 'pending' : 'signed-in')) throw new Failed('signed-out')
  return { session }
}

async function findClient({ db }: Portal, authorization: string | undefined): Promise<ProviderClient> {
  const [, key] = /^Bearer (sygnet_[A-Za-z0-9_-]{43})$/.exec(authorization ?? '') ?? []
  if (!key) throw new Failed('client-key-refused')
  const { rows } = await sql<ProviderClient>`
    select id, name from provider_keys
    where key_hash = ${hashClientKey(key)} and revoked_at is null and (expires_at is null or expires_at > portal_now())`.execute(
    db,
  )
  if (!rows[0]) throw new Failed('client-key-refused')
  return rows[0]
}

/** Keys are 256 random bits, so a plain hash keeps them. */
export const hashClientKey = (key: string) => createHash('sha256').update(key).digest()
