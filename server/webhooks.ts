import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { EventType } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import { raiseAlarm } from './alarms.ts'
import type { Db, Tx } from './db.ts'
import { eventColumns, eventNotice, eventOf, placeEvents, type EventRow } from './events.ts'
import { seal, unseal, type Keys } from './keys.ts'
import { isDue, sealMessage, type Queue, type Report } from './outbox.ts'
import { DeliveryFailed } from './ports/ports.ts'
import type { Portal } from './portal.ts'
import { webhookHeaders } from './webhook-signature.ts'

/** One event on its way to one webhook; `name` is the provider's own id of that. */
export type WebhookOrder = { webhook: string; name: string; event: string }

const secretPlace = (id: string) => `webhook_secrets.secret ${id}`
export const sealSecret = (keys: Keys, id: string, secret: string): Buffer => seal(keys, secretPlace(id), secret)

/** Give it `webhook_secrets s`. */
export const stillSigns = sql`(s.ends_at is null or s.ends_at > portal_now())`

/**
 * Messages to webhooks, in the outbox like all others, but with senders of their own: nobody's code waits for them. Of one
 * object one goes after another; of one webhook a few go at a time, so that one that hangs leaves room for the others (R93).
 */
export const webhookQueue: Queue = {
  notice: eventNotice,
  channels: ['webhook'],
  frees: true,
  prepare: handOut,
  due: ([room]) => sql`
    select o.id from webhooks w cross join lateral (
      select m.id from outbox m
      where m.webhook_id = w.id and ${isDue} and not exists (
        select from outbox earlier
        where earlier.webhook_id = m.webhook_id and earlier.lane = m.lane and earlier.event < m.event and earlier.outcome is null)
      order by m.event
      limit greatest(0, ${limits.webhooks.atOnce} - (
        select count(*) from outbox held where held.webhook_id = w.id and held.outcome is null and held.leased_until > portal_now()))
      for update of m skip locked
    ) o limit ${room!.places}`,
}

/** Puts what happened since into the outbox, for each webhook as much as there is room for; the rest waits in the feed. */
async function handOut(db: Db, keys: Keys): Promise<void> {
  await placeEvents(db)
  const { rows } = await sql<{ id: string }>`
    select id from webhooks where position < (select last from event_feed)`.execute(db)
  for (const { id } of rows) await db.transaction().execute((tx) => handTo(tx, keys, id))
}

type Hand = { name: string; position: string; types: EventType[] | null; last: string; open: number }

async function handTo(tx: Tx, keys: Keys, id: string): Promise<void> {
  // Another node is at it if the row is not free.
  const { rows } = await sql<Hand>`
    select w.provider_id as name, w.position, w.types, (select last from event_feed) as last,
      (select count(*)::int from outbox where webhook_id = w.id and outcome is null) as open
    from webhooks w where w.id = ${id} for update of w skip locked`.execute(tx)
  const webhook = rows[0]
  if (!webhook || webhook.open >= limits.webhooks.open) return
  const { rows: events } = await sql<{ position: string; type: EventType; subject: string }>`
    select position, type, subject from events
    where position > ${webhook.position}::bigint and position <= ${webhook.last}::bigint
    order by position limit ${limits.webhooks.open - webhook.open}`.execute(tx)
  const messages = events
    .filter(({ type }) => !webhook.types || webhook.types.includes(type))
    .map(({ position: event, subject }) => ({ id: randomUUID(), event, subject }))
  if (messages.length)
    await sql`
    insert into outbox (id, channel, message, webhook_id, event, lane)
    select m.id, 'webhook', m.message, ${id}::uuid, m.event, m.lane
    from unnest(
      ${messages.map((one) => one.id)}::uuid[],
      ${messages.map((one) => sealMessage(keys, one.id, { channel: 'webhook', webhook: id, name: webhook.name, event: one.event }))}::bytea[],
      ${messages.map((one) => one.event)}::bigint[],
      ${messages.map((one) => one.subject)}::text[]
    ) m (id, message, event, lane)
    on conflict do nothing`.execute(tx)
  await sql`update webhooks set position = ${events.at(-1)?.position ?? webhook.last}::bigint where id = ${id}`.execute(
    tx,
  )
}

type Delivery = EventRow & { url: string; now: Date; secrets: { id: string; sealed: string }[] }

/** Brings one event to its webhook, signed by each secret that counts (R80). */
export async function deliverToWebhook(
  { db, keys, ports, settings }: Portal,
  { webhook, event }: WebhookOrder,
): Promise<void> {
  const { rows } = await sql<Delivery>`
    select ${eventColumns}, w.url, portal_now() as now, (
      select jsonb_agg(jsonb_build_object('id', s.id, 'sealed', encode(s.secret, 'base64')) order by s.ends_at desc nulls first)
      from webhook_secrets s where s.webhook_id = w.id and ${stillSigns}) as secrets
    from webhooks w join events e on e.position = ${event}::bigint where w.id = ${webhook}`.execute(db)
  const order = rows[0]
  if (!order) return
  const url = new URL(order.url)
  if (!settings.webhookHosts.includes(url.host)) throw new DeliveryFailed('the host is not configured', false)
  const body = JSON.stringify(eventOf(order))
  const secrets = order.secrets.map(({ id, sealed }) => unseal(keys, secretPlace(id), Buffer.from(sealed, 'base64')))
  await ports.webhooks.post({ url, headers: webhookHeaders(secrets, { id: order.id, at: order.now, body }), body })
}

/** Tells the operator of a webhook that an event was given up on (R93). */
export const withAlarm =
  (portal: Portal, report: Report): Report =>
  (error, message) => {
    report(error)
    if (message?.channel === 'webhook') raiseAlarm(portal, { name: 'webhook-given-up', about: message.name })
  }
