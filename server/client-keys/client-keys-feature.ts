import type { ServerFeature } from '../platform/portal.ts'
import * as clientKeysCalls from '../../contract/provider/client-keys.ts'
import { handler } from '../platform/http/http.ts'

/** A system of the provider reads the data of its own key. */
export const getClientKey = handler(clientKeysCalls.getClientKey, async ({ client: { id: _, ...client } }) => client)

export const clientKeysFeature: ServerFeature = {
  calls: [getClientKey],
}
