import { sql } from 'kysely'
import { exportedList, labels, type ExportData } from '../platform/exported-data.ts'

/** Since when there is an address of the calendar, in the copy of all data. */
export const exportCalendar: ExportData = async ({ db, accountId }) => {
  const { rows } = await sql<{ madeAt: Date }>`
    select made_at from calendar_addresses where account_id = ${accountId}`.execute(db)
  const title = { pl: 'Adres kalendarza', en: 'Calendar link' }
  return exportedList('calendarAddresses', title, rows, ({ madeAt }) => ({ rows: [[labels.created, madeAt]] }))
}
