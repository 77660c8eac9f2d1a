import { sql } from 'kysely'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { DeskProducts, CaseWait } from '../../contract/desk/desk-products.ts'
import type { DocumentStatus } from '../../contract/documents.ts'
import type { Given } from '../../contract/endpoint.ts'
import { openStates, type RenewalState } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import type { CaseStatus } from '../../contract/vouchers.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { type Db, query } from '../platform/database/database.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { maskLogin } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'

// The objects of one customer, each kind by an index, the newest first; one more than is shown.

type Item<K extends keyof DeskProducts> = Given<typeof DeskProducts>[K]['items'][number]

const most = deskLimits.shown + 1

async function listCertificates(db: Db, keys: Keys, accountId: string) {
  const rows = await query(db).all(sql<Omit<Item<'certificates'>, 'serial'> & { certificates: Buffer }>`
    select s.id, s.provider_id as filed, s.product, s.status, s.valid_from, s.valid_to, s.valid_to <= portal_now() as is_expired, s.certificates, p.confirmed_at is not null as is_paired
    from signatures s left join pairings p on p.signature_id = s.id
    where s.account_id = ${accountId} order by s.valid_to desc, s.id desc limit ${most}`)
  return rows.map(({ certificates, ...row }) => ({
    ...row,
    serial: serialIn(Buffer.from(decryptCertificates(keys, row.id, certificates).certificate, 'base64')),
  }))
}

const serialIn = (der: Buffer) => readCertificate(der).serialNumber

async function listSeals(db: Db, accountId: string) {
  const rows = await query(db).all(sql<Omit<Item<'seals'>, 'serial'> & { certificate: Buffer }>`
    select u.id, s.provider_id as filed, s.product, s.certificate, u.role, s.status, s.valid_to, s.valid_to <= portal_now() as is_expired
    from seal_users u join seals s on s.id = u.seal_id
    where u.account_id = ${accountId} and u.status = 'active' order by u.seal_id limit ${most}`)
  return rows.map(({ certificate, ...row }) => ({ ...row, serial: serialIn(certificate) }))
}

/** Lists the invitations to the present address. */
const listInvitations = (db: Db, accountId: string) =>
  query(db).all(sql<Item<'invitations'>>`
    select u.id, s.provider_id as filed, s.product, u.role, u.invited_at, u.expires_at, u.expires_at <= portal_now() as is_expired,
      exists (select from seal_users m where m.seal_id = u.seal_id and m.account_id = a.id and m.status = 'active') as is_superfluous
    from accounts a join seal_users u on u.email_key = a.email_key and u.status = 'pending' join seals s on s.id = u.seal_id
    where a.id = ${accountId} order by u.invited_at desc, u.id limit ${most}`)

type RenewalWait = {
  state: RenewalState
  hasAgreement: boolean
  signingFailed: boolean
  identityState: 'asked' | 'confirmed' | 'refused' | null
}

const listRenewals = (db: Db, accountId: string) =>
  query(db).all(sql<RenewalWait & { id: string; since: Date; endsAt: Date }>`
    select r.id, case when r.state = any(${openStates}::text[]) and r.ends_at <= portal_now() then 'expired' else r.state end as state,
      case when r.state = 'expired' or (r.state = any(${openStates}::text[]) and r.ends_at <= portal_now()) then r.ends_at else r.updated_at end as since, r.ends_at, r.agreement_key is not null as has_agreement, r.signing_failed, r.identity_state
    from renewals r where r.account_id = ${accountId} order by r.ends_at desc, r.id desc limit ${most}`)

const listDocumentRows = (db: Db, accountId: string) =>
  query(db).all(sql<Omit<Item<'documents'>, 'waits'> & { hasContent: boolean }>`
    select c.id, c.document as number, c.provider_id as filed, c.process, c.status as state, c.refusal, c.document_file is not null as has_content,
      c.updated_at as since
    from document_cases c where c.account_id = ${accountId} order by c.created_at desc, c.id desc limit ${most}`)

