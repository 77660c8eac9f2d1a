import type { ActivityEntry } from '../../contract/activity.ts'
import { formatDate } from '../text/format.ts'

/** Equal entries of one day: the newest of them, when the first was, and how many there are. */
type ActivityGroup = { entry: ActivityEntry; since: string; count: number }

/** What an entry shows besides its time. */
const shownOf = ({ id: _, at, ...shown }: ActivityEntry) => JSON.stringify([formatDate('pl', at), shown])

/** The entries of a page, newest first, with equal ones of one day that follow each other as one (AUT-12). */
export function groupEntries(entries: readonly ActivityEntry[]): ActivityGroup[] {
  const groups: ActivityGroup[] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group && shownOf(group.entry) === shownOf(entry)) {
      group.count++
      group.since = entry.at
    } else groups.push({ entry, since: entry.at, count: 1 })
  }
  return groups
}
