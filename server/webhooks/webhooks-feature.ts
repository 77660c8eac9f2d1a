import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/events.ts'
import { eventOf, assignPositions, eventColumns, type EventRow } from '../platform/audit/provider-events-feed.ts'
import { type Db, query } from '../platform/database/database.ts'
import { removalFrom, removeExpired } from '../platform/database/remove-expired.ts'
import { handler } from '../platform/http/http.ts'
import type { ServerFeature } from '../platform/portal.ts'
import {
  putWebhook,
  getWebhook,
  listWebhooks,
  removeWebhook,
  drawWebhookSecret,
  listDeadLetters,
  dropDeadLetters,
  replayDeadLetters,
} from './provider-webhooks.ts'
import { deliverToWebhook } from './webhooks.ts'

/** Returns the first position that is still kept, and the last one assigned. */
async function readFeedEnds(db: Db): Promise<{ first: number; last: number }> {
  const { first, last } = await query(db).one(sql<{ first: string; last: string }>`
    select coalesce((select position from events where position is not null order by position limit 1), last + 1) as first, last
    from event_feed`)
  return { first: Number(first), last: Number(last) }
}

async function readEventsAfter(db: Db, after: number, limit: number): Promise<EventRow[]> {
  return query(db).all(sql<EventRow>`
    select ${eventColumns} from events e where e.position > ${after} order by e.position limit ${limit}`)
}

/** The feed that the provider's systems read at their own pace (OPS-4). */
const listEvents = handler(calls.listEvents, async ({ query: { after: read, limit }, fail }, { db }) => {
  await assignPositions(db)
  const rows = await readEventsAfter(db, Number(read ?? 0), Number(limit ?? limits.events.usualPage))
  // Read after the rows, so that a reader notices events that were removed meanwhile.
  const { first, last } = await readFeedEnds(db)
  const after = Number(read ?? first - 1)
  if (after < first - 1 || after > last) throw fail('cursor-refused')
  return { items: rows.map(eventOf), next: Number(rows.at(-1)?.position ?? after) }
})

export const webhooksFeature: ServerFeature = {
  calls: [
    listEvents,
    putWebhook,
    getWebhook,
    listWebhooks,
    removeWebhook,
    drawWebhookSecret,
    listDeadLetters,
    dropDeadLetters,
    replayDeadLetters,
  ],
  deliver: { webhook: deliverToWebhook },
  tidy: ({ db }) =>
    removeExpired(db, [
      // From the beginning of the feed only, so that a reader has to start over only if it has missed an event (OPS-4).
      removalFrom(
        'events',
        sql`position < coalesce(
            (select position from events where at > portal_now() - make_interval(secs => ${limits.events.kept}) and position is not null order by position limit 1),
            (select last + 1 from event_feed))`,
        sql`position`,
      ),
      removalFrom('webhook_secrets', sql`ends_at < portal_now()`),
    ]),
}
