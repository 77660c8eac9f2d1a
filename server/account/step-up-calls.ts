import * as calls from '../../contract/step-up.ts'
import { orThrow } from '../platform/api-error.ts'
import type { Operation } from '../platform/authentication/code-limits.ts'
import {
  refundOnFailure,
  createCodeOnce,
  enterCode,
  findOperation,
  resendCode,
  spendCode,
  type SentCode,
} from '../platform/authentication/codes.ts'
import { hasPasskeys } from '../platform/authentication/passkey-challenges.ts'
import { renewSession, sessionReply, type LiveSession } from '../platform/authentication/session.ts'
import { confirmStepUp, ownsStepUpObject } from '../platform/authentication/step-up.ts'
import { readAccountPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { handler } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'

export const usesPasskeys = ({ settings }: Portal): boolean => !settings.featuresOff.includes('passkeys')

/** Sends the code of an operation to the account's number; a refusal rolls back what it has charged. */
export const sendAccountCode = (
  portal: Portal,
  { session, address }: { session: LiveSession; address: string },
  operation: Operation,
  send: typeof createCodeOnce | typeof resendCode,
): Promise<SentCode> =>
  portal.db.transaction().execute(async (tx) => {
    const phone = await readAccountPhone(tx, portal.keys, operation.accountId)
    return orThrow(await send(tx, portal, operation, { phone, locale: session.locale, address }))
  })

// A code by SMS before a sensitive operation (AUT-7).

export const startStepUp = handler(calls.startStepUp, async ({ body, session, address, fail }, portal) => {
  const { id: sessionId, accountId } = session
  const { purpose, object = accountId, by } = body
  if (!(await ownsStepUpObject(portal, accountId, purpose, object))) throw fail('not-found')
  if (!by && usesPasskeys(portal) && (await hasPasskeys(portal.db, accountId))) return { channel: 'passkey' as const }
  return sendAccountCode(portal, { session, address }, { accountId, sessionId, purpose, object }, createCodeOnce)
})

export const enterStepUpCode = handler(
  calls.enterStepUpCode,
  async ({ params, body, session, setCookies, fail, orFail, orNotFound, transaction }, portal) => {
    const { purpose, object, ...operation } = orNotFound(await findOperation(portal.db, session, params.id))
    const entered = { ...operation, purpose, object, codeId: params.id }
    const entry = orFail(await enterCode(portal.db, portal, entered, body.code))
    return transaction(async (tx, audit) => {
      const renewed = await renewSession(tx, portal.settings, session)
      if (!renewed || !(await spendCode(tx, portal, entry))) throw fail('code-void')
      await confirmStepUp(tx, session.id, purpose, object)
      await audit('step-up-confirmed', { purpose, object })
      setCookies({ token: renewed.token })
      return sessionReply(renewed.session)
    }).catch(refundOnFailure(portal, entry))
  },
)

export const resendStepUpCode = handler(
  calls.resendStepUpCode,
  async ({ params, session, address, orNotFound }, portal) => {
    const operation = orNotFound(await findOperation(portal.db, session, params.id))
    return sendAccountCode(portal, { session, address }, operation, resendCode)
  },
)
