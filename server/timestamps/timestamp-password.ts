import type { FastifyInstance } from 'fastify'
import { changeTimestampPassword } from '../../contract/timestamps.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findAccount } from './timestamp-store.ts'
import { isPasswordChangeable } from './timestamps.ts'

/** TSP-3: the password goes to the timestamp server and is not stored here. */
export function serveTimestampPassword(app: FastifyInstance, portal: Portal): void {
  const { db, ports } = portal

  serve(app, portal, changeTimestampPassword, async ({ params, body, session, fail, limit, transaction, found }) => {
    const account = found(await findAccount(db, session.accountId, params.id, session.now))
    const { timestampAccounts } = ports
    if (!timestampAccounts || !isPasswordChangeable(portal, account)) throw fail('timestamp-password-fixed')
    await limit('too-many-attempts', ['timestamp-password', account.id])
    const addEntry = (action: AuditAction) =>
      transaction((_tx, audit) => audit(action, { timestampAccount: account.id }))
    // The audit entry comes first, because a rollback of ours cannot undo what another server has done (R84).
    await addEntry('timestamp-password-asked')
    const outcome = await timestampAccounts.setPassword(account.providerId, body.newPassword)
    if (outcome === 'refused') throw fail('timestamp-password-fixed')
    if (outcome === 'unreachable') throw fail('unavailable')
    await addEntry('timestamp-password-changed')
  })
}
