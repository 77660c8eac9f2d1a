import type { ServerFeature } from '../platform/portal.ts'
import { removeEndedStaffSessions } from './staff-session-store.ts'

/** What of the desk is done on every node; its calls are on a listener of their own (desk-app.ts). */
export const deskFeature: ServerFeature = {
  serve: [],
  tidy: ({ db }) => removeEndedStaffSessions(db),
}
