import * as calls from '../../contract/passkeys.ts'
import type { StepUpAction } from '../../contract/step-up.ts'
import { createAssertionOptions, verifyAssertion, usePasskey } from '../platform/authentication/passkey-challenges.ts'
import { operationIn, renewSession, sessionReply, type LiveSession } from '../platform/authentication/session.ts'
import { confirmStepUp, ownsStepUpObject } from '../platform/authentication/step-up.ts'
import { handler } from '../platform/http/http.ts'
import { finishSignIn } from './sign-in-finish.ts'

// A passkey in place of the SMS code, at sign-in and before a sensitive operation (AUT-8).

const signInOperation = (session: LiveSession) => operationIn(session, 'sign-in', session.id)
const stepUpOperation = (session: LiveSession, { purpose, object = session.accountId }: StepUpAction) =>
  operationIn(session, purpose, object)

export const startSignInPasskey = handler(calls.startSignInPasskey, async ({ session, fail }, portal) => {
  const options = await createAssertionOptions(portal, signInOperation(session))
  if (!options) throw fail('passkey-refused')
  return options
})

export const enterSignInPasskey = handler(
  calls.enterSignInPasskey,
  async ({ transaction, body, fail, ...call }, portal) => {
    const judged = await verifyAssertion(portal, signInOperation(call.session), body)
    return transaction(async (tx, audit) => {
      const session = await finishSignIn(tx, portal.settings, { ...call, audit, factor: 'passkey' }, (clear) =>
        usePasskey(tx, portal, judged, clear),
      )
      if (!session) throw fail('passkey-refused')
      return session
    })
  },
)

export const startStepUpPasskey = handler(calls.startStepUpPasskey, async ({ body, session, fail }, portal) => {
  const operation = stepUpOperation(session, body)
  if (!(await ownsStepUpObject(portal, session.accountId, operation.purpose, operation.object))) throw fail('not-found')
  const options = await createAssertionOptions(portal, operation)
  if (!options) throw fail('passkey-refused')
  return options
})

export const enterStepUpPasskey = handler(
  calls.enterStepUpPasskey,
  async ({ body, session, setCookies, fail, transaction }, portal) => {
    const { assertion, ...requested } = body
    const operation = stepUpOperation(session, requested)
    const { purpose, object } = operation
    const judged = await verifyAssertion(portal, operation, assertion)
    return transaction(async (tx, audit) => {
      const renewed = await renewSession(tx, portal.settings, session)
      if (!renewed || !(await usePasskey(tx, portal, judged))) throw fail('passkey-refused')
      await confirmStepUp(tx, session.id, purpose, object)
      await audit('step-up-confirmed', { purpose, object, factor: 'passkey' })
      setCookies({ token: renewed.token })
      return sessionReply(renewed.session)
    })
  },
)
