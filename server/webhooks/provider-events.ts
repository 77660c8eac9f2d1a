import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/events.ts'
import { eventOf, assignPositions, eventColumns, type EventRow } from '../platform/audit/provider-events-feed.ts'
import { type Db, query } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'

/** Returns the first position that is still kept, and the last one assigned. */
async function readFeedEnds(db: Db): Promise<{ first: number; last: number }> {
  const { first, last } = await query(db).one(sql<{ first: string; last: string }>`
    select coalesce((select position from events where position is not null order by position limit 1), last + 1) as first, last
    from event_feed`)
  return { first: Number(first), last: Number(last) }
}

async function listEventsAfter(db: Db, after: number, limit: number): Promise<EventRow[]> {
  return query(db).all(sql<EventRow>`
    select ${eventColumns} from events e where e.position > ${after} order by e.position limit ${limit}`)
}

/** The feed that the provider's systems read at their own pace (OPS-4). */
export const listEvents = handler(calls.listEvents, async ({ query: { after: read, limit }, fail }, { db }) => {
  await assignPositions(db)
  const rows = await listEventsAfter(db, Number(read ?? 0), Number(limit ?? limits.events.usualPage))
  // Read after the rows, so that a reader notices events that were removed meanwhile.
  const { first, last } = await readFeedEnds(db)
  const after = Number(read ?? first - 1)
  if (after < first - 1 || after > last) throw fail('cursor-refused')
  return { items: rows.map(eventOf), next: Number(rows.at(-1)?.position ?? after) }
})
