import cookies from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { limits } from '../contract/limits.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { serveAccount } from './account/account.ts'
import { servePasskeyEntry } from './account/passkey-entry.ts'
import { servePasskeySignIn } from './account/passkey-sign-in.ts'
import { servePasswords } from './account/passwords.ts'
import { servePhoneConfirmation } from './account/phone-confirmation.ts'
import { serveActiveSessions } from './activity/active-sessions.ts'
import { serveActivity } from './activity/activity.ts'
import { serveBotChallenge } from './bot-check.ts'
import { serveCountry } from './country.ts'
import { serveDataExport } from './data-export/data-export.ts'
import { serveSigningInPlace } from './documents/signing-in-place.ts'
import { serveDocumentUploads } from './documents/document-uploads.ts'
import { serveDocuments } from './documents/documents.ts'
import { serveCspReports } from './csp-reports.ts'
import { answerBrokenRequest, answerFailures, answerUnroutable } from './error-answers.ts'
import { tidyForwardedFor } from './forwarded-for.ts'
import { guardRequests, refuseForwarded } from './guards.ts'
import { serveOpenApi } from './openapi.ts'
import { servePages } from './pages.ts'
import { servePasskeys } from './passkeys/passkeys.ts'
import { serveConsents } from './personal-data/consent-changes.ts'
import { serveReminders } from './personal-data/reminder-switch.ts'
import { serveMyData } from './personal-data/my-data.ts'
import { servePhoneChange } from './phone-change/phone-change.ts'
import type { Portal } from './portal.ts'
import { serveClientKey } from './provider-api/client-key.ts'
import { serveCustomerImport } from './provider-api/customer-import.ts'
import { serveProviderCustomers } from './provider-api/customers.ts'
import { serveProviderDocumentMoves } from './provider-api/provider-document-moves.ts'
import { serveProviderDocuments } from './provider-api/provider-documents.ts'
import { serveProviderEvents } from './provider-api/provider-events.ts'
import { serveProviderSealUsers } from './provider-api/provider-seal-users.ts'
import { serveProviderSeals } from './provider-api/provider-seals.ts'
import { serveProviderSignatures } from './provider-api/provider-signatures.ts'
import { serveProviderSoftware } from './provider-api/provider-software.ts'
import { serveProviderTimestamps } from './provider-api/provider-timestamps.ts'
import { serveProviderVouchers } from './provider-api/provider-vouchers.ts'
import { serveProviderWebhooks } from './provider-api/provider-webhooks.ts'
import { serveProviderRenewals } from './provider-api/provider-renewals.ts'
import { openReadiness, serveReadiness, type Readiness } from './readiness.ts'
import { limitRequests } from './request-rate.ts'
import { serveRegistration } from './registration/registration.ts'
import { serveRenewalSigning } from './renewal/renewal-signing.ts'
import { serveRenewal } from './renewal/renewal.ts'
import { serveSealActivation } from './seals/seal-activation.ts'
import { serveSeals } from './seals/seals.ts'
import { serveSealUsers } from './seals/user-management.ts'
import { addSecurityHeaders, reportsPath } from './security-headers.ts'
import { serveSecurityText } from './security-text.ts'
import { servePairing } from './signatures/pairing.ts'
import { serveSignatures } from './signatures/signatures.ts'
import { serveSoftware } from './software/software-list.ts'
import { serveTimestampPassword } from './timestamps/timestamp-password.ts'
import { serveTimestamps } from './timestamps/timestamps.ts'
import { endUnreadBodies } from './unread-bodies.ts'
import { serveVouchers } from './vouchers/vouchers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every endpoint that is served, for OpenAPI and for tests that walk the route table. */
    endpoints: Endpoint[]
  }
}

/** How long a peer may take, in milliseconds (R69): none holds a connection for more than half a minute by being slow. */
export type Patience = { headers: number; request: number; idle: number; keepAlive: number; lookEvery: number }

export const patience: Patience = { headers: 10_000, request: 25_000, idle: 20_000, keepAlive: 10_000, lookEvery: 1000 }

