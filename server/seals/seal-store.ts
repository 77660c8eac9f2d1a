import { sql, type RawBuilder } from 'kysely'
import type { Period } from '../../contract/enums.ts'
import type { Psd2, Seal } from '../../contract/seals.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { column, rowsOf, type RowOf } from '../platform/database/described-rows.ts'
import { isFound, type Searched } from '../platform/database/text-search.ts'
import type { CertificateFiles } from '../platform/files/certificate-files.ts'

/** The position of a row in its order. */
export type SealPosition = { rank: number; sortKey: number; id: string }

const active = sql`(s.status = 'good' and s.valid_from <= t.now and s.valid_to > t.now)`
// Active first by nearest end, then inactive newest first (defaults.md, lists).
const rank = sql`(case when ${active} then 0 else 1 end)`
const sortKey = sql`(date_part('epoch', s.valid_to) * case when ${active} then 1 else -1 end)`

/** A seal as one of its active users sees it. */
const sealRows = rowsOf({
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

/** The seals to which an account has active access, read again by every call (R40). */
const source = (accountId: string, now: RawBuilder<unknown>) => sql`
  from seal_users m join seals s on s.id = m.seal_id left join seal_pairings p on p.seal_user_id = m.id, (select ${now}::timestamptz as now) t
  where m.account_id = ${accountId} and m.status = 'active'`

const at = (now: Date) => sql`${now.toISOString()}`

type SealFilters = {
  after: SealPosition | undefined
  size: number
  status?: Seal['status'] | undefined
  product?: Seal['product'] | undefined
  period?: Period | undefined
  organisation?: string | undefined
} & Searched

/** One page, with the first row of the next page if there is one. */
export function listSealPage(
  db: Db,
  accountId: string,
  now: Date,
  { after, size, status, product, period, organisation, ...searched }: SealFilters,
): Promise<(SealRow & SealPosition)[]> {
  return sealRows(db).all<SealPosition>(sql`
    select ${sealRows.columns}, ${rank} as rank, ${sortKey} as sort_key ${source(accountId, at(now))}
      and ${after ? sql`(${rank}, ${sortKey}, s.id) > (${after.rank}::int, ${after.sortKey}::float8, ${after.id}::uuid)` : sql`true`}
      and ${status ? sql`${active} = ${status === 'active'}` : sql`true`}
      and ${product ? sql`s.product = ${product}` : sql`true`}
      and ${period ? sql`s.period = ${period}` : sql`true`}
      and ${organisation ? sql`s.organisation = ${organisation}` : sql`true`}
      and ${isFound(searched, sql`s.id`, sql`s.organisation || ' ' || s.organisation_identifier || ' ' || s.name`)}
    order by ${rank}, ${sortKey}, s.id limit ${size + 1}`)
}

/** The organisations of all seals that the account can use, in Polish order. */
export async function listSealOrganisations(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ organisation: string }>`
    select s.organisation from seal_users m join seals s on s.id = m.seal_id
    where m.account_id = ${accountId} and m.status = 'active'
    group by s.organisation order by s.organisation collate "pl-x-icu" limit ${limits.list.organisations}`.execute(db)
  return rows.map(({ organisation }) => organisation)
}

const days = (count: number) => sql`make_interval(hours => ${count * 24}::int)`
/** Half of the validity: a certificate of a day or a month neither ends soon from its beginning on nor ended recently for as long (SIG-7). */
const halfOfIt = sql`(s.valid_to - s.valid_from) / 2`

/** It ends soon, is suspended, or has expired recently and the organisation has no other seal of this kind (ux.md §8.2). */
const needsAttention = sql`(
  (${active} and s.valid_to <= t.now + ${days(limits.badge.amberDays)} and t.now >= s.valid_to - ${halfOfIt})
  or (s.status = 'suspended' and s.valid_to > t.now)
  or (s.status = 'good' and s.valid_to <= t.now and s.valid_to > t.now - least(${days(limits.home.overDays)}, ${halfOfIt}) and not exists (
    select from seals n where n.organisation_identifier = s.organisation_identifier and n.product = s.product and n.status = 'good' and n.valid_to > t.now
      and exists (select from seal_users u where u.seal_id = n.id and u.account_id = m.account_id and u.status = 'active'))))`

/** Counts, the seals that need attention by nearest end, the valid seal that ends first, and when the next one begins. */
export async function summariseRows(db: Db, accountId: string, now: Date) {
  const counts = await sql<{ active: number; inactive: number; begins: Date | null }>`
    select count(*) filter (where ${active})::int as active, count(*) filter (where not ${active})::int as inactive,
      min(s.valid_from) filter (where s.status = 'good' and s.valid_from > t.now) as begins
    ${source(accountId, at(now))}`.execute(db)
  const rows = await sealRows(db).all<{ needsAttention: boolean; isActive: boolean }>(sql`
    select ${sealRows.columns}, ${needsAttention} as needs_attention, ${active} as is_active ${source(accountId, at(now))}
      and (${needsAttention} or ${active}) order by not ${needsAttention}, s.valid_to, s.id limit 21`)
  const attention = rows.filter((row) => row.needsAttention)
  return {
    ...(counts.rows[0] ?? { active: 0, inactive: 0, begins: null }),
    attention,
    nearest: rows.find(({ isActive }) => isActive),
  }
}

/** The seal, if the account's access to it is active; any other seal is not found (R34). */
export const findSeal = (db: Db, accountId: string, id: string): Promise<SealRow | undefined> =>
  sealRows(db).first(sql`select ${sealRows.columns} ${source(accountId, sql`portal_now()`)} and s.id = ${id}`)

/** The certificate and its chain in DER; of any seal to which the account has no active access, undefined (R34). */
export async function findSealCertificate(
  db: Db,
  accountId: string,
  id: string,
): Promise<CertificateFiles | undefined> {
  const { rows } = await sql<CertificateFiles>`
    select s.certificate, s.chain ${source(accountId, sql`portal_now()`)} and s.id = ${id}`.execute(db)
  return rows[0]
}

export async function findSealAgreement(db: Db, accountId: string, id: string) {
  const { rows } = await sql<{ key: string | null; language: 'pl' | 'en' }>`
    select s.agreement_key as key, s.agreement_language as language ${source(accountId, sql`portal_now()`)} and s.id = ${id}`.execute(
    db,
  )
  return rows[0]
}
