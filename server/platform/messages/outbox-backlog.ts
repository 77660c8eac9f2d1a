import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { query } from '../database/query.ts'

/** Of a channel: messages that wait, the age of the oldest in seconds, and those that failed permanently. */
export type Backlog = { channel: string; waiting: number; oldest: number; dead: number }

export async function outboxBacklog(db: Db): Promise<Backlog[]> {
  return query(db).all(sql<Backlog>`
    select channel, count(*) filter (where outcome is null)::int as waiting, count(*) filter (where outcome = 'dead')::int as dead,
      coalesce(extract(epoch from portal_now() - min(created_at) filter (where outcome is null)), 0)::float8 as oldest
    from outbox where outcome is null or outcome = 'dead' group by channel order by channel`)
}
