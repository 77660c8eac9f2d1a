import type { ActivityEntry, ActivityRow } from '../../contract/activity.ts'
import { limits } from '../../contract/limits.ts'
import { warsawDay } from '../../contract/rules/warsaw-time.ts'

/** A row of the history, and the id of the oldest entry in it, after which the next page begins. */
type Row = ActivityRow & { oldest: string }

/** What an entry shows besides its time. */
const shownOf = ({ id: _, at, ...shown }: ActivityEntry) => JSON.stringify([warsawDay(new Date(at)), shown])

/**
 * At most `count` rows of the history, whole also where a page ends (AUT-12). `read` returns entries older than one, newest first. It is
 * called again for more while equal entries leave a page short, each time for twice as many; a row holds a limited number of entries, so that is bounded.
 */
export async function readRows(
  read: (before: string | undefined, most: number) => Promise<readonly ActivityEntry[]>,
  before: string | undefined,
  count: number,
): Promise<Row[]> {
  const rows: Row[] = []
  let shown: string | undefined
  for (let most = count; ; most *= 2) {
    const entries = await read(rows.at(-1)?.oldest ?? before, most)
    for (const entry of entries) {
      const row = rows.at(-1)
      const last = shown
      shown = shownOf(entry)
      if (row && shown === last && row.count < limits.activity.together) {
        row.count++
        row.since = entry.at
        row.oldest = entry.id
      } else if (rows.length === count) return rows
      else rows.push({ ...entry, since: entry.at, count: 1, oldest: entry.id })
    }
    if (entries.length < most || rows.length === count) return rows
  }
}
