import * as calls from '../../../contract/country.ts'
import { charge } from '../rate-limits/rate-limits.ts'
import { handler } from './http.ts'
import { networkOf } from '../observability/network.ts'

/** PHO-2. The call always answers and never fails, so that the form can continue. */
export const findCountry = handler(calls.findCountry, async ({ address }, portal) => {
  if (!(await charge(portal.db, portal.keys, ['country-lookup', networkOf(address)])).ok) return { result: '0' }
  return { result: (await portal.ports.country.lookUp(address)) ?? '0' }
})
