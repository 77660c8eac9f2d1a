import type { FastifyInstance } from 'fastify'
import { serveCspReports } from '../platform/http/csp-reports.ts'
import { openApp, type AppOptions } from '../platform/http/open-app.ts'
import type { Handler, Portal } from '../platform/portal.ts'
import type { StaffSignInPort } from '../platform/ports.ts'
import type { Settings } from '../platform/settings.ts'
import { resendMessagesAtDesk, resendInvitationAtDesk, withdrawInvitationAtDesk } from './customer-messages.ts'
import { listDeskAudit, exportDeskAudit, listDeskReaders, verifyDeskAudit } from './desk-audit.ts'
import { readDeskCase, actOnDeskCase } from './desk-cases.ts'
import { listKeysAtDesk, createKeyAtDesk, rotateKeyAtDesk, revokeKeyAtDesk } from './desk-client-keys.ts'
import {
  searchDesk,
  readDeskCustomer,
  unmaskDeskCustomer,
  unblockAtDesk,
  endSessionsAtDesk,
  sendLinkAtDesk,
} from './desk-customers.ts'
import { findMoveTarget, moveAtDesk } from './desk-moves.ts'
import {
  readHealth,
  requestChecks,
  readSwitches,
  listReleasesAtDesk,
  putReleaseAtDesk,
  removeReleaseAtDesk,
  listUndelivered,
  resendUndelivered,
} from './desk-operations.ts'
import { serveDeskPages } from './desk-pages.ts'
import {
  proposeAtDesk,
  withdrawProposal,
  listProposals,
  countProposals,
  readProposal,
  approveProposal,
  refuseProposal,
  blockAtDesk,
} from './desk-proposals.ts'
import {
  startDeskSignIn,
  renewDeskSignIn,
  finishDeskSignIn,
  readDeskSession,
  endDeskSession,
  listDeskSessions,
  revokeDeskSession,
  logoutPath,
  serveBackChannelLogout,
} from './desk-sign-in.ts'
import {
  listDeskTasks,
  unmaskIdentityDocument,
  judgeIdentityAtDesk,
  refuseUploadAtDesk,
  cancelDocumentAtDesk,
} from './desk-tasks.ts'
import { listCodesAtDesk, createCodesAtDesk, withdrawCodeAtDesk } from './desk-vouchers.ts'
import {
  listWebhooksAtDesk,
  putWebhookAtDesk,
  drawSecretAtDesk,
  removeWebhookAtDesk,
  replayAtDesk,
} from './desk-webhooks.ts'
import type { DeskPortal } from './staff-limits.ts'

const calls: readonly Handler<DeskPortal>[] = [
  startDeskSignIn,
  renewDeskSignIn,
  finishDeskSignIn,
  readDeskSession,
  endDeskSession,
  listDeskSessions,
  revokeDeskSession,
  searchDesk,
  readDeskCustomer,
  unmaskDeskCustomer,
  unblockAtDesk,
  endSessionsAtDesk,
  sendLinkAtDesk,
  listDeskAudit,
  exportDeskAudit,
  listDeskReaders,
  verifyDeskAudit,
  readDeskCase,
  actOnDeskCase,
  resendMessagesAtDesk,
  resendInvitationAtDesk,
  withdrawInvitationAtDesk,
  findMoveTarget,
  moveAtDesk,
  proposeAtDesk,
  withdrawProposal,
  listProposals,
  countProposals,
  readProposal,
  approveProposal,
  refuseProposal,
  blockAtDesk,
  readHealth,
  requestChecks,
  readSwitches,
  listUndelivered,
  resendUndelivered,
  listKeysAtDesk,
  createKeyAtDesk,
  rotateKeyAtDesk,
  revokeKeyAtDesk,
  listWebhooksAtDesk,
  putWebhookAtDesk,
  drawSecretAtDesk,
  removeWebhookAtDesk,
  replayAtDesk,
  listReleasesAtDesk,
  putReleaseAtDesk,
  removeReleaseAtDesk,
  listCodesAtDesk,
  createCodesAtDesk,
  withdrawCodeAtDesk,
]

const taskCalls: readonly Handler[] = [
  listDeskTasks,
  unmaskIdentityDocument,
  judgeIdentityAtDesk,
  refuseUploadAtDesk,
  cancelDocumentAtDesk,
]

/**
 * Builds the desk of the provider's staff as a separate app, with its own listener and origin (DSK-1, R236). It has no route of the
 * customers' app, nor has that any of the desk's.
 */
export async function buildDesk(
  portal: Portal,
  provider: StaffSignInPort,
  { directory, ownerDb, ...origin }: Pick<DeskPortal, 'directory' | 'ownerDb'> & Pick<Settings, 'publicUrl' | 'hosts'>,
  options: AppOptions = {},
): Promise<FastifyInstance> {
  const isRoute = (path: string) => path === logoutPath
  const app = await openApp({ ...portal.settings, ...origin }, { isRoute }, options)
  const desk = { ...portal, staffSignIn: provider, directory, ownerDb }
  for (const call of [...calls, ...(portal.settings.hasDeskTasks ? taskCalls : [])]) call(app, desk)
  serveBackChannelLogout(app, portal, provider)
  serveCspReports(app)
  await serveDeskPages(app, portal)
  return app
}
