import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import cookies from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { limits } from '../../../contract/limits.ts'
import { RequestLines } from '../observability/log.ts'
import { openSkippedCauses, type SkippedCauses } from '../observability/skipped-causes.ts'
import type { Portal } from '../portal.ts'
import { limitRequests } from '../rate-limits/request-rate.ts'
import {
  answerBrokenRequest,
  answerFailures,
  answerUnroutable,
  endUnreadBodies,
  type ErrorPage,
} from './error-answers.ts'
import { guardRequests, refuseForwarded, type Origin } from './guards.ts'
import { addSecurityHeaders, reportsPath } from './security-headers.ts'

/** A function that answers a read of the API within the request for a page, with the cookies and the address of that request. */
type ReadInPage = (request: FastifyRequest) => Promise<unknown>

declare module 'fastify' {
  interface FastifyInstance {
    /** The endpoints of the app, for OpenAPI and tests. */
    endpoints: Endpoint[]
    /** The reads that a signed-in page may begin with (HTT-7). */
    readsInPages: Map<Endpoint, ReadInPage>
    /** The causes of errors that are in the log already (OPS-6). */
    skippedErrors: SkippedCauses
  }
}

/** Time limits for clients, in milliseconds (R69): no slow client keeps a connection for more than half a minute. */
export type Timeouts = { headers: number; request: number; idle: number; keepAlive: number; checkEvery: number }

export const timeouts: Timeouts = {
  headers: 10_000,
  request: 25_000,
  idle: 20_000,
  keepAlive: 10_000,
  checkEvery: 1000,
}

export type AppOptions = {
  logger?: FastifyServerOptions['logger']
  timeouts?: Timeouts
  /** Adds the hooks of metrics and traces, before the routes. */
  observe?: (app: FastifyInstance) => void
  /** Whether all requests that came through a proxy are refused. */
  refuseForwarded?: boolean
}

const name = 'x-forwarded-for'

/**
 * Keeps only addresses in X-Forwarded-For that can be trusted, before anything is counted by them (R67). If none remain, the
 * visitor counts as the proxy itself.
 */
function tidyForwardedFor({ headers }: IncomingMessage): void {
  const given = headers[name]
  if (given === undefined) return
  const trusted = believableAddresses(String(given))
  if (trusted) headers[name] = trusted
  else delete headers[name]
}

/**
 * Returns the addresses of a forwarding list that can be trusted. Each proxy appends to the list, so entries before one that is not an
 * address do not come from a known proxy.
 */
export function believableAddresses(given: string): string {
  const entries = given.split(',').map((entry) => entry.trim())
  const addresses = entries.filter(Boolean).map(addressIn)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
}

/** Returns the address in an entry, without the port and brackets that some proxies add, and without the zone. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
  const [address = ''] = (bracketed ?? dotted ?? entry).split('%')
  return isIP(address) ? address : undefined
}

/**
 * Opens a Fastify app for one origin, with everything that applies to each of its requests; routes are added afterwards. `errorPage` shows
 * failures to people; without it every failure is answered as to a program.
 */
export async function openApp(
  origin: Origin & Pick<Portal['settings'], 'trustedProxies' | 'requestsPerSecond'>,
  { isRoute, errorPage }: { isRoute: (path: string, prefix: string) => boolean; errorPage?: ErrorPage },
  options: AppOptions,
): Promise<FastifyInstance> {
  const { headers, request, idle, keepAlive, checkEvery } = options.timeouts ?? timeouts
  const app = Fastify({
    logger: options.logger ?? false,
    logController: new RequestLines(),
    bodyLimit: limits.http.jsonBytes,
    requestTimeout: request,
    connectionTimeout: idle,
    keepAliveTimeout: keepAlive,
    // By default Node checks for slow clients only every half minute. The guard refuses a missing Host, with our problem format (R65).
    http: {
      maxHeaderSize: limits.http.headerBytes,
      headersTimeout: headers,
      connectionsCheckingInterval: checkEvery,
      requireHostHeader: false,
    },
    trustProxy: origin.trustedProxies.length ? [...origin.trustedProxies] : false,
    // Called first for every request, also for those without a route.
    rewriteUrl: (incoming) => {
      tidyForwardedFor(incoming)
      return incoming.url ?? '/'
    },
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: 128,
    },
    // Request ids are our own, never from a header.
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    exposeHeadRoutes: true,
    // While the node stops, requests on open connections are still answered (R95).
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerUnroutable(errorPage),
  })
  // Node would answer 417 itself, without our headers (R65); RFC 9110 §10.1.1 lets a server ignore the expectation.
  app.server.on('checkExpectation', (...exchange) => void app.server.emit('request', ...exchange))
  app.decorate<Endpoint[]>('endpoints', [])
  app.decorate('readsInPages', new Map<Endpoint, ReadInPage>())
  app.decorate('skippedErrors', openSkippedCauses())
  app.addHook('onRoute', ({ config, method, prefix, url }) => {
    // Pages are only read, and no API path is a page: there the endpoint defines the access.
    const isPage =
      config?.page && (method === 'GET' || method === 'HEAD') && !/^\/(?:api|provider|desk\/api)(?:\/|$)/.test(url)
    const isReports = config?.reports && url === reportsPath
    if (!config?.endpoint && !isPage && !isReports && !isRoute(url, prefix))
      throw new Error('A route without an endpoint of the contract must be marked as a page (R35).')
    if (config?.endpoint && method !== 'HEAD') app.endpoints.push(config.endpoint)
  })
  endUnreadBodies(app)
  app.addHook('onRequestAbort', async (aborted) => aborted.log.info({ req: aborted }, 'request aborted'))
  options.observe?.(app)
  addSecurityHeaders(app)
  if (options.refuseForwarded) refuseForwarded(app)
  answerFailures(app, errorPage)
  limitRequests(app, origin.requestsPerSecond)
  guardRequests(app, origin)
  await app.register(cookies)
  return app
}
