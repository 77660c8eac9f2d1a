import * as calls from '../../contract/timestamps.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { handler } from '../platform/http/http.ts'
import { findAccount } from './timestamp-store.ts'
import { isPasswordChangeable } from './timestamps.ts'

/** TSP-3: the password goes to the timestamp server and is not stored here. */
export const changeTimestampPassword = handler(
  calls.changeTimestampPassword,
  async ({ params, body, session, fail, limit, transaction, found }, portal) => {
    const account = found(await findAccount(portal.db, session.accountId, params.id, session.now))
    const { timestampAccounts } = portal.ports
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
  },
)
