import type { FastifyInstance } from 'fastify'
import {
  resendInvitationAtDesk,
  resendMessagesAtDesk,
  withdrawInvitationAtDesk,
} from '../../contract/desk/desk-cases.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { serve } from '../platform/http/http.ts'
import { sendNow, undeliveredTo } from '../platform/messages/failed-messages.ts'
import type { Portal } from '../platform/portal.ts'
import { sendInvitation } from '../seals/seal-invitations.ts'
import { lockSealOf, removeUser } from '../seals/seal-membership-store.ts'
import { renewInvitation } from '../seals/seal-user-store.ts'
import { findSealOfInvitation } from './desk-case-store.ts'
import { lockDeskRow } from './desk-customer-store.ts'
import { customerNow } from './desk-customers.ts'
import { lookUpsOf } from './staff-limits.ts'
import { requireFeature } from './switched-off.ts'

/** DSK-22: what did not reach a customer is sent again, and an invitation is sent again or withdrawn. */
export function serveCustomerMessages(app: FastifyInstance, portal: Portal): void {
  const { keys } = portal
  const charge = lookUpsOf(portal)

  serve(app, portal, resendMessagesAtDesk, async ({ params, staff, fail, limit, found, transaction }) => {
    await charge(staff, fail)
    await transaction(async (tx, audit) => {
      const { id, email, phone } = found(await lockDeskRow(tx, keys, params.id))
      await limit('resend-too-early', ['desk-resends', id], tx)
      const undelivered = await undeliveredTo(tx, keys, [email, phone], deskLimits.resent)
      const messages = await sendNow(
        tx,
        undelivered.map((message) => message.id),
      )
      await audit('desk-messages-resent', { messages }, id)
    })
    return found(await customerNow(portal, params.id))
  })

  serve(app, portal, resendInvitationAtDesk, async ({ params, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    requireFeature(portal, 'seals', fail)
    await transaction(async (tx, audit) => {
      const { id } = found(await lockDeskRow(tx, keys, params.id))
      await lockSealOf(tx, params.invitation)
      const { sealId: seal, hasEnded } = found(await findSealOfInvitation(tx, id, params.invitation))
      if (hasEnded) throw fail('seal-ended')
      const user = await renewInvitation(tx, seal, params.invitation)
      if (!user) throw fail('resend-too-early')
      const refusal = await sendInvitation(tx, portal, user)
      if (refusal) throw fail('sends-spent', refusal)
      await audit('desk-invitation-resent', { seal, user: user.id }, id)
    })
    return found(await customerNow(portal, params.id))
  })

  serve(app, portal, withdrawInvitationAtDesk, async ({ params, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    await transaction(async (tx, audit) => {
      const { id } = found(await lockDeskRow(tx, keys, params.id))
      // Whoever activates it meanwhile comes first: access that is active is not withdrawn.
      await lockSealOf(tx, params.invitation)
      const { sealId: seal } = found(await findSealOfInvitation(tx, id, params.invitation))
      const { role } = found(await removeUser(tx, { sealId: seal, id: params.invitation }))
      await audit('seal-user-removed', { seal, user: params.invitation, role }, id)
      await audit('desk-customer-read', {}, id)
    })
    return found(await customerNow(portal, params.id))
  })
}
