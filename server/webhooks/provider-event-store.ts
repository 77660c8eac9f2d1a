import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { eventColumns, type EventRow } from '../platform/audit/provider-events-feed.ts'
import { query } from '../platform/database/query.ts'

/** The first position that is still kept, and the last one assigned. */
export async function feedEnds(db: Db): Promise<{ first: number; last: number }> {
  const { first, last } = await query(db).one(sql<{ first: string; last: string }>`
    select coalesce((select position from events where position is not null order by position limit 1), last + 1) as first, last
    from event_feed`)
  return { first: Number(first), last: Number(last) }
}

export async function eventsAfter(db: Db, after: number, limit: number): Promise<EventRow[]> {
  return query(db).all(sql<EventRow>`
    select ${eventColumns} from events e where e.position > ${after} order by e.position limit ${limit}`)
}
