import type { FastifyInstance } from 'fastify'
import { deviceOf } from '../../contract/device.ts'
import { limits } from '../../contract/limits.ts'
import { enterPasskeySignIn, startPasskeySignIn } from '../../contract/passkey-sign-in.ts'
import { raiseAlarm } from '../alarms.ts'
import { record } from '../audit.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { subnetOf } from '../network.ts'
import { relyingParty, usePasskey } from '../passkey-challenges.ts'
import { drawVisitorChallenge, judgeVisitor } from '../passkey-visitors.ts'
import type { Portal } from '../portal.ts'
import { endSession, startByPasskey } from '../session.ts'
import { finishSignIn } from './sign-in-finish.ts'
import { countRefusedPasskey } from './sign-in-tries.ts'

/**
 * R121: a passkey whose device has verified its user is both factors: what one has, and what one is or knows. No name is
 * asked for, so there is none to find out; wrong passwords and wrong codes do not stand in its way (R118).
 */
export function servePasskeySignIn(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  serve(app, portal, startPasskeySignIn, async ({ visitor, setVisitor }) => {
    const { token, challenge } = await drawVisitorChallenge(portal, visitor)
    setVisitor(token)
    return {
      challenge,
      rpId: relyingParty(settings).id,
      userVerification: 'required' as const,
      timeout: limits.passkeys.challenge * 1000,
    }
  })

  serve(app, portal, enterPasskeySignIn, async ({ body, visitor, token, fail, ...call }) => {
    const { address, userAgent } = call
    const judged = await judgeVisitor(portal, visitor, body)
    if (!('counter' in judged)) {
      await refuse(judged, address)
      throw fail('passkey-refused')
    }
    return db.transaction().execute(async (tx) => {
      const session = await startByPasskey(tx, settings, judged.accountId, { address, device: deviceOf(userAgent) })
      if (!session) throw fail('account-blocked')
      if (token) await endSession(tx, token)
      const use = () => usePasskey(tx, portal, judged)
      const risen = await finishSignIn(tx, settings, { ...call, session }, 'passkey-alone', use)
      if (!risen) throw fail('passkey-refused')
      return risen
    })
  })

  /**
   * Judged first and counted then: nobody guesses a signature, so what others have sent from a network holds up no right
   * one. Beyond the network's limit nothing is recorded any more.
   */
  async function refuse({ accountId, passkey }: { accountId?: string; passkey?: string }, address: string) {
    const counted = await countRefusedPasskey(db, keys, address)
    if (!counted.ok) throw new Failed('too-many-attempts', { retryAfter: counted.retryAfter })
    if (counted.isSpraying) raiseAlarm(portal, { name: 'sign-in-spraying', about: subnetOf(address) })
    await db.transaction().execute((tx) =>
      record(tx, {
        act: 'passkey-refused',
        accountId: accountId ?? null,
        actor: 'customer',
        address,
        details: { purpose: 'sign-in', ...(passkey && { passkey }) },
      }),
    )
  }
}
