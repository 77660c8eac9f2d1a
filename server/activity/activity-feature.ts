import type { ServerFeature } from '../platform/portal.ts'
import { serveActiveSessions } from './active-sessions.ts'
import { serveActivity } from './activity.ts'
import { exportSessions } from './session-export.ts'

export const activityFeature: ServerFeature = {
  serve: [serveActivity, serveActiveSessions],
  exportData: exportSessions,
}
