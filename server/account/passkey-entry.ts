import type { FastifyInstance } from 'fastify'
import type { StepUpAct } from '../../contract/account.ts'
import {
  enterSignInPasskey,
  enterStepUpPasskey,
  startSignInPasskey,
  startStepUpPasskey,
} from '../../contract/passkeys.ts'
import { record } from '../audit.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { askForAssertion, judgeAssertion, usePasskey } from '../passkey-challenges.ts'
import type { Portal } from '../portal.ts'
import { renewSession, sessionReply, type LiveSession } from '../session.ts'
import { confirmStepUp, hasObject } from '../step-up.ts'
import { finishSignIn } from './sign-in-finish.ts'

/** AUT-8: a passkey in the place of the SMS code, at sign-in and before a sensitive act. */
export function servePasskeyEntry(app: FastifyInstance, portal: Portal): void {
  const { db, settings } = portal

  const ofSignIn = ({ id, accountId }: LiveSession) => ({
    accountId,
    sessionId: id,
    purpose: 'sign-in' as const,
    object: id,
  })
  const ofStepUp = ({ id, accountId }: LiveSession, { purpose, object = accountId }: StepUpAct) => ({
    accountId,
    sessionId: id,
    purpose,
    object,
  })

  serve(app, portal, startSignInPasskey, async ({ session, fail }) => {
    const options = await askForAssertion(portal, ofSignIn(session))
    if (!options) throw fail('passkey-refused')
    return options
  })

  serve(app, portal, enterSignInPasskey, async ({ body, ...call }) => {
    const judged = await judgeAssertion(portal, ofSignIn(call.session), body)
    return db.transaction().execute(async (tx) => {
      const risen = await finishSignIn(tx, settings, call, 'passkey', (clear) => usePasskey(tx, portal, judged, clear))
      if (!risen) throw new Failed('passkey-refused')
      return risen
    })
  })

  serve(app, portal, startStepUpPasskey, async ({ body, session, fail }) => {
    const operation = ofStepUp(session, body)
    if (!(await hasObject(db, session.accountId, operation.purpose, operation.object))) throw fail('not-found')
    const options = await askForAssertion(portal, operation)
    if (!options) throw fail('passkey-refused')
    return options
  })

  serve(app, portal, enterStepUpPasskey, async ({ body: { assertion, ...act }, session, address, setToken }) => {
    const { purpose, object, accountId } = ofStepUp(session, act)
    const judged = await judgeAssertion(portal, ofStepUp(session, act), assertion)
    return db.transaction().execute(async (tx) => {
      const renewed = await renewSession(tx, settings, session)
      if (!renewed || !(await usePasskey(tx, portal, judged))) throw new Failed('passkey-refused')
      await confirmStepUp(tx, session.id, purpose, object)
      await record(tx, {
        act: 'step-up-confirmed',
        accountId,
        actor: 'customer',
        address,
        details: { purpose, object, factor: 'passkey' },
      })
      setToken(renewed.token)
      return sessionReply(renewed.session)
    })
  })
}
