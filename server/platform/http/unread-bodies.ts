import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../../contract/limits.ts'

export function endUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => endUnreadBody(request, reply))
}

/**
 * Handles the rest of a body that was refused (R113). If its declared size is allowed, it is read and discarded, so that its
 * sender reads the answer and can use the connection again. Any other is not read further, and its connection is closed.
 */
export function endUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  const { socket } = reply.raw
  if (raw.complete || !socket) return
  if (hasAllowedSize(request) && !raw.destroyed) return void reply.raw.once('finish', () => raw.resume())
  reply.header('connection', 'close')
  socket.destroySoon = () => closeUnread(socket)
}

/** Closes it later, because the answer would be lost with a connection that is closed while its peer still sends (RFC 9112 §9.6). */
function closeUnread(socket: Socket): void {
  socket.end()
  // Node starts to read and discard unread bodies in this turn of the event loop.
  setImmediate(() => socket.pause())
  setTimeout(() => socket.destroy(), limits.http.unreadMs).unref()
}

/** Whether the declared size is one that the call accepts. */
function hasAllowedSize({ headers, routeOptions }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config
  const largest = endpoint?.upload ? (endpoint.maxBytes ?? limits.http.pdfBytes) : limits.http.jsonBytes
  return headers['content-length'] !== undefined && Number(headers['content-length']) <= largest
}
