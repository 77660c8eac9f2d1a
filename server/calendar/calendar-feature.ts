import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { serveCalendar } from './calendar.ts'
import { exportedCalendar } from './calendar-export.ts'

export const calendarFeature: ServerFeature = {
  serve: [serveCalendar],
  exportData: [exportedCalendar],
  erasure: { remove: (id) => [sql`delete from calendar_addresses where account_id = ${id}`] },
}
