import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/webhooks.ts'
import { eventOf, assignPositions } from '../platform/audit/provider-events-feed.ts'
import { handler } from '../platform/http/http.ts'
import {
  listDeadLettersAfter,
  dropDeadLettersThrough,
  findWebhook,
  lockWebhook,
  listWebhooksAfter,
} from './provider-webhook-store.ts'
import { removeWebhookOf, drawSecretOf, replayWebhook, putWebhookOf, webhookState } from './webhook-changes.ts'

const pageSize = limits.list.largest

// The provider's webhooks, and the events that they have not accepted (OPS-4).

export const putWebhook = handler(calls.putWebhook, async ({ params, body, orFail, transaction }, portal) =>
  orFail(await putWebhookOf(portal, transaction, params.webhook, body)),
)

export const getWebhook = handler(calls.getWebhook, async ({ params, orNotFound }, { db }) => {
  await assignPositions(db)
  return webhookState(orNotFound(await findWebhook(db, params.webhook)))
})

export const listWebhooks = handler(calls.listWebhooks, async ({ query }, { db }) => {
  await assignPositions(db)
  const { rows, next } = pageOf(await listWebhooksAfter(db, query.after, pageSize + 1), ({ name }) => name)
  return { items: rows.map(webhookState), next }
})

export const removeWebhook = handler(calls.removeWebhook, removeWebhookOf)

export const drawWebhookSecret = handler(calls.drawWebhookSecret, drawSecretOf)

export const listDeadLetters = handler(calls.listDeadLetters, async ({ params, query, orNotFound }, { db }) => {
  const webhook = orNotFound(await findWebhook(db, params.webhook))
  const deadLetters = await listDeadLettersAfter(db, webhook.id, Number(query.after ?? 0), pageSize + 1)
  const { rows, next } = pageOf(deadLetters, ({ position }) => Number(position))
  return { items: rows.map(({ tries, failure, ...row }) => ({ event: eventOf(row), tries, failure })), next }
})

export const dropDeadLetters = handler(calls.dropDeadLetters, ({ params, query, transaction, orNotFound }) =>
  transaction(async (tx, audit) => {
    const id = orNotFound(await lockWebhook(tx, params.webhook))
    const dropped = await dropDeadLettersThrough(tx, id, Number(query.through))
    await audit('webhook-dead-letters-dropped', { webhook: id })
    return { dropped }
  }),
)

export const replayDeadLetters = handler(calls.replayDeadLetters, replayWebhook)

/** Returns the rows that fit on a page, and the position after which the next page begins; null if there is none. */
function pageOf<Row, Position>(given: readonly Row[], positionOf: (row: Row) => Position) {
  const rows = given.slice(0, pageSize)
  const last = rows.at(-1)
  return { rows, next: last && given.length > pageSize ? positionOf(last) : null }
}
