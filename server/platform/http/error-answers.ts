import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { errorStatus, type ErrorCode } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { ApiError, problemOf } from '../api-error.ts'
import { HashingBusy } from '../authentication/password-hash.ts'
import { causeOf, isDatabaseDown, serviceOf } from '../observability/skipped-causes.ts'
import { StorageUnreachable } from '../ports.ts'
import { refusedByRate } from '../rate-limits/request-rate.ts'
import { pathOf } from './guards.ts'
import { headersForAll } from './security-headers.ts'

/** A function that shows a failure to a person. */
export type ErrorPage = (request: FastifyRequest, reply: FastifyReply, status: number) => unknown

/**
 * Answers all failures in one shape: problem JSON for the API, a page for people; never with a stack or a version (R72). Without
 * `errorPage`, people get problem JSON too.
 */
export function answerFailures(app: FastifyInstance, errorPage: ErrorPage | undefined): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failed = failureOf(error)
    // A feature that the operator has turned off is not a fault.
    if (errorStatus[failed.code] >= 500 && failed.data.reason !== 'switched-off') logFailure(request, error, failed)
    return send(errorPage, request, reply, failed)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(app.endpoints, pathOf(request))
    if (allowed.length) reply.header('allow', allowed.join(', '))
    return send(errorPage, request, reply, new ApiError(allowed.length ? 'method-not-allowed' : 'not-found'))
  })
}

export function endUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => endUnreadBody(request, reply))
}

/**
 * Handles the rest of a body that was refused (R113). If its declared size is allowed, it is read and discarded, so that its
 * sender reads the answer and can use the connection again. Any other is not read further, and its connection is closed.
 */
function endUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
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

/** Checks whether the declared size is one that the call accepts. */
function hasAllowedSize({ headers, routeOptions }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config
  const largest = endpoint?.upload ? (endpoint.maxBytes ?? limits.http.pdfBytes) : limits.http.jsonBytes
  return headers['content-length'] !== undefined && Number(headers['content-length']) <= largest
}

/**
 * Answers requests that Fastify cannot route, such as a path that does not decode. No hook runs for them, so this does
 * their work (R65, R110, R113).
 */
export const answerUnroutable =
  (errorPage: ErrorPage | undefined) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headersForAll)
    endUnreadBody(request, reply)
    reply.raw.once('finish', () =>
      request.log.info({ req: request, res: reply, responseTime: reply.elapsedTime }, 'request completed'),
    )
    void send(errorPage, request, reply, refusedByRate(request, reply) ?? failureOf(error))
  }

/** Returns the methods that a path of the API accepts, for the Allow header (RFC 9110 §15.5.6). */
function methodsOf(endpoints: readonly Endpoint[], path: string) {
  const given = path.split('/')
  const fits = (wanted: string[]) =>
    wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i])
  return endpoints
    .filter((endpoint) => fits(endpoint.path.split('/')))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method))
}

const isApi = (request: FastifyRequest) => /^\/(?:api|provider)\//.test(request.url)

function send(errorPage: ErrorPage | undefined, request: FastifyRequest, reply: FastifyReply, failed: ApiError) {
  const status = errorStatus[failed.code]
  if (failed.data.retryAfter) reply.header('retry-after', String(Math.ceil(failed.data.retryAfter)))
  if (failed.code === 'client-key-refused') reply.header('www-authenticate', 'Bearer')
  // RFC 6750 §3.1
  if (failed.code === 'scope-missing' && request.url.startsWith('/provider/'))
    reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${failed.data.reason}"`)
  const wantsPage = !isApi(request) && (request.method === 'GET' || request.method === 'HEAD') && status !== 421
  if (errorPage && wantsPage) return errorPage(request, reply, status)
  return reply
    .code(status)
    .type('application/problem+json')
    .send(problemOf(failed, failed.code === 'unexpected' ? request.id : undefined))
}

/** Maps errors of Fastify, the parser and the database to the contract's codes. */
function failureOf(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof HashingBusy) return new ApiError('busy')
  if (error instanceof StorageUnreachable) return new ApiError('unavailable', { retryAfter: 30 })
  const byCode: Record<string, ErrorCode> = {
    FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
    FST_ERR_BAD_URL: 'malformed-request',
    FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  }
  const code = byCode[error.code]
  if (code) return new ApiError(code)
  // Fails closed, with a time to retry (R25, R78).
  if (isDatabaseDown(error)) return new ApiError('unavailable', { retryAfter: 10 })
  // U+0000 is the only character that the database can store neither in texts (22021) nor in JSON (22P05).
  if (error.code === '22021' || error.code === '22P05') return new ApiError('malformed-request')
  if ((error.statusCode ?? 500) < 500) return new ApiError('malformed-request')
  return new ApiError('unexpected')
}

/**
 * Logs each unexpected error, and any other cause once a minute, unless the client has gone. The answer to an unexpected error has the id
 * of its log line.
 */
function logFailure(request: FastifyRequest, error: FastifyError, failed: ApiError) {
  if (request.raw.destroyed && !request.raw.complete) return
  const always = failed.code === 'unexpected'
  const repeats = request.server.skippedErrors(`${failed.code} ${causeOf(error)}`, { always })
  if (repeats !== undefined)
    request.log.error({ req: request, err: error, service: serviceOf(error), repeats }, failed.code)
}

/** Answers requests that are not valid HTTP on the socket itself in the same shape, then closes it (R65, R68, R72). */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  // Browsers open connections in advance, and would take any data on one for the answer to their next request.
  if (!socket.bytesRead) return void socket.destroy()
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'malformed-request'
  const body = JSON.stringify(problemOf(new ApiError(code)))
  const lines = Object.entries({
    ...headersForAll,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  socket.end(
    `HTTP/1.1 ${errorStatus[code]} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}
