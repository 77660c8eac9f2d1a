import { sql } from 'kysely'
import type { enterSignInCode } from '../../contract/account.ts'
import { parseDevice } from '../../contract/device.ts'
import type { Given } from '../../contract/endpoint.ts'
import type { Session } from '../../contract/session.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { dailyWrongPasswords } from '../platform/authentication/account-block.ts'
import { findDevice, forget, remember } from '../platform/authentication/devices.ts'
import { voidLinksStatement } from '../platform/authentication/links.ts'
import {
  deviceDetails,
  renewSession,
  sessionReply,
  type LiveSession,
  endOldestSessions,
  newToken,
} from '../platform/authentication/session.ts'
import { query, type Tx } from '../platform/database/database.ts'
import type { BoundAudit, Call } from '../platform/http/http.ts'
import type { LimitKey } from '../platform/rate-limits/rate-limits.ts'
import type { Settings } from '../platform/settings.ts'

type FinishingCall = Pick<Call<typeof enterSignInCode>, 'session' | 'userAgent' | 'cookies' | 'setCookies'> & {
  audit: BoundAudit
  factor: 'sms' | 'passkey' | 'passkey-alone'
}

/** A function that uses up a factor and clears these counts; it returns false if the factor was used before. */
export type SpendFactor = (clear: readonly LimitKey[]) => Promise<boolean>

/**
 * Applies the changes of a sign-in other than its session, in one statement: ends the account's oldest sessions beyond the limit (R19),
 * invalidates its links (R11), and remembers the device under a new token, which is returned. The session must already have its rights,
 * which locks the account.
 */
async function applySignIn(
  tx: Tx,
  { accountId, tokenHash }: Pick<LiveSession, 'accountId' | 'tokenHash'>,
  device: string | undefined,
): Promise<string> {
  const next = newToken()
  const { ended } = await query(tx).one(sql<{ ended: string[] }>`
    with ended as (${endOldestSessions(accountId, tokenHash)}), voided as (${voidLinksStatement([accountId])}), before as (${forget(device, accountId)})
    ${remember(next, accountId)}
    returning array(select id from ended) as ended`)
  for (const session of ended)
    await addAuditEntry(tx, {
      action: 'session-ended',
      accountId,
      actor: 'system',
      details: { session, by: 'newer-sign-in' },
    })
  return next
}

/**
 * Finishes a sign-in after either second factor, or a passkey alone: the session gets its rights under a new token (R4), links become void
 * (R11) and the device becomes known. Undefined if the factor was used before.
 */
export async function finishSignIn(
  tx: Tx,
  settings: Settings,
  { session, userAgent, cookies, setCookies, audit, factor }: FinishingCall,
  spend: SpendFactor,
): Promise<Given<typeof Session> | undefined> {
  const { id, accountId } = session
  const renewed = await renewSession(tx, settings, session, 'signed-in')
  // Strangers cannot block a known device or a passkey, so a sign-in with one does not clear the failures of strangers (R118).
  const isAlone = factor === 'passkey-alone'
  const isApart = isAlone || (await findDevice(tx, cookies.device, accountId)) !== undefined
  if (!renewed) return undefined
  const [remembered, isSpent] = await Promise.all([
    applySignIn(tx, renewed.session, cookies.device),
    spend(isApart ? [] : [dailyWrongPasswords(accountId)]),
  ])
  if (!isSpent) return undefined
  const details = {
    session: id,
    factor: isAlone ? 'passkey' : factor,
    ...(isAlone && { alone: true }),
    ...deviceDetails(parseDevice(userAgent)),
  }
  await audit('sign-in-finished', details, accountId)
  setCookies({ token: renewed.token, device: remembered })
  return sessionReply(renewed.session)
}
