import { reasons, type ExportedList } from '../platform/exported-data.ts'

/** A change of the phone number that is under way, in the copy of all data. */
export const exportedPhoneChanges: ExportedList = {
  table: 'phone_changes',
  columns: 'id step started_at phone',
  omitted: { session_id: reasons.internal },
  order: 'started_at',
  title: { pl: 'Zmiana numeru telefonu w\u00a0toku', en: 'Phone number change in progress' },
  isRare: true,
  rows: [
    [{ pl: 'Rozpoczęta', en: 'Started' }, 'startedAt'],
    [{ pl: 'Nowy numer', en: 'New number' }, 'phone'],
  ],
}
