import { listActivity, listSessions } from './activity.ts'
import { readCalendar } from './calendar.ts'
import { readConsents } from './consents.ts'
import { readDataExport } from './data-export.ts'
import { listDocuments, summariseDocuments } from './documents.ts'
import type { Endpoint, Reply } from './endpoint.ts'
import { casePrefixes } from './list-pages.ts'
import type { PageName } from './pages.ts'
import { listPasskeys } from './passkeys.ts'
import { readMyData } from './personal-data.ts'
import { readPhoneChange } from './phone-change.ts'
import { listOpenRenewals, readRenewal } from './renewal.ts'
import { listSealUsers } from './seal-users.ts'
import { listSeals, onlyAdministered, summariseSeals } from './seals.ts'
import { listSignatures, summariseSignatures, readReminders } from './signatures.ts'
import { listSoftware } from './software.ts'
import { listTimestampAccounts, summariseTimestamps } from './timestamps.ts'
import { listVoucherCases, readVoucherLimit } from './vouchers.ts'

/** A read that needs the reply to the one before it: the parameters, or undefined if the page does not need it. */
export type NextRead = {
  endpoint: Endpoint
  paramsFrom: (reply: unknown) => Record<string, string> | undefined
}

/** Read that a page makes right after its first read. */
export const nextReads: Partial<Record<PageName, NextRead>> = {
  seals: {
    endpoint: listSealUsers,
    paramsFrom: (reply) => {
      const seal = onlyAdministered((reply as Reply<typeof listSeals>).items)
      return seal && { id: seal.id }
    },
  },
}

/** First reads of each signed-in page. The server makes them too, and sends the replies with the document (HTT-7). */
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
  myData: [readMyData, readPhoneChange, readConsents, readReminders, readCalendar],
  security: [listPasskeys, listSessions, readDataExport, listActivity],
  changePassword: [listPasskeys],
  software: [listSoftware],
  renewal: [readRenewal],
}

/** Prefixes of the lists in the address, by the path of each list's call, for pages with several lists. */
export const listPrefixes: Partial<Record<PageName, Record<string, string>>> = {
  myCases: { [listVoucherCases.path]: casePrefixes.vouchers, [listDocuments.path]: casePrefixes.received },
}
