import type { ServerFeature, Portal } from '../platform/portal.ts'
import type { FastifyInstance } from 'fastify'
import { getClientKey } from '../../contract/provider/client-keys.ts'
import { serve } from '../platform/http/http.ts'

/** A system of the provider reads the data of its own key. */
function serveClientKey(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, getClientKey, async ({ client: { id: _, ...client } }) => client)
}

export const clientKeysFeature: ServerFeature = {
  serve: [serveClientKey],
}
