import type { ServerFeature } from '../platform/portal.ts'
import { serveProviderAudit } from './provider-audit.ts'

export const auditTrailFeature: ServerFeature = {
  serve: [serveProviderAudit],
}
