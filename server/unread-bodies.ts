import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'

/**
 * What is left of a body that was refused in its middle (R113). One of an honest size is read away, so that its sender comes to
 * read the answer and can ask again on the same connection. Of any other nothing
 * more is read; its connection is closed a moment later, for an answer is lost with a connection that is closed while its peer
 * still sends (RFC 9112 §9.6).
 */
export function endUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const { socket } = reply.raw
    if (!request.raw.complete && socket) reply.raw.once('finish', () => endUnread(request, socket))
  })
}

function endUnread(request: FastifyRequest, socket: Socket): void {
  const { raw } = request
  if (raw.complete) return
  if (isHonest(request) && !raw.destroyed) return void raw.resume()
  // Node, which reads away what nobody began to read, sets its reading going in this turn.
  setImmediate(() => socket.pause())
  setTimeout(() => socket.destroy(), limits.http.unreadMs).unref()
}

/** Says how long it is, and that is what its call takes. */
function isHonest({ headers, routeOptions }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config
  const largest = endpoint?.upload ? (endpoint.largest ?? limits.http.pdfBytes) : limits.http.jsonBytes
  return headers['content-length'] !== undefined && Number(headers['content-length']) <= largest
}
