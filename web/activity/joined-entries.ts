import type { ActivityRow } from '../../contract/activity.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { formatDate } from '../text/format.ts'

/** A row with what was done for it, which is shown in it. */
export type JoinedRow = ActivityRow & { part?: ActivityRow }

/** Actions that are only done for others, each with those others: the code of a sign-in, and the one that opens a document. */
const wholesOf: Partial<Record<AuditAction, readonly AuditAction[]>> = {
  'code-sent': ['sign-in-finished', 'step-up-confirmed'],
  'document-code-sent': ['document-downloaded'],
}

/** A code is valid for less than this. */
const maxApartMs = 900_000

/** Joins two neighbouring entries if one was done for the other; their row shows both with their times (AUT-12). */
export function joinedRows(rows: readonly ActivityRow[]): JoinedRow[] {
  const joined: JoinedRow[] = []
  for (const row of rows) {
    const newer = joined.at(-1)
    if (newer && belongTogether(newer, row)) joined[joined.length - 1] = join(newer, row)
    else joined.push(row)
  }
  return joined
}

function belongTogether(newer: JoinedRow, older: ActivityRow): boolean {
  const isPair = isPartOf(older, newer) || isPartOf(newer, older)
  if (!isPair || newer.part || newer.count > 1 || older.count > 1) return false
  return (
    newer.actor === older.actor &&
    newer.address === older.address &&
    newer.object?.shown?.id === older.object?.shown?.id &&
    formatDate('pl', newer.at) === formatDate('pl', older.at) &&
    Date.parse(newer.at) - Date.parse(older.at) < maxApartMs
  )
}

const isPartOf = (part: ActivityRow, whole: ActivityRow) => !!wholesOf[part.act]?.includes(whole.act)

function join(newer: ActivityRow, older: ActivityRow): JoinedRow {
  const [whole, part] = isPartOf(older, newer) ? [newer, older] : [older, newer]
  return { ...whole, since: older.at, at: newer.at, part }
}
