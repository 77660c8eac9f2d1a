import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import type { StatusReason, StatusRequestState } from '../../contract/status-requests.ts'
import { labels, reasons, type ExportedList } from '../platform/exported-data.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { sendLostPhoneLink, requestLostPhoneLink, checkLostPhoneLink, suspendAfterLoss } from './lost-phone.ts'
import {
  listProviderStatusRequests,
  getProviderStatusRequest,
  reportStatusChanged,
  refuseStatusRequest,
  raiseOverdueAlarm,
  deliverStatusRequest,
} from './provider-status-requests.ts'
import { stepUpObject } from './status-request-store.ts'
import { requestSuspension, requestResumption, requestRevocation, readStatusRequest } from './status-requests.ts'

const changeText: Record<StatusChange, Text> = {
  suspend: { pl: 'Zawieszenie certyfikatu', en: 'Suspension of a certificate' },
  resume: { pl: 'Cofnięcie zawieszenia certyfikatu', en: 'End of the suspension of a certificate' },
  revoke: { pl: 'Unieważnienie certyfikatu', en: 'Revocation of a certificate' },
}

const reasonText: Record<StatusReason, Text> = {
  compromised: { pl: 'ktoś inny może go użyć', en: 'somebody else may be able to use it' },
  'data-changed': { pl: 'dane w\u00a0certyfikacie są nieaktualne', en: 'its data are no longer true' },
  superseded: { pl: 'zastępuje go inny certyfikat', en: 'another certificate replaces it' },
  'not-needed': { pl: 'nie jest już potrzebny', en: 'it is no longer needed' },
  'phone-lost': { pl: 'utrata telefonu', en: 'the phone was lost' },
}

const stateText: Record<StatusRequestState, Text> = {
  requested: { pl: 'oczekuje', en: 'waiting' },
  done: { pl: 'wykonano', en: 'done' },
  refused: { pl: 'odmówiono', en: 'refused' },
  replaced: { pl: 'zastąpiono innym', en: 'replaced by another' },
}

/** The requests for another status of a certificate in the copy of all data. */
const exportedStatusRequests: ExportedList = {
  table: 'status_requests',
  columns: 'id signature_id seal_id change reason state note requested_at deadline decided_at',
  omitted: { alarmed_at: reasons.internal },
  order: 'id',
  title: { pl: 'Zlecenia zmiany statusu certyfikatów', en: 'Requests for another status of certificates' },
  name: ['change', changeText],
  rows: [
    [{ pl: 'Zlecono', en: 'Requested' }, 'requestedAt'],
    [{ pl: 'Powód', en: 'Reason' }, ['reason', reasonText]],
    [labels.status, ['state', stateText]],
    [{ pl: 'Rozpatrzono', en: 'Decided' }, 'decidedAt'],
    [labels.note, 'note'],
  ],
}

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
  deliver: { 'certificate-status': deliverStatusRequest, 'lost-phone': sendLostPhoneLink },
  jobs: [{ name: 'alarm-of-status-requests', everySeconds: 600, run: raiseOverdueAlarm }],
  stepUpObjects: { suspend: stepUpObject, resume: stepUpObject, revoke: stepUpObject },
  exportData: [exportedStatusRequests],
  erasure: {
    // Who has stopped a certificate is evidence, as the certificate is (EN 319 411-1 §6.4.5).
    evidenceConditions: (id) => [sql`exists (select from status_requests where account_id = ${id})`],
    removeEvidence: (id) => [sql`delete from status_requests where account_id = ${id}`],
  },
}
