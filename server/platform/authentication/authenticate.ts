import { hash } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { mayCall, rolesFor } from '../../../contract/desk/desk-permissions.ts'
import { backgroundHeader, customerHeader, type Endpoint } from '../../../contract/endpoint.ts'
import { limits } from '../../../contract/limits.ts'
import { mayDo, findScope } from '../../../contract/provider/client-keys.ts'
import { ApiError } from '../api-error.ts'
import { raiseAlarm } from '../audit/alarms.ts'
import { query } from '../database/database.ts'
import { networkOf, subnetOf } from '../observability/network.ts'
import type { Portal } from '../portal.ts'
import { charge, takeToken } from '../rate-limits/rate-limits.ts'
import { afterActivity, findSession, sessionCookie, type LiveSession } from './session.ts'
import { findStaffSession, staffCookie, type StaffSession } from './staff-session.ts'

/** A system of the provider, identified by its client key. */
export type ProviderClient = { id: string; name: string; scopes: string[]; perSecond: number; expiresAt: Date | null }

/** Returns the details that name a client in an audit entry. */
export const actorDetails = ({ id, name }: ProviderClient) => ({ client: id, actorName: name })

/** Checks access by the endpoint's rule, or throws (R1, R34, R35). The rule belongs to the matched route, never to the path's text. */
export async function authenticate(
  portal: Portal,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<{ session?: LiveSession; client?: ProviderClient; staff?: StaffSession }> {
  if (endpoint.access === 'open') return {}
  if (endpoint.access === 'provider') return { client: await authenticateClient(portal, endpoint, request) }
  if (endpoint.access === 'staff') return { staff: await authenticateStaff(portal, endpoint, request) }
  const isActivity = !endpoint.background && request.headers[backgroundHeader] === undefined
  const session = await findLiveSession(portal, request, isActivity)
  if (session?.stage !== (endpoint.access === 'pending' ? 'pending' : 'signed-in')) throw new ApiError('signed-out')
  const pageOf = request.headers[customerHeader]
  if (endpoint.access === 'customer' && pageOf !== undefined && pageOf !== session.accountId)
    throw new ApiError('other-customer')
  return { session }
}

/** Finds the staff session of a request; throws unless it has one of the roles in the table of permissions (R231). */
async function authenticateStaff(
  { db }: Portal,
  endpoint: Endpoint,
  { cookies, headers }: FastifyRequest,
): Promise<StaffSession> {
  const token = cookies[staffCookie]
  const isActivity = !endpoint.background && headers[backgroundHeader] === undefined
  const staff = token ? await findStaffSession(db, token, isActivity) : undefined
  if (!staff) throw new ApiError('signed-out')
  if (!mayCall(endpoint, staff.roles)) throw new ApiError('scope-missing', { reason: rolesFor(endpoint).join() })
  return staff
}

/** Returns the details that name a member of the staff in an audit entry. */
export const staffDetails = ({ subject, name }: Pick<StaffSession, 'subject' | 'name'>) => ({
  staff: subject,
  actorName: name,
})

type LookUp = { session: Promise<LiveSession | undefined>; isActivity: boolean }
const lookUps = new WeakMap<FastifyRequest['raw'], LookUp>()

/** Finds the live session of a request. Several reads that answer one request look it up, and extend it, once. */
export async function findLiveSession(
  { db, settings }: Portal,
  { raw, cookies }: Pick<FastifyRequest, 'raw' | 'cookies'>,
  isActivity: boolean,
): Promise<LiveSession | undefined> {
  const token = cookies[sessionCookie]
  if (!token) return undefined
  const known = lookUps.get(raw)
  if (known && (known.isActivity || !isActivity)) return known.session
  const session = known
    ? known.session.then((found) => afterActivity(db, settings, found))
    : findSession(db, settings, token, isActivity)
  lookUps.set(raw, { session, isActivity })
  return session
}

/** Makes a request look up its session again, after a change of the session. */
export const invalidateSession = ({ raw }: Pick<FastifyRequest, 'raw'>): void => void lookUps.delete(raw)

/**
 * Counts wrong keys. A key of 256 bits cannot be guessed, but attempts raise an alarm (R113). Valid keys from the same address
 * still work, so a system with an expired key does not lock out its neighbour.
 */
async function chargeWrongKey(portal: Portal, given: string | undefined, address: string): Promise<ApiError> {
  if (given === undefined) return new ApiError('client-key-refused')
  const charged = await charge(portal.db, portal.keys, ['client-key-wrong', networkOf(address)])
  if (!charged.ok) return new ApiError('too-many-requests', { retryAfter: charged.retryAfter })
  if (!charged.left[0]) raiseAlarm(portal, { name: 'client-key-guessing', about: subnetOf(address) })
  return new ApiError('client-key-refused')
}

/** Authenticates a client by its key, which is valid for its scopes only and has a rate limit of its own (R80). */
async function authenticateClient(
  portal: Portal,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<ProviderClient> {
  const { authorization } = request.headers
  const client = await findClient(portal, authorization)
  if (!client) throw await chargeWrongKey(portal, authorization, request.ip)
  const { scopes } = client
  if (!(await isWithinRate(portal, client))) throw new ApiError('too-many-requests', { retryAfter: 1 })
  const scope = findScope(endpoint)
  if (scope && !mayDo(scopes, scope)) throw new ApiError('scope-missing', { reason: scope })
  return client
}

const validCondition = sql`revoked_at is null and (expires_at is null or expires_at > portal_now())`

const isWithinRate = ({ db, keys }: Portal, { id, perSecond }: ProviderClient) =>
  takeToken(db, keys, { name: 'client-key', perSecond, burst: limits.clientKey.burst }, id)

/**
 * Checks whether an answer of many pages may have another one, which counts as a call: a revoked key, or one beyond its rate, gets no more
 * (R80).
 */
export async function mayContinue(portal: Portal, client: ProviderClient): Promise<boolean> {
  const isLive = await query(portal.db).finds(
    sql`select from provider_keys where id = ${client.id} and ${validCondition}`,
  )
  return isLive && isWithinRate(portal, client)
}

async function findClient({ db }: Portal, authorization: string | undefined): Promise<ProviderClient | undefined> {
  // RFC 9110 §11.1: the name of the scheme is case-insensitive.
  const [, key] = /^bearer (sygnet_[A-Za-z0-9_-]{43})$/i.exec(authorization ?? '') ?? []
  if (!key) return undefined
  return query(db).first(sql<ProviderClient>`
    select id, name, scopes, per_second, expires_at from provider_keys
    where key_hash = ${hashClientKey(key)} and ${validCondition}`)
}

/** Hashes a client key. It has 256 random bits, so a plain hash protects it. */
export const hashClientKey = (key: string) => hash('sha256', key, 'buffer')
