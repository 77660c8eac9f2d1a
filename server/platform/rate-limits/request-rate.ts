import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { Failed } from './failure.ts'
import { networkOf } from './network.ts'
import { budgetRefused } from './observed.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requestRates: RequestRates
  }
}

export type RequestRates = ReturnType<typeof openRequestRates>

/** `left`: requests that may follow at once. `reset`: seconds until all may. */
type Taken = { ok: true; left: number; reset: number } | { ok: false; retryAfter: number; reset: number }

const { burst, addresses } = limits.requests

/**
 * How many requests each network address may make of this node, before anything of them is read (R110). In memory, because a
 * refusal must cost less than what it refuses; limits that attacks on accounts meet are in the database (R78). Of an address
 * one instant is kept, up to which its share is taken (ITU-T I.371); of so many addresses, those that asked last.
 */
export function openRequestRates(perSecond: number, now: () => number = () => performance.now()) {
  const each = 1000 / perSecond
  const span = burst * 1000
  const takenUntil = new Map<string, number>()

  return {
    policy: `"address";q=${perSecond * burst};w=${burst}`,
    take(address: string): Taken {
      const key = isIP(address) ? networkOf(address) : ''
      const at = now()
      const next = Math.max(takenUntil.get(key) ?? at, at) + each
      const ahead = next - at
      if (ahead > span) return { ok: false, retryAfter: (ahead - span) / 1000, reset: Math.ceil(ahead / 1000) }
      // Last in the order of the map, so that the first one has asked least recently.
      takenUntil.delete(key)
      takenUntil.set(key, next)
      if (takenUntil.size > addresses) takenUntil.delete(takenUntil.keys().next().value!)
      return { ok: true, left: Math.floor((span - ahead) / each + 1e-6), reset: Math.ceil(ahead / 1000) }
    },
    /** For a request that another limit counts. */
    giveBack(address: string): void {
      const key = isIP(address) ? networkOf(address) : ''
      const until = takenUntil.get(key)
      if (until !== undefined) takenUntil.set(key, until - each)
    },
    get size() {
      return takenUntil.size
    },
  }
}

/** Counts every request but those for files; before any other look at it. Answers of the API say how much is left. */
export function limitRequests(app: FastifyInstance, perSecond: number): void {
  app.decorate('requestRates', openRequestRates(perSecond))
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint, page, reports, uncounted } = request.routeOptions.config
    // The demonstration's other services have limits of their own.
    if (uncounted || !(endpoint || page || reports || request.is404)) return
    const refused = refusedByRate(request, reply)
    if (refused) throw refused
  })
}

/** Takes a request of its address; the refusal if there is none left. Headers by draft-ietf-httpapi-ratelimit-headers-11. */
export function refusedByRate(request: FastifyRequest, reply: FastifyReply): Failed | undefined {
  const rates = request.server.requestRates
  const taken = rates.take(request.ip)
  const left = taken.ok ? taken.left : 0
  reply.header('ratelimit-policy', rates.policy).header('ratelimit', `"address";r=${left};t=${taken.reset}`)
  if (taken.ok) return undefined
  budgetRefused.tell({ budget: 'requests-address' })
  return new Failed('too-many-requests', { retryAfter: Math.max(1, Math.ceil(taken.retryAfter)) })
}
