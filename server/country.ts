import type { FastifyInstance } from 'fastify'
import { findCountry } from '../contract/country.ts'
import { limits } from '../contract/limits.ts'
import { spend, type Budget } from './budgets.ts'
import { serve } from './http.ts'
import { networkOf } from './network.ts'
import type { Portal } from './portal.ts'

/** Each lookup asks an outside service, so nobody may have it asked without end. */
const lookups: Budget = { name: 'country-lookup', ...limits.phone.lookups }

/** PHO-2. Whatever goes wrong, the form goes on: an answer there always is, and it is never a failure of the call. */
export function serveCountry(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, findCountry, async ({ address }) => {
    if (!(await spend(portal.db, portal.keys, lookups, networkOf(address))).ok) return { result: '0' }
    return { result: (await portal.ports.country.lookUp(address)) ?? '0' }
  })
}
