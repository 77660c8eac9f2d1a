import { sql } from 'kysely'
import type { ActivityEntry } from '../../contract/activity.ts'
import { auditActions, type ShownAction } from '../../contract/audit-actions.ts'
import type { Locale } from '../../contract/enums.ts'
import { historyActions, shownAction } from '../platform/audit/history-actions.ts'
import type { Portal } from '../platform/portal.ts'

export type HistoryEntry = Pick<ActivityEntry, 'act' | 'actor' | 'address'> & {
  id: string
  at: Date
  words: string
  details: Record<string, unknown>
}

const pageSize = 1000

/** The account's part of the audit trail, newest first, page by page, so that memory never holds all of it. It has only the customer's own addresses. */
export async function* exportedHistory(
  { db, settings }: Portal,
  accountId: string,
  locale: Locale,
): AsyncGenerator<HistoryEntry[]> {
  for (let before: string | undefined; ;) {
    const { rows } = await sql<Omit<HistoryEntry, 'words'> & { act: ShownAction }>`
      select id::text, at, ${shownAction} as act, case actor when 'staff' then 'provider' else actor end as actor, case when actor = 'customer' then address end as address,
        case when actor = 'customer' then details else '{}' end as details
      from audit
      where account_id = ${accountId} and act = any(${historyActions(settings)}::text[]) and ${before ? sql`id < ${before}::bigint` : sql`true`}
      order by audit.id desc limit ${pageSize}`.execute(db)
    if (rows.length) yield rows.map((row) => ({ ...row, words: auditActions[row.act][locale] }))
    if (rows.length < pageSize) return
    before = rows.at(-1)?.id
  }
}
