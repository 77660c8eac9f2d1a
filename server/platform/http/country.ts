import type { FastifyInstance } from 'fastify'
import { findCountry } from '../../../contract/country.ts'
import { limits } from '../../../contract/limits.ts'
import { chargeAttempt, type RateLimit } from '../rate-limits/rate-limits.ts'
import { serve } from './http.ts'
import { networkOf } from '../observability/network.ts'
import type { Portal } from '../portal.ts'

/** Each lookup calls an outside service, so they are limited. */
const lookups: RateLimit = { name: 'country-lookup', ...limits.phone.lookups }

/** PHO-2. The call always answers and never fails, so that the form can continue. */
export function serveCountry(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, findCountry, async ({ address }) => {
    if (!(await chargeAttempt(portal.db, portal.keys, lookups, networkOf(address))).ok) return { result: '0' }
    return { result: (await portal.ports.country.lookUp(address)) ?? '0' }
  })
}
