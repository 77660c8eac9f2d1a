import type { FastifyInstance } from 'fastify'
import {
  addSealUser,
  inviteSealUserAgain,
  listSealUsers,
  removeSealUser,
  type SealUser,
} from '../../contract/seal-users.ts'
import { limits } from '../../contract/limits.ts'
import type { Act } from '../../contract/acts.ts'
import { record } from '../audit.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import type { Tx } from '../db.ts'
import { serve } from '../http.ts'
import { maskPhone } from '../masks.ts'
import type { Portal } from '../portal.ts'
import { sendInvitation } from '../seal-invitations.ts'
import { insertSealUser, isSealUser, removeUser, type SealUserRow } from '../seal-users.ts'
import { openInvitedPhone } from '../sealed-fields.ts'
import { findAdministered, findSealUser, listUserPage, renewInvitation } from './seal-user-queries.ts'

/** SEA-2, SEA-3, SEA-5: for active Administrators of the very seal; to anyone else it is as absent as none (R38). */
export function serveSealUsers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, listSealUsers, async ({ params, query, session: { accountId }, fail }) => {
    if (!(await findAdministered(db, params.id, accountId))) throw fail('not-found')
    const size = Number(query.size ?? limits.list.size)
    const sort = query.sort ?? 'standing'
    // A cursor of one order or seal means nothing in another.
    const list = `seal-users ${sort} ${params.id}`
    const [rank, number] = query.cursor === undefined ? [] : readCursor(keys, list, accountId, query.cursor)
    const rows = await listUserPage(db, params.id, {
      sort,
      after: rank === undefined ? undefined : { rank, number: Number(number) },
      size,
      status: query.status,
      search: query.search?.trim().normalize('NFC') || undefined,
    })
    const last = rows[size - 1]
    return {
      items: rows.slice(0, size).map((row) => userOf(row, accountId)),
      next: rows.length > size && last ? makeCursor(keys, list, accountId, [last.rank, last.number]) : null,
    }
  })

  serve(app, portal, addSealUser, async ({ params, body, session, address, tx, fail }) => {
    const seal = await findAdministered(tx, params.id, session.accountId)
    if (!seal) throw fail('not-found')
    if (seal.ended) throw fail('seal-ended')
    const { locale, accountId } = session
    const user = await insertSealUser(tx, portal, params.id, { ...body, locale }, { by: accountId })
    if (!user) throw fail(await whyNotAdded(tx, params.id, accountId, body.email))
    const unpaid = await sendInvitation(tx, portal, user)
    if (unpaid) throw fail('sends-spent', unpaid)
    await note(tx, 'seal-user-invited', user, session.accountId, address)
    return userOf(user, accountId)
  })

  async function whyNotAdded(tx: Tx, sealId: string, accountId: string, email: string) {
    if (!(await findAdministered(tx, sealId, accountId))) return 'not-found'
    return (await isSealUser(tx, sealId, email)) ? 'seal-user-exists' : 'seal-users-full'
  }

  serve(app, portal, removeSealUser, ({ params, session: { accountId }, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const removed = await removeUser(tx, { sealId: params.id, id: params.user, by: accountId })
      if (removed) {
        await note(tx, 'seal-user-removed', removed, accountId, address)
        return userOf(removed, accountId)
      }
      const mine = await findAdministered(tx, params.id, accountId)
      const user = mine && (await findSealUser(tx, params.id, params.user))
      if (!user) throw fail('not-found')
      // Whoever repeats the call has what was asked for (HTT-1).
      if (user.status === 'deleted') return userOf(user, accountId)
      throw fail(user.administrators > 1 ? 'own-access' : 'last-admin')
    }),
  )

  serve(app, portal, inviteSealUserAgain, ({ params, session: { accountId }, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const seal = await findAdministered(tx, params.id, accountId)
      if (!seal) throw fail('not-found')
      if (seal.ended) throw fail('seal-ended')
      const user = await renewInvitation(tx, params.id, params.user, accountId)
      if (!user) {
        const now = await findSealUser(tx, params.id, params.user)
        if (!now) throw fail('not-found')
        if (now.status === 'deleted') throw fail('state-passed')
        if (now.status === 'active') throw fail('already-active')
        throw fail('resend-too-early', { retryAfter: Math.max(1, now.waits) })
      }
      const unpaid = await sendInvitation(tx, portal, user)
      if (unpaid) throw fail('sends-spent', unpaid)
      await note(tx, 'seal-user-invited', user, accountId, address)
      return userOf(user, accountId)
    }),
  )

  const note = (tx: Tx, act: Act, { sealId, id, role }: SealUserRow, accountId: string, address: string) =>
    record(tx, { act, accountId, actor: 'customer', address, details: { seal: sealId, user: id, role } })

  /** What an Administrator sees: the number's end alone, and nothing of what the user does (SEA-6). */
  function userOf(row: SealUserRow, caller: string): SealUser {
    const { id, number, email, firstName, surname, role, status } = row
    return {
      id,
      number,
      email,
      phone: maskPhone(openInvitedPhone(keys, id, row.phone)),
      firstName,
      surname,
      role,
      status,
      invitedAt: row.invitedAt.toISOString(),
      expiresAt: status === 'pending' ? row.expiresAt.toISOString() : null,
      acquiredAt: row.acquiredAt?.toISOString() ?? null,
      deletedAt: row.deletedAt?.toISOString() ?? null,
      own: row.accountId === caller,
    }
  }
}
