import { accountFeature } from './account/account-feature.ts'
import { activityFeature } from './activity/activity-feature.ts'
import { auditTrailFeature } from './audit-trail/audit-trail.ts'
import { calendarFeature } from './calendar/calendar.ts'
import { clientKeysFeature } from './client-keys/client-keys.ts'
import { customersFeature } from './customers/customers-feature.ts'
import { dataExportFeature } from './data-export/data-export.ts'
import { deskFeature } from './desk/desk-feature.ts'
import { documentsFeature } from './documents/documents-feature.ts'
import { fileCheckFeature } from './file-check/file-check.ts'
import { fileSigningFeature } from './file-signing/file-signing-calls.ts'
import { pairingFeature } from './pairing/pairing-feature.ts'
import { passkeysFeature } from './passkeys/passkeys.ts'
import { personalDataFeature } from './personal-data/personal-data.ts'
import { phoneChangeFeature } from './phone-change/phone-change.ts'
import type { ServerFeature } from './platform/portal.ts'
import { registrationFeature } from './registration/registration.ts'
import { renewalFeature } from './renewal/renewal-feature.ts'
import { sealsFeature } from './seals/seals-feature.ts'
import { serviceAuthorisationFeature } from './service-authorisation/service-authorisation-feature.ts'
import { signaturesFeature } from './signatures/signatures-feature.ts'
import { softwareFeature } from './software/software.ts'
import { statusRequestsFeature } from './status-requests/status-requests-feature.ts'
import { timestampsFeature } from './timestamps/timestamps-feature.ts'
import { trustedListsFeature } from './trusted-lists/trusted-lists.ts'
import { vouchersFeature } from './vouchers/vouchers-feature.ts'
import { webhooksFeature } from './webhooks/webhooks-feature.ts'

/** The features of the portal. The data export has their parts in this order. */
export const features: readonly ServerFeature[] = [
  accountFeature,
  personalDataFeature,
  phoneChangeFeature,
  registrationFeature,
  signaturesFeature,
  sealsFeature,
  pairingFeature,
  statusRequestsFeature,
  timestampsFeature,
  calendarFeature,
  documentsFeature,
  vouchersFeature,
  renewalFeature,
  serviceAuthorisationFeature,
  passkeysFeature,
  activityFeature,
  softwareFeature,
  fileCheckFeature,
  fileSigningFeature,
  dataExportFeature,
  customersFeature,
  clientKeysFeature,
  auditTrailFeature,
  webhooksFeature,
  trustedListsFeature,
  deskFeature,
]
