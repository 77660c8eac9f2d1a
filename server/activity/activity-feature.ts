import type { ServerFeature } from '../platform/portal.ts'
import { serveActiveSessions } from './active-sessions.ts'
import { serveActivity } from './activity.ts'
import { exportedSessions, exportedDevices } from './session-export.ts'

export const activityFeature: ServerFeature = {
  serve: [serveActivity, serveActiveSessions],
  exportData: [exportedSessions, exportedDevices],
}
