import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { readCalendar, makeCalendarAddress, revokeCalendarAddress, readCalendarFile } from './calendar.ts'
import { labels, reasons, type ExportedList } from '../platform/exported-data.ts'

/** Since when there is an address of the calendar, in the copy of all data. */
const exportedCalendar: ExportedList = {
  table: 'calendar_addresses',
  columns: 'made_at',
  omitted: { token_hash: reasons.secret },
  order: 'made_at',
  title: { pl: 'Adres kalendarza', en: 'Calendar link' },
  rows: [[labels.created, 'madeAt']],
}

export const calendarFeature: ServerFeature = {
  calls: [readCalendar, makeCalendarAddress, revokeCalendarAddress, readCalendarFile],
  exportData: [exportedCalendar],
  erasure: { remove: (id) => [sql`delete from calendar_addresses where account_id = ${id}`] },
}
