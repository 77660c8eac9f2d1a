import { deskLimits } from '../../contract/desk/desk-limits.ts'
import * as calls from '../../contract/desk/desk-messages.ts'
import { handler } from '../platform/http/http.ts'
import { failureCauses, resendUndelivered as resend, undelivered } from '../platform/messages/failed-messages.ts'
import { maskEmail, maskPhone } from '../platform/messages/masks.ts'

// DSK-32: e-mails and text messages that were not delivered. Their content stays in the outbox (R254).

export const listUndelivered = handler(
  calls.listUndelivered,
  async ({ query: { channel }, transaction }, { db, keys }) => {
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
  },
)

export const resendUndelivered = handler(calls.resendUndelivered, ({ body, transaction }) =>
  transaction(async (tx, audit) => {
    const resent = await resend(tx, body.which, deskLimits.resent)
    await audit('messages-resent', { messages: resent })
    return { resent }
  }),
)
