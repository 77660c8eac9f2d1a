import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'

export function endUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => endUnreadBody(request, reply))
}

/**
 * What is left of a body that was refused in its middle (R113). One of an honest size is read away, so that its sender comes to
 * read the answer and can ask again on the same connection. Of any other nothing more is read, and its connection is closed.
 */
export function endUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  const { socket } = reply.raw
  if (raw.complete || !socket) return
  if (isHonest(request) && !raw.destroyed) return void reply.raw.once('finish', () => raw.resume())
  reply.header('connection', 'close')
  socket.destroySoon = () => closeUnread(socket)
}

/** In place of at once: an answer is lost with a connection that is closed while its peer still sends (RFC 9112 §9.6). */
function closeUnread(socket: Socket): void {
  socket.end()
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
