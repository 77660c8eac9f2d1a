import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { serveCalendar } from './calendar.ts'
import { exportCalendar } from './calendar-export.ts'

export const calendarFeature: ServerFeature = {
  serve: [serveCalendar],
  exportData: exportCalendar,
  erasure: { remove: (id) => [sql`delete from calendar_addresses where account_id = ${id}`] },
}
