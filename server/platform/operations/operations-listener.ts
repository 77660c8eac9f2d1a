import Fastify from 'fastify'
import { isInside } from '../observability/network.ts'
import type { Metrics } from './metrics.ts'
import { serveReadiness, type Readiness } from './readiness.ts'

/**
 * Listens at the operator's own address and port, to which the load balancer does not forward, so that no proxy rule is needed to keep
 * metrics from the public. Requests from outside are answered 403.
 */
export async function openOperations(
  address: { port: number; host: string },
  { metrics, readiness }: { metrics: Metrics; readiness: Readiness },
): Promise<{ port: number; close: () => Promise<void> }> {
  const app = Fastify({
    bodyLimit: 1024,
    requestTimeout: 10_000,
    connectionTimeout: 10_000,
    forceCloseConnections: true,
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!isInside(request.socket.remoteAddress ?? '')) return reply.code(403).send()
    return undefined
  })
  serveReadiness(app, readiness)
  app.get('/metrics', async (_request, reply) => {
    const { type, text } = await metrics.read()
    return reply.type(type).send(text)
  })
  await app.listen(address)
  return { port: (app.server.address() as { port: number }).port, close: () => app.close() }
}
