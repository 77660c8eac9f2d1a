import { parseDevice } from '../../contract/device.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/passkey-sign-in.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import {
  relyingParty,
  usePasskey,
  drawVisitorChallenge,
  verifyVisitorAssertion,
} from '../platform/authentication/passkey-challenges.ts'
import { endSession, startPasskeySession } from '../platform/authentication/session.ts'
import { handler } from '../platform/http/http.ts'
import { subnetOf } from '../platform/observability/network.ts'
import { countRefusedPasskey } from './sign-in-attempts.ts'
import { finishSignIn } from './sign-in-finish.ts'

// A passkey whose device has verified its user is both factors: possession, and inherence or knowledge. It asks for no name, so it reveals
// none; wrong passwords and wrong codes do not block it (R121, R118).

export const startPasskeySignIn = handler(calls.startPasskeySignIn, async ({ cookies, setCookies }, portal) => {
  const { token, challenge } = await drawVisitorChallenge(portal, cookies.visitor)
  setCookies({ visitor: token })
  return {
    challenge,
    rpId: relyingParty(portal.settings).id,
    userVerification: 'required' as const,
    timeout: limits.passkeys.challengeLife * 1000,
  }
})

export const enterPasskeySignIn = handler(
  calls.enterPasskeySignIn,
  async ({ transaction, body, fail, ...call }, portal) => {
    const { address, userAgent, cookies } = call
    const judged = await verifyVisitorAssertion(portal, cookies.visitor, body)
    if (!('counter' in judged)) {
      const counted = await countRefusedPasskey(portal.db, portal.keys, address)
      // Judged first and counted then: nobody guesses a signature, so attempts of others in the network delay no right one. Beyond the
      // network's limit nothing is audited.
      if (!counted.ok) throw fail('too-many-attempts', { retryAfter: counted.retryAfter })
      if (counted.isSpraying) raiseAlarm(portal, { name: 'sign-in-spraying', about: subnetOf(address) })
      const { accountId, passkeyId } = judged
      const details = { purpose: 'sign-in', ...(passkeyId && { passkey: passkeyId }) }
      await transaction((_tx, audit) => audit('passkey-refused', details, accountId ?? null))
      throw fail('passkey-refused')
    }
    return transaction(async (tx, audit) => {
      const from = { address, device: parseDevice(userAgent) }
      const session = await startPasskeySession(tx, portal.settings, judged.accountId, from)
      if (!session) throw fail('account-blocked')
      if (cookies.token) await endSession(tx, cookies.token)
      const caller = { ...call, session, audit, factor: 'passkey-alone' as const }
      const finished = await finishSignIn(tx, portal.settings, caller, () => usePasskey(tx, portal, judged))
      if (!finished) throw fail('passkey-refused')
      return finished
    })
  },
)
