import type { Endpoint } from '../contract/endpoint.ts'
import { readSession } from '../contract/account.ts'
import { listSessions } from '../contract/active-sessions.ts'
import { listActivity } from '../contract/activity.ts'
import { readConsents } from '../contract/consents.ts'
import { readDataExport } from '../contract/data-export.ts'
import { listDocuments, summariseDocuments } from '../contract/documents.ts'
import { listPasskeys } from '../contract/passkeys.ts'
import { readMyData } from '../contract/my-data.ts'
import type { PageName } from '../contract/pages.ts'
import { listOpenRenewals } from '../contract/renewal.ts'
import { readReminders } from '../contract/reminders.ts'
import { readPhoneChange } from '../contract/phone-change.ts'
import { listSeals, summariseSeals } from '../contract/seals.ts'
import { listSignatures, summariseSignatures } from '../contract/signatures.ts'
import { listTimestampAccounts, summariseTimestamps } from '../contract/timestamps.ts'
import { listSoftware } from '../contract/software.ts'
import { listVoucherCases, readVoucherLimit } from '../contract/vouchers.ts'

/** What a signed-in page reads first. The build lets the browser request it while the page's script is still being loaded. */
export const firstReads: Partial<Record<PageName, readonly Endpoint[]>> = {
  home: [
    summariseSignatures,
    summariseSeals,
    summariseTimestamps,
    summariseDocuments,
    listOpenRenewals,
    readVoucherLimit,
  ],
  signatures: [listSignatures],
  seals: [listSeals],
  timestamps: [listTimestampAccounts],
  documents: [listDocuments],
  myCases: [listVoucherCases, listDocuments],
  myData: [
    readMyData,
    readPhoneChange,
    readConsents,
    readReminders,
    listPasskeys,
    listSessions,
    readDataExport,
    listActivity,
  ],
  changePassword: [listPasskeys],
  software: [listSoftware],
}

export const firstReadOfAll: Endpoint = readSession
