import { limits } from '../../contract/limits.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { eventNotice, eventOf, assignPositions } from '../platform/audit/provider-events-feed.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { WebhookOrder } from '../platform/messages/message.ts'
import { encryptMessage, type Queue, type Report } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import {
  dueDeliveries,
  listEventsToQueue,
  findDelivery,
  addDeliveries,
  lockWebhookPosition,
  setWebhookPosition,
  listWebhooksBehindFeed,
  decryptSecret,
  webhookHeaders,
} from './webhook-delivery-store.ts'

/** The messages to webhooks, which are in the outbox like all others, but have their own senders, so that no code waits for them. */
export const webhookQueue: Queue = {
  notice: eventNotice,
  channels: ['webhook'],
  frees: true,
  prepare: queueEvents,
  due: ([room]) => dueDeliveries(room?.slots ?? 0),
}

/** Adds new events to the outbox, for each webhook as many as there is room for; the rest stays in the feed. */
async function queueEvents(db: Db, keys: Keys): Promise<void> {
  await assignPositions(db)
  for (const id of await listWebhooksBehindFeed(db))
    await db.transaction().execute((tx) => queueEventsOfWebhook(tx, keys, id))
}

async function queueEventsOfWebhook(tx: Tx, keys: Keys, webhookId: string): Promise<void> {
  const row = await lockWebhookPosition(tx, webhookId)
  if (!row || row.open >= limits.webhooks.maxQueued) return
  const { name, types, last } = row
  const events = await listEventsToQueue(tx, row, limits.webhooks.maxQueued - row.open)
  const queued = events
    .filter(({ type }) => !types || types.includes(type))
    .map(({ position: event, subject }) => {
      const id = crypto.randomUUID()
      return {
        id,
        message: encryptMessage(keys, id, { channel: 'webhook', webhook: webhookId, name, event }),
        event,
        subject,
      }
    })
  await addDeliveries(tx, webhookId, queued)
  await setWebhookPosition(tx, webhookId, events.at(-1)?.position ?? last)
}

/** Delivers one event to its webhook, signed with each secret that is valid (R80). */
export async function deliverToWebhook(
  { db, keys, ports, settings }: Portal,
  { webhook, name, event }: WebhookOrder,
): Promise<void> {
  const delivery = await findDelivery(db, webhook, event)
  if (!delivery) return
  const url = new URL(delivery.url)
  if (!settings.webhookHosts.includes(url.host))
    throw new DeliveryFailed(`The host of the webhook ${name} is not in WEBHOOK_HOSTS: add it.`, false)
  const body = JSON.stringify(eventOf(delivery))
  const secrets = delivery.secrets.map(({ id, encrypted }) => decryptSecret(keys, id, Buffer.from(encrypted, 'base64')))
  const headers = webhookHeaders(secrets, { id: delivery.id, at: delivery.now, body })
  await ports.webhooks.post({ name, url, headers, body })
}

/** Notifies the operator of a dead letter (R93). */
export const withAlarm =
  (portal: Portal, report: Report): Report =>
  (error, failed) => {
    report(error, failed)
    if (failed?.isPermanent && failed.message?.channel === 'webhook')
      raiseAlarm(portal, { name: 'webhook-given-up', about: failed.message.name })
  }
