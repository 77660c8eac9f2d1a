import type { FastifyInstance } from 'fastify'
import type { Act } from '../../contract/acts.ts'
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
} from '../../contract/webhooks.ts'
import { record } from '../audit.ts'
import type { ProviderClient } from '../authenticate.ts'
import type { Tx } from '../db.ts'
import { eventOf, placeEvents } from '../events.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import {
  deadLettersAfter,
  dropDeadLettersThrough,
  findWebhook,
  holdWebhook,
  putWebhookRow,
  removeWebhook,
  replaceSecret,
  reviveDeadLetters,
  webhooksAfter,
  type WebhookRow,
} from './provider-webhook-queries.ts'

const pageSize = limits.list.sizes[2]

/** Where events are sent to, and what becomes of those that were not taken (OPS-4). */
export function serveProviderWebhooks(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  serve(app, portal, putWebhook, async ({ params, body, client, address }) => {
    demandConfigured(body.url)
    // What has happened before has its place by now, so a new webhook begins behind it.
    await placeEvents(db)
    return db.transaction().execute(async (tx) => {
      const { id, isNew } = await putWebhookRow(tx, params.webhook, body)
      const secret = isNew ? (await replaceSecret(tx, keys, id)).secret : null
      await note(tx, 'webhook-stored', id, client, address)
      return { ...stateOf((await findWebhook(tx, params.webhook))!), secret }
    })
  })

  /** The operator says which hosts there are, so that who has a client key alone can send nothing elsewhere (R81). */
  function demandConfigured(text: string): void {
    const url = new URL(text)
    const isPlain = /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
    if (!isPlain || !settings.webhookHosts.includes(url.host))
      throw new Failed('invalid-input', { fields: [{ name: 'url', problem: 'format' }] })
  }

  serve(app, portal, getWebhook, async ({ params, fail }) => {
    await placeEvents(db)
    const row = await findWebhook(db, params.webhook)
    if (!row) throw fail('not-found')
    return stateOf(row)
  })

  serve(app, portal, listWebhooks, async ({ query }) => {
    await placeEvents(db)
    const rows = await webhooksAfter(db, query.after, pageSize + 1)
    const page = rows.slice(0, pageSize)
    return { items: page.map(stateOf), next: rows.length > pageSize ? page.at(-1)!.name : null }
  })

  serve(app, portal, deleteWebhook, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const id = await holdWebhook(tx, params.webhook)
      if (!id || !(await removeWebhook(tx, params.webhook))) throw fail('not-found')
      await note(tx, 'webhook-removed', id, client, address)
    }),
  )

  serve(app, portal, drawWebhookSecret, async ({ params, client, address, tx, fail }) => {
    const id = await holdWebhook(tx, params.webhook)
    if (!id) throw fail('not-found')
    const { secret, earlierEndsAt } = await replaceSecret(tx, keys, id)
    await note(tx, 'webhook-secret-drawn', id, client, address)
    return { secret, earlierEndsAt: earlierEndsAt.toISOString() }
  })

  serve(app, portal, listDeadLetters, async ({ params, query, fail }) => {
    const webhook = await findWebhook(db, params.webhook)
    if (!webhook) throw fail('not-found')
    const rows = await deadLettersAfter(db, webhook.id, Number(query.after ?? 0), pageSize + 1)
    const page = rows.slice(0, pageSize)
    return {
      items: page.map(({ tries, failure, ...row }) => ({ event: eventOf(row), tries, failure })),
      next: rows.length > pageSize ? Number(page.at(-1)!.position) : null,
    }
  })

  serve(app, portal, dropDeadLetters, ({ params, query, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const id = await holdWebhook(tx, params.webhook)
      if (!id) throw fail('not-found')
      const dropped = await dropDeadLettersThrough(tx, id, Number(query.through))
      await note(tx, 'webhook-dead-letters-dropped', id, client, address)
      return { dropped }
    }),
  )

  serve(app, portal, replayDeadLetters, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const id = await holdWebhook(tx, params.webhook)
      if (!id) throw fail('not-found')
      const replayed = await reviveDeadLetters(tx, id)
      await note(tx, 'webhook-replayed', id, client, address)
      return { replayed }
    }),
  )
}

const note = (tx: Tx, act: Act, webhook: string, client: ProviderClient, address: string) =>
  record(tx, { act, accountId: null, actor: 'provider', address, details: { client: client.id, webhook } })

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