type Options = {
  logger?: FastifyServerOptions['logger']
  patience?: Patience
  /** Whether the node can serve; by the portal's own database unless given. */
  readiness?: Readiness
  /** What metrics and traces want of every request; before there are routes. */
  observe?: (app: FastifyInstance) => void
  /** Answers nothing that came through a proxy. */
  refuseForwarded?: boolean
}

/** The whole portal as one Fastify app: idioms first, then every feature by name. Nothing here reads the environment. */
export async function buildApp(portal: Portal, options: Options = {}): Promise<FastifyInstance> {
  const { headers, request, idle, keepAlive, lookEvery } = options.patience ?? patience
  const app = Fastify({
    logger: options.logger ?? false,
    bodyLimit: limits.http.jsonBytes,
    requestTimeout: request,
    connectionTimeout: idle,
    keepAliveTimeout: keepAlive,
    // Node looks for slow senders every half minute unless told otherwise. A missing Host is the guard's to refuse, in our shape (R65).
    http: {
      maxHeaderSize: limits.http.headerBytes,
      headersTimeout: headers,
      connectionsCheckingInterval: lookEvery,
      requireHostHeader: false,
    },
    trustProxy: portal.settings.trustedProxies.length ? [...portal.settings.trustedProxies] : false,
    // It hears of every request first, also of those that get no route.
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
    // A request id comes from us, never from a header.
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    exposeHeadRoutes: true,
    // While the node stops, what still arrives on an open connection is answered like any other (R95).
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerUnroutable(portal),
  })
  // Node would answer 417 itself, without our headers (R65); RFC 9110 §10.1.1 lets a server overlook the expectation.
  app.server.on('checkExpectation', (...exchange) => void app.server.emit('request', ...exchange))
  app.decorate('endpoints', [] as Endpoint[])
  app.addHook('onRoute', ({ config, method, prefix, url }) => {
    // A page is only looked at, and nothing of the API is one: who may call that is an endpoint's to say.
    const isPage = config?.page && (method === 'GET' || method === 'HEAD') && !/^\/(?:api|provider)(?:\/|$)/.test(url)
    // What lies under a prefix is a plugin of the demonstration's, which main.ts alone registers.
    const isDemonstration = prefix !== '' && portal.settings.demonstration
    const isReports = config?.reports && url === reportsPath
    if (!config?.endpoint && !isPage && !isReports && !isDemonstration)
      throw new Error('A route without an endpoint of the contract must be a page, and say so (R35).')
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
  serveAccount(app, portal)
  servePasswords(app, portal)
  servePhoneConfirmation(app, portal)
  servePasskeyEntry(app, portal)
  servePasskeySignIn(app, portal)
  serveBotChallenge(app, portal)
  serveCountry(app, portal)
  serveRegistration(app, portal)
  serveConsents(app, portal)
  serveReminders(app, portal)
  servePasskeys(app, portal)
  serveActiveSessions(app, portal)
  serveActivity(app, portal)
  serveMyData(app, portal)
  serveDataExport(app, portal)
  servePhoneChange(app, portal)
  serveSignatures(app, portal)
  servePairing(app, portal)
  serveSeals(app, portal)
  serveSealUsers(app, portal)
  serveSealActivation(app, portal)
  serveTimestamps(app, portal)
  serveTimestampPassword(app, portal)
  serveSoftware(app, portal)
  serveVouchers(app, portal)
  serveDocuments(app, portal)
  serveDocumentUploads(app, portal)
  serveSigningInPlace(app, portal)
  serveRenewal(app, portal)
  serveRenewalSigning(app, portal)
  serveClientKey(app, portal)
  serveProviderCustomers(app, portal)
  serveCustomerImport(app, portal)
  serveProviderSignatures(app, portal)
  serveProviderSeals(app, portal)
  serveProviderSealUsers(app, portal)
  serveProviderTimestamps(app, portal)
  serveProviderSoftware(app, portal)
  serveProviderVouchers(app, portal)
  serveProviderDocuments(app, portal)
  serveProviderDocumentMoves(app, portal)
  serveProviderRenewals(app, portal)
  serveProviderEvents(app, portal)
  serveProviderWebhooks(app, portal)
  serveOpenApi(app, portal)
  serveCspReports(app)
  serveSecurityText(app, portal)
  await servePages(app, portal)
  return app
}
