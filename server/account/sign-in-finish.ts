import type { Session } from '../../contract/account.ts'
import { deviceOf } from '../../contract/device.ts'
import { dayOfWrong } from '../account-block.ts'
import { record } from '../audit.ts'
import type { Claim } from '../budgets.ts'
import type { Tx } from '../db.ts'
import { findDevice, rememberDevice } from '../devices.ts'
import { voidLinks } from '../links.ts'
import type { Settings } from '../portal.ts'
import { deviceDetails, renewSession, sessionReply, type LiveSession } from '../session.ts'

type Caller = {
  session: LiveSession
  address: string
  userAgent: string
  device: string | undefined
  setToken: (token: string | null) => void
  setDevice: (token: string) => void
}

/**
 * What either second factor leads to, and a passkey alone: the session rises under a new token (R4), links are void (R11) and the device is
 * known. `spend` uses the factor up, and with it clears the count of wrong passwords. Undefined when it was used before.
 */
export async function finishSignIn(
  tx: Tx,
  settings: Settings,
  { session, address, userAgent, device, setToken, setDevice }: Caller,
  factor: 'sms' | 'passkey' | 'passkey-alone',
  spend: (clear: readonly Claim[]) => Promise<boolean>,
): Promise<Session | undefined> {
  const { id, accountId } = session
  const risen = await renewSession(tx, settings, session, 'signed-in')
  // What strangers did is not forgotten for what a known device or a passkey does, which they cannot hold up (R118).
  const alone = factor === 'passkey-alone'
  const isApart = alone || (await findDevice(tx, device, accountId)) !== undefined
  if (!risen || !(await spend(isApart ? [] : [dayOfWrong(accountId)]))) return undefined
  const details = {
    session: id,
    factor: alone ? 'passkey' : factor,
    ...(alone && { alone }),
    ...deviceDetails(deviceOf(userAgent)),
  }
  const [remembered] = await Promise.all([
    rememberDevice(tx, device, accountId),
    voidLinks(tx, accountId),
    record(tx, { act: 'sign-in-finished', accountId, actor: 'customer', address, details }),
  ])
  setToken(risen.token)
  setDevice(remembered)
  return sessionReply(risen.session)
}
