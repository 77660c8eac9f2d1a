import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { changeTimestampPassword } from '../../contract/timestamps.ts'
import type { Act } from '../../contract/acts.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { findAccount } from './timestamp-queries.ts'
import { isPasswordChangeable } from './timestamps.ts'

const changes: Budget = { name: 'timestamp-password', ...limits.timestamps.password.changes }

/** TSP-3: the password passes through to the timestamp server, and stays nowhere here. */
export function serveTimestampPassword(app: FastifyInstance, portal: Portal): void {
  const { db, keys, ports } = portal

  serve(app, portal, changeTimestampPassword, async ({ params, body, session, address, fail }) => {
    const account = await findAccount(db, session.accountId, params.id, session.now)
    if (!account) throw fail('not-found')
    if (!isPasswordChangeable(portal, account)) throw fail('timestamp-password-fixed')
    const paid = await spend(db, keys, changes, account.id)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    const say = (act: Act) =>
      db.transaction().execute((tx) =>
        record(tx, {
          act,
          accountId: session.accountId,
          actor: 'customer',
          address,
          details: { timestampAccount: account.id },
        }),
      )
    // On the record before, because what another server has done does not come undone with a transaction of ours (R84).
    await say('timestamp-password-asked')
    const outcome = await ports.timestampAccounts!.setPassword(account.providerId, body.newPassword)
    if (outcome === 'refused') throw fail('timestamp-password-fixed')
    if (outcome === 'unreachable') throw fail('unavailable')
    await say('timestamp-password-changed')
  })
}
