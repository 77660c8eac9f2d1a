import type { FastifyInstance } from 'fastify'
import { serveCspReports } from '../platform/http/csp-reports.ts'
import { openApp, type AppOptions } from '../platform/http/open-app.ts'
import type { Portal } from '../platform/portal.ts'
import type { StaffSignInPort } from '../platform/ports.ts'
import type { Settings } from '../platform/settings.ts'
import { logoutPath, serveBackChannelLogout } from './back-channel-logout.ts'
import { serveDeskCustomers } from './desk-customers.ts'
import { serveDeskPages } from './desk-pages.ts'
import { serveDeskSessions } from './desk-sign-in.ts'

/**
 * The desk of the provider's staff as an app of its own, for a listener and an origin of its own (DSK-1, R236): it has no route of the
 * customers' app, and that one has none of these.
 */
export async function buildDesk(
  portal: Portal,
  provider: StaffSignInPort,
  origin: Pick<Settings, 'publicUrl' | 'hosts'>,
  options: AppOptions = {},
): Promise<FastifyInstance> {
  const isRoute = (path: string) => path === logoutPath
  const app = await openApp({ ...portal.settings, ...origin }, { isRoute }, options)
  serveDeskSessions(app, portal, provider)
  serveDeskCustomers(app, portal)
  serveBackChannelLogout(app, portal, provider)
  serveCspReports(app)
  await serveDeskPages(app, portal)
  return app
}
