import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { EventType } from '../../contract/provider/events.ts'
import { eventColumns, eventNotice, type EventRow } from '../platform/audit/provider-events-feed.ts'
import { noticeAtCommit, type Db, type Tx, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { validSecretCondition, drawSecret, encryptSecret } from './webhook-delivery-store.ts'

const webhookRows = describeRows({
  id: column<string>`w.id`,
  name: column<string>`w.provider_id`,
  url: column<string>`w.url`,
  types: column<EventType[] | null>`w.types`,
  waiting: column<number>`
    (select count(*)::int from outbox o where o.webhook_id = w.id and o.outcome is null)
      + (select count(*)::int from events e where e.position > w.position and (w.types is null or e.type = any(w.types)))`,
  failure: column<string | null>`
    (select failure from outbox o where o.webhook_id = w.id and o.outcome is null and o.failure is not null order by o.event limit 1)`,
  deadLetters: column<number>`(select count(*)::int from outbox o where o.webhook_id = w.id and o.outcome = 'dead')`,
  secrets: column<{ at: string; end: string | null }[]>`
    (select jsonb_agg(jsonb_build_object('at', s.created_at, 'end', s.ends_at) order by s.ends_at desc nulls first)
      from webhook_secrets s where s.webhook_id = w.id and ${validSecretCondition})`,
  createdAt: column<Date>`w.created_at`,
})
export type WebhookRow = RowOf<typeof webhookRows>

export const findWebhook = (db: Db, name: string): Promise<WebhookRow | undefined> =>
  webhookRows(db).first(sql`select ${webhookRows.columns} from webhooks w where w.provider_id = ${name}`)

export const listWebhooksAfter = (db: Db, after: string | undefined, limit: number): Promise<WebhookRow[]> =>
  webhookRows(db).all(sql`
    select ${webhookRows.columns} from webhooks w where w.provider_id > ${after ?? ''} order by w.provider_id limit ${limit}`)

/** Creates or updates a webhook. A new one (`isNew`) gets events from now on. */
export async function putWebhookRow(
  tx: Tx,
  name: string,
  { url, types }: { url: string; types: EventType[] | null },
): Promise<{ id: string; isNew: boolean }> {
  return query(tx).one(sql<{ id: string; isNew: boolean }>`
    insert into webhooks (provider_id, url, types, position)
    select ${name}, ${url}, ${types}::text[], last from event_feed
    on conflict (provider_id) do update set url = excluded.url, types = excluded.types
    returning id, xmax = 0 as is_new`)
}

/** Returns the webhook's id, and locks its row until the transaction ends. */
export async function lockWebhook(tx: Tx, name: string): Promise<string | undefined> {
  const row = await query(tx).first(sql<{ id: string }>`select id from webhooks where provider_id = ${name} for update`)
  return row?.id
}

export async function removeNamedWebhook(tx: Tx, name: string): Promise<boolean> {
  return query(tx).changesOne(sql`delete from webhooks where provider_id = ${name}`)
}

/** Draws another secret; of the earlier ones only the newest still signs, for a day. The webhook's row has to be locked. */
export async function replaceSecret(
  tx: Tx,
  keys: Keys,
  webhookId: string,
): Promise<{ secret: string; earlierEndsAt: Date }> {
  await query(tx).run(sql`delete from webhook_secrets where webhook_id = ${webhookId} and ends_at is not null`)
  const { earlierEndsAt } = await query(tx).one(sql<{ earlierEndsAt: Date }>`
    select portal_now() + make_interval(secs => ${limits.webhooks.secretOverlap}) as earlier_ends_at`)
  await query(tx).run(sql`update webhook_secrets set ends_at = ${earlierEndsAt} where webhook_id = ${webhookId}`)
  const [id, secret] = [crypto.randomUUID(), drawSecret()]
  await query(tx).run(sql`
    insert into webhook_secrets (id, webhook_id, secret)
    values (${id}, ${webhookId}, ${encryptSecret(keys, id, secret)})`)
  return { secret, earlierEndsAt }
}

type DeadLetterRow = EventRow & { tries: number; failure: string }

export async function listDeadLettersAfter(
  db: Db,
  webhookId: string,
  after: number,
  limit: number,
): Promise<DeadLetterRow[]> {
  return query(db).all(sql<DeadLetterRow>`
    select ${eventColumns}, o.tries, o.failure from outbox o join events e on e.position = o.event
    where o.webhook_id = ${webhookId} and o.outcome = 'dead' and o.event > ${after}
    order by o.event limit ${limit}`)
}

export async function dropDeadLettersThrough(tx: Tx, webhookId: string, through: number): Promise<number> {
  return query(tx).changes(sql`
    delete from outbox where webhook_id = ${webhookId} and outcome = 'dead' and event <= ${through}`)
}

/** Resets them as if they had never been tried. */
export async function reviveDeadLetters(tx: Tx, webhookId: string): Promise<number> {
  const revived = await query(tx).changes(sql`
    update outbox set outcome = null, tries = 0, failure = null, next_try_at = portal_now()
    where webhook_id = ${webhookId} and outcome = 'dead'`)
  noticeAtCommit(tx, eventNotice)
  return revived
}
