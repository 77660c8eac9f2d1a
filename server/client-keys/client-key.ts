import type { FastifyInstance } from 'fastify'
import { getClientKey } from '../../contract/provider/client-keys.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'

/** A system of the provider reads the data of its own key. */
export function serveClientKey(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, getClientKey, async ({ client: { id: _, ...client } }) => client)
}
