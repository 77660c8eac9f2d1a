import { raiseAlarm } from './alarms.ts'
import { Failed } from './failure.ts'
import type { Portal } from './portal.ts'

/** What was staged and not confirmed goes within the hour; the operator is told at once (R50). */
export function storageFull(portal: Portal): Failed {
  raiseAlarm(portal, { name: 'storage-full', about: 'documents' })
  return new Failed('storage-full', { retryAfter: 3600 })
}
