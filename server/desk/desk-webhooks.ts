import * as calls from '../../contract/desk/desk-webhooks.ts'
import { limits } from '../../contract/limits.ts'
import { assignPositions } from '../platform/audit/provider-events-feed.ts'
import { requireRecentSignIn } from '../platform/authentication/staff-session.ts'
import { handler } from '../platform/http/http.ts'
import { listWebhooksAfter } from '../webhooks/provider-webhook-store.ts'
import {
  removeWebhookOf,
  drawSecretOf,
  replayWebhook,
  putWebhookOf,
  webhookState,
} from '../webhooks/webhook-changes.ts'

// Where events are sent to (DSK-34).

export const listWebhooksAtDesk = handler(calls.listWebhooksAtDesk, async (_, { db, settings }) => {
  await assignPositions(db)
  const rows = await listWebhooksAfter(db, undefined, limits.list.largest)
  return { items: rows.map(webhookState), hosts: [...settings.webhookHosts] }
})

export const putWebhookAtDesk = handler(
  calls.putWebhookAtDesk,
  async ({ params, body, staff, orFail, transaction }, portal) => {
    requireRecentSignIn(staff)
    const { secret } = orFail(await putWebhookOf(portal, transaction, params.webhook, body))
    return { secret }
  },
)

export const drawSecretAtDesk = handler(calls.drawSecretAtDesk, async (call, portal) => {
  requireRecentSignIn(call.staff)
  return drawSecretOf(call, portal)
})

export const removeWebhookAtDesk = handler(calls.removeWebhookAtDesk, removeWebhookOf)

export const replayAtDesk = handler(calls.replayAtDesk, replayWebhook)
