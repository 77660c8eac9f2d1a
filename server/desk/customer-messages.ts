import * as calls from '../../contract/desk/desk-cases.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { sendNow, listUndeliveredTo } from '../platform/messages/failed-messages.ts'
import { sendInvitation } from '../seals/seal-invitations.ts'
import { lockSealOf, removeUser } from '../seals/seal-membership-store.ts'
import { renewInvitation } from '../seals/seal-users.ts'
import { findSealOfInvitation } from './desk-cases.ts'
import { changeCustomer } from './desk-customers.ts'
import { lookUpHandler, refuseIfOff } from './staff-limits.ts'

// What did not reach a customer is sent again, and an invitation is sent again or withdrawn (DSK-22).

export const resendMessagesAtDesk = lookUpHandler(calls.resendMessagesAtDesk, (call, portal) =>
  changeCustomer(portal, call, async (tx, audit, { id, email, phone }) => {
    await call.limit('resend-too-early', ['desk-resends', id], tx)
    const undelivered = await listUndeliveredTo(tx, portal.keys, [email, phone], deskLimits.resent)
    const ids = undelivered.map((message) => message.id)
    await audit('desk-messages-resent', { messages: await sendNow(tx, ids) }, id)
  }),
)

export const resendInvitationAtDesk = lookUpHandler(calls.resendInvitationAtDesk, async (call, portal) => {
  const { params, fail, orFail, orNotFound } = call
  orFail(refuseIfOff(portal, 'seals'))
  return changeCustomer(portal, call, async (tx, audit, { id }) => {
    await lockSealOf(tx, params.invitation)
    const { sealId, hasEnded } = orNotFound(await findSealOfInvitation(tx, id, params.invitation))
    if (hasEnded) throw fail('seal-ended')
    const user = await renewInvitation(tx, sealId, params.invitation)
    if (!user) throw fail('resend-too-early')
    const refusal = await sendInvitation(tx, portal, user)
    if (refusal) throw fail('sends-spent', refusal)
    await audit('desk-invitation-resent', { seal: sealId, user: user.id }, id)
  })
})

export const withdrawInvitationAtDesk = lookUpHandler(calls.withdrawInvitationAtDesk, (call, portal) =>
  changeCustomer(portal, call, async (tx, audit, { id }) => {
    const { params, orNotFound } = call
    // Whoever activates it meanwhile comes first: access that is active is not withdrawn.
    await lockSealOf(tx, params.invitation)
    const { sealId: seal } = orNotFound(await findSealOfInvitation(tx, id, params.invitation))
    const { role } = orNotFound(await removeUser(tx, { sealId: seal, id: params.invitation }))
    await audit('seal-user-removed', { seal, user: params.invitation, role }, id)
    await audit('desk-customer-read', {}, id)
  }),
)
