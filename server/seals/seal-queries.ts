import { sql, type RawBuilder } from 'kysely'
import type { Seal } from '../../contract/seals.ts'
import { limits } from '../../contract/limits.ts'
import type { Db, Tx } from '../db.ts'

/** A seal as one of its active users sees it. */
export type SealRow = {
  id: string
  /** The row of the user who asks. */
  seat: string
  product: Seal['product']
  name: string
  organisation: string
  organisationIdentifier: string
  years: number
  validFrom: Date
  validTo: Date
  status: 'good' | 'suspended' | 'revoked'
  hasAgreement: boolean
  pairedAt: Date | null
  role: Seal['role']
  administrators: { name: string; email: string }[]
  hasRemovedUsers: boolean
}

/** Where in its order a row of a list stands. */
export type SealPosition = { rank: number; place: number; id: string }

const active = sql`(s.status = 'good' and s.valid_from <= t.now and s.valid_to > t.now)`
// Active first by nearest end, then inactive newest first (defaults.md, lists).
const rank = sql`(case when ${active} then 0 else 1 end)`
const place = sql`(date_part('epoch', s.valid_to) * case when ${active} then 1 else -1 end)`

const columns = sql`
  s.id, m.id as seat, s.product, s.name, s.organisation, s.organisation_identifier as "organisationIdentifier", s.years,
  s.valid_from as "validFrom", s.valid_to as "validTo", s.status, s.agreement_key is not null as "hasAgreement",
  p.confirmed_at as "pairedAt", m.role,
  (select coalesce(json_agg(json_build_object('name', a.first_name || ' ' || a.surname, 'email', a.email)), '[]')
    from (select * from seal_users where seal_id = s.id and status = 'active' and role = 'administrator'
      order by number limit ${limits.seal.administratorsShown}) a) as administrators,
  m.role = 'administrator' and exists (select from seal_users d where d.seal_id = s.id and d.standing = 2) as "hasRemovedUsers"`

/** The seals of an account: those where its access is active now, asked anew by every call (R40). */
const source = (accountId: string, now: RawBuilder<unknown>) => sql`
  from seal_users m join seals s on s.id = m.seal_id left join seal_pairings p on p.seal_user_id = m.id, (select ${now}::timestamptz as now) t
  where m.account_id = ${accountId} and m.status = 'active'`

const at = (now: Date) => sql`${now.toISOString()}`

/** One page and, as its last row, the first of the next one when there is a next one. */
export async function listSealPage(
  db: Db,
  accountId: string,
  now: Date,
  { after, size }: { after: SealPosition | undefined; size: number },
): Promise<(SealRow & SealPosition)[]> {
  const { rows } = await sql<SealRow & SealPosition>`
    select ${columns}, ${rank} as rank, ${place} as place ${source(accountId, at(now))}
      and ${after ? sql`(${rank}, ${place}, s.id) > (${after.rank}::int, ${after.place}::float8, ${after.id}::uuid)` : sql`true`}
    order by ${rank}, ${place}, s.id limit ${size + 1}`.execute(db)
  return rows
}

const days = (count: number) => sql`make_interval(hours => ${count * 24}::int)`

/** It ends soon, is suspended, or has expired of late with no other of the organisation in its place (ux.md §8.2). */
const needsAttention = sql`(
  (${active} and s.valid_to <= t.now + ${days(limits.badge.amberDays)})
  or (s.status = 'suspended' and s.valid_to > t.now)
  or (s.status = 'good' and s.valid_to <= t.now and s.valid_to > t.now - ${days(limits.home.overDays)} and not exists (
    select from seals n where n.organisation_identifier = s.organisation_identifier and n.status = 'good' and n.valid_to > t.now
      and exists (select from seal_users u where u.seal_id = n.id and u.account_id = m.account_id and u.status = 'active'))))`

/** Counts, those that need attention, nearest end first, and the one that ends first of those that are valid. */
export async function summariseRows(db: Db, accountId: string, now: Date) {
  const counts = await sql<{ active: number; inactive: number }>`
    select count(*) filter (where ${active})::int as active, count(*) filter (where not ${active})::int as inactive
    ${source(accountId, at(now))}`.execute(db)
  const { rows } = await sql<SealRow & { waits: boolean; isActive: boolean }>`
    select ${columns}, ${needsAttention} as waits, ${active} as "isActive" ${source(accountId, at(now))}
      and (${needsAttention} or ${active}) order by not ${needsAttention}, s.valid_to, s.id limit 21`.execute(db)
  const attention = rows.filter(({ waits }) => waits)
  return { ...counts.rows[0]!, attention, nearest: rows.find(({ isActive }) => isActive) }
}

/** The seal, if the account's access to it is active; any other is as absent as none (R34). */
export async function findSeal(db: Db, accountId: string, id: string): Promise<SealRow | undefined> {
  const { rows } = await sql<SealRow>`
    select ${columns} ${source(accountId, sql`portal_now()`)} and s.id = ${id}`.execute(db)
  return rows[0]
}

export async function findSealAgreement(db: Db, accountId: string, id: string) {
  const { rows } = await sql<{ key: string | null; language: 'pl' | 'en' }>`
    select s.agreement_key as key, s.agreement_language as language ${source(accountId, sql`portal_now()`)} and s.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Stores the secret of a user's app, for as long as the access is active. False when it has ended meanwhile. */
export async function storeSealPairing(tx: Tx, seat: string, secret: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into seal_pairings (seal_user_id, secret)
    select id, ${secret}::bytea from seal_users where id = ${seat} and status = 'active' for share
    on conflict (seal_user_id) do update set secret = excluded.secret, created_at = portal_now(), last_step = 0, confirmed_at = null`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

export function findSealPairing(db: Db, seat: string) {
  return db
    .selectFrom('seal_pairings')
    .select(['secret', 'last_step as lastStep'])
    .where('seal_user_id', '=', seat)
    .executeTakeFirst()
}

/** Takes a time step for the secret it was checked with; false when it, or a newer one, was taken before, or the access has ended. */
export async function confirmSealStep(tx: Tx, seat: string, secret: Buffer, step: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update seal_pairings set last_step = ${step}, confirmed_at = portal_now()
    where seal_user_id = ${seat} and secret = ${secret} and last_step < ${step}`.execute(tx)
  return numAffectedRows === 1n
}
