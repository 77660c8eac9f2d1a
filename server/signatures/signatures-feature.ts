import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { productPhrase } from '../../contract/product-text.ts'
import { omittedActivation } from '../pairing/activation-target-store.ts'
import { type Db, query } from '../platform/database/database.ts'
import { exportedReminders, identifierText, labels, reasons, type ExportedList } from '../platform/exported-data.ts'
import { inCalendarCondition } from '../platform/messages/calendar-file.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { openCondition, signedCondition } from '../renewal/renewal-store.ts'
import {
  putSignature,
  getSignature,
  removeSignature,
  listProviderSignatures,
  putAgreement,
} from './provider-signatures.ts'
import {
  remindOfSignatures,
  readReminders,
  changeReminders,
  signatureEnd,
  type EndingSignature,
} from './signature-reminders.ts'
import { continuedFrom } from './signature-store.ts'
import {
  listSignatures,
  summariseSignatures,
  readSignatureCertificate,
  downloadSignatureCertificate,
  downloadSignatureAgreement,
  startSignaturePairing,
  readSignaturePairing,
  confirmSignaturePairing,
} from './signatures.ts'

/** Lists the ends of an account’s signatures that are neither revoked nor renewed or continued (SIG-10), earliest first. */
const listSignatureEnds = (db: Db, accountId: string): Promise<(EndingSignature & { validFrom: Date })[]> =>
  query(db).all(sql<EndingSignature & { validFrom: Date }>`
    select s.id, s.product, s.valid_from, s.valid_to, r.id as renewal_id
    from signatures s
      left join renewals r on r.signature_id = s.id and (${signedCondition} or (${openCondition} and r.ends_at > portal_now()))
    where s.account_id = ${accountId} and s.status <> 'revoked' and ${inCalendarCondition(sql`s.valid_from`, sql`s.valid_to`)}
      and (r.id is null or ${openCondition}) and ${continuedFrom(sql`portal_now()`)} is null
    order by s.valid_to, s.id limit ${limits.calendar.entries}`)

const certificateText: Record<'good' | 'suspended' | 'revoked', Text> = {
  good: { pl: 'nieodwołany', en: 'not revoked' },
  suspended: { pl: 'zawieszony', en: 'suspended' },
  revoked: { pl: 'unieważniony', en: 'revoked' },
}

/** The signatures in the copy of all data. The JSON contains the certificates, but not the secret of a paired app. */
const exportedSignatures: ExportedList = {
  table: 'signatures',
  join: sql`left join pairings on signature_id = signatures.id`,
  columns: `id provider_id product name organisation identifier_type=identifier.type identifier_country=identifier.country
    identifier_value=identifier.value period valid_from valid_to status agreement_language=agreement.language
    agreement_bytes=agreement.bytes agreement_sha256=agreement.sha256 pairings.confirmed_at=pairedAt created_at=storedAt certificates=...`,
  omitted: {
    reminder_at: reasons.internal,
    own_suspension: 'follows from the requests for another status',
    'identifier_index certificate_index serial_index': reasons.canonical,
    agreement_key: reasons.stored,
    ...omittedActivation('pairings', 'signature_id'),
  },
  order: 'valid_from id',
  lists: { reminders: exportedReminders('signature_reminders', 'signature_id') },
  title: { pl: 'Podpisy', en: 'Signatures' },
  name: 'name',
  rows: [
    [{ pl: 'Rodzaj', en: 'Type' }, ['product', productPhrase]],
    [['identifier.type', identifierText], 'identifier.country identifier.value'],
    [labels.organisation, 'organisation'],
    [labels.validFrom, 'validFrom'],
    [labels.validTo, 'validTo'],
    [labels.status, ['status', certificateText]],
    [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, 'agreement.sha256'],
    [labels.paired, 'pairedAt'],
  ],
}

/** A signature as the history names it. */
const historyObject = sql`jsonb_build_object('id', signatures.id, 'name', coalesce(organisation, name), 'product', product,
  'validTo', valid_to::text)`

export const signaturesFeature: ServerFeature = {
  calls: [
    listSignatures,
    summariseSignatures,
    readSignatureCertificate,
    downloadSignatureCertificate,
    downloadSignatureAgreement,
    startSignaturePairing,
    readSignaturePairing,
    confirmSignaturePairing,
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
  jobs: [{ name: 'remind-of-certificate-ends', everySeconds: 600, runsAtStart: true, run: remindOfSignatures }],
  ends: {
    feature: 'signatures',
    list: async ({ db, settings }, { accountId, locale }) =>
      (await listSignatureEnds(db, accountId)).map((row) => ({
        ...signatureEnd(settings, locale, row),
        validFrom: row.validFrom,
      })),
  },
  historyObjects: {
    signature: {
      details: ['signature'],
      find: (accountId, idIn) => sql`
        select ${historyObject} from signatures where id = ${idIn('signature')} and account_id = ${accountId}`,
    },
    renewal: {
      details: ['renewal'],
      find: (accountId, idIn) => sql`
        select ${historyObject} || jsonb_build_object('id', r.id) from renewals r
          join signatures on signatures.id = coalesce(${idIn('signature')}, r.signature_id) and signatures.account_id = r.account_id
        where r.id = ${idIn('renewal')} and r.account_id = ${accountId}`,
    },
  },
  exportData: [exportedSignatures],
  erasure: {
    inUse: (id) => [
      sql`exists (select from signatures where account_id = ${id} and status <> 'revoked' and valid_to > portal_now())`,
    ],
    evidenceConditions: (id) => [sql`exists (select from signatures where account_id = ${id})`],
    files: (id) => ({ kept: sql`select agreement_key from signatures where account_id = ${id}` }),
    remove: (id) => [
      sql`delete from pairings where signature_id in (select id from signatures where account_id = ${id})`,
      sql`delete from signature_reminders where signature_id in (select id from signatures where account_id = ${id})`,
    ],
  },
}
