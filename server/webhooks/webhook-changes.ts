import type * as calls from '../../contract/provider/webhooks.ts'
import type { WebhookState } from '../../contract/provider/webhooks.ts'
import type { Refusal } from '../platform/api-error.ts'
import { assignPositions } from '../platform/audit/provider-events-feed.ts'
import type { Call } from '../platform/http/http.ts'
import type { AuditedTransaction, Portal } from '../platform/portal.ts'
import {
  findWebhook,
  lockWebhook,
  putWebhookRow,
  removeNamedWebhook,
  replaceSecret,
  reviveDeadLetters,
  type WebhookRow,
} from './provider-webhook-store.ts'

type Webhook = Pick<WebhookState, 'url' | 'types'>

// The changes of webhooks, which the provider's systems and the desk make by the same calls (OPS-4, DSK-34).

/** Refuses an address unless the operator has configured its host, so that a client key alone cannot send events to other hosts (R81). */
function refuseHost({ settings }: Portal, text: string): Refusal<'invalid-input' | 'host-not-allowed'> | undefined {
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
  if (!isPlain) return { refused: 'invalid-input', data: { fields: [{ name: 'url', problem: 'format' }] } }
  return settings.webhookHosts.includes(url.host) ? undefined : { refused: 'host-not-allowed' }
}

/** Creates or updates a webhook; returns the `secret` of a new one, which is shown only once. */
export async function putWebhookOf(portal: Portal, transaction: AuditedTransaction, name: string, webhook: Webhook) {
  const refusal = refuseHost(portal, webhook.url)
  if (refusal) return refusal
  // Earlier events get their positions first, so a new webhook begins after them.
  await assignPositions(portal.db)
  return transaction(async (tx, audit) => {
    const { id, isNew } = await putWebhookRow(tx, name, webhook)
    const secret = isNew ? (await replaceSecret(tx, portal.keys, id)).secret : null
    await audit('webhook-stored', { webhook: id, url: webhook.url })
    return { ...webhookState((await findWebhook(tx, name))!), secret }
  })
}

/** A call on a webhook. */
type WebhookCall = Pick<Call<typeof calls.removeWebhook>, 'params' | 'transaction' | 'orNotFound'>

export const removeWebhookOf = ({ params, transaction, orNotFound }: WebhookCall) =>
  transaction(async (tx, audit) => {
    const id = orNotFound(await lockWebhook(tx, params.webhook))
    await removeNamedWebhook(tx, params.webhook)
    await audit('webhook-removed', { webhook: id })
  })

export const drawSecretOf = ({ params, transaction, orNotFound }: WebhookCall, { keys }: Portal) =>
  transaction(async (tx, audit) => {
    const id = orNotFound(await lockWebhook(tx, params.webhook))
    const drawn = await replaceSecret(tx, keys, id)
    await audit('webhook-secret-drawn', { webhook: id })
    return drawn
  })

export const replayWebhook = ({ params, transaction, orNotFound }: WebhookCall) =>
  transaction(async (tx, audit) => {
    const id = orNotFound(await lockWebhook(tx, params.webhook))
    const replayed = await reviveDeadLetters(tx, id)
    await audit('webhook-replayed', { webhook: id })
    return { replayed }
  })

export const webhookState = ({ id: _, name: webhook, secrets, ...row }: WebhookRow) => ({
  webhook,
  ...row,
  secrets: secrets.map(({ at, end }) => ({
    createdAt: new Date(at),
    endsAt: end && new Date(end),
  })),
})
