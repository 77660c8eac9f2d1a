import { sql, type RawBuilder } from 'kysely'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { SealUserStatus } from '../../contract/seal-users.ts'
import type { Psd2, Seal, SealUserRole } from '../../contract/seals.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'
import {
  byUrgency,
  countCertificates,
  endsSoonCondition,
  recentlyExpiredCondition,
  activeCondition,
  suspendedCondition,
  filterCondition,
  type CertificateFilters,
} from '../certificates/certificate-conditions.ts'
import type { CertificateFiles } from '../certificates/certificate-files.ts'
import { type Db, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { searchCondition } from '../platform/database/text-search.ts'

export type SealPosition = { rank: number; sortKey: number; id: string }

/** A seal as one of its active users sees it. */
const sealRows = describeRows({
  id: column<string>`s.id`,
  /** The id of the caller's row in `seal_users`. */
  membership: column<string>`m.id`,
  product: column<Seal['product']>`s.product`,
  name: column<string>`s.name`,
  organisation: column<string>`s.organisation`,
  organisationIdentifier: column<string>`s.organisation_identifier`,
  period: column<Period>`s.period`,
  psd2: column<Psd2 | null>`s.psd2`,
  validFrom: column<Date>`s.valid_from`,
  validTo: column<Date>`s.valid_to`,
  status: column<'good' | 'suspended' | 'revoked'>`s.status`,
  ownSuspension: column<boolean>`s.own_suspension`,
  request: column<Seal['request']>`
    (select jsonb_build_object('change', q.change, 'deadline', q.deadline::text) from status_requests q
      where q.seal_id = s.id and q.state = 'requested')`,
  hasAgreement: column<boolean>`s.agreement_key is not null`,
  pairedAt: column<Date | null>`p.confirmed_at`,
  role: column<Seal['role']>`m.role`,
  administrators: column<{ name: string; email: string }[]>`
    (select coalesce(json_agg(json_build_object('name', a.first_name || ' ' || a.surname, 'email', a.email)), '[]')
      from (select * from seal_users where seal_id = s.id and status = 'active' and role = 'admin'
        order by number limit ${limits.seal.administratorsShown}) a)`,
  hasRemovedUsers: column<boolean>`
    m.role = 'admin' and exists (select from seal_users d where d.seal_id = s.id and d.standing = 2)`,
})
export type SealRow = RowOf<typeof sealRows>

/** Returns the SQL source of the seals to which an account has active access, read again by every call (R40). */
const accessibleSeals = (accountId: string, now: RawBuilder<unknown>) => sql`
  from seal_users m join seals s on s.id = m.seal_id left join seal_pairings p on p.seal_user_id = m.id, (select ${now}::timestamptz as now) t
  where m.account_id = ${accountId} and m.status = 'active'`

const at = (now: Date) => sql`${now.toISOString()}`

type SealFilters = CertificateFilters<Seal['product']> & { after: SealPosition | undefined }

/** Lists one page of seals, with the first row of the next page if there is one. */
export function listSealPage(
  db: Db,
  accountId: string,
  now: Date,
  { after, size, ...filters }: SealFilters,
): Promise<(SealRow & SealPosition)[]> {
  const { rank, sortKey } = byUrgency
  return sealRows(db).all<SealPosition>(sql`
    select ${sealRows.columns}, ${rank} as rank, ${sortKey} as sort_key ${accessibleSeals(accountId, at(now))}
      and ${after ? sql`(${rank}, ${sortKey}, s.id) > (${after.rank}::int, ${after.sortKey}::float8, ${after.id}::uuid)` : sql`true`}
      and ${filterCondition(filters)}
      and ${searchCondition(filters, sql`s.id`, sql`s.organisation || ' ' || s.organisation_identifier || ' ' || s.name`)}
    order by ${rank}, ${sortKey}, s.id limit ${size + 1}`)
}

/** Lists the organisations of all seals that the account can use, in Polish order. */
export async function listSealOrganisations(db: Db, accountId: string): Promise<string[]> {
  const rows = await query(db).all(sql<{ organisation: string }>`
    select s.organisation from seal_users m join seals s on s.id = m.seal_id
    where m.account_id = ${accountId} and m.status = 'active'
    group by s.organisation order by s.organisation collate "pl-x-icu" limit ${limits.list.organisations}`)
  return rows.map(({ organisation }) => organisation)
}

/** Whether a seal ends soon, is suspended, or has expired recently and the organisation has no other seal of this kind. */
const attentionCondition = sql`(
  ${endsSoonCondition} or ${suspendedCondition} or (${recentlyExpiredCondition} and not exists (
    select from seals n where n.organisation_identifier = s.organisation_identifier and n.product = s.product and n.status = 'good' and n.valid_to > t.now
      and exists (select from seal_users u where u.seal_id = n.id and u.account_id = m.account_id and u.status = 'active'))))`

/** Returns the counts, the seals that need attention by nearest end, the valid seal that ends first, and when the next one begins. */
export async function summariseOwnSeals(db: Db, accountId: string, now: Date) {
  const rows = await sealRows(db).all<{ needsAttention: boolean; isActive: boolean }>(sql`
    select ${sealRows.columns}, ${attentionCondition} as needs_attention, ${activeCondition} as is_active ${accessibleSeals(accountId, at(now))}
      and (${attentionCondition} or ${activeCondition}) order by not ${attentionCondition}, s.valid_to, s.id limit 21`)
  const attention = rows.filter((row) => row.needsAttention)
  const nearest = rows.find((row) => row.isActive)
  return { ...(await countCertificates(db, accessibleSeals(accountId, at(now)))), attention, nearest }
}

/** Finds the seal, if the account's access to it is active; any other seal is not found (R34). */
export const findSeal = (db: Db, accountId: string, id: string): Promise<SealRow | undefined> =>
  sealRows(db).first(sql`select ${sealRows.columns} ${accessibleSeals(accountId, sql`portal_now()`)} and s.id = ${id}`)

/** Finds the certificate of a seal and its chain in DER; undefined for any seal to which the account has no active access (R34). */
export const findSealCertificate = (db: Db, accountId: string, id: string): Promise<CertificateFiles | undefined> =>
  query(db).first(sql<CertificateFiles>`
    select s.certificate, s.chain ${accessibleSeals(accountId, sql`portal_now()`)} and s.id = ${id}`)

export const findSealAgreement = (db: Db, accountId: string, id: string) =>
  query(db).first(sql<{ key: string | null; language: Locale }>`
    select s.agreement_key as key, s.agreement_language as language ${accessibleSeals(accountId, sql`portal_now()`)} and s.id = ${id}`)

/** Names of the users' roles in mails and in the copy of all data. */
export const roleText: Record<SealUserRole, Text> = {
  admin: { pl: 'administrator', en: 'administrator' },
  user: { pl: 'użytkownik', en: 'user' },
}

export const accessText: Record<SealUserStatus, Text> = {
  pending: { pl: 'oczekuje na aktywację', en: 'awaiting activation' },
  active: { pl: 'aktywny', en: 'active' },
  deleted: { pl: 'usunięty', en: 'removed' },
}
