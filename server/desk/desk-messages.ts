import type { FastifyInstance } from 'fastify'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { listUndelivered, resendUndelivered as resendCall } from '../../contract/desk/desk-messages.ts'
import { serve } from '../platform/http/http.ts'
import { failureCauses, resendUndelivered, undelivered } from '../platform/messages/failed-messages.ts'
import { maskEmail, maskPhone } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'

/** DSK-32: e-mails and text messages that were not delivered. Their content stays in the outbox (R254). */
export function serveDeskMessages(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, listUndelivered, async ({ query: { channel }, transaction }) => {
    const most = deskLimits.messages
    const rows = await undelivered(db, keys, { channel, most: most + 1 })
    const causes = await failureCauses(db, channel)
    const kinds = [rows.filter(({ nextTryAt }) => !nextTryAt), rows.filter(({ nextTryAt }) => nextTryAt)]
    const shown = kinds.flatMap((kind) => kind.slice(0, most))
    await transaction((_, audit) => audit('desk-messages-read', { found: shown.length }))
    return {
      items: shown.map(({ recipient, ...row }) => ({
        ...row,
        recipient: recipient === undefined ? null : row.channel === 'sms' ? maskPhone(recipient) : maskEmail(recipient),
      })),
      more: kinds.some(({ length }) => length > most),
      causes,
    }
  })

  serve(app, portal, resendCall, ({ body, transaction }) =>
    transaction(async (tx, audit) => {
      const resent = await resendUndelivered(tx, body.which, deskLimits.resent)
      await audit('messages-resent', { messages: resent })
      return { resent }
    }),
  )
}
