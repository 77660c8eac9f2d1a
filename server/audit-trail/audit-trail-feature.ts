import type { ServerFeature } from '../platform/portal.ts'
import { listAuditEntries } from './provider-audit.ts'

export const auditTrailFeature: ServerFeature = {
  calls: [listAuditEntries],
}
