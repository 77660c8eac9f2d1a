import type { FastifyInstance } from 'fastify'
import { finishSealActivation, resendSealActivation, startSealActivation } from '../../contract/seal-users.ts'
import { record } from '../audit.ts'
import { actOn, refusalOf, unsent } from '../code-answers.ts'
import { enterCode, openCodeOnce, resendCode, sendsToUnconfirmed, spendCode, type Operation } from '../codes.ts'
import type { Db } from '../db.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { activateUser } from '../seal-users.ts'
import type { LiveSession } from '../session.ts'
import { findInvitation } from './invitation-queries.ts'

/** SEA-4, R41: the account proves the invited e-mail, and the code the invited number. */
export function serveSealActivation(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  /** The invitation of the session's e-mail; throws unless it can be activated now. */
  async function waiting(from: Db, { accountId }: LiveSession, id: string) {
    const invitation = await findInvitation(from, keys, accountId, id)
    if (!invitation) throw new Failed('not-found')
    if (invitation.expired) throw new Failed('invitation-expired')
    if (invitation.ended) throw new Failed('seal-ended')
    return invitation
  }

  const operationOf = ({ accountId, id }: LiveSession, object: string): Operation => ({
    accountId,
    sessionId: id,
    purpose: 'activate-seal',
    object,
  })

  const sending =
    (send: typeof openCodeOnce | typeof resendCode) =>
    ({ params, session, address }: { params: { id: string }; session: LiveSession; address: string }) =>
      db.transaction().execute(async (tx) => {
        const { phone } = await waiting(tx, session, params.id)
        const to = { phone, locale: session.locale, address }
        const sent = await send(tx, portal, operationOf(session, params.id), to)
        if ('refused' in sent) throw unsent(sent)
        return sent
      })

  serve(app, portal, startSealActivation, sending(openCodeOnce))
  serve(app, portal, resendSealActivation, sending(resendCode))

  serve(app, portal, finishSealActivation, async ({ params, body, session, address, fail }) => {
    const { phone } = await waiting(db, session, params.id)
    const entry = await enterCode(db, portal, operationOf(session, params.id), body.code)
    if (!entry.ok) throw refusalOf(entry)
    return actOn(portal, entry, async (tx) => {
      const user = await activateUser(tx, entry.object, session.accountId)
      if (!user) throw fail('not-found')
      if (!(await spendCode(tx, portal, entry, [sendsToUnconfirmed(phone)]))) throw fail('code-void')
      await record(tx, {
        act: 'seal-access-activated',
        accountId: session.accountId,
        actor: 'customer',
        address,
        details: { seal: user.sealId, user: user.id },
      })
      return { seal: user.sealId }
    })
  })
}
