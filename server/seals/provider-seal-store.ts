import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import type { listProviderSeals, ProviderSeal, ProviderSealUser } from '../../contract/provider/provider-seals.ts'
import type { Psd2 } from '../../contract/seals.ts'
import type { CertificateContent } from '../../pki/asn1/certificate.ts'
import { attributeOf } from '../certificates/filed-certificate.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { encryptInvitedPhone, serialIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import type { PageFilters } from '../platform/http/cursor.ts'
import { otherAdministratorCondition, sealUserRows, type SealUserRow } from './seal-membership-store.ts'

/** Creates or updates the seal of the provider's id; undefined if its certificate is revoked for good and the call states anything else. */
export async function putSealOf(
  tx: Tx,
  keys: Keys,
  providerId: string,
  body: ProviderSeal,
  { content: read, index }: { content: CertificateContent; index: Buffer },
): Promise<string | undefined> {
  const der = (base64: string) => Buffer.from(base64, 'base64')
  const subject = (name: string) => attributeOf(read, name) ?? ''
  const { psd2 } = read.qualified
  const row = await query(tx).first(sql<{ id: string }>`
    insert into seals as s (provider_id, product, name, organisation, organisation_identifier, period, psd2, valid_from, valid_to, status, certificate, certificate_index, serial_index, chain, agreement_language)
    values (${providerId}, ${body.product}, ${subject('CN')}, ${subject('O')}, ${subject('organizationIdentifier')}, ${body.period}, ${psd2 ? JSON.stringify(psd2) : null}::jsonb, ${read.notBefore}, ${read.notAfter},
      ${body.status}, ${der(body.certificate)}, ${index}::bytea, ${serialIndex(keys, read.serialNumber)}::bytea, ${body.chain.map(der)}::bytea[], ${body.agreementLanguage})
    on conflict (provider_id) do update set product = excluded.product, name = excluded.name, organisation = excluded.organisation,
      organisation_identifier = excluded.organisation_identifier, period = excluded.period, psd2 = excluded.psd2, valid_from = excluded.valid_from,
      valid_to = excluded.valid_to, status = excluded.status, own_suspension = s.own_suspension and excluded.status = 'suspended', certificate = excluded.certificate, certificate_index = excluded.certificate_index, serial_index = excluded.serial_index,
      chain = excluded.chain, agreement_language = excluded.agreement_language
      where s.status <> 'revoked' or (excluded.status = 'revoked' and excluded.certificate = s.certificate)
    returning id`)
  return row?.id
}

export async function findSealId(db: Db, providerId: string): Promise<string | undefined> {
  const row = await query(db).first(sql<{ id: string }>`select id from seals where provider_id = ${providerId}`)
  return row?.id
}

type SealState = ProviderSeal & { psd2: Psd2 | null; agreement: 'ready' | 'generating' }

export async function findSealState(db: Db, providerId: string): Promise<SealState | undefined> {
  const row = await query(db).first(sql<
    Omit<SealState, 'certificate' | 'chain'> & { certificate: Buffer; chain: Buffer[] }
  >`
    select product, period, psd2, certificate, chain, status, agreement_language,
      case when agreement_key is null then 'generating' else 'ready' end as agreement
    from seals where provider_id = ${providerId}`)
  const base64 = (der: Buffer) => der.toString('base64')
  return row && { ...row, certificate: base64(row.certificate), chain: row.chain.map(base64) }
}

export const findUserOf = (db: Db, sealId: string, providerId: string): Promise<SealUserRow | undefined> =>
  sealUserRows(db).first(sql`
    select ${sealUserRows.columns} from seal_users u where u.seal_id = ${sealId} and u.provider_id = ${providerId}`)

/** Lists one page of users by number, with the first row of the next page if there is one. */
export const listUsersOf = (db: Db, sealId: string, after: number, size: number): Promise<SealUserRow[]> =>
  sealUserRows(db).all(sql`
    select ${sealUserRows.columns} from seal_users u where u.seal_id = ${sealId} and u.number > ${after} order by u.number limit ${size + 1}`)

/** Checks whether an account has another membership of the seal than the named one. */
export const hasOtherMembership = (db: Db, sealId: string, accountId: string, providerId: string): Promise<boolean> =>
  query(db).finds(sql`
    select from seal_users where seal_id = ${sealId} and account_id = ${accountId} and status = 'active' and provider_id <> ${providerId}`)

