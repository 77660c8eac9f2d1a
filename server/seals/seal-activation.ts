import * as calls from '../../contract/seal-users.ts'
import { orThrow } from '../platform/api-error.ts'
import { sendsToUnconfirmed } from '../platform/authentication/code-limits.ts'
import { refundOnFailure, enterCode, createCodeOnce, resendCode, spendCode } from '../platform/authentication/codes.ts'
import { operationIn, type LiveSession } from '../platform/authentication/session.ts'
import type { Db } from '../platform/database/database.ts'
import { handler, type Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findInvitation } from './seal-invitations.ts'
import { activateUser } from './seal-membership-store.ts'

// The account proves the invited e-mail address, and the code proves the invited number (SEA-4, R41).

/** Finds the invitation to the session's e-mail, or returns why it cannot be activated now. */
async function findOpen({ keys }: Portal, db: Db, { accountId }: LiveSession, id: string) {
  const invitation = await findInvitation(db, keys, accountId, id)
  if (!invitation) return { refused: 'not-found' as const }
  if (invitation.isExpired) return { refused: 'invitation-expired' as const }
  return invitation.hasEnded ? { refused: 'seal-ended' as const } : invitation
}

const operationOf = (session: LiveSession, object: string) => operationIn(session, 'activate-seal', object)

const sendTo = (
  portal: Portal,
  send: typeof createCodeOnce | typeof resendCode,
  { params, session, address, transaction, orFail }: Omit<Call<typeof calls.startSealActivation>, 'orNotFound'>,
) =>
  transaction(async (tx) => {
    const invitation = orFail(await findOpen(portal, tx, session, params.id))
    const to = { phone: invitation.phone, locale: session.locale, address }
    return orThrow(await send(tx, portal, operationOf(session, params.id), to))
  })

export const startSealActivation = handler(calls.startSealActivation, (call, portal) =>
  sendTo(portal, createCodeOnce, call),
)
export const resendSealActivation = handler(calls.resendSealActivation, (call, portal) =>
  sendTo(portal, resendCode, call),
)

export const finishSealActivation = handler(
  calls.finishSealActivation,
  async ({ params, body, session, fail, orFail, transaction, orNotFound }, portal) => {
    const invitation = orFail(await findOpen(portal, portal.db, session, params.id))
    const entry = orFail(await enterCode(portal.db, portal, operationOf(session, params.id), body.code))
    return transaction(async (tx, audit) => {
      const user = orNotFound(await activateUser(tx, entry.object, session.accountId))
      if (!(await spendCode(tx, portal, entry, [sendsToUnconfirmed(invitation.phone)]))) throw fail('code-void')
      await audit('seal-access-activated', { seal: user.sealId, user: user.id })
      return { seal: user.sealId }
    }).catch(refundOnFailure(portal, entry))
  },
)
