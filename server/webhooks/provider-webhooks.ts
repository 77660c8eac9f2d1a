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
  type WebhookState,
} from '../../contract/provider/webhooks.ts'
import { eventOf, assignPositions } from '../platform/audit/provider-events-feed.ts'
import { ApiError } from '../platform/api-error.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import {
  deadLettersAfter,
  dropDeadLettersThrough,
  findWebhook,
  lockWebhook,
  putWebhookRow,
  removeWebhook,
  replaceSecret,
  reviveDeadLetters,
  webhooksAfter,
  type WebhookRow,
} from './provider-webhook-store.ts'

const pageSize = limits.list.sizes[2]

/** The provider's webhooks, and the events that they have not accepted (OPS-4). */
export function serveProviderWebhooks(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  serve(app, portal, putWebhook, async ({ params, body, transaction }) => {
    requireConfigured(body.url)
    // Earlier events get their positions first, so a new webhook begins after them.
    await assignPositions(db)
    return transaction(async (tx, audit) => {
      const { id, isNew } = await putWebhookRow(tx, params.webhook, body)
      const secret = isNew ? (await replaceSecret(tx, keys, id)).secret : null
      await audit('webhook-stored', { webhook: id })
      return { ...stateOf((await findWebhook(tx, params.webhook))!), secret }
    })
  })

  /** The operator configures the hosts, so that a client key alone cannot send events to other ones (R81). */
  function requireConfigured(text: string): void {
    const url = new URL(text)
    const isPlain = /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
    if (!isPlain || !settings.webhookHosts.includes(url.host))
      throw new ApiError('invalid-input', { fields: [{ name: 'url', problem: 'format' }] })
  }

  serve(app, portal, getWebhook, async ({ params, found }) => {
    await assignPositions(db)
    return stateOf(found(await findWebhook(db, params.webhook)))
  })

  serve(app, portal, listWebhooks, async ({ query }) => {
    await assignPositions(db)
    const { rows, next } = pageOf(await webhooksAfter(db, query.after, pageSize + 1), ({ name }) => name)
    return { items: rows.map(stateOf), next }
  })

  serve(app, portal, deleteWebhook, ({ params, fail, transaction }) =>
    transaction(async (tx, audit) => {
      const id = await lockWebhook(tx, params.webhook)
      if (!id || !(await removeWebhook(tx, params.webhook))) throw fail('not-found')
      await audit('webhook-removed', { webhook: id })
    }),
  )

  serve(app, portal, drawWebhookSecret, ({ params, transaction, found }) =>
    transaction(async (tx, audit) => {
      const id = found(await lockWebhook(tx, params.webhook))
      const { secret, earlierEndsAt } = await replaceSecret(tx, keys, id)
      await audit('webhook-secret-drawn', { webhook: id })
      return { secret, earlierEndsAt: earlierEndsAt.toISOString() }
    }),
  )

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

  serve(app, portal, replayDeadLetters, ({ params, transaction, found }) =>
    transaction(async (tx, audit) => {
      const id = found(await lockWebhook(tx, params.webhook))
      const replayed = await reviveDeadLetters(tx, id)
      await audit('webhook-replayed', { webhook: id })
      return { replayed }
    }),
  )
}

/** The rows that fit on a page, and the position after which the next page begins; null if there is none. */
function pageOf<Row, Position>(given: readonly Row[], positionOf: (row: Row) => Position) {
  const rows = given.slice(0, pageSize)
  const last = rows.at(-1)
  return { rows, next: last && given.length > pageSize ? positionOf(last) : null }
}

const stateOf = ({
  name,
  url,
  types,
  waiting,
  failure,
  deadLetters,
  secrets,
  createdAt,
}: WebhookRow): WebhookState => ({
  webhook: name,
  url,
  types,
  waiting,
  failure,
  deadLetters,
  secrets: secrets.map(({ at, end }) => ({
    createdAt: new Date(at).toISOString(),
    endsAt: end && new Date(end).toISOString(),
  })),
  createdAt: createdAt.toISOString(),
})
