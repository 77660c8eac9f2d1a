import { sql } from 'kysely'
import type { DeskTask } from '../../contract/desk/desk-tasks.ts'
import type { Db } from '../platform/database/database.ts'
import { tasks } from '../renewal/renewal-row-store.ts'
import { query } from '../platform/database/query.ts'

/** `position`: the moment to the microsecond. */
export type TaskRow = {
  kind: DeskTask['kind']
  id: string
  owner: string
  document: string | null
  since: Date
  position: string
}
export type TaskPosition = { since: string; id: string }

/** Before the first task. */
const start: TaskPosition = { since: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/**
 * What waits for the provider, the oldest first: a page of each kind, along its index `renewals_waiting_for_identity` and
 * `document_cases_waiting_for_check`, of which the oldest are the page.
 */
export async function listTasks(
  db: Db,
  { after, size }: { after: TaskPosition | undefined; size: number },
): Promise<TaskRow[]> {
  const { since, id } = after ?? start
  const page = (alias: 'r' | 'c') => {
    const [moment, row, owner] = ['updated_at', 'id', 'account_id'].map((column) => sql.ref(`${alias}.${column}`))
    return sql`(${moment}, ${row}) > (${since}::timestamptz, ${id}::uuid) and not exists (select from erasures e where e.account_id = ${owner})
      order by ${moment}, ${row} limit ${size + 1}`
  }
  return query(db).all(sql<TaskRow>`
    select *, since::text as position from (
      (select 'identity' as kind, r.id, r.account_id as owner, null as document, r.updated_at as since
      from renewals r where ${tasks.identity} and ${page('r')})
      union all
      (select 'upload', c.id, c.account_id, c.document, c.updated_at
      from document_cases c where c.status = 'subscriber-uploaded' and ${page('c')})
    ) task
    order by since, id limit ${size + 1}`)
}
