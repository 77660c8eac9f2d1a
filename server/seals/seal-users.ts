import { sql, type RawBuilder } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/seal-users.ts'
import type { SealUser, SealUserSort, SealUserStatus } from '../../contract/seal-users.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { wordsCondition } from '../platform/database/text-search.ts'
import { decryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { csvMoment, csvOf, csvSeparator } from '../platform/http/csv.ts'
import { handler } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'
import { sendInvitation } from './seal-invitations.ts'
import {
  addUser,
  isSealUser,
  removeUser,
  type SealUserRow,
  administratorCondition,
  sealEndedCondition,
  sealUserRows,
} from './seal-membership-store.ts'
import { accessText } from './seal-store.ts'

type UserPosition = { rank: number | string; number: number }

type Order = { rank: RawBuilder<unknown>; type: RawBuilder<unknown> }

/** The sort key of each order; equal keys are ordered by number. Names are in Polish order. */
const orders: Record<SealUserSort, Order> = {
  standing: { rank: sql`u.standing`, type: sql`int` },
  name: { rank: sql`((u.surname || ' ' || u.first_name) collate "pl-x-icu")`, type: sql`text collate "pl-x-icu"` },
}

type UserFilters = {
  sort: SealUserSort
  after: UserPosition | undefined
  size: number
  status: SealUserStatus | undefined
  search: string | undefined
}

/** Lists one page of users, with the first row of the next page if there is one; without removed users, unless a status is given. */
function listUserPage(
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
      and ${wordsCondition(sql`u.first_name || ' ' || u.surname || ' ' || u.email`, search)}
    order by ${rank}, u.number limit ${size + 1}`)
}

/** Lists all users of a seal, also those who were removed, in the order of their numbers. */
const listAllUsers = (db: Db, sealId: string): Promise<SealUserRow[]> =>
  sealUserRows(db).all(sql`
    select ${sealUserRows.columns} from seal_users u where u.seal_id = ${sealId}
    order by u.number limit ${limits.seal.maxExported}`)

/** Finds whether the seal has ended; undefined if the account is not one of its active Administrators (R34, R38). */
export const findAdministered = (
  db: Db,
  sealId: string,
  accountId: string,
): Promise<{ hasEnded: boolean } | undefined> =>
  query(db).first(sql<{ hasEnded: boolean }>`
    select ${sealEndedCondition} as has_ended from seals s where s.id = ${sealId} and ${administratorCondition(sealId, accountId)}`)

type Removability = { administrators: number; secondsToResend: number }

/** Finds a user of a seal, with the data that decide whether they can be removed or invited again. */
const findSealUser = (db: Db, sealId: string, id: string): Promise<(SealUserRow & Removability) | undefined> =>
  sealUserRows(db).first<Removability>(sql`
    select ${sealUserRows.columns},
      (select count(*)::int from seal_users a where a.seal_id = u.seal_id and a.status = 'active' and a.role = 'admin') as administrators,
      ceil(extract(epoch from u.invited_at - portal_now()) + ${limits.code.resendAfter})::float8 as seconds_to_resend
    from seal_users u where u.id = ${id} and u.seal_id = ${sealId}`)

/**
 * Gives a pending invitation its full time again, for an Administrator (`by`) or for the provider, a minute after the
 * last mail at the earliest; one statement decides which call may send.
 */
export function renewInvitation(tx: Tx, sealId: string, id: string, by?: string): Promise<SealUserRow | undefined> {
  const permissionCondition = by === undefined ? sql`true` : administratorCondition(sealId, by)
  return sealUserRows(tx).first(sql`
    update seal_users u set invited_at = portal_now(), expires_at = portal_now() + make_interval(secs => ${limits.link.invitation})
    where u.id = ${id} and u.seal_id = ${sealId} and u.status = 'pending' and ${permissionCondition}
      and u.invited_at + make_interval(secs => ${limits.code.resendAfter}) <= portal_now()
    returning ${sealUserRows.columns}`)
}

// For active Administrators of the seal; for anyone else it is not found (SEA-2, SEA-3, SEA-5, SEA-17, R38).

export const listSealUsers = handler(
  calls.listSealUsers,
  async ({ params, query: asked, session: { accountId }, orNotFound, page }, portal) => {
    orNotFound(await findAdministered(portal.db, params.id, accountId))
    const sort = asked.sort ?? 'standing'
    const filters = { sort, status: asked.status, search: asked.search }
    const { rows, next } = await page(
      { list: `seal-users ${sort} ${params.id}`, cursor: asked.cursor, size: asked.size },
      (after: UserPosition | undefined, size) => listUserPage(portal.db, params.id, { ...filters, size, after }),
      ({ rank, number }) => ({ rank, number }),
    )
    return { items: rows.map((row) => userOf(portal, row, accountId)), next }
  },
)

const heads: readonly Text[] = [
  { pl: 'Nr', en: 'No.' },
  { pl: 'Imię', en: 'First name' },
  { pl: 'Nazwisko', en: 'Surname' },
  { pl: 'E-mail', en: 'E-mail' },
  { pl: 'Telefon', en: 'Phone' },
  { pl: 'Rola', en: 'Role' },
  { pl: 'Dostęp', en: 'Access' },
  { pl: 'Zaproszono', en: 'Invited' },
  { pl: 'Zaproszenie ważne do', en: 'Invitation valid until' },
  { pl: 'Dostęp od', en: 'Access since' },
  { pl: 'Dostęp do', en: 'Access until' },
]

/** Writes the users of a seal for a spreadsheet (SEA-17), their roles by the names that a file of invitations may have too (SEA-18). */
function sealUsersCsv(locale: Locale, users: readonly Given<typeof SealUser>[]): string {
  const moment = (at: Date | string | null) => (at ? csvMoment(at) : '')
  const rows = users.map((user) => [
    String(user.number),
    user.firstName,
    user.surname,
    user.email,
    user.phone,
    user.role,
    accessText[user.status][locale],
    moment(user.invitedAt),
    moment(user.expiresAt),
    moment(user.acquiredAt),
    moment(user.deletedAt),
  ])
  return csvOf([heads.map((head) => head[locale]), ...rows], csvSeparator[locale])
}

export const exportSealUsers = handler(
  calls.exportSealUsers,
  async ({ params: { id }, query: { locale }, session: { accountId }, ...call }, portal) => {
    const { limit, transaction, orNotFound } = call
    orNotFound(await findAdministered(portal.db, id, accountId))
    await limit('too-many-attempts', ['seal-user-exports', accountId])
    const rows = await transaction(async (tx, audit) => {
      await audit('seal-users-exported', { seal: id })
      return listAllUsers(tx, id)
    })
    const users = rows.map((row) => userOf(portal, row, accountId))
    const content = Buffer.from(sealUsersCsv(locale, users))
    const name = { pl: 'uzytkownicy-pieczeci.csv', en: 'seal-users.csv' }[locale]
    return { name, type: 'text/csv; charset=utf-8', bytes: content.length, content }
  },
)

export const addSealUser = handler(
  calls.addSealUser,
  ({ params, body, session: { accountId }, fail, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const seal = orNotFound(await findAdministered(tx, params.id, accountId))
      if (seal.hasEnded) throw fail('seal-ended')
      const user = await addUser(tx, portal, params.id, body, { by: accountId })
      if (!user) {
        orNotFound(await findAdministered(tx, params.id, accountId))
        throw fail((await isSealUser(tx, params.id, body.email)) ? 'seal-user-exists' : 'seal-users-full')
      }
      const refusal = await sendInvitation(tx, portal, user)
      if (refusal) throw fail('sends-spent', refusal)
      await audit('seal-user-invited', detailsOf(user))
      return userOf(portal, user, accountId)
    }),
)

export const removeSealUser = handler(
  calls.removeSealUser,
  ({ params, session: { accountId }, fail, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const removed = await removeUser(tx, { sealId: params.id, id: params.user, by: accountId })
      if (removed) {
        await audit('seal-user-removed', detailsOf(removed))
        return userOf(portal, removed, accountId)
      }
      orNotFound(await findAdministered(tx, params.id, accountId))
      const user = orNotFound(await findSealUser(tx, params.id, params.user))
      // A repeated call gets the same answer (HTT-1).
      if (user.status === 'deleted') return userOf(portal, user, accountId)
      throw fail(user.administrators > 1 ? 'own-access' : 'last-admin')
    }),
)

export const inviteSealUserAgain = handler(
  calls.inviteSealUserAgain,
  ({ params, session: { accountId }, fail, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const seal = orNotFound(await findAdministered(tx, params.id, accountId))
      if (seal.hasEnded) throw fail('seal-ended')
      const user = await renewInvitation(tx, params.id, params.user, accountId)
      if (!user) {
        const current = orNotFound(await findSealUser(tx, params.id, params.user))
        if (current.status === 'deleted') throw fail('state-passed')
        if (current.status === 'active') throw fail('already-active')
        throw fail('resend-too-early', { retryAfter: Math.max(1, current.secondsToResend) })
      }
      const refusal = await sendInvitation(tx, portal, user)
      if (refusal) throw fail('sends-spent', refusal)
      await audit('seal-user-invited', detailsOf(user))
      return userOf(portal, user, accountId)
    }),
)

export const showSealUserPhone = handler(
  calls.showSealUserPhone,
  ({ params, session: { accountId }, transaction, orNotFound }, { keys }) =>
    transaction(async (tx, audit) => {
      orNotFound(await findAdministered(tx, params.id, accountId))
      const user = orNotFound(await findSealUser(tx, params.id, params.user))
      // Nothing of an erased customer is left.
      const phone = orNotFound(decryptInvitedPhone(keys, user.id, user.phone) || undefined)
      await audit('personal-data-revealed', detailsOf(user))
      return { phone }
    }),
)

const detailsOf = ({ sealId, id, role }: SealUserRow) => ({ seal: sealId, user: id, role })

/** Returns a user as an Administrator sees them: only the end of the number, and nothing of the user's activity (SEA-6). */
function userOf({ keys }: Portal, row: SealUserRow, caller: string): Given<typeof SealUser> {
  const { id, number, email, firstName, surname, role, status } = row
  return {
    id,
    number,
    email,
    phone: maskPhone(decryptInvitedPhone(keys, id, row.phone)),
    firstName,
    surname,
    role,
    status,
    invitedAt: row.invitedAt,
    expiresAt: status === 'pending' ? row.expiresAt : null,
    acquiredAt: row.acquiredAt,
    deletedAt: row.deletedAt,
    isOwn: row.accountId === caller,
  }
}
