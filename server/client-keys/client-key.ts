import type { FastifyInstance } from 'fastify'
import { getClientKey } from '../../contract/client-keys.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'

/** What a system of the provider's may ask about its own key. */
export function serveClientKey(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, getClientKey, async ({ client: { id: _, expiresAt, ...client } }) => ({
    ...client,
    expiresAt: expiresAt?.toISOString() ?? null,
  }))
}
