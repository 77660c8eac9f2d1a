import { listChanges } from './phone-change-store.ts'
import type { ExportData } from '../platform/exported-data.ts'

/** A change of the phone number that is under way, in the copy of all data. */
export const exportPhoneChanges: ExportData = async ({ db, keys, accountId }) => {
  const phoneChanges = (await listChanges(db, keys, accountId)).map(({ newPhone: phone, ...change }) => ({
    ...change,
    phone,
  }))
  const things = phoneChanges.map(({ phone, startedAt }) => ({
    rows: [
      [{ pl: 'Rozpoczęta', en: 'Started' }, startedAt] as const,
      [{ pl: 'Nowy numer', en: 'New number' }, phone] as const,
    ],
  }))
  return {
    json: { phoneChanges },
    sections: things.length
      ? [{ title: { pl: 'Zmiana numeru telefonu w\u00a0toku', en: 'Phone number change in progress' }, things }]
      : [],
  }
}
