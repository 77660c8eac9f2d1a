import { Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Waits up to ten seconds for running requests (R95). Idle connections are closed at once, unless a proxy keeps them. */
export async function stopServing(app: FastifyInstance, { isBehindProxy }: { isBehindProxy: boolean }) {
  const force = setTimeout(() => app.server.closeAllConnections(), 10_000)
  if (isBehindProxy) await drain(app.server)
  await app.close()
  clearTimeout(force)
}

/** Time longer than a proxy should keep an idle connection to us (docs/examples/nginx). */
const proxyKeepAliveMs = 6000

/**
 * Drains the server. A connection that we close may have a request in transit, and a proxy does not repeat a POST. So new connections are
 * refused, each answer closes its connection, and the proxy closes the idle ones itself (R95).
 */
async function drain(server: FastifyInstance['server']) {
  // The method of `http` would also close idle connections.
  Server.prototype.close.call(server)
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const startedAt = performance.now()
  const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  while ((await open()) > 0) {
    if (performance.now() - startedAt > proxyKeepAliveMs) server.closeIdleConnections()
    await wait(50)
  }
}
