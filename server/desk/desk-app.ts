import type { FastifyInstance } from 'fastify'
import type { Db } from '../platform/database/database.ts'
import { serveCspReports } from '../platform/http/csp-reports.ts'
import { openApp, type AppOptions } from '../platform/http/open-app.ts'
import type { Portal } from '../platform/portal.ts'
import type { StaffSignInPort } from '../platform/ports.ts'
import type { Settings } from '../platform/settings.ts'
import { logoutPath, serveBackChannelLogout } from './back-channel-logout.ts'
import { serveDeskAudit } from './desk-audit.ts'
import { serveDeskCases } from './desk-cases.ts'
import { serveDeskClientKeys } from './desk-client-keys.ts'
import { serveCustomerMessages } from './customer-messages.ts'
import { serveDeskCustomers } from './desk-customers.ts'
import { serveDeskMessages } from './desk-messages.ts'
import { serveDeskMoves } from './desk-moves.ts'
import { serveDeskOperations } from './desk-operations.ts'
import { serveDeskPages } from './desk-pages.ts'
import { serveDeskProposals } from './desk-proposals.ts'
import { serveDeskSessions } from './desk-sign-in.ts'
import { serveDeskSoftware } from './desk-software.ts'
import { serveDeskVouchers } from './desk-vouchers.ts'
import { serveDeskTasks } from './desk-tasks.ts'
import { serveDeskWebhooks } from './desk-webhooks.ts'
import { serveTrailVerification } from './trail-verification.ts'

type Surroundings = Pick<Settings, 'publicUrl' | 'hosts'> & {
  /** It has the signed heads of the audit trail. */
  directory: string
  /** For client keys, which requests cannot change (R123). */
  ownerDb: Db
}

/**
 * The desk of the provider's staff as an app of its own, for a listener and an origin of its own (DSK-1, R236): it has no route of the
 * customers' app, and that one has none of these.
 */
export async function buildDesk(
  portal: Portal,
  provider: StaffSignInPort,
  { directory, ownerDb, ...origin }: Surroundings,
  options: AppOptions = {},
): Promise<FastifyInstance> {
  const isRoute = (path: string) => path === logoutPath
  const app = await openApp({ ...portal.settings, ...origin }, { isRoute }, options)
  serveDeskSessions(app, portal, provider)
  serveDeskCustomers(app, portal)
  serveDeskAudit(app, portal)
  serveTrailVerification(app, portal, directory)
  serveDeskCases(app, portal)
  if (portal.settings.deskTasks) serveDeskTasks(app, portal)
  serveCustomerMessages(app, portal)
  serveDeskMoves(app, portal)
  serveDeskProposals(app, portal)
  serveDeskOperations(app, portal)
  serveDeskMessages(app, portal)
  serveDeskClientKeys(app, portal, ownerDb)
  serveDeskWebhooks(app, portal)
  serveDeskSoftware(app, portal)
  serveDeskVouchers(app, portal)
  serveBackChannelLogout(app, portal, provider)
  serveCspReports(app)
  await serveDeskPages(app, portal)
  return app
}
