import type { FastifyInstance } from 'fastify'
import {
  drawSecretAtDesk,
  listWebhooksAtDesk,
  putWebhookAtDesk,
  removeWebhookAtDesk,
  replayAtDesk,
} from '../../contract/desk/desk-webhooks.ts'
import { limits } from '../../contract/limits.ts'
import { assignPositions } from '../platform/audit/provider-events-feed.ts'
import { requireRecentSignIn } from '../platform/authentication/staff-session.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { webhooksAfter } from '../webhooks/provider-webhook-store.ts'
import { webhookChanges, webhookState } from '../webhooks/webhook-changes.ts'

/** DSK-34: where events are sent to. */
export function serveDeskWebhooks(app: FastifyInstance, portal: Portal): void {
  const { db, settings } = portal
  const changes = webhookChanges(portal)

  serve(app, portal, listWebhooksAtDesk, async () => {
    await assignPositions(db)
    const rows = await webhooksAfter(db, undefined, limits.list.sizes[2])
    return { items: rows.map(webhookState), hosts: [...settings.webhookHosts] }
  })

  serve(app, portal, putWebhookAtDesk, async ({ params, body, staff, transaction }) => {
    requireRecentSignIn(staff)
    const { secret } = await changes.put(transaction, params.webhook, body)
    return { secret }
  })

  serve(app, portal, drawSecretAtDesk, async ({ params, staff, transaction }) => {
    requireRecentSignIn(staff)
    return changes.drawSecret(transaction, params.webhook)
  })

  serve(app, portal, removeWebhookAtDesk, ({ params, transaction }) => changes.remove(transaction, params.webhook))

  serve(app, portal, replayAtDesk, ({ params, transaction }) => changes.replay(transaction, params.webhook))
}
