import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { readConsents, changeMarketingConsent } from './consent-changes.ts'
import { readMyData } from './my-data.ts'
import { exportedIdentification, exportedAcceptances, exportedConsents } from './personal-data-export.ts'

export const personalDataFeature: ServerFeature = {
  calls: [readMyData, readConsents, changeMarketingConsent],
  exportData: [exportedIdentification, exportedAcceptances, exportedConsents],
  erasure: { remove: (id) => [sql`delete from personal_data where account_id = ${id}`] },
}
