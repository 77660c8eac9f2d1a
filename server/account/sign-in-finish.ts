import type { Session } from '../../contract/account.ts'
import { deviceOf } from '../../contract/device.ts'
import { dailyWrongPasswords } from '../platform/authentication/account-block.ts'
import type { LimitKey } from '../platform/rate-limits/rate-limits.ts'
import type { Tx } from '../platform/database/database.ts'
import { findDevice } from '../platform/authentication/devices.ts'
import { applySignIn } from '../platform/authentication/signed-in.ts'
import type { BoundAudit } from '../platform/http/http.ts'
import type { Settings } from '../platform/settings.ts'
import { deviceDetails, renewSession, sessionReply, type LiveSession } from '../platform/authentication/session.ts'

type Caller = {
  session: LiveSession
  userAgent: string
  device: string | undefined
  setToken: (token: string | null) => void
  setDevice: (token: string) => void
  audit: BoundAudit
}

/** Uses up a factor and clears these counts; false if the factor was used before. */
export type SpendFactor = (clear: readonly LimitKey[]) => Promise<boolean>

/**
 * Finishes a sign-in after either second factor, or a passkey alone: the session gets its rights under a new token (R4), links become void
 * (R11) and the device becomes known. Undefined if the factor was used before.
 */
export async function finishSignIn(
  tx: Tx,
  settings: Settings,
  { session, userAgent, device, setToken, setDevice, audit }: Caller,
  factor: 'sms' | 'passkey' | 'passkey-alone',
  spend: SpendFactor,
): Promise<Session | undefined> {
  const { id, accountId } = session
  const renewed = await renewSession(tx, settings, session, 'signed-in')
  // Strangers cannot block a known device or a passkey, so a sign-in with one does not clear the failures of strangers (R118).
  const alone = factor === 'passkey-alone'
  const isApart = alone || (await findDevice(tx, device, accountId)) !== undefined
  if (!renewed) return undefined
  const [remembered, isSpent] = await Promise.all([
    applySignIn(tx, renewed.session, device),
    spend(isApart ? [] : [dailyWrongPasswords(accountId)]),
  ])
  if (!isSpent) return undefined
  const details = {
    session: id,
    factor: alone ? 'passkey' : factor,
    ...(alone && { alone }),
    ...deviceDetails(deviceOf(userAgent)),
  }
  await audit('sign-in-finished', details, accountId)
  setToken(renewed.token)
  setDevice(remembered)
  return sessionReply(renewed.session)
}
