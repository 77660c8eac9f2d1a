import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { servePhoneChange } from './phone-change.ts'
import { exportedPhoneChanges } from './phone-change-export.ts'

export const phoneChangeFeature: ServerFeature = {
  serve: [servePhoneChange],
  stepUpObjects: { 'change-phone': (accountId, id) => sql`select where ${id}::uuid = ${accountId}` },
  exportData: [exportedPhoneChanges],
}
