import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { answerLostPhone, requestLostPhoneLink, checkLostPhoneLink, suspendAfterLoss } from './lost-phone.ts'
import {
  listProviderStatusRequests,
  getProviderStatusRequest,
  reportStatusChanged,
  refuseStatusRequest,
} from './provider-status-requests.ts'
import { alarmOfOverdue, deliverStatusRequest } from './status-decisions.ts'
import { exportedStatusRequests } from './status-request-export.ts'
import { stepUpObject } from './status-request-store.ts'
import { requestSuspension, requestResumption, requestRevocation, readStatusRequest } from './status-requests.ts'

export const statusRequestsFeature: ServerFeature = {
  calls: [
    requestSuspension,
    requestResumption,
    requestRevocation,
    readStatusRequest,
    requestLostPhoneLink,
    checkLostPhoneLink,
    suspendAfterLoss,
    listProviderStatusRequests,
    getProviderStatusRequest,
    reportStatusChanged,
    refuseStatusRequest,
  ],
  deliver: { 'certificate-status': deliverStatusRequest, 'lost-phone': answerLostPhone },
  jobs: [{ name: 'alarm-of-status-requests', everySeconds: 600, run: alarmOfOverdue }],
  stepUpObjects: { suspend: stepUpObject, resume: stepUpObject, revoke: stepUpObject },
  exportData: [exportedStatusRequests],
  erasure: {
    // Who has stopped a certificate is evidence, as the certificate is (EN 319 411-1 §6.4.5).
    isEvidence: (id) => [sql`exists (select from status_requests where account_id = ${id})`],
    removeEvidence: (id) => [sql`delete from status_requests where account_id = ${id}`],
  },
}
