import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../../contract/limits.ts'
import { ApiError } from '../api-error.ts'
import { rateLimitExceeded } from '../observability/events.ts'
import { networkOf } from '../observability/network.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestRates: RequestRates
  }
}

export type RequestRates = ReturnType<typeof openRequestRates>

/** The answer to a request: `left` more may follow at once, and after `reset` seconds the full number again. */
type TokenResult = { ok: true; left: number; reset: number } | { ok: false; retryAfter: number; reset: number }

const { burst, maxAddresses } = limits.requests

/**
 * Limits the requests of each network address to this node, before they are read (R110). The state is in memory, because a refusal must
 * cost less than the request; the limits against attacks on accounts are in the database (R78). For each address one instant is stored, up
 * to which its share is taken (ITU-T I.371); only the addresses of the latest requests are kept.
 */
export function openRequestRates(perSecond: number, now: () => number = () => performance.now()) {
  const each = 1000 / perSecond
  const span = burst * 1000
  const takenUntil = new Map<string, number>()

  return {
    policy: `"address";q=${perSecond * burst};w=${burst}`,
    take(address: string): TokenResult {
      const key = isIP(address) ? networkOf(address) : ''
      const at = now()
      const next = Math.max(takenUntil.get(key) ?? at, at) + each
      const ahead = next - at
      if (ahead > span) return { ok: false, retryAfter: (ahead - span) / 1000, reset: Math.ceil(ahead / 1000) }
      // Moved to the end of the map, so that the first address is the least recent one.
      takenUntil.delete(key)
      takenUntil.set(key, next)
      if (takenUntil.size > maxAddresses) for (const oldest of takenUntil.keys().take(1)) takenUntil.delete(oldest)
      return { ok: true, left: Math.floor((span - ahead) / each + 1e-6), reset: Math.ceil(ahead / 1000) }
    },
    /** Refunds a request that another limit counts. */
    refund(address: string): void {
      const key = isIP(address) ? networkOf(address) : ''
      const until = takenUntil.get(key)
      if (until !== undefined) takenUntil.set(key, until - each)
    },
    get size() {
      return takenUntil.size
    },
  }
}

/** Counts every request but those for files, before anything else. Answers of the API report the requests left. */
export function limitRequests(app: FastifyInstance, perSecond: number): void {
  app.decorate('requestRates', openRequestRates(perSecond))
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint, page, reports, counted, uncounted } = request.routeOptions.config
    // The demonstration's other services have limits of their own.
    if (uncounted || !(endpoint || page || reports || counted || request.is404)) return
    const refused = refusedByRate(request, reply)
    if (refused) throw refused
  })
}

/** Counts a request; returns the refusal if none is left. Headers by draft-ietf-httpapi-ratelimit-headers-11. */
export function refusedByRate(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
  const rates = request.server.requestRates
  const taken = rates.take(request.ip)
  const left = taken.ok ? taken.left : 0
  reply.header('ratelimit-policy', rates.policy).header('ratelimit', `"address";r=${left};t=${taken.reset}`)
  if (taken.ok) return undefined
  rateLimitExceeded.publish({ rateLimit: 'requests-address' })
  return new ApiError('too-many-requests', { retryAfter: Math.max(1, Math.ceil(taken.retryAfter)) })
}
