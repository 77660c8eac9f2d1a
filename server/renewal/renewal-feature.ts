import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import type { RenewalState } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { labels, reasons, type ExportedList } from '../platform/exported-data.ts'
import type { ServerFeature, Portal } from '../platform/portal.ts'
import { deliverAgreementSignature, requestSignatureAgain } from './agreement-delivery.ts'
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
import { endOverdue } from './renewal-moves.ts'
import { renewalSignedObject } from './renewal-signed-object.ts'
import {
  startAgreementSigning,
  resendAgreementCode,
  signAgreement,
  declineAgreement,
  returnToPersonalData,
  downloadRenewalAgreement,
  downloadRenewalCalendar,
} from './renewal-signing-calls.ts'
import { findAnyRenewal, listUnsigned } from './renewal-store.ts'
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

/** A service that works signs within seconds. */
const longSeconds = 600

/**
 * Handles agreements that were signed by code and still have no signature: raises an alarm for the operator while there is time to repair
 * the signing service. Where the message failed permanently, asks the customer to sign again, or the renewal would wait forever (REN-10).
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

const stateText: Record<RenewalState, Text> = {
  parameters: { pl: 'krok 1: ustawienia certyfikatu', en: 'step 1: certificate options' },
  'personal-data': { pl: 'krok 2: dane osobowe', en: 'step 2: personal details' },
  signing: { pl: 'krok 3: podpisanie umowy', en: 'step 3: signing of the agreement' },
  authorised: { pl: 'umowa jest podpisywana', en: 'the agreement is being signed' },
  signed: { pl: 'umowa podpisana, certyfikat w\u00a0przygotowaniu', en: 'agreement signed, certificate being issued' },
  issued: { pl: 'certyfikat wydany', en: 'certificate issued' },
  finished: { pl: 'zakończone', en: 'completed' },
  declined: { pl: 'umowa nie została podpisana', en: 'signing declined' },
  expired: { pl: 'odnowienie wygasło', en: 'renewal expired' },
  failed: { pl: 'certyfikat nie został wydany', en: 'certificate not issued' },
}

const exportedRenewals: ExportedList = {
  table: 'renewals',
  columns: `id signature_id=signature state parameters shortened_to identity identity_state terms agreement_bytes agreement_sha256
    signing_failed signed_bytes signed_sha256 signed_at issued_signature note opened_at ends_at updated_at`,
  omitted: {
    'code_id version archive_renew_by archive_next_try archive_tries': reasons.internal,
    'parameters_sha256 terms_sha256': 'follows from exported data',
    'agreement_key signed_key archive_draft': reasons.stored,
    signing_order: 'an id in the outbox',
    archive_stamped_at: 'the signed file has it',
  },
  order: 'opened_at id',
  complete: (renewal) => ({ ...renewal, number: renewalNumber(renewal['id'] as string) }),
  title: { pl: 'Odnowienia', en: 'Renewals' },
  name: 'openedAt',
  rows: [
    [{ pl: 'Numer sprawy', en: 'Case number' }, 'number'],
    [labels.status, ['state', stateText]],
    [labels.changed, 'updatedAt'],
    [{ pl: 'Umowa podpisana', en: 'Agreement signed' }, 'signedAt'],
    [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, 'agreementSha256'],
    [labels.note, 'note'],
  ],
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
  signing: renewalSignedObject,
  exportData: [exportedRenewals],
  erasure: {
    // An unsigned draft does not keep an account.
    inUse: (id) => [
      sql`exists (select from renewals where account_id = ${id} and state in ('authorised', 'signed', 'issued'))`,
    ],
    evidenceConditions: (id) => [sql`exists (select from renewals where account_id = ${id})`],
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
