import type { FastifyInstance } from 'fastify'
import { findCountry } from '../../../contract/country.ts'
import { charge } from '../rate-limits/rate-limits.ts'
import { serve } from './http.ts'
import { networkOf } from '../observability/network.ts'
import type { Portal } from '../portal.ts'

/** PHO-2. The call always answers and never fails, so that the form can continue. */
export function serveCountry(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, findCountry, async ({ address }) => {
    if (!(await charge(portal.db, portal.keys, ['country-lookup', networkOf(address)])).ok) return { result: '0' }
    return { result: (await portal.ports.country.lookUp(address)) ?? '0' }
  })
}
