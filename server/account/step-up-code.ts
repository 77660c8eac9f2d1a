import type { FastifyInstance } from 'fastify'
import { enterStepUpCode, resendStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { refundOnFailure, codeRefused } from '../platform/authentication/code-answers.ts'
import { createCodeOnce, enterCode, findOperation, resendCode, spendCode } from '../platform/authentication/codes.ts'
import { hasPasskeys } from '../platform/authentication/passkey-challenges.ts'
import { renewSession, sessionReply } from '../platform/authentication/session.ts'
import { confirmStepUp, ownsStepUpObject } from '../platform/authentication/step-up.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { sendSms, usesPasskeys } from './sms-code.ts'

/** AUT-7: a code by SMS before a sensitive operation. */
export function serveStepUpCode(app: FastifyInstance, portal: Portal): void {
  const { db, settings } = portal

  serve(app, portal, startStepUp, async ({ body, session, address, fail }) => {
    const { id: sessionId, accountId } = session
    const { purpose, object = accountId, by } = body
    if (!(await ownsStepUpObject(portal, accountId, purpose, object))) throw fail('not-found')
    if (!by && usesPasskeys(portal) && (await hasPasskeys(db, accountId))) return { channel: 'passkey' as const }
    return sendSms(portal, { session, address }, { accountId, sessionId, purpose, object }, createCodeOnce)
  })

  serve(app, portal, enterStepUpCode, async ({ params, body, session, setToken, fail, found, transaction }) => {
    const { purpose, object, ...operation } = found(await findOperation(db, session, params.id))
    const entry = await enterCode(db, portal, { ...operation, purpose, object, codeId: params.id }, body.code)
    if (!entry.ok) throw codeRefused(entry)
    return transaction(async (tx, audit) => {
      const renewed = await renewSession(tx, settings, session)
      if (!renewed || !(await spendCode(tx, portal, entry))) throw fail('code-void')
      await confirmStepUp(tx, session.id, purpose, object)
      await audit('step-up-confirmed', { purpose, object })
      setToken(renewed.token)
      return sessionReply(renewed.session)
    }).catch(refundOnFailure(portal, entry))
  })

  serve(app, portal, resendStepUpCode, async ({ params, session, address, found }) => {
    const operation = found(await findOperation(db, session, params.id))
    return sendSms(portal, { session, address }, operation, resendCode)
  })
}
