import { sql } from 'kysely'
import type { NodeState } from '../../contract/desk/desk-operations.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { removalFrom, removeExpired } from '../platform/database/expired-rows.ts'
import { query } from '../platform/database/query.ts'

/** A node reports every half minute. */
const isLive = sql`seen_at > portal_now() - interval '2 minutes'`

type NodeRow = Omit<NodeState, 'startedAt' | 'seenAt' | 'checkedAt'> & {
  startedAt: Date
  seenAt: Date
  checkedAt: Date | null
}

/** The newest first. */
export async function listNodes(db: Db): Promise<NodeRow[]> {
  return query(db).all(sql<NodeRow>`
    select id, host, version, started_at, seen_at, ${isLive} as is_live, jobs, findings, checked_at, check_wanted as is_check_wanted
    from nodes order by seen_at desc limit 50`)
}

export const wantChecks = (tx: Tx) => sql`update nodes set check_wanted = true where ${isLive}`.execute(tx)

/** Those that have crashed; others remove themselves. */
export const removeLostNodes = (db: Db): Promise<void> =>
  removeExpired(db, [removalFrom('nodes', sql`seen_at < portal_now() - interval '1 day'`)])

type AlarmRow = { name: string; about: string | null; times: number; at: Date }

/** Alarms of the last day, of its newest 500 entries; one that goes on is raised again each hour. */
export async function newestAlarms(db: Db): Promise<AlarmRow[]> {
  return query(db).all(sql<AlarmRow>`
    select name, about, count(*)::int as times, max(at) as at from (
      select details->>'name' as name, details->>'about' as about, at from audit
      where act = any(array['alarm-raised']) and at > portal_now() - interval '1 day' order by id desc limit 500
    ) raised
    group by name, about order by max(at) desc limit 50`)
}
