import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { eventColumns, type EventRow } from '../events.ts'

/** The first place that is still kept, and the last that was given. */
export async function feedEnds(db: Db): Promise<{ first: number; last: number }> {
  const { rows } = await sql<{ first: string; last: string }>`
    select coalesce((select position from events where position is not null order by position limit 1), last + 1) as first, last from event_feed`.execute(
    db,
  )
  return { first: Number(rows[0]!.first), last: Number(rows[0]!.last) }
}

export async function eventsAfter(db: Db, after: number, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from events e where e.position > ${after} order by e.position limit ${limit}`.execute(db)
  return rows
}
