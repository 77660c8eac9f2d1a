import { sql } from 'kysely'
import type { ServerFeature, Portal } from '../platform/portal.ts'
import { deliverAgreementSignature, requestSignatureAgain } from './agreement-signing.ts'
import { renewalSigning } from './present-signing.ts'
import { renewArchives } from './archives.ts'
import {
  listProviderRenewals,
  getProviderRenewal,
  judgeIdentity,
  putRenewalAgreement,
  downloadSignedAgreement,
  reportIssued,
  reportNotIssued,
} from './provider-renewals.ts'
import { exportedRenewals } from './renewal-export.ts'
import { endOverdue } from './renewal-state-store.ts'
import {
  startAgreementSigning,
  resendAgreementCode,
  signAgreement,
  declineAgreement,
  returnToPersonalData,
  downloadRenewalAgreement,
  downloadRenewalCalendar,
} from './renewal-signing.ts'
import {
  readRenewability,
  listOpenRenewals,
  openRenewal,
  readRenewal,
  saveParameters,
  readSigningReadiness,
  fixParameters,
  enterIdentityDocument,
  acceptShortening,
  confirmPersonalData,
  finishRenewal,
} from './renewal.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { findAnyRenewal } from './renewal-row-store.ts'
import { listUnsigned } from './renewal-store.ts'

/** A service that works signs within seconds. */
const longSeconds = 600

/**
 * Agreements that were signed by code and still have no signature: an alarm notifies the operator while there is time to
 * repair the signing service. Where the message failed permanently, the customer is asked to sign again, or the renewal would
 * wait forever (REN-10).
 */
export async function retryFailedSignatures(portal: Portal, report: (error: unknown) => void): Promise<void> {
  const { db, keys } = portal
  const unsigned = await listUnsigned(db, longSeconds)
  if (unsigned.length) raiseAlarm(portal, { name: 'agreement-unsigned', about: 'signing service' })
  for (const { id } of unsigned.filter(({ isAbandoned }) => isAbandoned))
    await db
      .transaction()
      .execute(async (tx) => {
        const row = await findAnyRenewal(tx, keys, id)
        if (row?.state === 'authorised') await requestSignatureAgain(tx, portal, row)
      })
      .catch(report)
}

export const renewalFeature: ServerFeature = {
  calls: [
    readRenewability,
    listOpenRenewals,
    openRenewal,
    readRenewal,
    saveParameters,
    readSigningReadiness,
    fixParameters,
    enterIdentityDocument,
    acceptShortening,
    confirmPersonalData,
    finishRenewal,
    startAgreementSigning,
    resendAgreementCode,
    signAgreement,
    declineAgreement,
    returnToPersonalData,
    downloadRenewalAgreement,
    downloadRenewalCalendar,
    listProviderRenewals,
    getProviderRenewal,
    judgeIdentity,
    putRenewalAgreement,
    downloadSignedAgreement,
    reportIssued,
    reportNotIssued,
  ],
  deliver: { 'agreement-signature': deliverAgreementSignature },
  jobs: [
    { name: 'retry-failed-signatures', everySeconds: 600, run: retryFailedSignatures },
    { name: 'renew-archives', everySeconds: 600, run: renewArchives },
  ],
  tidy: ({ db, ports }) => endOverdue(db, ports.documents),
  signing: renewalSigning,
  exportData: [exportedRenewals],
  erasure: {
    // An unsigned draft does not keep an account.
    inUse: (id) => [
      sql`exists (select from renewals where account_id = ${id} and state in ('authorised', 'signed', 'issued'))`,
    ],
    isEvidence: (id) => [sql`exists (select from renewals where account_id = ${id})`],
    files: (id) => ({
      removed: sql`select agreement_key from renewals where account_id = ${id} and signed_key is null`,
      kept: sql`select unnest(array[agreement_key, signed_key, archive_draft]) from renewals where account_id = ${id}`,
    }),
    remove: (id) => [
      sql`delete from renewals where account_id = ${id} and signed_key is null`,
      sql`update renewals set identity = null, identity_state = null where account_id = ${id}`,
    ],
  },
}
