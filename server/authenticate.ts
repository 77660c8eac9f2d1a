import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { mayDo, scopeOf } from '../contract/client-keys.ts'
import { backgroundHeader, type Endpoint } from '../contract/endpoint.ts'
import { limits } from '../contract/limits.ts'
import { raiseAlarm } from './alarms.ts'
import { keepPace, spend, type Budget } from './budgets.ts'
import { Failed } from './failure.ts'
import { networkOf, subnetOf } from './network.ts'
import type { Portal } from './portal.ts'
import { findSession, sessionCookie, type LiveSession } from './session.ts'

/** A system of the provider's, known by its client key. */
export type ProviderClient = { id: string; name: string; scopes: string[]; perSecond: number; expiresAt: Date | null }

/** Lets a request in by the endpoint's rule, or throws (R1, R34, R35). The rule hangs on the matched route, never on the path's text. */
export async function authenticate(
  portal: Portal,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<{ session?: LiveSession; client?: ProviderClient }> {
  if (endpoint.access === 'open') return {}
  if (endpoint.access === 'provider') return { client: await letClientIn(portal, endpoint, request) }
  const token = request.cookies[sessionCookie]
  const isActivity = !endpoint.background && request.headers[backgroundHeader] === undefined
  const session = token ? await findSession(portal.db, portal.settings, token, isActivity) : undefined
  if (session?.stage !== (endpoint.access === 'pending' ? 'pending' : 'signed-in')) throw new Failed('signed-out')
  return { session }
}

const wrongKeys: Budget = { name: 'client-key-wrong', ...limits.clientKey.wrong }

/**
 * Guesses at a key are no danger, for it has 256 bits; that somebody guesses is worth a word (R113). Right keys from the same
 * address are taken all the time: a system whose key has ended must not keep out its neighbour.
 */
async function wrongKey(portal: Portal, given: string | undefined, address: string): Promise<Failed> {
  if (given === undefined) return new Failed('client-key-refused')
  const spent = await spend(portal.db, portal.keys, wrongKeys, networkOf(address))
  if (!spent.ok) return new Failed('too-many-requests', { retryAfter: spent.retryAfter })
  if (!spent.left) raiseAlarm(portal, { name: 'client-key-guessing', about: subnetOf(address) })
  return new Failed('client-key-refused')
}

/** A key counts for its scopes alone, and at its own pace (R80). */
async function letClientIn(portal: Portal, endpoint: Endpoint, request: FastifyRequest): Promise<ProviderClient> {
  const { db, keys } = portal
  const { authorization } = request.headers
  const client = await findClient(portal, authorization)
  if (!client) throw await wrongKey(portal, authorization, request.ip)
  const { id, perSecond, scopes } = client
  const inPace = await keepPace(db, keys, { name: 'client-key', perSecond, burst: limits.clientKey.burst }, id)
  if (!inPace) throw new Failed('too-many-requests', { retryAfter: 1 })
  const scope = scopeOf(endpoint)
  if (scope && !mayDo(scopes, scope)) throw new Failed('scope-missing', { reason: scope })
  return client
}

async function findClient({ db }: Portal, authorization: string | undefined): Promise<ProviderClient | undefined> {
  // RFC 9110 §11.1: the name of the scheme is the same in any case.
  const [, key] = /^bearer (sygnet_[A-Za-z0-9_-]{43})$/i.exec(authorization ?? '') ?? []
  if (!key) return undefined
  const { rows } = await sql<ProviderClient>`
    select id, name, scopes, per_second as "perSecond", expires_at as "expiresAt" from provider_keys
    where key_hash = ${hashClientKey(key)} and revoked_at is null and (expires_at is null or expires_at > portal_now())`.execute(
    db,
  )
  return rows[0]
}

/** Keys are 256 random bits, so a plain hash keeps them. */
export const hashClientKey = (key: string) => createHash('sha256').update(key).digest()
