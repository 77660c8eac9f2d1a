import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import {
  readPhoneChange,
  startPhoneChange,
  enterDocumentNumber,
  enterEmailCode,
  enterNewPhone,
  enterPhoneCode,
  resendPhoneChangeCode,
  cancelPhoneChange,
} from './phone-change.ts'
import { reasons, type ExportedList } from '../platform/exported-data.ts'

/** A change of the phone number that is under way, in the copy of all data. */
const exportedPhoneChanges: ExportedList = {
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

export const phoneChangeFeature: ServerFeature = {
  calls: [
    readPhoneChange,
    startPhoneChange,
    enterDocumentNumber,
    enterEmailCode,
    enterNewPhone,
    enterPhoneCode,
    resendPhoneChangeCode,
    cancelPhoneChange,
  ],
  stepUpObjects: { 'change-phone': (accountId, id) => sql`select where ${id}::uuid = ${accountId}` },
  exportData: [exportedPhoneChanges],
}