const listVouchers = (db: Db, accountId: string) =>
  query(db).all(sql<Omit<Item<'vouchers'>, 'waits'>>`
    select c.id, c.number, v.process, c.status as state, c.provider_status, c.updated_at as since
    from voucher_cases c join voucher_codes v on v.id = c.code_id
    where c.account_id = ${accountId} order by c.created_at desc, c.id desc limit ${most}`)

const listStatusRequests = (db: Db, accountId: string) =>
  query(db).all(sql<Item<'statusRequests'>>`
    select q.id, case when q.signature_id is null then 'seal' else 'signature' end as of, q.change, q.reason, q.state, q.requested_at, q.deadline,
      q.decided_at
    from status_requests q where q.account_id = ${accountId} order by q.id desc limit ${most}`)

const listTimestamps = (db: Db, accountId: string) =>
  query(db).all(sql<Item<'timestamps'>>`
    select t.id, t.provider_id as filed, t.login, t.active as is_active,
      (select count(*)::int from timestamp_packages p
        where p.timestamp_account_id = t.id and p.active and (p.ends_at is null or p.ends_at > portal_now())) as packages
    from timestamp_accounts t where t.account_id = ${accountId} order by t.active desc, t.login, t.id limit ${most}`)

/** Returns what a case waits for (DSK-19); null once it has ended. */
export function renewalWait({ state, hasAgreement, signingFailed, identityState }: RenewalWait): CaseWait | null {
  if (state === 'signing' && !hasAgreement) return 'agreement'
  if (state === 'signing') return signingFailed ? 'renewal-signature-again' : 'renewal-signature'
  if (identityState === 'asked' && (state === 'parameters' || state === 'personal-data')) return 'identity-check'
  const waits: { [S in RenewalWait['state']]?: CaseWait } = {
    parameters: 'renewal-choices',
    'personal-data': 'renewal-data',
    authorised: 'signing-service',
    signed: 'certificate',
    issued: 'renewal-app',
  }
  return waits[state] ?? null
}

export function documentWait({ state, hasContent }: { state: DocumentStatus; hasContent: boolean }): CaseWait | null {
  const waits: { [S in DocumentStatus]?: CaseWait } = {
    'passed-to-subscriber': hasContent ? 'document-signature' : 'document-content',
    'subscriber-downloaded': 'document-upload',
    'subscriber-uploaded': 'document-check',
    'issuer-uploaded': 'document-end',
  }
  return waits[state] ?? null
}

export const voucherWait = (state: CaseStatus): CaseWait | null => (state === 'in-progress' ? 'voucher-case' : null)

/** Reads the products of a customer, masked (DSK-18). */
export async function listProducts({ db, keys }: Portal, accountId: string): Promise<Given<typeof DeskProducts>> {
  return {
    certificates: shown(await listCertificates(db, keys, accountId), withMaskedSerial),
    seals: shown(await listSeals(db, accountId), withMaskedSerial),
    invitations: shown(await listInvitations(db, accountId), (row) => row),
    renewals: shown(await listRenewals(db, accountId), ({ hasAgreement, signingFailed, identityState, ...row }) => ({
      ...row,
      number: renewalNumber(row.id),
      waits: renewalWait({ state: row.state, hasAgreement, signingFailed, identityState }),
    })),
    documents: shown(await listDocumentRows(db, accountId), ({ hasContent, ...row }) => ({
      ...row,
      waits: documentWait({ state: row.state, hasContent }),
    })),
    vouchers: shown(await listVouchers(db, accountId), (row) => ({ ...row, waits: voucherWait(row.state) })),
    statusRequests: shown(await listStatusRequests(db, accountId), (row) => row),
    timestamps: shown(await listTimestamps(db, accountId), (row) => ({ ...row, login: maskLogin(row.login) })),
  }
}

/** Keeps only the end of a serial number, which is too long to be shown with a mask character for each digit. */
const withMaskedSerial = <Row extends { serial: string }>(row: Row) => ({
  ...row,
  serial: `•••${row.serial.slice(-3)}`,
})

const shown = <Row extends object, Shown>(rows: readonly Row[], itemOf: (row: Row) => Shown) => ({
  items: rows.slice(0, deskLimits.shown).map(itemOf),
  hasMore: rows.length > deskLimits.shown,
})
