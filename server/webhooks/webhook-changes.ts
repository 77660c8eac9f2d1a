import type { WebhookState } from '../../contract/provider/webhooks.ts'
import { ApiError } from '../platform/api-error.ts'
import { assignPositions } from '../platform/audit/provider-events-feed.ts'
import type { AuditedTransaction, Portal } from '../platform/portal.ts'
import {
  findWebhook,
  lockWebhook,
  putWebhookRow,
  removeWebhook,
  replaceSecret,
  reviveDeadLetters,
  type WebhookRow,
} from './provider-webhook-store.ts'

type Webhook = Pick<WebhookState, 'url' | 'types'>

// The changes of webhooks, which the provider's systems and the desk make by the same calls (OPS-4, DSK-34).

/** Throws unless the operator has configured the host, so that a client key alone cannot send events to other hosts (R81). */
function requireConfigured({ settings }: Portal, text: string): void {
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
  if (!isPlain) throw new ApiError('invalid-input', { fields: [{ name: 'url', problem: 'format' }] })
  if (!settings.webhookHosts.includes(url.host)) throw new ApiError('host-not-allowed')
}

/** Creates or updates a webhook; returns the `secret` of a new one, which is shown only once. */
export async function storeWebhook(portal: Portal, transaction: AuditedTransaction, name: string, webhook: Webhook) {
  requireConfigured(portal, webhook.url)
  // Earlier events get their positions first, so a new webhook begins after them.
  await assignPositions(portal.db)
  return transaction(async (tx, audit) => {
    const { id, isNew } = await putWebhookRow(tx, name, webhook)
    const secret = isNew ? (await replaceSecret(tx, portal.keys, id)).secret : null
    await audit('webhook-stored', { webhook: id, url: webhook.url })
    return { ...webhookState((await findWebhook(tx, name))!), secret }
  })
}

export const deleteWebhookOf = (transaction: AuditedTransaction, name: string) =>
  transaction(async (tx, audit) => {
    const id = known(await lockWebhook(tx, name))
    await removeWebhook(tx, name)
    await audit('webhook-removed', { webhook: id })
  })

export const drawSecretOf = ({ keys }: Portal, transaction: AuditedTransaction, name: string) =>
  transaction(async (tx, audit) => {
    const id = known(await lockWebhook(tx, name))
    const drawn = await replaceSecret(tx, keys, id)
    await audit('webhook-secret-drawn', { webhook: id })
    return drawn
  })

export const replayWebhook = (transaction: AuditedTransaction, name: string) =>
  transaction(async (tx, audit) => {
    const id = known(await lockWebhook(tx, name))
    const replayed = await reviveDeadLetters(tx, id)
    await audit('webhook-replayed', { webhook: id })
    return { replayed }
  })

function known(id: string | undefined): string {
  if (id === undefined) throw new ApiError('not-found')
  return id
}

export const webhookState = ({ id: _, name: webhook, secrets, ...row }: WebhookRow) => ({
  webhook,
  ...row,
  secrets: secrets.map(({ at, end }) => ({
    createdAt: new Date(at),
    endsAt: end && new Date(end),
  })),
})