/** Finds the customer with an e-mail, whom the provider has identified, so that nothing has to be activated. */
export async function findAccountOf(db: Db, email: string): Promise<string | undefined> {
  const row = await query(db).first(sql<{ id: string }>`
    select id from accounts where email_key = ${canonicalLogin(email)}`)
  return row?.id
}

/**
 * Updates a user whose access has not ended; with `accountId` a pending user becomes active. An invitation to another address or
 * number (`wasMoved`) gets its full time again. Undefined if the access has ended, or the seal would have no Administrator.
 */
export function updateUserOf(
  tx: Tx,
  keys: Keys,
  was: SealUserRow,
  body: ProviderSealUser,
  { accountId, wasMoved }: { accountId: string | null; wasMoved: boolean },
): Promise<SealUserRow | undefined> {
  return sealUserRows(tx).first(sql`
    update seal_users u set email = ${body.email}, email_key = ${canonicalLogin(body.email)}, phone = ${encryptInvitedPhone(keys, was.id, body.phone)},
      first_name = ${body.firstName}, surname = ${body.surname}, role = ${body.role}, locale = ${body.locale}, status = ${body.status},
      account_id = coalesce(u.account_id, ${accountId}::uuid),
      invited_at = case when ${wasMoved}::boolean then portal_now() else u.invited_at end,
      expires_at = case when ${wasMoved}::boolean then portal_now() + make_interval(secs => ${limits.link.invitation}) else u.expires_at end,
      acquired_at = case when ${body.status}::text = 'active' then coalesce(${body.acquiredAt ?? null}::timestamptz, u.acquired_at, portal_now()) end
    where u.id = ${was.id} and u.status = ${was.status} and (${body.role}::text = 'admin' or ${otherAdministratorCondition})
    returning ${sealUserRows.columns}`)
}

/**
 * Locks the seal with the provider's id until the transaction ends, and removes its users; returns those with access or an invitation, and
 * the accounts of all users it has had.
 */
export async function lockSealToRemove(
  tx: Tx,
  providerId: string,
): Promise<{ id: string; users: { id: string; owner: string | null }[]; accounts: string[] } | undefined> {
  const seal = await query(tx).first(sql<{ id: string }>`
    select id from seals where provider_id = ${providerId} for update`)
  if (!seal) return undefined
  const users = await query(tx).all(sql<{ id: string; owner: string | null }>`
    update seal_users set status = 'deleted', deleted_at = portal_now() where seal_id = ${seal.id} and status <> 'deleted'
    returning id, account_id as owner`)
  const accounts = await query(tx).all(sql<{ account: string }>`
    select account_id as account from seal_users where seal_id = ${seal.id} and account_id is not null`)
  return { id: seal.id, users, accounts: accounts.map(({ account }) => account) }
}

/** Deletes a seal with its users and their apps, and discards its agreement. */
export async function removeSealById(tx: Tx, id: string): Promise<void> {
  await discardFiles(tx, sql`select agreement_key from seals where id = ${id}`)
  await query(tx).run(sql`delete from seals where id = ${id}`)
}

type SealSummaryRow = Given<(typeof listProviderSeals)['reply']>['items'][number] & { id: string }

/** Lists seals by id, so that one that changes meanwhile stays on its page. */
export const listAllSeals = (
  db: Db,
  { customer, status, product, period, after, size }: PageFilters<'customer' | 'status' | 'product' | 'period'>,
): Promise<SealSummaryRow[]> =>
  query(db).all(sql<SealSummaryRow>`
    select s.id, s.provider_id as seal, s.product, s.period, s.name, s.organisation, s.organisation_identifier, s.status, s.valid_from, s.valid_to,
      case when s.agreement_key is null then 'generating' else 'ready' end as agreement
    from seals s
    where ${customer ? sql`s.id in (select u.seal_id from seal_users u join accounts a on a.id = u.account_id where a.provider_id = ${customer} and u.status = 'active')` : sql`true`}
      and ${status ? sql`s.status = ${status}` : sql`true`} and ${product ? sql`s.product = ${product}` : sql`true`}
      and ${period ? sql`s.period = ${period}` : sql`true`}
      and ${after ? sql`s.id > ${after}::uuid` : sql`true`}
    order by s.id limit ${size + 1}`)
