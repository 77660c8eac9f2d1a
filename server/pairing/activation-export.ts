import { ofTable, reasons } from '../platform/exported-data.ts'

/** Returns the columns of a table of paired apps that the copy of all data omits: the code that an app scans is shown only once. */
export const omittedActivation = (table: string, key: string) => {
  const of = ofTable(table)
  return {
    [of('secret content content_mac shown_mac')]: reasons.secret,
    [of('secret_id last_step content_expires_at request_id request_failure')]: reasons.internal,
    [of('created_at requested_at shown_at')]: reasons.inHistory,
    [of(key)]: reasons.joined,
  }
}
