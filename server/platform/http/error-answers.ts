import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import type { Endpoint } from '../contract/endpoint.ts'
import { errorStatus, type ErrorCode } from '../contract/errors.ts'
import { Failed, problemOf } from './failure.ts'
import { sendErrorPage } from './pages.ts'
import { HashingBusy } from './password-hash.ts'
import { StorageUnreachable } from './ports/ports.ts'
import type { Portal } from './portal.ts'
import { refusedByRate } from './request-rate.ts'
import { headersForAll } from './security-headers.ts'
import { endUnreadBody } from './unread-bodies.ts'

/** Every failure leaves in one shape: problem JSON for the API, a page for people; never a stack or a version (R72). */
export function answerFailures(app: FastifyInstance, portal: Portal): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failed = failureOf(error)
    // A feature that is off is the operator's own doing, and no fault.
    if (errorStatus[failed.code] >= 500 && failed.data.reason !== 'switched-off')
      request.log.error({ err: error }, failed.code)
    return send(portal, request, reply, failed)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(app.endpoints, request.url.split('?')[0]!)
    if (allowed.length) reply.header('allow', allowed.join(', '))
    return send(portal, request, reply, new Failed(allowed.length ? 'method-not-allowed' : 'not-found'))
  })
}

/** What Fastify cannot even route, such as a path that does not decode: no hook runs for it, so what they do is done here (R65, R110, R113). */
export const answerUnroutable =
  (portal: Portal) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headersForAll)
    endUnreadBody(request, reply)
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

function send(portal: Portal, request: FastifyRequest, reply: FastifyReply, failed: Failed) {
  const status = errorStatus[failed.code]
  if (failed.data.retryAfter) reply.header('retry-after', String(Math.ceil(failed.data.retryAfter)))
  if (failed.code === 'client-key-refused') reply.header('www-authenticate', 'Bearer')
  // RFC 6750 §3.1
  if (failed.code === 'scope-missing')
    reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${failed.data.reason}"`)
  const wantsPage = !isApi(request) && (request.method === 'GET' || request.method === 'HEAD') && status !== 421
  if (wantsPage) return sendErrorPage(portal, request, reply, status)
  return reply
    .code(status)
    .type('application/problem+json')
    .send(problemOf(failed, status >= 500 ? request.id : undefined))
}

/** What Fastify, the parser or the database throws, in the contract's codes. */
function failureOf(error: FastifyError): Failed {
  if (error instanceof Failed) return error
  if (error instanceof HashingBusy) return new Failed('busy', { retryAfter: 5 })
  if (error instanceof StorageUnreachable) return new Failed('unavailable', { retryAfter: 30 })
  const byCode: Record<string, ErrorCode> = {
    FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
    FST_ERR_BAD_URL: 'malformed-request',
    FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  }
  const code = byCode[error.code]
  if (code) return new Failed(code)
  // The database is away, full, too slow, refuses connections or takes no writes since it was demoted: fail closed, and say when to come back (R25, R78).
  if (
    // However that shows: its port, its socket or its very name may be gone while it starts anew.
    ['connect', 'getaddrinfo'].includes((error as NodeJS.ErrnoException).syscall ?? '') ||
    /^(?:ECONN|ETIMEDOUT|EPIPE|57P0|57014|08|53|25006|25P0)/.test(error.code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/.test(error.message)
  )
    return new Failed('unavailable', { retryAfter: 10 })
  // U+0000 is the one character that no text of the database can hold (22021), nor its JSON (22P05).
  if (error.code === '22021' || error.code === '22P05') return new Failed('malformed-request')
  if ((error.statusCode ?? 500) < 500) return new Failed('malformed-request')
  return new Failed('unexpected')
}

/** Requests that are no HTTP: answered on the bare socket, in the same shape, then closed (R65, R68, R72). */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  // Browsers open connections ahead of need, and would take whatever is said on one for the answer to what they ask next.
  if (!socket.bytesRead) return void socket.destroy()
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'malformed-request'
  const body = JSON.stringify(problemOf(new Failed(code)))
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
