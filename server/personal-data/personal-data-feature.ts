import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { serveConsents } from './consent-changes.ts'
import { serveMyData } from './my-data.ts'
import { exportedIdentification, exportedAcceptances, exportedConsents } from './personal-data-export.ts'

export const personalDataFeature: ServerFeature = {
  serve: [serveMyData, serveConsents],
  exportData: [exportedIdentification, exportedAcceptances, exportedConsents],
  erasure: { remove: (id) => [sql`delete from personal_data where account_id = ${id}`] },
}
