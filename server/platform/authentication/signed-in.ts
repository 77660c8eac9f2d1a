import { sql } from 'kysely'
import { addAuditEntry } from '../audit/audit.ts'
import { single, type Tx } from '../database/database.ts'
import { forget, remember } from './devices.ts'
import { voiding } from './links.ts'
import { endOldestSessions, newToken, type LiveSession } from './session.ts'

/**
 * What a sign-in changes besides its session, in one statement: the account's oldest sessions beyond the limit end (R19), its links become
 * void (R11), and the device is remembered under a new token, which is returned. The session must have got its rights before, which
 * locks the account.
 */
export async function applySignIn(
  tx: Tx,
  { accountId, tokenHash }: Pick<LiveSession, 'accountId' | 'tokenHash'>,
  device: string | undefined,
): Promise<string> {
  const next = newToken()
  const { rows } = await sql<{ ended: string[] }>`
    with ended as (${endOldestSessions(accountId, tokenHash)}), voided as (${voiding([accountId])}), before as (${forget(device, accountId)})
    ${remember(next, accountId)}
    returning array(select id from ended) as ended`.execute(tx)
  for (const session of single(rows).ended)
    await addAuditEntry(tx, {
      action: 'session-ended',
      accountId,
      actor: 'system',
      details: { session, by: 'newer-sign-in' },
    })
  return next
}
