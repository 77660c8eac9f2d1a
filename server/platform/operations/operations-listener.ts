import Fastify from 'fastify'
import type { Metrics } from './metrics.ts'
import { isInside } from './network.ts'
import { serveReadiness, type Readiness } from './readiness.ts'

/**
 * The operator's own door: an address and port apart from the one that the balancer passes requests on to, so that no
 * rule of a proxy has to keep figures from the public, and none can forget to. Who comes from outside is answered 403.
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
