import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { errorStatus, type ErrorCode } from '../../../contract/errors.ts'
import { ApiError, problemOf } from '../api-error.ts'
import { pathOf } from './request-path.ts'
import { sendErrorPage } from './pages.ts'
import { HashingBusy } from '../authentication/password-hash.ts'
import { isDatabaseDown, serviceOf } from '../observability/failed-service.ts'
import { causeOf } from '../observability/skipped-causes.ts'
import { StorageUnreachable } from '../ports.ts'
import type { Portal } from '../portal.ts'
import { refusedByRate } from '../rate-limits/request-rate.ts'
import { headersForAll } from './security-headers.ts'
import { endUnreadBody } from './unread-bodies.ts'

/**
 * All failures have one shape: problem JSON for the API, a page for people; never a stack or a version (R72). Without a portal whose
 * pages these are, problem JSON for all.
 */
export function answerFailures(app: FastifyInstance, portal: Portal | undefined): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failed = failureOf(error)
    // A feature that the operator has turned off is not a fault.
    if (errorStatus[failed.code] >= 500 && failed.data.reason !== 'switched-off') logFailure(request, error, failed)
    return send(portal, request, reply, failed)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(app.endpoints, pathOf(request))
    if (allowed.length) reply.header('allow', allowed.join(', '))
    return send(portal, request, reply, new ApiError(allowed.length ? 'method-not-allowed' : 'not-found'))
  })
}

/** Answers requests that Fastify cannot route, such as a path that does not decode. No hook runs for them, so this does their work (R65, R110, R113). */
export const answerUnroutable =
  (portal: Portal | undefined) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headersForAll)
    endUnreadBody(request, reply)
    reply.raw.once('finish', () =>
      request.log.info({ req: request, res: reply, responseTime: reply.elapsedTime }, 'request completed'),
    )
    void send(portal, request, reply, refusedByRate(request, reply) ?? failureOf(error))
  }

/** The methods that a path of the API takes, for the Allow header (RFC 9110 §15.5.6). */
function methodsOf(endpoints: readonly Endpoint[], path: string) {
  const given = path.split('/')
  const fits = (wanted: string[]) =>
    wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i])
  return endpoints
    .filter((endpoint) => fits(endpoint.path.split('/')))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method))
}

const isApi = (request: FastifyRequest) => /^\/(?:api|provider)\//.test(request.url)

function send(portal: Portal | undefined, request: FastifyRequest, reply: FastifyReply, failed: ApiError) {
  const status = errorStatus[failed.code]
  if (failed.data.retryAfter) reply.header('retry-after', String(Math.ceil(failed.data.retryAfter)))
  if (failed.code === 'client-key-refused') reply.header('www-authenticate', 'Bearer')
  // RFC 6750 §3.1
  if (failed.code === 'scope-missing' && request.url.startsWith('/provider/'))
    reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${failed.data.reason}"`)
  const wantsPage = !isApi(request) && (request.method === 'GET' || request.method === 'HEAD') && status !== 421
  if (portal && wantsPage) return sendErrorPage(portal, request, reply, status)
  return reply
    .code(status)
    .type('application/problem+json')
    .send(problemOf(failed, failed.code === 'unexpected' ? request.id : undefined))
}

/** Errors of Fastify, the parser and the database, in the contract's codes. */
function failureOf(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof HashingBusy) return new ApiError('busy', { retryAfter: 5 })
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

/** Logs each unexpected error, whose answer has the id of its line, and any other cause once a minute, unless the client has gone. */
function logFailure(request: FastifyRequest, error: FastifyError, failed: ApiError) {
  if (request.raw.destroyed && !request.raw.complete) return
  const always = failed.code === 'unexpected'
  const repeats = request.server.skippedErrors(`${failed.code} ${causeOf(error)}`, { always })
  if (repeats !== undefined)
    request.log.error({ req: request, err: error, service: serviceOf(error), repeats }, failed.code)
}

/** Requests that are not valid HTTP are answered on the socket itself in the same shape, then closed (R65, R68, R72). */
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
