import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import {
  deleteWebhook,
  drawWebhookSecret,
  dropDeadLetters,
  getWebhook,
  listDeadLetters,
  listWebhooks,
  putWebhook,
  replayDeadLetters,
} from '../../contract/provider/webhooks.ts'
import { eventOf, assignPositions } from '../platform/audit/provider-events-feed.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import {
  deadLettersAfter,
  dropDeadLettersThrough,
  findWebhook,
  lockWebhook,
  webhooksAfter,
} from './provider-webhook-store.ts'
import { webhookChanges, webhookState } from './webhook-changes.ts'

const pageSize = limits.list.sizes[2]

/** The provider's webhooks, and the events that they have not accepted (OPS-4). */
export function serveProviderWebhooks(app: FastifyInstance, portal: Portal): void {
  const { db } = portal
  const changes = webhookChanges(portal)

  serve(app, portal, putWebhook, ({ params, body, transaction }) => changes.put(transaction, params.webhook, body))

  serve(app, portal, getWebhook, async ({ params, found }) => {
    await assignPositions(db)
    return webhookState(found(await findWebhook(db, params.webhook)))
  })

  serve(app, portal, listWebhooks, async ({ query }) => {
    await assignPositions(db)
    const { rows, next } = pageOf(await webhooksAfter(db, query.after, pageSize + 1), ({ name }) => name)
    return { items: rows.map(webhookState), next }
  })

  serve(app, portal, deleteWebhook, ({ params, transaction }) => changes.remove(transaction, params.webhook))

  serve(app, portal, drawWebhookSecret, ({ params, transaction }) => changes.drawSecret(transaction, params.webhook))

  serve(app, portal, listDeadLetters, async ({ params, query, found }) => {
    const webhook = found(await findWebhook(db, params.webhook))
    const deadLetters = await deadLettersAfter(db, webhook.id, Number(query.after ?? 0), pageSize + 1)
    const { rows, next } = pageOf(deadLetters, ({ position }) => Number(position))
    return { items: rows.map(({ tries, failure, ...row }) => ({ event: eventOf(row), tries, failure })), next }
  })

  serve(app, portal, dropDeadLetters, ({ params, query, transaction, found }) =>
    transaction(async (tx, audit) => {
      const id = found(await lockWebhook(tx, params.webhook))
      const dropped = await dropDeadLettersThrough(tx, id, Number(query.through))
      await audit('webhook-dead-letters-dropped', { webhook: id })
      return { dropped }
    }),
  )

  serve(app, portal, replayDeadLetters, ({ params, transaction }) => changes.replay(transaction, params.webhook))
}

/** The rows that fit on a page, and the position after which the next page begins; null if there is none. */
function pageOf<Row, Position>(given: readonly Row[], positionOf: (row: Row) => Position) {
  const rows = given.slice(0, pageSize)
  const last = rows.at(-1)
  return { rows, next: last && given.length > pageSize ? positionOf(last) : null }
}
