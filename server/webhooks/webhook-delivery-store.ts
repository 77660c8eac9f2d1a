import { createHmac, randomBytes } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { EventType } from '../../contract/provider/events.ts'
import { eventColumns, type EventRow } from '../platform/audit/provider-events-feed.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import { messageDueCondition } from '../platform/messages/outbox.ts'

/** A condition on `webhook_secrets s`: the secret still signs. */
export const validSecretCondition = sql`(s.ends_at is null or s.ends_at > portal_now())`

/**
 * Selects the ids of messages that can be sent now. Messages about one object are sent one after another; a webhook has a few in flight at
 * a time, so that one that hangs leaves room for the others (R93).
 */
export const dueDeliveries = (limit: number): RawBuilder<unknown> => sql`
  select o.id from webhooks w cross join lateral (
    select m.id from outbox m
    where m.webhook_id = w.id and ${messageDueCondition} and not exists (
      select from outbox earlier
      where earlier.webhook_id = m.webhook_id and earlier.lane = m.lane and earlier.event < m.event and earlier.outcome is null)
    order by m.event
    limit greatest(0, ${limits.webhooks.parallel} - (
      select count(*) from outbox held where held.webhook_id = w.id and held.outcome is null and held.leased_until > portal_now()))
    for update of m skip locked
  ) o limit ${limit}`

/** Returns the ids of webhooks that have not received every event of the feed. */
export async function listWebhooksBehindFeed(db: Db): Promise<string[]> {
  const rows = await query(db).all(sql<{ id: string }>`
    select id from webhooks where position < (select last from event_feed)`)
  return rows.map(({ id }) => id)
}

type WebhookPosition = {
  name: string
  position: string
  types: EventType[] | null
  /** The newest position of the feed. */
  last: string
  /** The number of messages in the outbox that are still to be delivered. */
  open: number
}

/** Locks a webhook; undefined if another node has locked it. */
export async function lockWebhookPosition(tx: Tx, id: string): Promise<WebhookPosition | undefined> {
  return query(tx).first(sql<WebhookPosition>`
    select w.provider_id as name, w.position, w.types, (select last from event_feed) as last,
      (select count(*)::int from outbox where webhook_id = w.id and outcome is null) as open
    from webhooks w where w.id = ${id} for update of w skip locked`)
}

export async function listEventsToQueue(tx: Tx, { position, last }: WebhookPosition, limit: number) {
  return query(tx).all(sql<{ position: string; type: EventType; subject: string }>`
    select position, type, subject from events
    where position > ${position}::bigint and position <= ${last}::bigint
    order by position limit ${limit}`)
}

type QueuedEvent = { id: string; message: Buffer; event: string; subject: string }

export async function addDeliveries(tx: Tx, webhookId: string, queued: readonly QueuedEvent[]): Promise<void> {
  if (!queued.length) return
  await query(tx).run(sql`
    insert into outbox (id, channel, message, webhook_id, event, lane)
    select m.id, 'webhook', m.message, ${webhookId}::uuid, m.event, m.lane
    from unnest(${queued.map(({ id }) => id)}::uuid[], ${queued.map(({ message }) => message)}::bytea[],
      ${queued.map(({ event }) => event)}::bigint[], ${queued.map(({ subject }) => subject)}::text[]) m (id, message, event, lane)
    on conflict do nothing`)
}

export async function setWebhookPosition(tx: Tx, id: string, position: string): Promise<void> {
  await query(tx).run(sql`update webhooks set position = ${position}::bigint where id = ${id}`)
}

type WebhookDelivery = EventRow & { url: string; now: Date; secrets: { id: string; encrypted: string }[] }

/** Finds an event with the address of its webhook and the secrets that sign it; undefined once the event or the webhook is gone. */
export async function findDelivery(db: Db, webhookId: string, event: string): Promise<WebhookDelivery | undefined> {
  return query(db).first(sql<WebhookDelivery>`
    select ${eventColumns}, w.url, portal_now() as now, (
      select jsonb_agg(jsonb_build_object('id', s.id, 'encrypted', encode(s.secret, 'base64')) order by s.ends_at desc nulls first)
      from webhook_secrets s where s.webhook_id = w.id and ${validSecretCondition}) as secrets
    from webhooks w join events e on e.position = ${event}::bigint where w.id = ${webhookId}`)
}

/** Generates a symmetric secret of Standard Webhooks 1.0, which allows keys of 24 to 64 random bytes. */
export const drawSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const { encrypt: encryptSecret, decrypt: decryptSecret } = encryptionOf('webhook_secrets', 'secret')

/** Returns the headers that prove the sender and the time of a body: one signature for each valid secret (R80). */
export function webhookHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): { [name: string]: string } {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
