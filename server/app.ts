import type { FastifyInstance } from 'fastify'
import { makeBotChallenge } from './platform/http/bot-check.ts'
import { findCountry } from './platform/http/country.ts'
import { serveCspReports } from './platform/http/csp-reports.ts'
import { openApp, type AppOptions } from './platform/http/open-app.ts'
import { serveOpenApi } from './platform/http/openapi.ts'
import { serveReference } from './platform/http/openapi-page.ts'
import { servePages } from './platform/http/pages.ts'
import type { Portal } from './platform/portal.ts'
import { openReadiness, serveReadiness, type Readiness } from './platform/operations/readiness.ts'
import { serveWellKnown } from './platform/http/well-known.ts'

type Options = AppOptions & {
  /** Whether the node can serve; by default it checks the portal's database. */
  readiness?: Readiness
}

/** The whole portal as one Fastify app: common hooks first, then all features. It does not read the environment. */
export async function buildApp(portal: Portal, options: Options = {}): Promise<FastifyInstance> {
  const { settings } = portal
  // Routes with a prefix are plugins of the demonstration.
  const isRoute = (_path: string, prefix: string) => prefix !== '' && settings.demonstration
  const app = await openApp(settings, { isRoute, errorPages: portal }, options)

  serveReadiness(app, options.readiness ?? openReadiness(portal.db))
  makeBotChallenge(app, portal)
  findCountry(app, portal)
  for (const feature of portal.features) for (const call of feature.calls) call(app, portal)
  if (portal.settings.apiReference) {
    serveOpenApi(app, portal)
    serveReference(app, portal)
  }
  serveCspReports(app)
  serveWellKnown(app, portal)
  await servePages(app, portal)
  return app
}
