import type { FastifyInstance } from 'fastify'
import * as calls from '../contract/country.ts'
import { inLocale, pages } from '../contract/pages.ts'
import { dayMs } from '../contract/rules/warsaw-time.ts'
import { makeBotChallenge } from './platform/http/bot-check.ts'
import { serveCspReports } from './platform/http/csp-reports.ts'
import { handler } from './platform/http/http.ts'
import { openApp, type AppOptions } from './platform/http/open-app.ts'
import { networkOf } from './platform/observability/network.ts'
import { serveReference } from './platform/openapi/openapi-page.ts'
import { serveOpenApi } from './platform/openapi/openapi.ts'
import { openReadiness, serveReadiness, type Readiness } from './platform/operations/readiness.ts'
import { openPageDocuments } from './platform/pages/page-documents.ts'
import { sendErrorPage, servePages } from './platform/pages/pages.ts'
import type { Portal } from './platform/portal.ts'
import { charge } from './platform/rate-limits/rate-limits.ts'

type Options = AppOptions & {
  /** Whether the node can serve; by default it checks the portal's database. */
  readiness?: Readiness
}

/** Answers with the country of the caller's address; it never fails, so that the form can continue (PHO-2). */
const findCountry = handler(calls.findCountry, async ({ address }, portal) => {
  if (!(await charge(portal.db, portal.keys, ['country-lookup', networkOf(address)])).ok) return { result: '0' }
  return { result: (await portal.ports.country.lookUp(address)) ?? '0' }
})

const securityText = '/.well-known/security.txt'
/** RFC 9116 §2.5.5 recommends less than a year; it counts from each answer, so that it never has to be updated. */
const validForDays = 180

/** Serves the well-known addresses, which programs try at every site (RFC 8615). */
function serveWellKnown(app: FastifyInstance, portal: Portal): void {
  // Password managers lead there (W3C, A Well-Known URL for Changing Passwords).
  app.get('/.well-known/change-password', { config: { page: true } }, ({ cookies }, reply) =>
    reply.redirect(inLocale(cookies['locale'] === 'en' ? 'en' : 'pl', pages.changePassword.path), 302),
  )
  serveSecurityText(app, portal)
}

/** Serves the contact for reports of vulnerabilities (RFC 9116, R126), only if the operator names one. */
function serveSecurityText(app: FastifyInstance, { settings: { publicUrl, security } }: Portal): void {
  if (!security.contacts.length) return
  app.get(securityText, { config: { page: true } }, (_request, reply) => {
    const expires = new Date(Date.now() + validForDays * dayMs)
    expires.setUTCHours(0, 0, 0, 0)
    const lines = [
      ...security.contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: pl, en',
      `Canonical: ${publicUrl}${securityText}`,
      ...(security.policy ? [`Policy: ${security.policy}`] : []),
    ]
    return reply.type('text/plain; charset=utf-8').send(lines.map((line) => `${line}\r\n`).join(''))
  })
}

/** Builds the whole portal as one Fastify app: common hooks first, then all features. Does not read the environment. */
export async function buildApp(portal: Portal, options: Options = {}): Promise<FastifyInstance> {
  const { settings } = portal
  // Routes with a prefix are plugins of the demonstration.
  const isRoute = (_path: string, prefix: string) => prefix !== '' && settings.isDemonstration
  const documents = await openPageDocuments(portal)
  const app = await openApp(
    settings,
    { isRoute, errorPage: (...failure) => sendErrorPage(documents, ...failure) },
    options,
  )

  serveReadiness(app, options.readiness ?? openReadiness(portal.db))
  makeBotChallenge(app, portal)
  findCountry(app, portal)
  for (const feature of portal.features) for (const call of feature.calls) call(app, portal)
  if (portal.settings.hasApiReference) {
    serveOpenApi(app, portal)
    serveReference(app, portal)
  }
  serveCspReports(app)
  serveWellKnown(app, portal)
  await servePages(app, portal, documents)
  return app
}
