import cookies from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { limits } from '../contract/limits.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { serveBotChallenge } from './platform/http/bot-check.ts'
import { serveCountry } from './platform/http/country.ts'
import { serveCspReports } from './platform/http/csp-reports.ts'
import { answerBrokenRequest, answerFailures, answerUnroutable } from './platform/http/error-answers.ts'
import { tidyForwardedFor } from './platform/http/forwarded-for.ts'
import { guardRequests, refuseForwarded } from './platform/http/guards.ts'
import { serveOpenApi } from './platform/http/openapi.ts'
import { serveReference } from './platform/http/openapi-page.ts'
import type { ReadInPage } from './platform/http/page-data.ts'
import { servePages } from './platform/http/pages.ts'
import type { Portal } from './platform/portal.ts'
import { openReadiness, serveReadiness, type Readiness } from './platform/operations/readiness.ts'
import { limitRequests } from './platform/rate-limits/request-rate.ts'
import { addSecurityHeaders, reportsPath } from './platform/http/security-headers.ts'
import { serveSecurityText } from './platform/http/security-text.ts'
import { endUnreadBodies } from './platform/http/unread-bodies.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** All endpoints of the app, for OpenAPI and tests. */
    endpoints: Endpoint[]
    /** The reads that a signed-in page may begin with (HTT-7). */
    readsInPages: Map<Endpoint, ReadInPage>
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

type Options = {
  logger?: FastifyServerOptions['logger']
  timeouts?: Timeouts
  /** Whether the node can serve; by default it checks the portal's database. */
  readiness?: Readiness
  /** Adds the hooks of metrics and traces, before the routes. */
  observe?: (app: FastifyInstance) => void
  /** Refuses all requests that came through a proxy. */
  refuseForwarded?: boolean
}

/** The whole portal as one Fastify app: common hooks first, then all features. It does not read the environment. */
export async function buildApp(portal: Portal, options: Options = {}): Promise<FastifyInstance> {
  const { headers, request, idle, keepAlive, checkEvery } = options.timeouts ?? timeouts
  const app = Fastify({
    logger: options.logger ?? false,
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
    trustProxy: portal.settings.trustedProxies.length ? [...portal.settings.trustedProxies] : false,
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
    frameworkErrors: answerUnroutable(portal),
  })
  // Node would answer 417 itself, without our headers (R65); RFC 9110 §10.1.1 lets a server ignore the expectation.
  app.server.on('checkExpectation', (...exchange) => void app.server.emit('request', ...exchange))
  app.decorate<Endpoint[]>('endpoints', [])
  app.decorate('readsInPages', new Map<Endpoint, ReadInPage>())
  app.addHook('onRoute', ({ config, method, prefix, url }) => {
    // Pages are only read, and no API path is a page: there the endpoint defines the access.
    const isPage = config?.page && (method === 'GET' || method === 'HEAD') && !/^\/(?:api|provider)(?:\/|$)/.test(url)
    // Routes with a prefix are plugins of the demonstration.
    const isDemonstration = prefix !== '' && portal.settings.demonstration
    const isReports = config?.reports && url === reportsPath
    if (!config?.endpoint && !isPage && !isReports && !isDemonstration)
      throw new Error('A route without an endpoint of the contract must be marked as a page (R35).')
    if (config?.endpoint && method !== 'HEAD') app.endpoints.push(config.endpoint)
  })
  endUnreadBodies(app)
  options.observe?.(app)
  addSecurityHeaders(app, portal)
  if (options.refuseForwarded) refuseForwarded(app)
  answerFailures(app, portal)
  limitRequests(app, portal.settings.requestsPerSecond)
  guardRequests(app, portal)
  await app.register(cookies)

  serveReadiness(app, options.readiness ?? openReadiness(portal.db))
  serveBotChallenge(app, portal)
  serveCountry(app, portal)
  for (const feature of portal.features) for (const serve of feature.serve) serve(app, portal)
  if (portal.settings.apiReference) {
    serveOpenApi(app, portal)
    serveReference(app, portal)
  }
  serveCspReports(app)
  serveSecurityText(app, portal)
  await servePages(app, portal)
  return app
}
