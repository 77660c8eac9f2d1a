import { sql, type RawBuilder } from 'kysely'
import type { SealUserSort, SealUserStatus } from '../../contract/seal-users.ts'
import { limits } from '../../contract/limits.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { containsWords } from '../platform/database/text-search.ts'
import { isAdministrator, sealHasEnded, sealUserRows, type SealUserRow } from './seal-membership-store.ts'

export type UserPosition = { rank: number | string; number: number }

type Order = { rank: RawBuilder<unknown>; type: RawBuilder<unknown> }

/** The sort key of each order; equal keys are ordered by number. Names are in Polish order. */
const orders: Record<SealUserSort, Order> = {
  standing: { rank: sql`u.standing`, type: sql`int` },
  name: { rank: sql`((u.surname || ' ' || u.first_name) collate "pl-x-icu")`, type: sql`text collate "pl-x-icu"` },
}

export type UserFilters = {
  sort: SealUserSort
  after: UserPosition | undefined
  size: number
  status: SealUserStatus | undefined
  search: string | undefined
}

/** One page, with the first row of the next page if there is one; without removed users, unless a status is given. */
export function listUserPage(
  db: Db,
  sealId: string,
  { sort, after, size, status, search }: UserFilters,
): Promise<(SealUserRow & UserPosition)[]> {
  const { rank, type } = orders[sort]
  return sealUserRows(db).all<UserPosition>(sql`
    select ${sealUserRows.columns}, ${rank} as rank from seal_users u
    where u.seal_id = ${sealId}
      and ${status ? sql`u.standing = ${{ active: 0, pending: 1, deleted: 2 }[status]}` : sql`u.standing < 2`}
      and ${after ? sql`(${rank}, u.number) > (${after.rank}::${type}, ${after.number}::int)` : sql`true`}
      and ${containsWords(sql`u.first_name || ' ' || u.surname || ' ' || u.email`, search)}
    order by ${rank}, u.number limit ${size + 1}`)
}

/** All of them, also those who were removed, in the order of their numbers. */
export const listAllUsers = (db: Db, sealId: string): Promise<SealUserRow[]> =>
  sealUserRows(db).all(sql`
    select ${sealUserRows.columns} from seal_users u where u.seal_id = ${sealId}
    order by u.number limit ${limits.seal.exported}`)

/** Whether the seal has ended; undefined if the account is not one of its active Administrators (R34, R38). */
export const findAdministered = (db: Db, sealId: string, accountId: string): Promise<{ ended: boolean } | undefined> =>
  query(db).first(sql<{ ended: boolean }>`
    select ${sealHasEnded} as ended from seals s where s.id = ${sealId} and ${isAdministrator(sealId, accountId)}`)

type Removability = { administrators: number; secondsToResend: number }

/** A user of a seal, with the data that decide whether they can be removed or invited again. */
export const findSealUser = (db: Db, sealId: string, id: string): Promise<(SealUserRow & Removability) | undefined> =>
  sealUserRows(db).first<Removability>(sql`
    select ${sealUserRows.columns},
      (select count(*)::int from seal_users a where a.seal_id = u.seal_id and a.status = 'active' and a.role = 'admin') as administrators,
      ceil(extract(epoch from u.invited_at - portal_now()) + ${limits.code.resendAfter})::float8 as seconds_to_resend
    from seal_users u where u.id = ${id} and u.seal_id = ${sealId}`)

/**
 * Gives a pending invitation its full time again, for an Administrator (`by`) or for the provider, a minute after the last mail at the earliest;
 * one statement decides which call may send.
 */
export function renewInvitation(tx: Tx, sealId: string, id: string, by?: string): Promise<SealUserRow | undefined> {
  const may = by === undefined ? sql`true` : isAdministrator(sealId, by)
  return sealUserRows(tx).first(sql`
    update seal_users u set invited_at = portal_now(), expires_at = portal_now() + make_interval(secs => ${limits.link.invitation})
    where u.id = ${id} and u.seal_id = ${sealId} and u.status = 'pending' and ${may}
      and u.invited_at + make_interval(secs => ${limits.code.resendAfter}) <= portal_now()
    returning ${sealUserRows.columns}`)
}
