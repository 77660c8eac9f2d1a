import type { FastifyInstance } from 'fastify'
import {
  getSealUser,
  listProviderSealUsers,
  putSealUser,
  type ProviderSealUser,
} from '../../contract/provider-seals.ts'
import { sealUserMoves } from '../../contract/seal-users.ts'
import { record } from '../audit.ts'
import { canonicalLogin } from '../canonical.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import type { Tx } from '../db.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { queueInvitation } from '../seal-invitations.ts'
import { holdSeal, insertSealUser, isSealUser, removeUser, voidInvitation, type SealUserRow } from '../seal-users.ts'
import { openInvitedPhone } from '../sealed-fields.ts'
import {
  findAccountOf,
  findSealId,
  findUserOf,
  hasOtherSeat,
  listUsersOf,
  updateUserOf,
} from './provider-seal-queries.ts'

const pageSize = 100

export function serveProviderSealUsers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, putSealUser, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const sealId = await findSealId(tx, params.seal)
      if (!sealId) throw fail('not-found')
      await holdSeal(tx, sealId)
      // What an active user does, an account does; the provider vouches for a customer who is there.
      const accountId = body.status === 'pending' ? null : ((await findAccountOf(tx, body.email)) ?? null)
      if (body.status === 'active' && !accountId) throw fail('not-found')
      const was = await findUserOf(tx, sealId, params.user)
      if (was && was.status !== body.status && !sealUserMoves[was.status].includes(body.status))
        throw fail('state-passed')
      const isNew = !was || canonicalLogin(was.email) !== canonicalLogin(body.email)
      if (isNew && body.status !== 'deleted' && (await isSealUser(tx, sealId, body.email)))
        throw fail('seal-user-exists')
      if (body.status === 'active' && accountId && (await hasOtherSeat(tx, sealId, accountId, params.user)))
        throw fail('seal-user-exists')
      const user = await (was ? change(tx, was, body, accountId) : add(tx, sealId, params.user, body, accountId))
      if (!user) throw fail(was ? 'last-admin' : 'seal-users-full')
      await record(tx, {
        act: 'seal-user-stored',
        accountId: user.accountId,
        actor: 'provider',
        address,
        details: { client: client.id, seal: sealId, user: user.id, status: user.status, role: user.role },
      })
      return stateOf(user)
    }),
  )

  async function add(tx: Tx, sealId: string, providerId: string, body: ProviderSealUser, accountId: string | null) {
    const { status, acquiredAt, deletedAt } = body
    const stated = { providerId, status, accountId, acquiredAt, deletedAt }
    const user = await insertSealUser(tx, portal, sealId, body, { stated })
    if (user && status === 'pending') await queueInvitation(tx, keys, user.id, user.expiresAt)
    return user
  }

  async function change(tx: Tx, was: SealUserRow, body: ProviderSealUser, accountId: string | null) {
    const { id, sealId } = was
    if (was.status === 'deleted') return was
    if (body.status === 'deleted') return removeUser(tx, { sealId, id, at: body.deletedAt })
    const moved = was.email !== body.email || openInvitedPhone(keys, id, was.phone) !== body.phone
    const user = await updateUserOf(tx, keys, was, body, { accountId, moved })
    if (user && (moved || user.status !== was.status)) {
      // What went to the address or number before must open nothing (R40, R41).
      await voidInvitation(tx, id)
      if (user.status === 'pending') await queueInvitation(tx, keys, id, user.expiresAt)
    }
    return user
  }

  serve(app, portal, getSealUser, async ({ params, fail }) => {
    const sealId = await findSealId(db, params.seal)
    const user = sealId && (await findUserOf(db, sealId, params.user))
    if (!user) throw fail('not-found')
    return stateOf(user)
  })

  serve(app, portal, listProviderSealUsers, async ({ params, query, client, fail }) => {
    const sealId = await findSealId(db, params.seal)
    if (!sealId) throw fail('not-found')
    const list = `provider-seal-users ${sealId}`
    const [after = 0] = query.cursor === undefined ? [] : readCursor(keys, list, client.id, query.cursor)
    const rows = await listUsersOf(db, sealId, Number(after), pageSize)
    const last = rows[pageSize - 1]
    return {
      items: rows.slice(0, pageSize).map(stateOf),
      next: rows.length > pageSize && last ? makeCursor(keys, list, client.id, [last.number]) : null,
    }
  })

  function stateOf({
    id,
    providerId,
    number,
    email,
    phone,
    firstName,
    surname,
    role,
    locale,
    status,
    ...at
  }: SealUserRow) {
    return {
      user: providerId,
      number,
      email,
      phone: openInvitedPhone(keys, id, phone),
      firstName,
      surname,
      role,
      locale,
      status,
      acquiredAt: at.acquiredAt?.toISOString() ?? null,
      deletedAt: at.deletedAt?.toISOString() ?? null,
    }
  }
}
