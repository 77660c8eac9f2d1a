import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { startPairing, readPairing, confirmPairing } from './signature-pairing.ts'
import {
  putSignature,
  getSignature,
  removeSignature,
  listProviderSignatures,
  putAgreement,
} from './provider-signatures.ts'
import { readReminders, changeReminders } from './reminder-switch.ts'
import { signatureEnd, type EndingSignature } from './signature-end.ts'
import { exportedSignatures } from './signature-export.ts'
import { remindOfSignatures } from './signature-reminders.ts'
import {
  listSignatures,
  summariseSignatures,
  readCertificate,
  downloadCertificate,
  downloadAgreement,
} from './signatures.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { isInCalendar } from '../platform/messages/calendar-ends.ts'
import { isOpen, isSigned } from '../renewal/renewal-row-store.ts'
import { continuedFrom } from './signature-store.ts'

/** The ends of an account’s signatures that are neither revoked nor renewed or continued (SIG-10), earliest first. */
const listSignatureEnds = (db: Db, accountId: string): Promise<(EndingSignature & { validFrom: Date })[]> =>
  query(db).all(sql<EndingSignature & { validFrom: Date }>`
    select s.id, s.product, s.valid_from, s.valid_to, r.id as renewal
    from signatures s
      left join renewals r on r.signature_id = s.id and (${isSigned} or (${isOpen} and r.ends_at > portal_now()))
    where s.account_id = ${accountId} and s.status <> 'revoked' and ${isInCalendar(sql`s.valid_from`, sql`s.valid_to`)}
      and (r.id is null or ${isOpen}) and ${continuedFrom(sql`portal_now()`)} is null
    order by s.valid_to, s.id limit ${limits.calendar.entries}`)

export const signaturesFeature: ServerFeature = {
  calls: [
    listSignatures,
    summariseSignatures,
    readCertificate,
    downloadCertificate,
    downloadAgreement,
    startPairing,
    readPairing,
    confirmPairing,
    readReminders,
    changeReminders,
    putSignature,
    getSignature,
    removeSignature,
    listProviderSignatures,
    putAgreement,
  ],
  stepUpObjects: {
    'pair-app': (accountId, id) => sql`select from signatures where id = ${id} and account_id = ${accountId}`,
  },
  jobs: [{ name: 'remind-of-certificate-ends', everySeconds: 600, atStart: true, run: remindOfSignatures }],
  ends: {
    of: 'signatures',
    list: async ({ db, settings }, { accountId, locale }) =>
      (await listSignatureEnds(db, accountId)).map((row) => ({
        ...signatureEnd(settings, locale, row),
        validFrom: row.validFrom,
      })),
  },
  exportData: [exportedSignatures],
  erasure: {
    inUse: (id) => [
      sql`exists (select from signatures where account_id = ${id} and status <> 'revoked' and valid_to > portal_now())`,
    ],
    isEvidence: (id) => [sql`exists (select from signatures where account_id = ${id})`],
    files: (id) => ({ kept: sql`select agreement_key from signatures where account_id = ${id}` }),
    remove: (id) => [
      sql`delete from pairings where signature_id in (select id from signatures where account_id = ${id})`,
      sql`delete from signature_reminders where signature_id in (select id from signatures where account_id = ${id})`,
    ],
  },
}
