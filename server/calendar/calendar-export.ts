import { labels, reasons, type ExportedList } from '../platform/exported-data.ts'

/** Since when there is an address of the calendar, in the copy of all data. */
export const exportedCalendar: ExportedList = {
  table: 'calendar_addresses',
  columns: 'made_at',
  omitted: { token_hash: reasons.secret },
  order: 'made_at',
  title: { pl: 'Adres kalendarza', en: 'Calendar link' },
  rows: [[labels.created, 'madeAt']],
}
